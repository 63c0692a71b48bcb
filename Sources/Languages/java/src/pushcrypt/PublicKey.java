package pushcrypt;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A validated X25519 key of a device, or a validated Ed25519 key of a server. */
public final class PublicKey {
    static final String X25519 = "X25519";
    static final String ED25519 = "Ed25519";

    final String curve;
    final byte[] bytes;
    private final byte[] hash;

    PublicKey(String curve, byte[] bytes) throws PushCryptException {
        if (bytes == null || bytes.length != 32) {
            throw new PushCryptException(
                "malformed-jwk", "The key isn't 32 bytes in base64url without padding. Check the key.");
        }
        if (curve.equals(X25519) ? !Crypto.isRecipientKey(bytes) : !Crypto.isVerificationKey(bytes)) {
            throw new PushCryptException(
                "invalid-key", "The key isn't canonical, has small order or isn't on the curve. Check the key.");
        }
        this.curve = curve;
        this.bytes = bytes;
        String text = "{\"crv\":\"" + curve + "\",\"kty\":\"OKP\",\"x\":\"" + Crypto.encode(bytes) + "\"}";
        hash = Crypto.sha256(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Parses a device's public key: a JWK, a JWK Set or the 43 characters of the raw key. */
    public static PublicKey parseRecipient(String text) throws PushCryptException {
        return parse(text, X25519);
    }

    /** Parses a server's public key, in the same forms. */
    public static PublicKey parseVerification(String text) throws PushCryptException {
        return parse(text, ED25519);
    }

    /** Returns the JWK on one line. */
    public String toJwk() {
        String use = curve.equals(X25519) ? "enc" : "sig";
        return "{\"kty\":\"OKP\",\"crv\":\"" + curve + "\",\"use\":\"" + use + "\",\"kid\":\"" + thumbprint()
            + "\",\"x\":\"" + Crypto.encode(bytes) + "\"}";
    }

    /** Returns the RFC 7638 thumbprint, 43 characters of base64url. */
    public String thumbprint() {
        return Crypto.encode(hash);
    }

    /** Returns the key id: the first 8 bytes of the thumbprint. */
    public byte[] id() {
        return Arrays.copyOf(hash, 8);
    }

    /** Returns whether the key has an id. */
    public boolean hasId(byte[] id) {
        return Arrays.equals(id(), id);
    }

    @Override
    public boolean equals(Object other) {
        if (!(other instanceof PublicKey)) {
            return false;
        }
        PublicKey key = (PublicKey) other;
        return key.curve.equals(curve) && Arrays.equals(key.bytes, bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    private static PublicKey parse(String text, String curve) throws PushCryptException {
        String trimmed = trim(text);
        byte[] raw = Crypto.decode(trimmed);
        if (raw != null && raw.length > 0) {
            return new PublicKey(curve, raw);
        }
        Json object = Json.parse(trimmed.getBytes(StandardCharsets.UTF_8), "malformed-jwk");
        Json set = object.get("keys");
        if (set.isMissing()) {
            return PrivateKey.readJwk(object).publicKey(curve);
        }
        Json chosen = null;
        for (Json item : set.items) {
            Json state = item.get("state");
            PrivateKey.readJwk(item); // Only the chosen key must be of the curve.
            if (!state.isMissing() && state.kind != '"') {
                throw new PushCryptException("malformed-jwk", "A \"state\" isn't a string. Correct the JWK Set.");
            }
            if (state.text.equals("primary")) {
                if (chosen != null) {
                    throw new PushCryptException(
                        "multiple-primary-keys", "Two keys of the set are primary. Correct the JWK Set.");
                }
                chosen = item;
            }
        }
        if (chosen == null && set.items.size() != 1) {
            throw new PushCryptException(
                "malformed-jwk", "The set has no primary key and not exactly one key. Give one key.");
        }
        return PrivateKey.readJwk(chosen == null ? set.items.get(0) : chosen).publicKey(curve);
    }

    /** Removes JSON's white space around a text. A regular expression would take quadratic time. */
    private static String trim(String text) {
        int start = 0;
        int end = text.length();
        while (start < end && Json.isSpace(text.charAt(start))) {
            start++;
        }
        while (start < end && Json.isSpace(text.charAt(end - 1))) {
            end--;
        }
        return text.substring(start, end);
    }
}
