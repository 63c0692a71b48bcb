package pushcrypt;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** An original payload that fits its push type, as the parts to seal and the readable text around them. */
final class Original {
    private static final List<String> ALERT_TEXTS =
        List.of("title", "subtitle", "body", "title-loc-key", "subtitle-loc-key", "loc-key");

    /** The members that the extension writes. */
    private static final List<String> RESERVED_NAMES = List.of("pushcrypt.receipt", "pushcrypt.added");

    /** The kind of a Live Activity's attributes. */
    static final int ATTRIBUTES = 5;
    private static final int CHALLENGE = 9;
    private static final List<String> CHALLENGE_TYPES = List.of("alert", "background");

    /** An object that is sealed as a message of its own. */
    record Part(int kind, byte[] text) {}

    /** The readable texts: one before each part, and one behind the last. */
    final List<String> frames = new ArrayList<>();
    final List<Part> parts = new ArrayList<>();
    /** The id of a withdrawal with one collapse id, otherwise empty. */
    final String withdrawnId;
    final Json aps;

    Original(byte[] payload, Options options) throws PushCryptException {
        Json root = Json.parse(payload);
        aps = root.get("aps");
        byte[] text = root.compact();
        if (text.length > 65535) {
            throw new PushCryptException("payload-too-large", "The payload has more than 65535 bytes. Shorten it.");
        }
        checkUnsealed(root);
        for (String name : RESERVED_NAMES) {
            check(root.get(name).isMissing(), "\"" + name + "\" is reserved for the device. Rename the member.");
        }
        check(aps.isMissing() || aps.kind == '{', "\"aps\" isn't an object. Give an object.");
        if (options.isChallenge) {
            Challenges.check(root);
            check(CHALLENGE_TYPES.contains(options.type), "The push type doesn't fit a challenge. Use alert or background.");
        }
        int kind = Options.TYPES.get(options.type);
        String visible = "";
        String id = "";
        switch (options.type) {
            case "alert" -> {
                if (options.isChallenge) {
                    kind = CHALLENGE;
                } else if (isWithdrawal(root)) {
                    kind = 8;
                    checkWithdrawal(root);
                    List<Json> ids = root.get("collapse-ids").items;
                    id = ids.size() == 1 ? ids.get(0).text : "";
                } else {
                    check(!aps.isMissing(), "\"aps\" is missing. Add it.");
                }
                checkAlert(aps, kind == 8 || kind == CHALLENGE);
                visible = "\"alert\":" + placeholder(options.placeholder) + ",\"mutable-content\":1"
                    + exposed(aps, options.exposed);
            }
            case "background" -> {
                if (options.isChallenge) {
                    kind = CHALLENGE;
                } else {
                    checkBackground(aps);
                }
                visible = "\"content-available\":1";
            }
            case "liveactivity" -> {
                check(root.members.size() == 1 && aps.kind == '{', "\"aps\" isn't alone. Move the other members into it.");
                readActivity(root.members.get(0), options);
            }
            default -> { }
        }
        withdrawnId = id;
        if (!options.type.equals("liveactivity")) {
            String readable = Carriers.hasAps(options.carrier) ? "\"aps\":{" + visible + "}," : "";
            frames.add("{" + readable + "\"ENCRYPTED_DATA\":\"");
            frames.add("\"}");
            parts.add(new Part(kind, text));
        }
    }

    private static void check(boolean condition, String reason) throws PushCryptException {
        if (!condition) {
            throw new PushCryptException("invalid-payload", reason);
        }
    }

    private static void checkUnsealed(Json object) throws PushCryptException {
        if (!object.get("ENCRYPTED_DATA").isMissing()) {
            throw new PushCryptException(
                "already-sealed", "The payload already has an ENCRYPTED_DATA. Seal the original payload.");
        }
    }

    private static boolean isAbsent(Json value) {
        return value.isMissing() || value.kind == 'n';
    }

    private static void checkAlert(Json aps, boolean isTextOptional) throws PushCryptException {
        Json alert = aps.get("alert");
        check(isAbsent(alert) || alert.kind == '"' || alert.kind == '{', "The alert isn't a string or an object. Correct it.");
        boolean hasText = isTextOptional || !alert.text.isEmpty();
        for (String name : ALERT_TEXTS) {
            Json value = alert.get(name);
            check(isAbsent(value) || value.kind == '"', "The alert's \"" + name + "\" isn't a string. Give a string.");
            hasText |= !value.text.isEmpty();
        }
        if (!hasText) {
            throw new PushCryptException("no-alert-text", "The alert has no text. Add a title, a subtitle or a body.");
        }
    }

    private static void checkBackground(Json aps) throws PushCryptException {
        Json available = aps.get("content-available");
        boolean isOne = available.kind == 't' || available.kind == '0' && Double.parseDouble(available.rawText()) == 1;
        check(isOne, "\"content-available\" isn't 1. Add \"content-available\": 1 to \"aps\".");
        for (String name : List.of("alert", "badge", "sound")) {
            check(isAbsent(aps.get(name)), "A background push has \"" + name + "\". Remove it, or send an alert.");
        }
    }

