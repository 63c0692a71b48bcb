package pushcrypt.receiver;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import pushcrypt.Json;
import pushcrypt.PushCryptException;
import pushcrypt.Registration;

/**
 * A keyring as bytes: a mark, the length of a JSON text, the text without secrets, and 32 bytes for each key. So
 * no string contains a secret, because strings can't be overwritten.
 */
final class KeyringText {
    private static final byte[] MARK = "PCKEY\u0001\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final String CODE = "malformed-keyring";
    private static final List<String> MEMBERS = Arrays.asList(
        "generation", "clock", "estimated", "counted", "owner", "lists", "signers", "keys");
    private static final List<String> MEMBERS_OF_KEYS = Arrays.asList(
        "kid", "created", "lifetime", "state", "retired", "known", "counted");

    private KeyringText() { }

    /** Returns the bytes of a keyring. Overwrite them after use. */
    static byte[] write(Keyring ring) {
        byte[] text = text(ring).getBytes(StandardCharsets.UTF_8);
        List<DeviceKey> keys = ring.keys();
        ByteBuffer result = ByteBuffer.allocate(MARK.length + 4 + text.length + 32 * keys.size());
        result.put(MARK).putInt(text.length).put(text);
        for (DeviceKey key : keys) {
            result.put(key.secret);
        }
        return result.array();
    }

    private static String text(Keyring ring) {
        StringBuilder text = new StringBuilder("{\"generation\":").append(ring.generation);
        if (ring.clock >= 0) {
            text.append(",\"clock\":").append(ring.clock).append(",\"estimated\":").append(ring.estimate);
            text.append(",\"counted\":").append(ring.count);
        }
        if (ring.owner != null) {
            text.append(",\"owner\":").append(Json.quote(ring.owner));
        }
        if (!ring.lists.isEmpty()) {
            text.append(",\"lists\":").append(strings(ring.lists));
        }
        if (ring.signers != null) {
            text.append(",\"signers\":").append(strings(ring.signers));
        }
        text.append(",\"keys\":[");
        String separator = "";
        for (DeviceKey key : ring.keys()) {
            text.append(separator).append("{\"kid\":\"").append(key.kid).append("\",\"created\":").append(key.created)
                .append(",\"lifetime\":").append(key.lifetime).append(state(ring, key));
            if (key.counted != null) {
                text.append(",\"counted\":").append(key.counted);
            }
            text.append('}');
            separator = ",";
        }
        return text.append("]}").toString();
    }

    private static String state(Keyring ring, DeviceKey key) {
        if (!key.isRetired) {
            return key == ring.primary ? ",\"state\":\"primary\"" : ",\"state\":\"pending\"";
        }
        return ",\"state\":\"retired\",\"retired\":" + key.retired + (key.isDateKnown ? ",\"known\":true" : "");
    }

    /** Returns texts as a JSON array. */
    static String strings(List<String> texts) {
        StringBuilder result = new StringBuilder("[");
        for (String text : texts) {
            result.append(result.length() > 1 ? "," : "").append(Json.quote(text));
        }
        return result.append(']').toString();
    }

    /** Parses the bytes of a keyring, and overwrites them. */
    static Keyring read(byte[] bytes, KeySource source) throws PushCryptException {
        try {
            return parse(ByteBuffer.wrap(bytes), source);
        } finally {
            Arrays.fill(bytes, (byte) 0);
        }
    }

    private static Keyring parse(ByteBuffer buffer, KeySource source) throws PushCryptException {
        byte[] mark = new byte[MARK.length];
        check(buffer.remaining() >= MARK.length + 4);
        buffer.get(mark);
        int length = buffer.getInt();
        check(Arrays.equals(mark, MARK) && length >= 0 && length <= buffer.remaining());
        byte[] text = new byte[length];
        buffer.get(text);
        Json object = Json.parse(text, CODE);
        Keyring ring = new Keyring(source);
        ring.unknown = StoredFormat.unknown(object, MEMBERS);
        ring.generation = integer(object, "generation", 1);
        ring.clock = object.get("clock").isMissing() ? -1 : integer(object, "clock", 0);
        ring.estimate = ring.clock < 0 ? -1 : integer(object, "estimated", 0);
        ring.count = object.get("counted").isMissing() ? ring.estimate : integer(object, "counted", 0);
        ring.owner = object.get("owner").string();
        ring.lists = texts(object.get("lists"));
        ring.signers = object.get("signers").isMissing() ? null : texts(object.get("signers"));
        Json keys = object.get("keys");
        check(buffer.remaining() == 32 * keys.items().size());
        readKeys(ring, keys, buffer);
        return ring;
    }

    private static void readKeys(Keyring ring, Json keys, ByteBuffer secrets) throws PushCryptException {
        Set<String> kids = new HashSet<>();
        for (Json item : keys.items()) {
            byte[] secret = new byte[32];
            secrets.get(secret);
            String unknown = StoredFormat.unknown(item, MEMBERS_OF_KEYS);
            ring.unknown = ring.unknown == null ? unknown : ring.unknown;
            String kid = item.get("kid").string();
            check(kid != null && Registration.isThumbprint(kid));
            DeviceKey key = new DeviceKey(kid, secret, integer(item, "created", 0), integer(item, "lifetime", 1));
            check(key.lifetime <= Registration.MAXIMUM_LIFETIME && kids.add(kid));
            String state = String.valueOf(item.get("state").string());
            check(Arrays.asList("primary", "pending", "retired").contains(state));
            if (state.equals("primary")) {
                check(ring.primary == null);
                ring.primary = key;
            } else if (state.equals("pending")) {
                ring.pending.add(key);
            } else {
                ring.retired.add(key.retire(integer(item, "retired", 0), item.get("known").isTrue()));
            }
            key.counted = item.get("counted").isMissing() ? null : (Long) integer(item, "counted", 0);
        }
        check(ring.primary != null);
    }

    private static List<String> texts(Json array) throws PushCryptException {
        check(array.isMissing() || array.isArray());
        List<String> texts = new ArrayList<>();
        for (Json item : array.items()) {
            check(item.string() != null);
            texts.add(item.string());
        }
        return texts;
    }

    private static long integer(Json object, String name, long minimum) throws PushCryptException {
        check(object.get(name).isInteger(minimum, Keyring.MAXIMUM_INTEGER));
        return Long.parseLong(object.get(name).rawText());
    }

    private static void check(boolean condition) throws PushCryptException {
        if (!condition) {
            throw new PushCryptException(
                CODE, "The stored keyring isn't valid. Remove the account, and register the device again.");
        }
    }
}
