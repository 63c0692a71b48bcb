package pushcrypt.receiver;

import java.util.ArrayList;
import java.util.List;
import pushcrypt.Json;
import pushcrypt.PushCryptException;

/** The content of a notification. It comes from the original alone: nothing that was delivered beside it is added. */
public final class Content {
    private final String title;
    private final String subtitle;
    private final String body;
    private final Json aps;
    private final byte[] payload;

    /** Creates the app's own text. */
    Content(String body) {
        title = "";
        subtitle = "";
        this.body = body;
        aps = null;
        payload = new byte[0];
    }

    /** Reads an original payload, whose texts can name the app's. */
    Content(byte[] payload, Strings strings) throws PushCryptException {
        this.payload = payload;
        aps = Json.parse(payload).get("aps");
        Json alert = aps.get("alert");
        title = line(alert, new String[] {"title", "title-loc-key", "title-loc-args"}, strings);
        subtitle = line(alert, new String[] {"subtitle", "subtitle-loc-key", "subtitle-loc-args"}, strings);
        // A string alone is the body.
        body = alert.string() == null
            ? line(alert, new String[] {"body", "loc-key", "loc-args"}, strings) : alert.string();
    }

    /** Returns a line of an alert: the app's text if it has the key, otherwise the plain text, otherwise the key. */
    private static String line(Json alert, String[] names, Strings strings) {
        String key = alert.get(names[1]).string();
        String plain = alert.get(names[0]).string();
        if (key != null) {
            List<String> arguments = new ArrayList<>();
            for (Json argument : alert.get(names[2]).items()) {
                arguments.add(argument.string() == null ? argument.rawText() : argument.string());
            }
            String text = strings.text(key, arguments);
            if (text != null) {
                return text;
            }
        }
        return plain != null && !plain.isEmpty() ? plain : key == null ? "" : key;
    }

    boolean hasText() {
        return !title.isEmpty() || !subtitle.isEmpty() || !body.isEmpty();
    }

    /** Returns the title, or an empty text. */
    public String title() {
        return title;
    }

    /** Returns the subtitle, or an empty text. */
    public String subtitle() {
        return subtitle;
    }

    /** Returns the body, or an empty text. */
    public String body() {
        return body;
    }

    /** Returns the conversation, {@code thread-id}, or an empty text. */
    public String thread() {
        return text("thread-id");
    }

    /** Returns the category, or an empty text. */
    public String category() {
        return text("category");
    }

    /** Returns the interruption level, such as {@code time-sensitive}, or an empty text. */
    public String interruptionLevel() {
        return text("interruption-level");
    }

    /** Returns whether the original has a sound. */
    public boolean hasSound() {
        return aps != null && !aps.get("sound").isMissing();
    }

    /** Returns the number for the app's icon, or null. */
    public Integer badge() {
        Json badge = aps == null ? null : aps.get("badge");
        return badge != null && badge.isInteger(0, Integer.MAX_VALUE) ? Integer.valueOf(badge.rawText()) : null;
    }

    /** Returns the original payload, which has the app's own members; empty for the app's own text. */
    public byte[] payload() {
        return payload.clone();
    }

    private String text(String name) {
        String text = aps == null ? null : aps.get(name).string();
        return text == null ? "" : text;
    }
}