    /** Returns whether the alert has a withdrawal's members and no other ones. */
    private static boolean isWithdrawal(Json root) {
        boolean hasTargets = false;
        for (Json.Member member : root.members) {
            boolean isTarget = member.name().equals("collapse-ids") || member.name().equals("thread-ids");
            if (!isTarget && !member.name().equals("aps")) {
                return false;
            }
            hasTargets |= isTarget;
        }
        return hasTargets;
    }

    private static void checkWithdrawal(Json root) throws PushCryptException {
        int count = 0;
        boolean valid = true;
        for (String name : List.of("collapse-ids", "thread-ids")) {
            Json ids = root.get(name);
            valid &= ids.isMissing() || ids.kind == '[';
            for (Json id : ids.items) {
                String pattern = name.equals("collapse-ids") ? "[!-~]{1,64}" : "(?s).+";
                valid &= id.kind == '"' && id.text.matches(pattern);
                count++;
            }
        }
        check(valid && count > 0 && count <= 100,
            "The withdrawal's ids aren't valid. Give 1 to 100 strings, collapse ids of visible ASCII.");
    }

    @SuppressWarnings("unchecked")
    private static String placeholder(Map<String, Object> placeholder) {
        List<String> members = new ArrayList<>();
        placeholder.forEach((name, value) -> {
            if (value instanceof List<?> arguments) {
                List<String> quoted = new ArrayList<>();
                ((List<String>) arguments).forEach(argument -> quoted.add(Json.quote(argument)));
                members.add(Json.quote(name) + ":[" + String.join(",", quoted) + "]");
            } else {
                members.add(Json.quote(name) + ":" + Json.quote((String) value));
            }
        });
        return "{" + String.join(",", members) + "}";
    }

    private static String exposed(Json aps, List<String> names) throws PushCryptException {
        StringBuilder result = new StringBuilder();
        for (String name : Options.EXPOSABLE) {
            Json value = aps.get(name);
            if (!names.contains(name) || value.isMissing()) {
                continue;
            }
            String text = value.rawText();
            if (name.equals("sound") && value.kind == '{') {
                List<String> members = new ArrayList<>();
                for (String inner : List.of("critical", "name", "volume")) {
                    Json member = value.get(inner);
                    check(!member.isContainer(), "The exposed sound has an object or an array. Correct it.");
                    if (!member.isMissing()) {
                        members.add(Json.quote(inner) + ":" + member.rawText());
                    }
                }
                text = "{" + String.join(",", members) + "}";
            } else {
                check(!value.isContainer(), "The exposed \"" + name + "\" is an object or an array. Don't expose it.");
            }
            result.append(',').append(Json.quote(name)).append(':').append(text);
        }
        return result.toString();
    }

    /** Returns the readable alert of a Live Activity: the placeholder, with the sound of the original's alert. */
    private static String replacedAlert(Json alert, Options options) {
        String text = placeholder(options.placeholder);
        Json sound = alert.get("sound");
        boolean hasSound = sound.kind == '"';
        return hasSound ? text.substring(0, text.length() - 1) + ",\"sound\":" + sound.rawText() + "}" : text;
    }

    /** Replaces only the values of a Live Activity's state, of its attributes, and of an alert that isn't exposed. */
    private void readActivity(Json.Member aps, Options options) throws PushCryptException {
        check(!isAbsent(aps.value().get("content-state")), "\"content-state\" is missing, so nothing would be sealed. "
            + "Add a state, to an end a final one, or send it unsealed.");
        boolean hasAttributes = aps.value().get("event").text.equals("start")
            || !isAbsent(aps.value().get("attributes-type"));
        check(!hasAttributes || !isAbsent(aps.value().get("attributes")), "\"attributes\" is missing. Add an object.");
        String frame = "{" + aps.rawName() + ":{";
        String separator = "";
        for (Json.Member member : aps.value().members) {
            boolean isState = member.name().equals("content-state");
            frame += separator + member.rawName() + ":";
            separator = ",";
            if (!isState && !member.name().equals("attributes") || isAbsent(member.value())) {
                boolean isReplaced = member.name().equals("alert") && !isAbsent(member.value())
                    && !options.exposed.contains("alert");
                frame += isReplaced ? replacedAlert(member.value(), options)
                    : new String(member.value().compact(), StandardCharsets.UTF_8);
                continue;
            }
            check(member.value().kind == '{', "\"" + member.name() + "\" isn't an object. Give an object.");
            checkUnsealed(member.value());
            frames.add(frame + "{\"ENCRYPTED_DATA\":\"");
            parts.add(new Part(isState ? 4 : ATTRIBUTES, member.value().compact()));
            frame = "\"}";
        }
        frames.add(frame + "}}");
    }
}
