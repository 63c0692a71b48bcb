package pushcrypt.receiver;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import pushcrypt.Crypto;
import pushcrypt.Opener;
import pushcrypt.PushCryptException;
import pushcrypt.Registration;

/** The state of all messages in the store, under one lock. */
final class Messages {
    /** A step with the state. */
    interface Step<Result> {
        /** Runs the step. */
        Result run(Session session) throws PushCryptException;
    }

    /** The state while its lock is held. */
    final class Session {
        final MessageState state;
        final long now;

        private Session(MessageState state, long now) {
            this.state = state;
            this.now = now;
        }

        /** Stores the state. */
        void save() throws PushCryptException {
            store.write(STATE, MessageStateText.write(state));
        }
    }

    private static final String STATE = "messages";
    private static final String EPOCH = "epoch";

    private final StateStore store;
    private final SecretStore secrets;
    private final KeySource source;
    private final Clock clock;
    private final Log log;
    /** The epoch, after it was found once. */
    private volatile String epoch;

    Messages(StateStore store, SecretStore secrets, KeySource source, Clock clock, Log log) {
        this.store = store;
        this.secrets = secrets;
        this.source = source;
        this.clock = clock;
        this.log = log;
    }

    /** Runs a step while no other thread and no other process uses the state. */
    <Result> Result locked(Step<Result> step) throws PushCryptException {
        // Before the state changes: an unreadable epoch isn't a missing one.
        String found = readEpoch();
        return locked(found, false, step);
    }

    private <Result> Result locked(String found, boolean isNew, Step<Result> step) throws PushCryptException {
        return store.locked(STATE, () -> {
            long now = clock.now();
            byte[] bytes = store.read(STATE);
            MessageState state = bytes == null ? null : MessageStateText.read(bytes);
            boolean isDamaged = bytes != null && state == null;
            if (isDamaged && !MessageStateText.isLikeState(bytes)) {
                throw new PushCryptException(
                    "insecure-file", "The state of the messages has another type. Choose another directory.");
            }
            if (state == null) {
                state = new MessageState(new Ledger(source.random(32)));
            }
            if (begin(state, found, isNew, now) || isDamaged) {
                store.write(STATE, MessageStateText.write(state));
            }
            Result result = step.run(new Session(state, now));
            if (isDamaged) {
                log.failed(new PushCryptException("file-system-error",
                    "The state of the messages was damaged, and begins again. Check the device's storage."));
            }
            return result;
        });
    }

    /** Begins a state that lacks the epoch, and returns whether it did. It has forgotten messages that still open. */
    private static boolean begin(MessageState state, String found, boolean isNew, long now) {
        if (found == null || found.equals(state.epoch)) {
            return false;
        }
        boolean isAdopted = isNew && state.epoch.isEmpty();
        state.start = isAdopted ? state.start : now;
        state.epoch = found;
        return true;
    }

    private String readEpoch() throws PushCryptException {
        if (epoch == null) {
            byte[] bytes = secrets.read(EPOCH);
            epoch = bytes == null ? null : Crypto.encode(bytes);
        }
        return epoch;
    }

    /** Creates the epoch if it's missing, gives it to the state, and corrects a beginning in the future. */
    void prepare() throws PushCryptException {
        boolean isNew = secrets.locked(EPOCH, () -> {
            if (readEpoch() != null) {
                return false;
            }
            secrets.write(EPOCH, source.random(16));
            return true;
        });
        locked(readEpoch(), isNew, session -> {
            session.state.start = Math.min(session.state.start, session.now);
            session.save();
            return null;
        });
    }

    // Challenges

    /** Returns the challenges since a time, the newest first. */
    List<String> challenges(long since) throws PushCryptException {
        return locked(session -> {
            List<String> texts = new ArrayList<>();
            for (MessageState.Challenge each : session.state.challenges) {
                if (each.time >= since) {
                    texts.add(0, each.text);
                }
            }
            return texts;
        });
    }

    void removeChallenges(Collection<String> texts) throws PushCryptException {
        locked(session -> {
            if (session.state.challenges.removeIf(each -> texts.contains(each.text))) {
                session.save();
            }
            return null;
        });
    }

    // Removed keys

    void removeKeys(Collection<DeviceKey> keys) throws PushCryptException {
        List<String> ids = new ArrayList<>();
        keys.forEach(key -> ids.add(Crypto.encode(key.id())));
        locked(session -> {
            long end = session.now + 1000 * Opener.maximumAge(Registration.MAXIMUM_LIFETIME);
            session.state.addRemovedKeys(ids, end, session.now);
            session.save();
            return null;
        });
    }

    /** Returns whether the account of an envelope's key was removed; false if the state can't be read. */
    boolean isRemoved(String sealed) {
        try {
            byte[] envelope = Crypto.decode(sealed);
            String id = Crypto.encode(Arrays.copyOfRange(envelope, 1, 9));
            return locked(session -> {
                Long end = session.state.removedKeys.get(id);
                return end != null && end >= session.now;
            });
        } catch (PushCryptException problem) {
            return false;
        }
    }
}
