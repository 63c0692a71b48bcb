package pushcrypt.receiver;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import pushcrypt.Crypto;

/**
 * The messages that a device knows, and the withdrawals that act on them. It knows messages, not notifications: a
 * message stays known until its end, whatever happens to its notification. So a withdrawal reaches it, and a copy of
 * it displays nothing.
 *
 * <p>Times are milliseconds since 1970-01-01 UTC. Names are keyed hashes in hexadecimal digits, so that they differ
 * between devices.
 */
final class Ledger {
    /** The kinds of entries. The file has their numbers, so new ones come last. */
    enum State {
        /** The message is displayed, or was at last, in the place of its collapse id. */
        SHOWN(500),
        /** The message has arrived with its collapse id, and isn't displayed in that place. */
        KNOWN(1500),
        /** The server has withdrawn a collapse id or a thread. */
        WITHDRAWAL(500),
        /** The entry has the issue time of the latest withdrawal that the account had no room for. */
        LIMIT(1),
        /** The entry has the issue time of the latest message that the account had no room for. */
        FORGOTTEN(1);

        /** The greatest number of an account's entries. */
        private final int capacity;

        State(int capacity) {
            this.capacity = capacity;
        }
    }

    /** The relation between a message and the withdrawals. */
    enum Verdict {
        /** No withdrawal acts on the message. */
        FREE,
        /** A withdrawal acts on it. */
        WITHDRAWN,
        /** It may have been withdrawn: the withdrawals of its time, or the message itself, are forgotten. */
        POSSIBLY_WITHDRAWN
    }

    /** A message with one of its collapse ids, or the withdrawal of one target. */
    static final class Entry {
        final State state;
        final String account;
        /** The tag of the message's notification; empty for a withdrawal. */
        final String tag;
        /** The hash of the message's collapse id, or of what is withdrawn; empty without one. */
        final String target;
        /** The hash of the message's thread; empty without one. */
        final String thread;
        /** The hash of the message's id; empty for a withdrawal. */
        final String message;
        final long issued;
        /** The time of the display; 0 without one. */
        final long time;
        /** The last time at which the message opens, or at which the withdrawal acts. */
        final long end;

        Entry(State state, String[] names, long issued, long time, long end) {
            this.state = state;
            account = names[0];
            tag = names[1];
            target = names[2];
            thread = names[3];
            message = names[4];
            this.issued = issued;
            this.time = time;
            this.end = end;
        }

        /** Returns the names in the order of the constructor. */
        String[] names() {
            return new String[] {account, tag, target, thread, message};
        }

        private Entry in(State other, long displayed) {
            return new Entry(other, names(), issued, displayed, end);
        }

        private String id() {
            return account + message;
        }

        private boolean hasMessageOf(Entry other) {
            return !message.isEmpty() && id().equals(other.id());
        }

        /** Returns whether another message is displayed in the place of an entry. */
        private boolean isShownInPlaceOf(Entry other) {
            return state == State.SHOWN && !target.isEmpty() && target.equals(other.target)
                && account.equals(other.account) && !message.equals(other.message);
        }
    }

    /** The longest time in milliseconds between the display of a notification and its place in the system's list. */
    private static final long LONGEST_DISPLAY = 2000;
    /** A time before any message. */
    private static final long NEVER = Long.MIN_VALUE;

    final byte[] key;
    final List<Entry> entries = new ArrayList<>();

    Ledger(byte[] key) {
        this.key = key;
    }

    /** Returns the hash of a named value, such as an identifier, a thread or an account. */
    String hash(String name, String value) {
        byte[] digest = Crypto.blake2b(key, (name + ":" + value).getBytes(StandardCharsets.UTF_8));
        StringBuilder text = new StringBuilder();
        for (byte each : Arrays.copyOf(digest, 16)) {
            text.append(Character.forDigit(each >> 4 & 15, 16)).append(Character.forDigit(each & 15, 16));
        }
        return text.toString();
    }

    /** The names and times of an opened message. */
    static final class Message {
        String account;
        String tag;
        String thread;
        String id;
        long issued;
        long end;
    }

    /** Returns the entry of a message with a collapse id. */
    Entry entry(Message message, String collapseId) {
        String[] names = {
            hash("account", message.account), message.tag,
            collapseId.isEmpty() ? "" : hash("collapse-ids", collapseId),
            message.thread.isEmpty() ? "" : hash("thread-ids", message.thread), hash("message", message.id)};
        return new Entry(State.KNOWN, names, message.issued, 0, message.end);
    }

