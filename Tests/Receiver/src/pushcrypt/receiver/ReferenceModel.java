package pushcrypt.receiver;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
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
        /** Whether someone has changed the sealed value. */
        boolean isDamaged;
    }

    private static final class Admitted {
        long time;
        boolean isDone;
    }

    private static final class Waiting {
        long arrival;
        String collapse;
        boolean hasFallback;
    }

    /** The place of a displayed message, or of one that a kill kept from the display. */
    private static final class Place {
        String collapse;
        long time;
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
    private final Map<Message, Place> places = new LinkedHashMap<>();
    /** The collapse IDs with which a message was ever admitted, until its end. */
    private final Map<Message, Set<String>> names = new HashMap<>();
    private final List<Withdrawal> withdrawals = new ArrayList<>();
    private long start;

    /** The end of a process at the step that was to be killed. */
    static final class End extends Exception {
        private static final long serialVersionUID = 1;
    }

    /** Returns the expected decision. The kill is null, arrival, open, before or after. */
    String deliver(Message message, String collapse, long now, String kill) throws End {
        stop(kill, "arrival");
        Waiting known = waiting.computeIfAbsent(message, each -> new Waiting());
        known.arrival = known.arrival == 0 ? now : known.arrival;
        known.collapse = known.collapse == null ? collapse : known.collapse;
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
            return admitted(message, collapse, now, kill, "OPENED");
        }
        if (before.isDone && Math.abs(Math.min(known.arrival, now) - before.time) > HOUR) {
            leave(message, now);
            return "REPLAYED replayed";
        }
        return admitted(message, collapse, now, kill, "REPEATED");
    }

    /** Displays the fallback for a push without a sealed value. */
    void deliverUnsealed(Message message) {
        screen.putIfAbsent(message, FALLBACK);
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
        if (message.isDamaged) {
            return "decryption-failed";
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

    private String admitted(Message message, String collapse, long now, String kill, String name) throws End {
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
        Set<String> candidates = name(message, collapse, now);
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
        Place place = place(message, candidates, now);
        if (place == null) {
            screen.remove(message);
            known.isDone = true;
            leave(message, now);
            return "KEPT";
        }
        places.put(message, place);
        stop(kill, "before");
        screen.put(message, message.body);
        stop(kill, "after");
        for (Message other : displayedAt(place.collapse, message)) {
            if (other.issued <= message.issued) {
                end(other);
            }
        }
        known.isDone = true;
        leave(message, now);
        return name;
    }

    /** Records the collapse IDs with which a message came and waits, and returns them. */
    private Set<String> name(Message message, String collapse, long now) {
        Set<String> candidates = new LinkedHashSet<>(Collections.singleton(collapse));
        if (waiting.containsKey(message)) {
            candidates.add(waiting.get(message).collapse);
        }
        if (isExpired(message, now) && !places.containsKey(message)) {
            names.remove(message);
        }
        names.computeIfAbsent(message, each -> new HashSet<>()).addAll(candidates);
        return candidates;
    }

    /** Records a copy of a displayed message that has ended since. */
    void repeat(Message message, String collapse, long now) {
        name(message, collapse, now);
        if (isWithdrawn(message, now)) {
            screen.remove(message);
        }
    }

    /** Returns where a message is displayed: as it came, where it was, or where it waits. No newer one is there. */
    private Place place(Message message, Set<String> candidates, long now) {
        List<String> collapses = new ArrayList<>(candidates);
        if (places.containsKey(message)) {
            collapses.add(1, places.get(message).collapse);
        }
        for (String collapse : collapses) {
            boolean isTaken = false;
            for (Message other : displayedAt(collapse, message)) {
                boolean isThere = screen.containsKey(other) || now - places.get(other).time <= 2000;
                isTaken |= other.issued > message.issued && isThere && !isWithdrawn(other, now);
            }
            if (!isTaken) {
                Place place = new Place();
                place.collapse = collapse;
                place.time = now;
                return place;
            }
        }
        return null;
    }

    private List<Message> displayedAt(String collapse, Message message) {
        List<Message> others = new ArrayList<>();
        places.forEach((other, place) -> {
            boolean isThere = !collapse.isEmpty() && place.collapse.equals(collapse);
            if (other != message && other.account.equals(message.account) && isThere) {
                others.add(other);
            }
        });
        return others;
    }

    /** Removes the notification of an admitted message. */
    private void end(Message message) {
        places.remove(message);
        screen.remove(message);
        waiting.remove(message);
        admitted.get(message).isDone = true;
    }

    private boolean isWithdrawn(Message message, long now) {
        for (Withdrawal each : withdrawals) {
            boolean isNamed = each.by.isThread ? each.by.withdrawn.equals(message.thread)
                : names.getOrDefault(message, Collections.emptySet()).contains(each.by.withdrawn);
            boolean acts = each.by.account.equals(message.account) && isNamed;
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
        for (Message each : new ArrayList<>(places.keySet())) {
            if (isWithdrawn(each, now)) {
                end(each);
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
                outcomes.add(deliver(each, waiting.get(each).collapse, now, null));
            }
        }
        return outcomes;
    }

    /** Forgets the state of the messages, which begins now. */
    void lose(long now) {
        admitted.clear();
        waiting.clear();
        places.clear();
        names.clear();
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
