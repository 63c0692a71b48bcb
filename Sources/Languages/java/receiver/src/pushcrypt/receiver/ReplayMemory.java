package pushcrypt.receiver;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import pushcrypt.PushCryptException;

/** The opened messages of one account. Times are milliseconds since 1970-01-01 UTC. */
final class ReplayMemory {
    /** The greatest number of messages. */
    static final int CAPACITY = 10_000;
    /** The time for which a message counts as an honest double. */
    private static final long REPEAT_PERIOD = 3_600_000;

    /** An opened message. */
    static final class Entry {
        final byte[] id;
        final long issued;
        final long expiration;
        final long admitted;
        /** The tag of the message's notification. */
        final String tag;
        /** Whether the message was displayed, or needs no display. */
        boolean isDone;

        Entry(byte[] id, long issued, long expiration, long admitted, String tag) {
            this.id = id;
            this.issued = issued;
            this.expiration = expiration;
            this.admitted = admitted;
            this.tag = tag;
        }
    }

    /** The latest times of the messages that were forgotten. */
    long forgottenIssued;
    long forgottenExpiration;
    final List<Entry> entries = new ArrayList<>();

    /** Returns the entry of a message, or null. */
    Entry find(byte[] id) {
        for (Entry entry : entries) {
            if (Arrays.equals(entry.id, id)) {
                return entry;
            }
        }
        return null;
    }

    /** Throws replayed unless the message was admitted within the hour around its arrival. */
    static void checkRepeated(Entry entry, long arrival) throws PushCryptException {
        // The clock may have been set back by a little since.
        if (Math.abs(arrival - entry.admitted) > REPEAT_PERIOD) {
            throw new PushCryptException(
                "replayed", "The message was already opened here. Seal each message once.");
        }
    }

    /** Records a new message, in the place of an expired or of the oldest one if there is no room. */
    void add(Entry entry, int capacity, long now, long oldestArrival) throws PushCryptException {
        if (entry.issued <= forgottenIssued || entry.expiration <= forgottenExpiration) {
            throw possiblyReplayed();
        }
        int oldest = -1;
        for (int at = 0; at < entries.size(); at++) {
            Entry known = entries.get(at);
            // Two clocks must agree: the device's may be wrong, and an anonymous sender chooses its own date.
            // A message that a kill has interrupted is still judged by its arrival.
            if (known.expiration < Math.min(entry.issued, Math.min(now, oldestArrival))) {
                forgottenExpiration = Math.max(forgottenExpiration, known.expiration);
                entries.set(at, entry);
                return;
            }
            if (oldest < 0 || known.issued < entries.get(oldest).issued) {
                oldest = at;
            }
        }
        if (entries.size() < capacity) {
            entries.add(entry);
            return;
        }
        long issued = entries.get(oldest).issued;
        // A date in the future must not shut out all earlier messages.
        if (issued <= now) {
            forgottenIssued = Math.max(forgottenIssued, issued);
        }
        entries.set(oldest, entry);
    }

    static PushCryptException possiblyReplayed() {
        return new PushCryptException("possibly-replayed",
            "The message is older than messages that the replay guard has forgotten. Check the device's clock.");
    }
}