    // Messages

    /**
     * Records a message that the replay guard has admitted, and returns whether it can be displayed.
     *
     * @param places the entries with the message's collapse ids, each of which can be withdrawn
     * @param isCopy whether the guard has recorded the message before
     */
    Verdict lookUp(List<Entry> places, boolean isCopy, long now) {
        removeExpired(now);
        Verdict verdict = verdict(places, isCopy, now);
        if (verdict != Verdict.POSSIBLY_WITHDRAWN) {
            for (Entry place : places) {
                if (!any(each -> each.hasMessageOf(place) && each.target.equals(place.target))) {
                    put(place, now);
                }
            }
        }
        return verdict;
    }

    private Verdict verdict(List<Entry> places, boolean isCopy, long now) {
        Acting acting = new Acting(now);
        for (Entry place : places) {
            if (acting.actsOn(place)) {
                return Verdict.WITHDRAWN;
            }
        }
        Entry message = places.get(0);
        long limit = limit(State.LIMIT, message.account, now);
        // What is known of a displayed message is complete. A name of another one may be forgotten.
        if (isCopy && shown(message).isEmpty()) {
            limit = Math.max(limit, limit(State.FORGOTTEN, message.account, now));
        }
        return message.issued > limit ? Verdict.FREE : Verdict.POSSIBLY_WITHDRAWN;
    }

    private boolean any(Predicate<Entry> isMeant) {
        return entries.stream().anyMatch(isMeant);
    }

    private long limit(State state, String account, long now) {
        long limit = NEVER;
        for (Entry each : entries) {
            limit = each.state == state && each.account.equals(account) && each.end >= now ? each.issued : limit;
        }
        return limit;
    }

    /**
     * Returns the first of a message's places that no newer message of the account has, or null. A newer one whose
     * notification isn't displayed has its place no longer, unless it was displayed just now.
     *
     * @param places the entries with the message's collapse ids
     * @param displayed the tags of the system's notifications
     */
    Entry place(List<Entry> places, Set<String> displayed, long now) {
        Acting acting = new Acting(now);
        for (Entry place : places) {
            boolean isTaken = false;
            for (Entry each : entries) {
                boolean isThere = displayed.contains(each.tag) || Math.abs(now - each.time) <= LONGEST_DISPLAY;
                isTaken |= each.isShownInPlaceOf(place) && each.issued > place.issued && isThere
                    && !acting.actsOn(each);
            }
            if (!isTaken) {
                return place;
            }
        }
        return null;
    }

    /** Returns the entries in whose places a message is displayed. */
    List<Entry> shown(Entry message) {
        List<Entry> shown = new ArrayList<>();
        for (Entry each : entries) {
            if (each.state == State.SHOWN && each.hasMessageOf(message)) {
                shown.add(each);
            }
        }
        return shown;
    }

    /** Records that a message is about to be displayed in a place, and in no other one. */
    void show(Entry place, long now) {
        settle(each -> each.hasMessageOf(place) && !each.target.equals(place.target), now);
        entries.removeIf(each -> each.hasMessageOf(place) && each.target.equals(place.target));
        put(place.in(State.SHOWN, now), now);
    }

    /** Records that a message has taken its place from others, which stay known, and returns their tags. */
    List<String> takeReplaced(Entry place, long now) {
        return settle(each -> each.isShownInPlaceOf(place) && each.issued <= place.issued, now);
    }

    /** Records that the withdrawn notifications go, and returns their tags. Cancel them before the ledger is stored. */
    List<String> takeWithdrawn(long now) {
        return settle(new Acting(now)::actsOn, now);
    }

    /** Records that messages aren't displayed any more. They stay known. */
    private List<String> settle(Predicate<Entry> isGone, long now) {
        List<Entry> gone = new ArrayList<>();
        for (Entry each : entries) {
            if (each.state == State.SHOWN && isGone.test(each)) {
                gone.add(each);
            }
        }
        List<String> tags = new ArrayList<>();
        for (Entry each : gone) {
            tags.add(each.tag);
            entries.remove(each);
            put(each.in(State.KNOWN, each.time), now);
        }
        return tags;
    }

    // Withdrawals

