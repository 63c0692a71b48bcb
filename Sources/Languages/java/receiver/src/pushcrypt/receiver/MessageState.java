package pushcrypt.receiver;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What the receiver remembers of all messages. Times are milliseconds since 1970-01-01 UTC. */
final class MessageState {
    private static final int WAITING_CAPACITY = 64;
    private static final int CHALLENGE_CAPACITY = 8;
    private static final int REMOVED_CAPACITY = 1000;

    /** A message that has arrived, and isn't displayed as sealed yet. */
    static final class Waiting {
        final String text;
        final String collapseId;
        final long arrival;
        /** Whether the fallback is displayed instead. */
        boolean hasFallback;

        Waiting(String text, String collapseId, long arrival) {
            this.text = text;
            this.collapseId = collapseId;
            this.arrival = arrival;
        }
    }

    /** A sealed challenge that waits for the app's next registration. */
    static final class Challenge {
        final String text;
        final long time;

        Challenge(String text, long time) {
            this.text = text;
            this.time = time;
        }
    }

    /** The epoch of the device's secrets; empty without secrets. */
    String epoch = "";
    /** The time before which messages may have been forgotten with an earlier state. */
    long start;
    /** The memories by the hash of the account's name. */
    final Map<String, ReplayMemory> memories = new HashMap<>();
    final Ledger ledger;
    final List<Waiting> waiting = new ArrayList<>();
    final List<Challenge> challenges = new ArrayList<>();
    /** The ends of the keys of removed accounts, by their ids. */
    final Map<String, Long> removedKeys = new HashMap<>();

    MessageState(Ledger ledger) {
        this.ledger = ledger;
    }

    ReplayMemory memory(String account) {
        return memories.computeIfAbsent(account, name -> new ReplayMemory());
    }

    /** Returns the entry whose notification has a tag, or null. */
    ReplayMemory.Entry findTag(String tag) {
        for (ReplayMemory memory : memories.values()) {
            for (ReplayMemory.Entry entry : memory.entries) {
                if (entry.tag.equals(tag)) {
                    return entry;
                }
            }
        }
        return null;
    }

    /** Ends the waiting of a notification that is withdrawn or replaced, which a kill or a fallback must not bring back. */
    void end(String tag) {
        ReplayMemory.Entry entry = findTag(tag);
        if (entry != null) {
            entry.isDone = true;
        }
        waiting.removeIf(each -> Delivery.tag(each.text).equals(tag));
    }

    /** Returns the waiting message with a sealed text, or null. */
    Waiting findWaiting(String text) {
        for (Waiting each : waiting) {
            if (each.text.equals(text)) {
                return each;
            }
        }
        return null;
    }

    /** Returns the earliest arrival of a waiting message. */
    long oldestArrival() {
        long oldest = Long.MAX_VALUE;
        for (Waiting each : waiting) {
            oldest = Math.min(oldest, each.arrival);
        }
        return oldest;
    }

    /**
     * Adds a message that has arrived. If there is no room, the oldest one with a fallback leaves, otherwise the
     * oldest.
     */
    void addWaiting(Waiting message) {
        if (waiting.size() >= WAITING_CAPACITY) {
            Waiting leaving = waiting.get(0);
            for (Waiting each : waiting) {
                if (each.hasFallback) {
                    leaving = each;
                    break;
                }
            }
            waiting.remove(leaving);
        }
        waiting.add(message);
    }

    /** Adds a challenge over the oldest one. One that comes again keeps its time, so that it isn't the newest. */
    void addChallenge(String text, long now) {
        for (Challenge each : challenges) {
            if (each.text.equals(text)) {
                return;
            }
        }
        if (challenges.size() >= CHALLENGE_CAPACITY) {
            challenges.remove(0);
        }
        challenges.add(new Challenge(text, now));
    }

    void addRemovedKeys(Collection<String> ids, long end, long now) {
        removedKeys.values().removeIf(each -> each < now);
        for (String id : ids) {
            if (removedKeys.size() < REMOVED_CAPACITY) {
                removedKeys.put(id, end);
            }
        }
    }
}
