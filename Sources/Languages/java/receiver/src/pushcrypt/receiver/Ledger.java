package pushcrypt.receiver;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import pushcrypt.Crypto;

/**
 * The displayed notifications, and the withdrawals that act on late ones. Times are milliseconds since 1970-01-01
 * UTC. Names are keyed hashes in hexadecimal digits, so that they differ between devices.
 */
final class Ledger {
    /** The greatest number of an account's notifications, and of its targets that are withdrawn. */
    private static final int CAPACITY = 500;
    /** The target of the entry with the issue time of the latest withdrawal that is forgotten. No hash is empty. */
    private static final String LIMIT = "";

    /** A displayed notification, or the withdrawal of one target. */
    static final class Entry {
        final String account;
        /** The tag of a notification; empty for a withdrawal. */
        final String tag;
        /** The hash of the notification's collapse id, or what is withdrawn. */
        final String target;
        final String thread;
        /** The hash of the notification's message; empty for a withdrawal. */
        final String message;
        final long issued;
        /** The time of the display, or the end of a withdrawal. */
        final long time;

        Entry(String[] names, long issued, long time) {
            account = names[0];
            tag = names[1];
            target = names[2];
            thread = names[3];
            message = names[4];
            this.issued = issued;
            this.time = time;
        }

        boolean isShown() {
            return !tag.isEmpty();
        }

        private boolean isLimit() {
            return !isShown() && target.equals(LIMIT);
        }

        private boolean competesWith(Entry other) {
            return account.equals(other.account) && isShown() == other.isShown() && isLimit() == other.isLimit();
        }
    }

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

    /** Returns the entry of a notification. */
    Entry notification(Notification notification, long now) {
        return new Entry(
            new String[] {
                hash("account", notification.account), notification.tag,
                hash("collapse-ids", notification.collapseId), hash("thread-ids", notification.thread),
                hash("message", notification.messageId)},
            notification.issued, now);
    }

    /** The names of a notification that is about to be displayed. */
    static final class Notification {
        String account;
        String tag;
        String collapseId;
        String thread;
        String messageId;
        long issued;
    }

    /** Records a notification that is about to be displayed. */
    void add(Entry notification, long now) {
        entries.removeIf(each -> each.tag.equals(notification.tag));
        put(notification, now);
    }

    /** Removes the older notifications with a notification's collapse id, and returns their tags. */
    List<String> takeReplaced(Entry notification) {
        return take(each -> !each.tag.equals(notification.tag) && each.account.equals(notification.account)
            && each.target.equals(notification.target));
    }

    /** Records the withdrawal of a target, and of the messages that displayed notifications with the target have. */
    void withdraw(String account, String target, long issued, long end, long now) {
        List<String> targets = new ArrayList<>();
        targets.add(target);
        for (Entry entry : entries) {
            boolean isNamed = entry.target.equals(target) || entry.thread.equals(target);
            if (entry.isShown() && entry.account.equals(account) && entry.issued <= issued && isNamed) {
                targets.add(entry.message);
            }
        }
        for (String each : targets) {
            record(new Entry(new String[] {account, "", each, "", ""}, issued, end), now);
        }
    }

    private void record(Entry withdrawal, long now) {
        long issued = withdrawal.issued;
        long end = withdrawal.time;
        for (Iterator<Entry> all = entries.iterator(); all.hasNext();) {
            Entry entry = all.next();
            boolean isSame =
                entry.account.equals(withdrawal.account) && entry.target.equals(withdrawal.target);
            if (!entry.isShown() && isSame) {
                issued = Math.max(issued, entry.issued);
                end = Math.max(end, entry.time);
                all.remove();
            }
        }
        put(new Entry(new String[] {withdrawal.account, "", withdrawal.target, "", ""}, issued, end), now);
    }

    /** Returns whether a withdrawal acts on a notification. */
    boolean isWithdrawn(Entry notification, long now) {
        return acts(withdrawals(now), notification);
    }

    /** Returns whether a withdrawal may have named a notification that had no room any more. */
    boolean isPossiblyWithdrawn(Entry notification, long now) {
        for (Entry entry : entries) {
            boolean isOfAccount = entry.account.equals(notification.account);
            if (entry.isLimit() && isOfAccount && entry.time >= now && notification.issued <= entry.issued) {
                return true;
            }
        }
        return false;
    }

    /** Removes the withdrawn notifications, and returns their tags. Cancel them before the ledger is stored. */
    List<String> takeWithdrawn(long now) {
        Map<String, Long> withdrawals = withdrawals(now);
        return take(each -> acts(withdrawals, each));
    }

    private List<String> take(Predicate<Entry> isTaken) {
        List<String> tags = new ArrayList<>();
        for (Iterator<Entry> all = entries.iterator(); all.hasNext();) {
            Entry entry = all.next();
            if (entry.isShown() && isTaken.test(entry)) {
                tags.add(entry.tag);
                all.remove();
            }
        }
        return tags;
    }

    /** Returns the last issue times of the withdrawals, by their accounts and targets. */
    private Map<String, Long> withdrawals(long now) {
        Map<String, Long> times = new HashMap<>();
        for (Entry entry : entries) {
            if (!entry.isShown() && !entry.isLimit() && entry.time >= now) {
                times.merge(entry.account + entry.target, entry.issued, Math::max);
            }
        }
        return times;
    }

    private static boolean acts(Map<String, Long> withdrawals, Entry notification) {
        for (String target : Arrays.asList(notification.target, notification.thread, notification.message)) {
            Long issued = withdrawals.get(notification.account + target);
            if (issued != null && notification.issued <= issued) {
                return true;
            }
        }
        return false;
    }

    /**
     * Stores an entry, in the place of the account's oldest one of its kind if the account is full. The account
     * remembers the time of a withdrawal that gives way.
     */
    private void put(Entry entry, long now) {
        entries.removeIf(each -> !each.isShown() && each.time < now);
        Entry oldest = null;
        int count = 0;
        for (Entry each : entries) {
            if (each.competesWith(entry)) {
                count++;
                oldest = oldest == null || each.time < oldest.time ? each : oldest;
            }
        }
        if (count >= CAPACITY) {
            entries.remove(oldest);
            if (!oldest.isShown()) {
                // A date in the future must not shut out all messages until then.
                long issued = Math.min(oldest.issued, now);
                record(new Entry(new String[] {oldest.account, "", LIMIT, "", ""}, issued, oldest.time), now);
            }
        }
        entries.add(entry);
    }
}
