package pushcrypt;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** The parts of a sealed push as JSON texts, which are null if they are missing, and the requests with them. */
final class CarrierContent {
    /** The longest time in seconds for which Firebase keeps a push for Android, and OneSignal each push. */
    private static final long FOUR_WEEKS = 28 * 24 * 3600;
    /** Without apns-id, which only APNs gets. */
    private static final List<String> FIREBASE_HEADERS =
        List.of("apns-collapse-id", "apns-expiration", "apns-priority", "apns-push-type", "apns-topic");

    /** OneSignal's name of an interruption level. */
    private static final Map<String, String> LEVELS = Map.of("time-sensitive", "time_sensitive");

    /** An object in JSON. */
    private static final class JsonObject {
        private final StringBuilder members = new StringBuilder();

        /** Adds a member with a value in JSON, unless the value is null. */
        JsonObject add(String name, String value) {
            if (value != null) {
                members.append(members.isEmpty() ? "" : ",").append(Json.quote(name)).append(':').append(value);
            }
            return this;
        }

        JsonObject addText(String name, String text) {
            return add(name, text == null ? null : Json.quote(text));
        }

        String json() {
            return "{" + members + "}";
        }
    }

    private final Push push;
    private final String payload;
    private final Json aps;
    private final String data;
    /** The expiration in seconds, and the seconds from the time of issue until then; null if they are missing. */
    private final Long expiration;
    private final Long timeToLive;

    CarrierContent(Push push) throws PushCryptException {
        this.push = push;
        payload = new String(push.payload(), StandardCharsets.UTF_8);
        Json root = Json.parse(push.payload());
        aps = root.get("aps");
        data = new JsonObject().add("ENCRYPTED_DATA", raw(root, "ENCRYPTED_DATA")).json();
        String end = header("apns-expiration");
        expiration = end == null ? null : Long.valueOf(end);
        if (expiration == null || expiration == 0) {
            timeToLive = expiration;
        } else {
            timeToLive = Math.max(expiration * 1000 - push.issuedAt(), 0) / 1000;
        }
    }

    CarrierRequest request(String token, String appId) throws PushCryptException {
        check(token.matches("[!-~]+"), "invalid-header",
            "The device token isn't visible ASCII. Give it as the carrier issued it.");
        JsonObject body = switch (push.carrier()) {
            case "apns" -> null;
            case "firebase" -> firebase(token);
            case "firebase-android" -> firebaseAndroid(token);
            case "expo" -> expo(token);
            case "onesignal" -> oneSignal(token, appId);
            default -> throw new PushCryptException(
                "not-sealable", "The carrier's request isn't known. Send the payload to it yourself.");
        };
        if (body == null) {
            return new CarrierRequest(push.payload(), push.headers());
        }
        byte[] bytes = body.json().getBytes(StandardCharsets.UTF_8);
        return new CarrierRequest(bytes, Map.of("Content-Type", "application/json"));
    }

    private static void check(boolean condition, String code, String reason) throws PushCryptException {
        if (!condition) {
            throw new PushCryptException(code, reason);
        }
    }

    private static String raw(Json object, String name) {
        return object.get(name).isMissing() ? null : object.get(name).rawText();
    }

    private String value(String key) {
        return raw(aps, key);
    }

    private String line(String name) {
        return raw(aps.get("alert"), name);
    }

    private String flag(String key) {
        return aps.get(key).isMissing() ? null : "true";
    }

    private String header(String name) {
        return push.headers().get(name);
    }

    private String urgency() {
        return "10".equals(header("apns-priority")) ? "high" : "normal";
    }

    /** Returns the time to live in digits, at most four weeks. */
    private String seconds() {
        return timeToLive == null ? null : String.valueOf(Math.min(timeToLive, FOUR_WEEKS));
    }

    private JsonObject firebase(String token) {
        JsonObject headers = new JsonObject();
        FIREBASE_HEADERS.forEach(name -> headers.addText(name, header(name)));
        String apns = new JsonObject().add("headers", headers.json()).add("payload", payload).json();
        return new JsonObject().add("message", new JsonObject().addText("token", token).add("apns", apns).json());
    }

    private JsonObject firebaseAndroid(String token) {
        String seconds = seconds();
        String android = new JsonObject().addText("priority", urgency())
            .addText("ttl", seconds == null ? null : seconds + "s")
            .addText("collapseKey", header("apns-collapse-id")).add("data", data).json();
        return new JsonObject().add("message", new JsonObject().addText("token", token).add("android", android).json());
    }

    private JsonObject expo(String token) {
        boolean isOnce = expiration != null && expiration == 0;
        return new JsonObject().addText("to", token)
            .add("title", line("title")).add("subtitle", line("subtitle")).add("body", line("body"))
            .add("mutableContent", flag("mutable-content")).add("_contentAvailable", flag("content-available"))
            .add("badge", value("badge")).add("sound", value("sound")).add("categoryId", value("category"))
            .add("interruptionLevel", value("interruption-level")).add("data", data)
            .add(isOnce ? "ttl" : "expiration", header("apns-expiration")).addText("priority", urgency());
    }

    /** Returns a line as OneSignal's text for users of each language without its own text. */
    private String english(String name) {
        return line(name) == null ? null : new JsonObject().add("en", line(name)).json();
    }

    private JsonObject oneSignal(String token, String appId) throws PushCryptException {
        check(appId != null && !appId.isEmpty(), "missing-value", "OneSignal requires the app's id. Give it.");
        Json level = aps.get("interruption-level");
        return new JsonObject().addText("app_id", appId)
            .add("include_subscription_ids", "[" + Json.quote(token) + "]").addText("target_channel", "push")
            .add("contents", english("body")).add("headings", english("title")).add("subtitle", english("subtitle"))
            .add("mutable_content", flag("mutable-content")).add("content_available", flag("content-available"))
            .addText("ios_badgeType", value("badge") == null ? null : "SetTo").add("ios_badgeCount", value("badge"))
            .addText("ios_interruption_level", level.kind == '"' ? LEVELS.getOrDefault(level.text, level.text) : null)
            .add("ios_sound", value("sound")).add("ios_category", value("category"))
            .add("thread_id", value("thread-id")).add("ios_relevance_score", value("relevance-score"))
            .add("target_content_identifier", value("target-content-id")).add("data", data)
            .add("ttl", seconds()).add("priority", header("apns-priority"))
            .addText("collapse_id", header("apns-collapse-id"));
    }
}
