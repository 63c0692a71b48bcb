package pushcrypt;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The settings of a push. Each method returns a copy with one setting changed. */
public final class Options implements Cloneable {
    /** The members that stay readable in an alert. In a Live Activity, it is the alert alone. */
    static final List<String> EXPOSABLE = List.of(
        "category", "thread-id", "sound", "badge", "interruption-level", "relevance-score", "target-content-id",
        "filter-criteria", "content-available");
    static final Map<String, Integer> TYPES =
        Map.of("alert", 1, "background", 2, "voip", 3, "liveactivity", 4, "location", 6, "pushtotalk", 7);
    /** The ends that Apple requires of the header apns-topic. */
    static final Map<String, String> TOPIC_SUFFIXES = Map.of(
        "voip", ".voip", "liveactivity", ".push-type.liveactivity", "location", ".location-query",
        "pushtotalk", ".voip-ptt");
    private static final List<String> PLACEHOLDER = List.of(
        "title", "title-loc-key", "title-loc-args", "subtitle", "subtitle-loc-key", "subtitle-loc-args", "body",
        "loc-key", "loc-args");

    String type = "alert";
    long lifetime = 7 * 24 * 3600;
    String padding = "buckets";
    List<String> exposed = List.of();
    Map<String, Object> placeholder = Map.of("body", "(Encrypted)");
    String topic = "";
    String collapseId = "";
    int priority;
    boolean isChallenge;
    String carrier = Row.APNS;

    private Options copy() {
        try {
            return (Options) clone();
        } catch (CloneNotSupportedException problem) {
            throw new IllegalStateException(problem);
        }
    }

    /** Sets alert (the default), background, voip, liveactivity, location or pushtotalk. */
    public Options type(String value) throws PushCryptException {
        check(TYPES.containsKey(value), "not-sealable", "Pushes of this type can't be sealed. Send them unsealed.");
        Options options = copy();
        options.type = value;
        return options;
    }

    /** Sets the seconds for which devices open the message, 7 days by default. */
    public Options lifetime(long seconds) throws PushCryptException {
        check(seconds >= 1 && seconds <= Sealer.MAXIMUM_LIFETIME, "invalid-lifetime",
            "The lifetime isn't valid. Give a lifetime of 1 second to 30 days.");
        Options options = copy();
        options.lifetime = seconds;
        return options;
    }

    /** Sets buckets (the default), maximum or none. */
    public Options padding(String value) throws PushCryptException {
        check(List.of("buckets", "maximum", "none").contains(value), "invalid-configuration",
            "The padding isn't valid. Give buckets, maximum or none.");
        Options options = copy();
        options.padding = value;
        return options;
    }

    /** Sets the members of aps that stay readable in an alert, and alert for that of a Live Activity. */
    public Options expose(List<String> names) throws PushCryptException {
        boolean areExposable = names.stream().allMatch(name -> name.equals("alert") || EXPOSABLE.contains(name));
        check(areExposable, "invalid-configuration",
            "A member can't be exposed. Give members that Format.md lists.");
        Options options = copy();
        options.exposed = List.copyOf(names);
        return options;
    }

    /** Sets the members of the visible alert: strings, or lists of strings for arguments. */
    public Options placeholder(Map<String, Object> members) throws PushCryptException {
        Map<String, Object> ordered = new LinkedHashMap<>();
        boolean hasText = false;
        for (String name : PLACEHOLDER) {
            Object value = members.get(name);
            if (value != null) {
                ordered.put(name, value);
                hasText |= value instanceof String text && !text.isEmpty();
            }
        }
        check(hasText && PLACEHOLDER.containsAll(members.keySet()), "invalid-placeholder",
            "The placeholder has no text, or another member. Add a title, a subtitle or a body.");
        Options options = copy();
        options.placeholder = ordered;
        return options;
    }

    /** Sets challenge, for a payload of Challenges.issue in an alert or a background push. */
    public Options kind(String value) throws PushCryptException {
        check(value.equals("challenge"), "invalid-configuration", "The kind isn't valid. Give challenge, or set none.");
        Options options = copy();
        options.isChallenge = true;
        return options;
    }

    /**
     * Sets the service that sends the push, apns by default. It decides the longest payload and the push types. Another name
     * than those of Docs/Sending.md, such as that of your own relay, has the rules of APNs.
     */
    public Options carrier(String name) {
        Options options = copy();
        options.carrier = name;
        return options;
    }

    /** Sets the header apns-topic. */
    public Options topic(String value) throws PushCryptException {
        Options options = copy();
        options.topic = header(value);
        return options;
    }

    /** Sets the header apns-collapse-id, at most 64 bytes. */
    public Options collapseId(String value) throws PushCryptException {
        check(value.length() <= 64, "invalid-header", "The collapse id has more than 64 bytes. Shorten it.");
        Options options = copy();
        options.collapseId = header(value);
        return options;
    }

    /** Sets the header apns-priority: 1, 5 or 10. The default is 5 for background pushes, else 10. */
    public Options priority(int value) throws PushCryptException {
        check(List.of(1, 5, 10).contains(value), "invalid-header", "The priority isn't valid. Give 1, 5 or 10.");
        Options options = copy();
        options.priority = value;
        return options;
    }

    private static String header(String value) throws PushCryptException {
        check(value.matches("[!-~]+"), "invalid-header",
            "The collapse id or topic isn't valid. Give visible ASCII characters.");
        return value;
    }

    private static void check(boolean condition, String code, String reason) throws PushCryptException {
        if (!condition) {
            throw new PushCryptException(code, reason);
        }
    }
}
