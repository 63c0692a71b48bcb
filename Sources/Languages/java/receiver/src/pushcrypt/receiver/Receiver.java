package pushcrypt.receiver;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import pushcrypt.Opener;
import pushcrypt.PushCryptException;

/**
 * Opens the messages of an app, and displays exactly one notification for each, whatever the order of deadline,
 * kill and redelivery. {@link ReceiverBuilder} creates it. All methods can be called by any thread and in several
 * processes.
 */
public final class Receiver {
    final List<Account> accounts;
    final Carrier carrier;
    final SecretStore secrets;
    final StateStore state;
    final Display display;
    final Clock clock;
    final KeySource source;
    final FallbackText fallback;
    final Strings strings;
    final Log log;
    final long maximumLifetime;
    final int capacity;
    final Messages messages;
    final Opening opening;
    private final boolean requiresReplayGuard;
    private final Deadline deadline;

    Receiver(ReceiverBuilder builder) throws PushCryptException {
        accounts = Collections.unmodifiableList(new ArrayList<>(builder.accounts));
        carrier = builder.carrier;
        secrets = builder.secrets;
        state = builder.state;
        display = builder.display;
        clock = builder.clock;
        source = builder.source;
        fallback = builder.fallback;
        strings = builder.strings;
        log = builder.log;
        maximumLifetime = builder.maximumLifetime;
        capacity = builder.capacity;
        requiresReplayGuard = builder.requiresReplayGuard;
        deadline = new Deadline(builder.deadline);
        messages = new Messages(state, secrets, source, clock, log);
        opening = new Opening(this);
        Set<String> names = new HashSet<>();
        for (Account account : accounts) {
            if (!names.add(account.name)) {
                throw new PushCryptException(
                    "invalid-configuration", "Two accounts have the same name. Give each account its own name.");
            }
        }
    }

    /**
     * Creates the device's epoch, and gives it to the state. Call it at each start of the app, and before the
     * first registration of an account. A state that lacks an existing epoch begins now: earlier messages are
     * possibly-replayed.
     */
    public void prepare() throws PushCryptException {
        messages.prepare();
    }

    /**
     * Returns the registrar of an account.
     *
     * @param device an identifier that doesn't migrate to another device, such as {@code Settings.Secure.ANDROID_ID}
     */
    public Registrar registrar(Account account, String device) throws PushCryptException {
        if (!accounts.contains(account) || device == null || device.isEmpty()) {
            throw new PushCryptException(
                "invalid-configuration", "The account isn't the receiver's, or the device's name is empty. Give both.");
        }
        return new Registrar(this, account, device);
    }

    /**
     * Receives a message with string values, as Firebase delivers it.
     *
     * @param data the message's data
     * @param collapseId the message's collapse id, or null
     */
    public Outcome receive(Map<String, String> data, String collapseId) {
        if (data.isEmpty()) {
            return decided(new Outcome(Outcome.Kind.REGISTRATION, null, null));
        }
        try {
            return receive(carrier.value(data), collapseId);
        } catch (PushCryptException problem) {
            return decided(withoutValue(data.toString(), problem));
        }
    }

    /** Receives a message of one JSON object, as UnifiedPush delivers it. */
    public Outcome receive(byte[] payload, String collapseId) {
        try {
            return receive(carrier.value(payload), collapseId);
        } catch (PushCryptException problem) {
            return decided(withoutValue(new String(payload, StandardCharsets.UTF_8), problem));
        }
    }

    private Outcome receive(String text, String collapseId) {
        Delivery delivery = new Delivery(text, collapseId == null ? "" : collapseId, clock.now());
        Outcome outcome = deadline.run(() -> decided(process(delivery)));
        return outcome == null ? decided(late(delivery)) : outcome;
    }

