package pushcrypt.receiver;

import java.util.Set;

/**
 * The notifications of the system. The receiver calls it while it holds the lock of its state, so that no other
 * thread and no other process changes a notification in between. So its methods must not wait, for example for a
 * download.
 */
public interface Display {
    /** Displays a notification, in the place of one that has the same tag. */
    void show(Notice notice);

    /** Removes the notification that has a tag, if it's displayed. */
    void cancel(String tag);

    /** Returns the tags of the displayed notifications. */
    Set<String> shown();
}
