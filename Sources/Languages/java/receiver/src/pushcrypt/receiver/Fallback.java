package pushcrypt.receiver;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import pushcrypt.PushCryptException;

/** The display of the app's own text for a message that can't be opened. It never replaces a displayed notification. */
final class Fallback {
    /** The codes after which the message is opened again when the app resumes. */
    private static final Set<String> RETRIED = new HashSet<>(Arrays.asList(
        "key-unreadable", "device-locked", "deadline-passed", "unknown-signer", "malformed-signer-list",
        "replay-guard-unavailable", "issued-in-future"));

    private final Receiver receiver;
    private final Delivery delivery;
    private final PushCryptException reason;

    Fallback(Receiver receiver, Delivery delivery, PushCryptException reason) {
        this.receiver = receiver;
        this.delivery = delivery;
        this.reason = reason;
    }

    /** Displays the text unless the message is displayed already, and returns the outcome. */
    Outcome run(Messages.Session session) throws PushCryptException {
        ReplayMemory.Entry entry = session.state.findTag(delivery.tag);
        if (entry == null || !entry.isDone) {
            showOnce();
        }
        MessageState.Waiting waiting = session.state.findWaiting(delivery.text);
        if (waiting != null) {
            waiting.hasFallback = true;
            if (!RETRIED.contains(reason.code())) {
                session.state.waiting.remove(waiting);
            }
        }
        session.save();
        return outcome();
    }

    /** Displays the text without the state, because it can't be used. */
    Outcome runWithoutState() {
        showOnce();
        return outcome();
    }

    private void showOnce() {
        if (!receiver.display.shown().contains(delivery.tag)) {
            Content content = new Content(receiver.fallback.text(reason.code()));
            receiver.display.show(new Notice(delivery.tag, null, content, false));
        }
    }

    private Outcome outcome() {
        return new Outcome(Outcome.Kind.FALLBACK, null, reason);
    }
}
