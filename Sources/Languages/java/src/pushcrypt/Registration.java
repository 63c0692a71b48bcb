package pushcrypt;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/** The key that a device has registered, with its limits. */
public final class Registration {
    static final long MAXIMUM_INTEGER = (1L << 53) - 1;
    static final int MAXIMUM_SIGNERS = 64;
    /** The longest lifetime in seconds: 30 days. */
    public static final long MAXIMUM_LIFETIME = 2592000;
    /** The name of Apple's own service. */
    static final String APNS = "apns";
    private static final long MAXIMUM_GROWTH = 1L << 32;
    private static final long MAXIMUM_FIRST_GENERATION = 1L << 52;

    /** Seconds since 1970-01-01 UTC by the device's clock. */
    public final long created;

    /** The generation, which increases with each change. */
    public final long generation;
    /** The device's key. */
    public final PublicKey key;
    /** The longest lifetime of messages to the key, in seconds. */
    public final long lifetime;
    /** The thumbprints of the keys from which the device accepts signatures; null if it doesn't tell. */
    public final List<String> signers;

    private Registration(Json object) throws PushCryptException {
        if (object.get("key").kind != '{') {
            throw malformed("\"key\" is missing or isn't a JWK. Send the registration unchanged.");
        }
        PrivateKey.Jwk jwk = PrivateKey.readJwk(object.get("key"));
        if (jwk.secret() != null) {
            throw malformed("\"key\" is a private key. Replace the key, and send its public half.");
        }
        key = jwk.publicKey(PublicKey.X25519);
        created = integer(object, "created", 0, MAXIMUM_INTEGER);
        generation = integer(object, "generation", 1, MAXIMUM_INTEGER);
        lifetime = integer(object, "lifetime", 1, MAXIMUM_LIFETIME);
        signers = object.get("signers").isMissing() ? null : readSigners(object.get("signers"));
    }

    /** Returns 1 to 64 different thumbprints. */
    private static List<String> readSigners(Json array) throws PushCryptException {
        List<String> signers = new ArrayList<>();
        for (Json item : array.items) {
            signers.add(item.text);
        }
        boolean isValid = !signers.isEmpty() && signers.size() <= MAXIMUM_SIGNERS
            && new HashSet<>(signers).size() == signers.size();
        for (Json item : array.items) {
            // Escapes aren't allowed here.
            isValid &= item.kind == '"' && isThumbprint(item.text) && item.raw.length == item.text.length() + 2;
        }
        if (!isValid) {
            throw malformed("\"signers\" isn't valid. Send the registration unchanged.");
        }
        return signers;
    }

    /** Returns whether the text is 32 bytes in base64url. */
    public static boolean isThumbprint(String text) {
        byte[] hash = Crypto.decode(text);
        return hash != null && hash.length == 32;
    }

    /** Parses a registration. The errors are malformed-registration and the codes of its key. */
    public static Registration parse(String text) throws PushCryptException {
        return new Registration(Json.parse(text.getBytes(StandardCharsets.UTF_8), "malformed-registration"));
    }

    static Registration read(Json object) throws PushCryptException {
        return new Registration(object);
    }

    /** Returns a device token of APNs, 16 to 200 bytes in hexadecimal digits, in lowercase: the form to store. */
    public static String deviceToken(String token) throws PushCryptException {
        if (!token.matches("([0-9A-Fa-f]{2}){16,200}")) {
            throw malformed("The device token isn't 16 to 200 bytes in hexadecimal digits. Correct it.");
        }
        return token.toLowerCase(Locale.ROOT);
    }

    /** Returns a token in the form to store: that of APNs in lowercase, and that of another carrier unchanged. */
    public static String storedToken(String token, String carrier) throws PushCryptException {
        return carrier.equals(APNS) ? deviceToken(token) : token;
    }

    /** Returns whether all members of another registration, which can be null, are equal. */
    boolean isSame(Registration other) {
        return other != null && key.equals(other.key) && Objects.equals(signers, other.signers)
            && generation == other.generation && lifetime == other.lifetime && created == other.created;
    }

    /** Throws if this registration doesn't follow the stored one, which is null if it is missing. */
    void checkGeneration(Registration known) throws PushCryptException {
        boolean isStale = generation > MAXIMUM_FIRST_GENERATION;
        if (known != null) {
            boolean isSame = key.equals(known.key) && lifetime == known.lifetime && Objects.equals(signers, known.signers);
            isStale = generation < known.generation || generation - known.generation > MAXIMUM_GROWTH
                || generation == known.generation && !isSame;
        }
        if (isStale) {
            throw new PushCryptException(
                "stale-generation", "The registration doesn't follow the known one. Register again.",
                known == null ? 0 : known.generation);
        }
    }

    String toJson() {
        return "{\"created\":" + created + ",\"generation\":" + generation + ",\"key\":{\"crv\":\"X25519\",\"kid\":\""
            + key.thumbprint() + "\",\"kty\":\"OKP\",\"use\":\"enc\",\"x\":\"" + Crypto.encode(key.bytes) + "\"},\"lifetime\":"
            + lifetime + (signers == null ? "" : ",\"signers\":[\"" + String.join("\",\"", signers) + "\"]") + "}";
    }

    /**
     * Returns the generation with which a device registers again after the stale answer of its server. If the answer isn't
     * less than the device's generation, its keys may be from an old backup, and it creates a new key first.
     */
    public static long nextGeneration(long generation, long answer) throws PushCryptException {
        if (answer < 0 || answer >= MAXIMUM_INTEGER + 1 - (1L << 33)) {
            throw malformed("The answer is too large. Reset the server's row of the device.");
        }
        return answer >= generation || generation - answer > MAXIMUM_GROWTH ? answer + 1 : generation;
    }

    static long integer(Json object, String name, long minimum, long maximum) throws PushCryptException {
        if (!PrivateKey.isInteger(object.get(name), minimum, maximum)) {
            throw malformed("\"" + name + "\" is missing or out of range. Send the registration unchanged.");
        }
        return Long.parseLong(object.get(name).rawText());
    }

    static PushCryptException malformed(String reason) {
        return new PushCryptException("malformed-registration", reason);
    }
}
