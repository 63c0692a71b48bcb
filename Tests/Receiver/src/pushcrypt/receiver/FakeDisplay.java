package pushcrypt.receiver;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** A display in memory, which can end the process before or after it shows a notification. */
final class FakeDisplay implements Display {
    final Map<String, Notice> notices = new LinkedHashMap<>();
    /** The number of times that a body was put on the screen where it wasn't. */
    final Map<String, Integer> appearances = new HashMap<>();
    boolean killsBefore;
    boolean killsAfter;

    @Override
    public synchronized void show(Notice notice) {
        if (killsBefore) {
            killsBefore = false;
            throw new Killed();
        }
        Notice replaced = notices.put(notice.tag(), notice);
        if (replaced == null || !replaced.content().body().equals(notice.content().body())) {
            appearances.merge(notice.content().body(), 1, Integer::sum);
        }
        if (killsAfter) {
            killsAfter = false;
            throw new Killed();
        }
    }

    @Override
    public synchronized void cancel(String tag) {
        notices.remove(tag);
    }

    @Override
    public synchronized Set<String> shown() {
        return new HashSet<>(notices.keySet());
    }

    /** Removes a notification as the user does. */
    synchronized void dismiss(String body) {
        notices.values().removeIf(notice -> notice.content().body().equals(body));
    }

    /** Counts a body anew, because its message may open again after the state was lost. */
    synchronized void forget(String body) {
        appearances.remove(body);
        if (bodies().contains(body)) {
            appearances.put(body, 1);
        }
    }

    /** Returns the bodies of all notifications, sorted. */
    synchronized List<String> bodies() {
        List<String> bodies = new ArrayList<>();
        notices.values().forEach(notice -> bodies.add(notice.content().body()));
        bodies.sort(null);
        return bodies;
    }

    synchronized Set<String> distinctBodies() {
        return new TreeSet<>(bodies());
    }
}
