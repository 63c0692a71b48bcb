package pushcrypt.android;

import android.app.Notification;
import android.app.NotificationManager;
import android.app.PendingIntent;
import android.content.Context;
import android.content.Intent;
import android.service.notification.StatusBarNotification;
import java.util.HashSet;
import java.util.Set;
import pushcrypt.receiver.Content;
import pushcrypt.receiver.Display;
import pushcrypt.receiver.Notice;

/** The system's notifications. Override {@link #build} for channels, icons and actions of your own. */
public class SystemDisplay implements Display {
    /** The extra of the intent that opens the app: the original payload. */
    public static final String PAYLOAD = "pushcrypt.payload";

    private static final int ID = 1;

    private final Context context;
    private final NotificationManager manager;
    private final String channel;
    private final int icon;

    /**
     * Creates a display.
     *
     * @param channel the id of a channel that the app has created
     * @param icon the resource of the small icon
     */
    public SystemDisplay(Context context, String channel, int icon) {
        this.context = context;
        this.channel = channel;
        this.icon = icon;
        manager = context.getSystemService(NotificationManager.class);
    }

    @Override
    public final void show(Notice notice) {
        Notification.Builder builder = build(notice);
        // A notification that is displayed already makes no sound again.
        builder.setOnlyAlertOnce(true);
        manager.notify(notice.tag(), ID, builder.build());
    }

    @Override
    public final void cancel(String tag) {
        manager.cancel(tag, ID);
    }

    @Override
    public final Set<String> shown() {
        Set<String> tags = new HashSet<>();
        for (StatusBarNotification each : manager.getActiveNotifications()) {
            if (each.getTag() != null) {
                tags.add(each.getTag());
            }
        }
        return tags;
    }

    /** Returns the notification. It must not wait, for example for a download. */
    protected Notification.Builder build(Notice notice) {
        Content content = notice.content();
        Notification.Builder builder = new Notification.Builder(context, channel)
            .setSmallIcon(icon)
            .setContentTitle(content.title())
            .setContentText(content.body())
            .setStyle(new Notification.BigTextStyle().bigText(content.body()))
            .setAutoCancel(true)
            // The lock screen hides the text if the user has chosen that.
            .setVisibility(Notification.VISIBILITY_PRIVATE)
            .setContentIntent(open(notice));
        if (!content.subtitle().isEmpty()) {
            builder.setSubText(content.subtitle());
        }
        if (!content.thread().isEmpty()) {
            builder.setGroup(notice.account() + " " + content.thread());
        }
        return builder;
    }

    /** Returns the intent that starts the app. An opened message's payload comes with it. */
    private PendingIntent open(Notice notice) {
        Intent intent = context.getPackageManager().getLaunchIntentForPackage(context.getPackageName());
        if (!notice.isFallback()) {
            intent.putExtra(PAYLOAD, notice.content().payload());
        }
        return PendingIntent.getActivity(context, notice.tag().hashCode(), intent,
            PendingIntent.FLAG_UPDATE_CURRENT | PendingIntent.FLAG_IMMUTABLE);
    }
}
