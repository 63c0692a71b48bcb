package pushcrypt;

import java.nio.charset.StandardCharsets;

/** A device to seal for: its key, and the longest lifetime of messages to it in seconds. */
public record Recipient(PublicKey key, long lifetime) {
    /** Parses a registration, a JWK, a JWK Set or the 43 characters of the raw key. */
    public static Recipient parse(String text) throws PushCryptException {
        if (text.contains("{")) {
            Json object = Json.parse(text.getBytes(StandardCharsets.UTF_8), "malformed-jwk");
            if (!object.get("key").isMissing()) {
                Registration registration = Registration.read(object);
                return new Recipient(registration.key, registration.lifetime);
            }
        }
        return new Recipient(PublicKey.parseRecipient(text), Sealer.MAXIMUM_LIFETIME);
    }
}
