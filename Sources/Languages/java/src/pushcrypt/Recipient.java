package pushcrypt;

import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A device to seal for: its key, the longest lifetime of messages to it in seconds, and the thumbprints of the keys from which
 * it accepts signatures, or null.
 */
public record Recipient(PublicKey key, long lifetime, List<String> signers) {
    static Recipient of(Registration registration) {
        return new Recipient(registration.key, registration.lifetime, registration.signers);
    }

    /** Parses a registration, a JWK, a JWK Set or the 43 characters of the raw key. */
    public static Recipient parse(String text) throws PushCryptException {
        if (text.contains("{")) {
            Json object = Json.parse(text.getBytes(StandardCharsets.UTF_8), "malformed-jwk");
            if (!object.get("key").isMissing()) {
                return of(Registration.read(object));
            }
        }
        return new Recipient(PublicKey.parseRecipient(text), Sealer.MAXIMUM_LIFETIME, null);
    }
}