    /** Records the withdrawal of a target. */
    void withdraw(String account, String target, long issued, long end, long now) {
        removeExpired(now);
        record(new Entry(State.WITHDRAWAL, new String[] {account, "", target, "", ""}, issued, 0, end), now);
    }

    /** Records a withdrawal or a limit, together with an earlier one of the same target. */
    private void record(Entry entry, long now) {
        long issued = entry.issued;
        long end = entry.end;
        for (Entry each : new ArrayList<>(entries)) {
            boolean isSame = each.account.equals(entry.account) && each.target.equals(entry.target);
            if (each.state == entry.state && isSame) {
                issued = Math.max(issued, each.issued);
                end = Math.max(end, each.end);
                entries.remove(each);
            }
        }
        put(new Entry(entry.state, entry.names(), issued, 0, end), now);
    }

    /** The withdrawals that act at a time. They act on a message that has ever arrived with what they name. */
    private final class Acting {
        /** The last issue times by targets, by accounts. */
        private final Map<String, Map<String, Long>> accounts = new HashMap<>();
        /** The messages with an entry that is withdrawn. */
        private final Set<String> withdrawn = new HashSet<>();

        private Acting(long now) {
            for (Entry each : entries) {
                if (each.state == State.WITHDRAWAL && each.end >= now) {
                    accounts.computeIfAbsent(each.account, name -> new HashMap<>())
                        .merge(each.target, each.issued, Math::max);
                }
            }
            for (Entry each : entries) {
                if (!each.message.isEmpty() && isNamed(each)) {
                    withdrawn.add(each.id());
                }
            }
        }

        private boolean isNamed(Entry entry) {
            Map<String, Long> times = accounts.getOrDefault(entry.account, Collections.emptyMap());
            return entry.issued
                <= Math.max(times.getOrDefault(entry.target, NEVER), times.getOrDefault(entry.thread, NEVER));
        }

        private boolean actsOn(Entry message) {
            return !accounts.isEmpty() && (withdrawn.contains(message.id()) || isNamed(message));
        }
    }

    // Room

    /** Stores an entry, in the place of the one that leaves if the account has no room. */
    private void put(Entry entry, long now) {
        Set<String> shown = entry.state == State.KNOWN ? shown() : Collections.emptySet();
        Entry leaving = null;
        int count = 0;
        for (Entry each : entries) {
            if (each.state == entry.state && each.account.equals(entry.account)) {
                count++;
                leaving = leaving == null || leavesBefore(each, leaving, shown) ? each : leaving;
            }
        }
        boolean isFull = count >= entry.state.capacity;
        if (isFull) {
            entries.remove(leaving);
        }
        entries.add(entry);
        if (isFull) {
            giveWay(leaving, now);
        }
    }

    /** Removes what has ended. A displayed message keeps all its names. */
    private void removeExpired(long now) {
        Set<String> shown = shown();
        entries.removeIf(each -> each.end < now && each.state != State.SHOWN
            && !(each.state == State.KNOWN && shown.contains(each.id())));
    }

    /** Returns the displayed messages. */
    private Set<String> shown() {
        Set<String> shown = new HashSet<>();
        for (Entry each : entries) {
            if (each.state == State.SHOWN) {
                shown.add(each.id());
            }
        }
        return shown;
    }

    private static boolean leavesBefore(Entry one, Entry other, Set<String> shown) {
        switch (one.state) {
            case SHOWN:
                return one.time < other.time;
            case KNOWN:
                // The names of displayed messages leave last, so that they are complete.
                if (shown.contains(one.id()) != shown.contains(other.id())) {
                    return shown.contains(other.id());
                }
                // Of the names of one message, the first stays: a copy's name must not displace it.
                return one.issued < other.issued || one.issued == other.issued && one.hasMessageOf(other);
            default:
                return one.end < other.end;
        }
    }

    /** Records what an account forgets. */
    private void giveWay(Entry leaving, long now) {
        // A date in the future must not shut out all messages until then.
        long issued = Math.min(leaving.issued, now);
        String[] names = {leaving.account, "", "", "", ""};
        if (leaving.state == State.SHOWN) {
            put(leaving.in(State.KNOWN, leaving.time), now);
        } else if (leaving.state == State.KNOWN) {
            // A message that a kill has interrupted can come after its end.
            record(new Entry(State.FORGOTTEN, names, issued, 0, Long.MAX_VALUE), now);
        } else {
            record(new Entry(State.LIMIT, names, issued, 0, leaving.end), now);
        }
    }
}