    /**
     * Opens the messages again that a kill has interrupted, or whose keys couldn't be read. Call it when the
     * process starts, and when the user has unlocked the device.
     */
    public List<Outcome> resume() throws PushCryptException {
        List<Delivery> waiting = messages.locked(session -> {
            Set<String> shown = display.shown();
            // The user has dismissed the fallback.
            session.state.waiting.removeIf(each -> each.hasFallback && !shown.contains(Delivery.tag(each.text)));
            session.state.ledger.takeWithdrawn(session.now).forEach(tag -> end(tag, session.state));
            session.save();
            List<Delivery> found = new ArrayList<>();
            for (MessageState.Waiting each : session.state.waiting) {
                found.add(new Delivery(each.text, each.collapseId, each.arrival));
            }
            return found;
        });
        List<Outcome> outcomes = new ArrayList<>();
        for (Delivery delivery : waiting) {
            // One of the others may have taken its place.
            if (messages.locked(session -> session.state.findWaiting(delivery.text) != null)) {
                outcomes.add(decided(process(delivery)));
            }
        }
        return outcomes;
    }

    // Steps

    /** Removes a notification that is withdrawn or replaced, and ends its waiting. */
    void end(String tag, MessageState state) {
        display.cancel(tag);
        state.end(tag);
    }

    /** Opens a message, and displays its notification. */
    private Outcome process(Delivery delivery) {
        try {
            messages.locked(session -> {
                arrive(delivery, session);
                return null;
            });
        } catch (PushCryptException problem) {
            log.failed(problem);
        }
        Opening.Opened opened;
        try {
            opened = opening.open(delivery.text, Opening.KINDS, delivery.arrival);
        } catch (PushCryptException problem) {
            return fallback(delivery, problem);
        }
        try {
            return messages.locked(session -> new Decision(this, session, delivery, opened).run());
        } catch (PushCryptException problem) {
            return withoutState(delivery, opened.message, problem);
        }
    }

    /** Records that a message has arrived, so that a kill during its opening doesn't lose it. */
    private void arrive(Delivery delivery, Messages.Session session) throws PushCryptException {
        MessageState.Waiting known = session.state.findWaiting(delivery.text);
        if (known != null) {
            delivery.arrival = known.arrival;
            delivery.waitingCollapseId = known.collapseId;
            delivery.hasFallback = known.hasFallback;
            if (known.hasFallback && !display.shown().contains(delivery.tag)) {
                // The message comes again after the user has dismissed its fallback.
                known.hasFallback = false;
                session.save();
            }
        } else if (delivery.text.length() <= Delivery.MAXIMUM_LENGTH) {
            session.state.addWaiting(new MessageState.Waiting(delivery.text, delivery.collapseId, delivery.arrival));
            session.save();
        }
    }

    private Outcome fallback(Delivery delivery, PushCryptException reason) {
        Fallback text = new Fallback(this, delivery, reason);
        try {
            return messages.locked(text::run);
        } catch (PushCryptException problem) {
            log.failed(problem);
            return text.runWithoutState();
        }
    }

    /** Displays the fallback at the deadline. The late original takes its place. */
    private Outcome late(Delivery delivery) {
        return fallback(delivery, new PushCryptException(
            "deadline-passed", "The message wasn't open at the deadline. Check the key store's speed."));
    }

    /** Displays the fallback for a message that has no sealed value. */
    private Outcome withoutValue(String data, PushCryptException problem) {
        return new Fallback(this, new Delivery(data, "", clock.now()), problem).runWithoutState();
    }

    /** Displays a message whose state can't be used, unless the app requires it. */
    private Outcome withoutState(Delivery delivery, Opener.Message message, PushCryptException problem) {
        PushCryptException failure = new PushCryptException(
            "replay-guard-unavailable", "The replay guard failed. " + problem.reason());
        if (requiresReplayGuard || !message.kind().equals("notification")) {
            return new Fallback(this, delivery, failure).runWithoutState();
        }
        try {
            Content content = new Content(message.original(), strings);
            if (!content.hasText()) {
                return new Fallback(this, delivery, failure).runWithoutState();
            }
            boolean isShown = display.shown().contains(delivery.tag);
            display.show(new Notice(delivery.tag, message.account(), content, isShown));
            return new Outcome(Outcome.Kind.OPENED, message, failure);
        } catch (PushCryptException unreadable) {
            return new Fallback(this, delivery, unreadable).runWithoutState();
        }
    }

    private Outcome decided(Outcome outcome) {
        log.decided(outcome);
        return outcome;
    }
}
