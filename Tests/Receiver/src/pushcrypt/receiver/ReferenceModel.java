package pushcrypt.receiver;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The rules of the receiver as plain maps, without code of the receiver. Tests/Receiver/README.md has the rules in
 * words. It predicts each decision and all displayed texts.
 */
final class ReferenceModel {
    static final String FALLBACK = "(Encrypted)";
    private static final long HOUR = 3_600_000;
    private static final long DAY = 24 * HOUR;

    /** A message of a sender. */
    static final class Message {
        String body;
        String account;
        /** The name of the key that signs, or null. */
        String signer;
        String collapse = "";
        String thread = "";
        /** The collapse id or thread that the message withdraws, or null. */
        String withdrawn;
        boolean isThread;
        long issued;
        long lifetime;
        /** The time in seconds at which the device's key was created. */
        long keyCreated;
        String sealed;
    }

    private static final class Admitted {
        long time;
        boolean isDone;
    }

    private static final class Waiting {
        long arrival;
        boolean hasFallback;
    }

    private static final class Withdrawal {
        Message by;
        long end;
    }

    /** The names of the accepted keys by account. */
    final Map<String, Set<String>> accepted = new HashMap<>();
    /** The displayed text of each message. */
    final Map<Message, String> screen = new LinkedHashMap<>();
    boolean isLocked;
    private final Map<Message, Admitted> admitted = new HashMap<>();
    private final Map<Message, Waiting> waiting = new LinkedHashMap<>();
    private final Set<Message> entries = new LinkedHashSet<>();
    private final List<Withdrawal> withdrawals = new ArrayList<>();
    private long start;

    /** The end of a process at the step that was to be killed. */
    static final class End extends Exception {
        private static final long serialVersionUID = 1;
    }

    /** Returns the expected decision. The kill is null, arrival, open, before or after. */
    String deliver(Message message, long now, String kill) throws End {
        stop(kill, "arrival");
        Waiting known = waiting.computeIfAbsent(message, each -> new Waiting());
        known.arrival = known.arrival == 0 ? now : known.arrival;
        known.hasFallback = known.hasFallback && screen.containsKey(message);
        stop(kill, "open");
        String refusal = refusal(message, known.arrival, now);
        if (refusal != null) {
            return fallback(message, refusal, kill);
        }
        Admitted before = admitted.get(message);
        if (before == null) {
            if (message.issued <= start && message.keyCreated < Math.floorDiv(start, 1000L)) {
                return fallback(message, "possibly-replayed", kill);
            }
            before = new Admitted();
            before.time = now;
            admitted.put(message, before);
            return admitted(message, now, kill, "OPENED");
        }
        if (before.isDone && Math.abs(Math.min(known.arrival, now) - before.time) > HOUR) {
            leave(message, now);
            return "REPLAYED replayed";
        }
        return admitted(message, now, kill, "REPEATED");
    }

    /** Returns whether the receiver may have forgotten a displayed message, because it has expired. */
    boolean isForgotten(Message message, long now) {
        Admitted known = admitted.get(message);
        return known != null && known.isDone && isExpired(message, now);
    }

    private static boolean isExpired(Message message, long time) {
        long tolerance = Math.max(5 * 60_000, Math.min(2 * DAY, 1000 * message.lifetime));
        return time - message.issued > 1000 * message.lifetime + tolerance;
    }

    private static void stop(String kill, String step) throws End {
        if (step.equals(kill)) {
            throw new End();
        }
    }

    private String refusal(Message message, long arrival, long now) {
        if (isLocked) {
            return "device-locked";
        }
        if (message.signer == null) {
            return "unsigned";
        }
        if (!accepted.get(message.account).contains(message.signer)) {
            for (Set<String> others : accepted.values()) {
                if (others.contains(message.signer)) {
                    return "wrong-account";
                }
            }
            return "unknown-signer";
        }
        if (isExpired(message, Math.min(arrival, now))) {
            return "expired";
        }
        return message.issued - now > 2 * DAY ? "issued-in-future" : null;
    }

    private String fallback(Message message, String code, String kill) throws End {
        Admitted known = admitted.get(message);
        if ((known == null || !known.isDone) && !screen.containsKey(message)) {
            stop(kill, "before");
            screen.put(message, FALLBACK);
            stop(kill, "after");
        }
        boolean isRetried =
            code.equals("device-locked") || code.equals("unknown-signer") || code.equals("issued-in-future");
        if (isRetried) {
            waiting.get(message).hasFallback = true;
        } else {
            waiting.remove(message);
        }
        return "FALLBACK " + code;
    }

    private String admitted(Message message, long now, String kill, String name) throws End {
        Admitted known = admitted.get(message);
        if (message.withdrawn != null) {
            Withdrawal withdrawal = new Withdrawal();
            withdrawal.by = message;
            withdrawal.end = message.issued + 32 * DAY;
            withdrawals.add(withdrawal);
            screen.remove(message);
            known.isDone = true;
            leave(message, now);
            return "WITHDRAWAL";
        }
        if (isWithdrawn(message, now)) {
            screen.remove(message);
            known.isDone = true;
            leave(message, now);
            return "WITHDRAWN";
        }
        if (known.isDone) {
            leave(message, now);
            return "REPEATED";
        }
        entries.add(message);
        stop(kill, "before");
        screen.put(message, message.body);
        stop(kill, "after");
        if (!message.collapse.isEmpty()) {
            for (Message other : new ArrayList<>(entries)) {
                boolean isReplaced = other != message && other.account.equals(message.account)
                    && other.collapse.equals(message.collapse);
                if (isReplaced) {
                    entries.remove(other);
                    screen.remove(other);
                    waiting.remove(other);
                    admitted.get(other).isDone = true;
                }
            }
        }
        known.isDone = true;
        leave(message, now);
        return name;
    }

    private boolean isWithdrawn(Message message, long now) {
        for (Withdrawal each : withdrawals) {
            String target = each.by.isThread ? message.thread : message.collapse;
            boolean acts = each.by.account.equals(message.account) && each.by.withdrawn.equals(target);
            if (acts && message.issued <= each.by.issued && each.end >= now) {
                return true;
            }
        }
        return false;
    }

    /** Ends the waiting of a message. */
    void leave(Message message, long now) {
        waiting.remove(message);
        sweep(now);
    }

    private void sweep(long now) {
        for (Message each : new ArrayList<>(entries)) {
            if (isWithdrawn(each, now)) {
                entries.remove(each);
                screen.remove(each);
                waiting.remove(each);
                admitted.get(each).isDone = true;
            }
        }
    }

    /** Returns the expected decisions about the waiting messages, in the order of their arrival. */
    List<String> resume(long now) throws End {
        waiting.entrySet().removeIf(each -> each.getValue().hasFallback && !screen.containsKey(each.getKey()));
        sweep(now);
        List<String> outcomes = new ArrayList<>();
        for (Message each : new ArrayList<>(waiting.keySet())) {
            if (waiting.containsKey(each)) {
                outcomes.add(deliver(each, now, null));
            }
        }
        return outcomes;
    }

    /** Forgets the state of the messages, which begins now. */
    void lose(long now) {
        admitted.clear();
        waiting.clear();
        entries.clear();
        withdrawals.clear();
        start = now;
    }

    /** Returns the displayed texts, and the number of each. */
    Map<String, Integer> texts() {
        Map<String, Integer> texts = new TreeMap<>();
        screen.values().forEach(text -> texts.merge(text, 1, Integer::sum));
        return texts;
    }
}
