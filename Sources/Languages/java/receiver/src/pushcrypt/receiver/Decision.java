package pushcrypt.receiver;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import pushcrypt.Challenges;
import pushcrypt.Crypto;
import pushcrypt.Json;
import pushcrypt.Opener;
import pushcrypt.PushCryptException;
import pushcrypt.Registration;

/**
 * The decision about an opened message, under the lock of the state. The message is recorded before its
 * notification is displayed, and marked as done afterwards. So a kill between the two loses nothing, and a kill
 * afterwards doubles nothing.
 */
final class Decision {
    private static final int MAXIMUM_TARGETS = 100;

    private final Receiver receiver;
    private final Messages.Session session;
    private final MessageState state;
    private final Delivery delivery;
    private final Opener.Message message;
    private final long keyCreated;
    private boolean isRepeated;

    Decision(Receiver receiver, Messages.Session session, Delivery delivery, Opening.Opened opened) {
        this.receiver = receiver;
        this.session = session;
        this.delivery = delivery;
        state = session.state;
        message = opened.message;
        keyCreated = opened.keyCreated;
    }

    Outcome run() throws PushCryptException {
        try {
            return message.kind().equals("challenge") ? challenge() : runOnce();
        } catch (UnfitException problem) {
            return new Fallback(receiver, delivery, problem.reason).run(session);
        }
    }

    /** Decides about a message that the replay guard admits once. */
    private Outcome runOnce() throws PushCryptException, UnfitException {
        ReplayMemory.Entry entry;
        try {
            entry = admit();
        } catch (PushCryptException problem) {
            if (!problem.code().equals("replayed")) {
                return new Fallback(receiver, delivery, problem).run(session);
            }
            return replayed(problem);
        }
        try {
            switch (message.kind()) {
                case "withdrawal":
                    return withdraw(entry);
                case "background":
                    finish(entry);
                    return outcome(isRepeated ? Outcome.Kind.REPEATED : Outcome.Kind.BACKGROUND);
                default:
                    return display(entry);
            }
        } catch (UnfitException problem) {
            Outcome fallback = new Fallback(receiver, delivery, problem.reason).run(session);
            entry.isDone = true;
            session.save();
            return fallback;
        }
    }

    /** The content of an authentic message doesn't fit its kind. */
    private static final class UnfitException extends Exception {
        private static final long serialVersionUID = 1;

        private final transient PushCryptException reason;

        private UnfitException(PushCryptException reason) {
            super(reason);
            this.reason = reason;
        }

        private UnfitException(String code, String reason) {
            this(new PushCryptException(code, reason));
        }
    }

    /** Returns the message's entry: a new one, one that wasn't displayed yet, or one that was admitted within the last hour. */
    private ReplayMemory.Entry admit() throws PushCryptException {
        ReplayMemory memory = state.memory(state.ledger.hash("account", message.account()));
        ReplayMemory.Entry known = memory.find(message.messageId());
        if (known != null) {
            // A message that a kill has kept from the display is still to come.
            if (known.isDone) {
                ReplayMemory.checkRepeated(known, Math.min(delivery.arrival, session.now));
            }
            isRepeated = true;
            return known;
        }
        long issued = Math.max(message.issuedAt(), 1);
        // No earlier message can be sealed to a newer key.
        boolean isKeyNewer = keyCreated >= Math.floorDiv(state.start, 1000L);
        if (issued <= state.start && !isKeyNewer) {
            throw ReplayMemory.possiblyReplayed();
        }
        long expiration = issued + 1000 * Opener.maximumAge(message.lifetime());
        ReplayMemory.Entry entry =
            new ReplayMemory.Entry(message.messageId(), issued, expiration, session.now, delivery.tag);
        memory.add(entry, receiver.capacity, session.now, state.oldestArrival());
        return entry;
    }

    /** Leaves the displayed notification as it is. A fallback of another sealed value with the message goes. */
    private Outcome replayed(PushCryptException problem) throws PushCryptException {
        ReplayMemory.Entry known =
            state.memory(state.ledger.hash("account", message.account())).find(message.messageId());
        if (!known.tag.equals(delivery.tag)) {
            receiver.display.cancel(delivery.tag);
        }
        leave();
        return new Outcome(Outcome.Kind.REPLAYED, message, problem);
    }

    private Outcome display(ReplayMemory.Entry entry) throws PushCryptException, UnfitException {
        Content content = content();
        List<Ledger.Entry> places = places(entry, content);
        Ledger.Verdict verdict = state.ledger.lookUp(places, isRepeated, session.now);
        if (verdict == Ledger.Verdict.WITHDRAWN) {
            receiver.display.cancel(entry.tag);
            finish(entry);
            return outcome(Outcome.Kind.WITHDRAWN);
        }
        if (entry.isDone) {
            finish(entry);
            return outcome(Outcome.Kind.REPEATED);
        }
        if (verdict == Ledger.Verdict.POSSIBLY_WITHDRAWN) {
            throw new UnfitException("possibly-withdrawn",
                "The message may have been withdrawn: the list of withdrawals or of messages got full after it was "
                    + "issued. Seal the message again.");
        }
        Set<String> displayed = receiver.display.shown();
        places.addAll(1, state.ledger.shown(places.get(0)));
        Ledger.Entry place = state.ledger.place(places, displayed, session.now);
        if (place == null) {
            receiver.display.cancel(entry.tag);
            finish(entry);
            return outcome(Outcome.Kind.KEPT);
        }
        state.ledger.show(place, session.now);
        session.save();
        boolean isSilent = delivery.hasFallback || displayed.contains(entry.tag);
        receiver.display.show(new Notice(entry.tag, message.account(), content, isSilent));
        state.ledger.takeReplaced(place, session.now).forEach(tag -> receiver.end(tag, state));
        finishQuietly(entry);
        return outcome(isRepeated ? Outcome.Kind.REPEATED : Outcome.Kind.OPENED);
    }

