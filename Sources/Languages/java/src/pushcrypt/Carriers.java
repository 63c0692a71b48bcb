package pushcrypt;

import java.util.List;
import java.util.Map;

/** The rules of the carriers for the pushes that they take. */
final class Carriers {
    private static final List<String> MESSAGES = List.of("alert", "background");
    private static final List<String> EXPO =
        List.of("category", "sound", "badge", "interruption-level", "content-available");
    private static final List<String> ONESIGNAL = List.of(
        "category", "thread-id", "sound", "badge", "interruption-level", "relevance-score", "target-content-id",
        "content-available");

    /**
     * The rules of a carrier: the push types, the bytes for its own members, the characters of the longest sealed value,
     * the keys that may stay readable, and what else it takes.
     */
    private record Rules(List<String> types, int reserve, int longestValue, List<String> exposable, boolean hasAps,
        boolean takesSoundMembers, boolean takesStringKeys, boolean requiresBody, boolean takesCollapseId) {
        /** The rules of a carrier that hands on the payload as it is. */
        Rules(List<String> types, int reserve) {
            this(types, reserve, Integer.MAX_VALUE, Options.EXPOSABLE, true, true, true, false, true);
        }
    }

    private static final Rules APNS = new Rules(List.copyOf(Options.TYPES.keySet()), 0);
    private static final Map<String, Rules> RULES = Map.of(
        "apns", APNS,
        "firebase", new Rules(MESSAGES, 256),
        "firebase-android", new Rules(MESSAGES, 0, Integer.MAX_VALUE, List.of(), false, true, true, false, true),
        "expo", new Rules(MESSAGES, 512, Integer.MAX_VALUE, EXPO, true, true, false, false, false),
        "onesignal", new Rules(
            MESSAGES, 512, 2048 - "{\"ENCRYPTED_DATA\":\"\"}".length(), ONESIGNAL, true, false, false, true, true));

    private Carriers() {}

    /** Returns the rules of a carrier: those of APNs for an unknown name, such as a relay of your own. */
    private static Rules of(String carrier) {
        return RULES.getOrDefault(carrier, APNS);
    }

    /** Returns whether the library knows the carrier's request. */
    static boolean isKnown(String carrier) {
        return RULES.containsKey(carrier);
    }

    /** Returns whether the payload has aps, because the device is Apple's. */
    static boolean hasAps(String carrier) {
        return of(carrier).hasAps;
    }

    /** Returns whether a push can have a collapse id. */
    static boolean takesCollapseId(String carrier) {
        return of(carrier).takesCollapseId;
    }

    /** Returns the number of characters for the sealed values beside the readable bytes of a payload. */
    static int room(String carrier, String type, int readable) {
        int room = (type.equals("voip") ? 5120 : 4096) - of(carrier).reserve - readable;
        return Math.min(room, of(carrier).longestValue);
    }

    static void checkType(String carrier, String type) throws PushCryptException {
        check(of(carrier).types.contains(type), "not-sealable",
            carrier + " takes no sealed " + type + " pushes. Send them to APNs.");
    }

    /** Throws if the carrier's request has no member for a part of a push. */
    static void check(Options options, Original original) throws PushCryptException {
        String carrier = options.carrier;
        checkType(carrier, options.type);
        boolean hasId = !options.collapseId.isEmpty();
        check(!hasId || takesCollapseId(carrier), "invalid-header", carrier + " has no collapse id. Omit it.");
        if (!options.type.equals("alert")) {
            return;
        }
        for (String name : options.exposed) {
            check(name.equals("alert") || of(carrier).exposable.contains(name), "invalid-payload",
                carrier + " has no member for " + name + ". Do not expose it.");
        }
        boolean hasMembers = options.exposed.contains("sound") && original.aps.get("sound").kind == '{';
        check(!hasMembers || of(carrier).takesSoundMembers, "invalid-payload",
            carrier + " takes a sound's name only. Do not expose the sound.");
        if (hasAps(carrier)) {
            checkPlaceholder(carrier, options.placeholder);
        }
    }

    private static void checkPlaceholder(String carrier, Map<String, Object> placeholder) throws PushCryptException {
        boolean hasKeys = placeholder.keySet().stream().anyMatch(name -> name.contains("loc-"));
        check(!hasKeys || of(carrier).takesStringKeys, "invalid-placeholder",
            carrier + " takes no keys of the app's string table. Use text.");
        boolean hasBody = placeholder.get("body") instanceof String body && !body.isEmpty();
        check(hasBody || !of(carrier).requiresBody, "invalid-placeholder",
            carrier + " requires a body. Add it to the placeholder.");
    }

    private static void check(boolean condition, String code, String reason) throws PushCryptException {
        if (!condition) {
            throw new PushCryptException(code, reason);
        }
    }
}
