package android.app;

import android.content.Context;

public class Notification {
    public static final int VISIBILITY_PRIVATE = 0;

    public int visibility;
    /** Exist in the stand-in only. */
    public String title;
    public String text;
    public String subText;
    public String channel;
    public PendingIntent contentIntent;
    public boolean isOnlyAlertingOnce;

    public abstract static class Style { }

    public static class BigTextStyle extends Style {
        public BigTextStyle bigText(CharSequence text) {
            return this;
        }
    }

    public static class Builder {
        private final Notification notification = new Notification();

        public Builder(Context context, String channelId) {
            notification.channel = channelId;
        }

        public Builder setSmallIcon(int icon) {
            return this;
        }

        public Builder setContentTitle(CharSequence title) {
            notification.title = title.toString();
            return this;
        }

        public Builder setContentText(CharSequence text) {
            notification.text = text.toString();
            return this;
        }

        public Builder setSubText(CharSequence text) {
            notification.subText = text.toString();
            return this;
        }

        public Builder setStyle(Style style) {
            return this;
        }

        public Builder setAutoCancel(boolean autoCancel) {
            return this;
        }

        public Builder setVisibility(int visibility) {
            notification.visibility = visibility;
            return this;
        }

        public Builder setContentIntent(PendingIntent intent) {
            notification.contentIntent = intent;
            return this;
        }

        public Builder setGroup(String groupKey) {
            return this;
        }

        public Builder setOnlyAlertOnce(boolean onlyAlertOnce) {
            notification.isOnlyAlertingOnce = onlyAlertOnce;
            return this;
        }

        public Notification build() {
            return notification;
        }
    }
}
