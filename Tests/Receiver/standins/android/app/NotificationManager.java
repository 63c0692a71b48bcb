package android.app;

import android.service.notification.StatusBarNotification;
import java.util.LinkedHashMap;
import java.util.Map;

public class NotificationManager {
    public static final int IMPORTANCE_HIGH = 4;

    /** Exists in the stand-in only. */
    public final Map<String, Notification> active = new LinkedHashMap<>();

    public void notify(String tag, int id, Notification notification) {
        active.put(tag, notification);
    }

    public void cancel(String tag, int id) {
        active.remove(tag);
    }

    public StatusBarNotification[] getActiveNotifications() {
        return active.keySet().stream().map(StatusBarNotification::new).toArray(StatusBarNotification[]::new);
    }

    public void createNotificationChannel(NotificationChannel channel) { }
}