    private Content content() throws PushCryptException, UnfitException {
        Content content;
        try {
            content = new Content(message.original(), receiver.strings);
        } catch (PushCryptException problem) {
            throw new UnfitException(problem);
        }
        if (!content.hasText()) {
            throw new UnfitException("no-alert-text",
                "The opened payload has no title, subtitle or body. Send it as a background push instead.");
        }
        return content;
    }

    /** Returns the message with the collapse id of this delivery, and with that of the one that waits. */
    private List<Ledger.Entry> places(ReplayMemory.Entry entry, Content content) {
        Ledger.Message names = new Ledger.Message();
        names.account = message.account();
        names.tag = entry.tag;
        names.thread = content.thread();
        names.id = Crypto.encode(message.messageId());
        names.issued = message.issuedAt();
        names.end = entry.expiration;
        List<Ledger.Entry> places = new ArrayList<>();
        for (String collapseId : new LinkedHashSet<>(Arrays.asList(delivery.collapseId, delivery.waitingCollapseId))) {
            places.add(state.ledger.entry(names, collapseId));
        }
        return places;
    }

    private Outcome withdraw(ReplayMemory.Entry entry) throws PushCryptException, UnfitException {
        Json payload = Json.parse(message.original());
        List<String> ids = targets(payload, "collapse-ids");
        List<String> threads = targets(payload, "thread-ids");
        int count = ids.size() + threads.size();
        if (count < 1 || count > MAXIMUM_TARGETS) {
            throw new UnfitException(
                "type-mismatch", "A withdrawal names between 1 and 100 notifications or threads. Split it.");
        }
        if (message.signer() == null) {
            // An attacker who has the device's public key could hide messages.
            receiver.log.failed(new PushCryptException(
                "unsigned", "A withdrawal without a signature doesn't act. Sign it on the server."));
        } else {
            withdraw(ids, threads);
        }
        session.save();
        finish(entry);
        return outcome(Outcome.Kind.WITHDRAWAL);
    }

    /** Records the targets until the latest end of what they withdraw: 32 days after the issue. */
    private void withdraw(List<String> ids, List<String> threads) {
        Ledger ledger = state.ledger;
        long end = message.issuedAt() + 1000 * Opener.maximumAge(Registration.MAXIMUM_LIFETIME);
        String account = ledger.hash("account", message.account());
        List<String> targets = new ArrayList<>();
        ids.forEach(id -> targets.add(ledger.hash("collapse-ids", id)));
        threads.forEach(id -> targets.add(ledger.hash("thread-ids", id)));
        targets.forEach(target -> ledger.withdraw(account, target, message.issuedAt(), end, session.now));
    }

    private static List<String> targets(Json payload, String name) throws UnfitException {
        List<String> texts = new ArrayList<>();
        Json array = payload.get(name);
        boolean isValid = array.isMissing() || array.isArray();
        for (Json item : array.items()) {
            isValid &= item.string() != null && !item.string().isEmpty();
            texts.add(item.string());
        }
        if (!isValid) {
            throw new UnfitException(
                "type-mismatch", "A withdrawal's member isn't an array of strings with text. Change its value.");
        }
        return texts;
    }

    /** Stores a challenge, which opens any number of times: the server judges its age. */
    private Outcome challenge() throws PushCryptException, UnfitException {
        try {
            Challenges.check(Json.parse(message.original()));
        } catch (PushCryptException problem) {
            throw new UnfitException(problem);
        }
        state.addChallenge(delivery.text, session.now);
        receiver.display.cancel(delivery.tag);
        leave();
        return outcome(Outcome.Kind.CHALLENGE);
    }

    private Outcome outcome(Outcome.Kind kind) {
        return new Outcome(kind, message, null);
    }

    /** Removes the waiting message, its fallback and the withdrawn notifications, and stores the state. */
    private void finish(ReplayMemory.Entry entry) throws PushCryptException {
        if (!entry.tag.equals(delivery.tag) || !message.kind().equals("notification")) {
            receiver.display.cancel(delivery.tag);
        }
        entry.isDone = true;
        leave();
    }

    private void leave() throws PushCryptException {
        state.waiting.removeIf(each -> each.text.equals(delivery.text));
        state.ledger.takeWithdrawn(session.now).forEach(tag -> receiver.end(tag, state));
        session.save();
    }

    /** Finishes after the display. If that fails, the notification stays: a copy displays it again under its tag. */
    private void finishQuietly(ReplayMemory.Entry entry) {
        try {
            finish(entry);
        } catch (PushCryptException problem) {
            receiver.log.failed(problem);
        }
    }
}
