package pushcrypt;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** A key pair: X25519 of a device, or Ed25519 of a server. */
public final class PrivateKey {
    private static final List<String> MEMBERS = Arrays.asList("kty", "crv", "x", "use", "d");

    final PublicKey publicKey;
    /** The X25519 secret key or the Ed25519 seed. */
    final byte[] secret;

    private PrivateKey(PublicKey publicKey, byte[] secret) {
        this.publicKey = publicKey;
        this.secret = secret;
    }

    /** Parses a device's private JWK. */
    public static PrivateKey parseDevice(String text) throws PushCryptException {
        return readPrivate(Json.parse(text.getBytes(StandardCharsets.UTF_8), "malformed-jwk"), PublicKey.X25519);
    }

    /** Parses a server's private JWK. */
    public static PrivateKey parseSigning(String text) throws PushCryptException {
        return readPrivate(Json.parse(text.getBytes(StandardCharsets.UTF_8), "malformed-jwk"), PublicKey.ED25519);
    }

    /** Creates a device's key from 32 random bytes, which it keeps. */
    public static PrivateKey ofDevice(byte[] secret) throws PushCryptException {
        return new PrivateKey(new PublicKey(PublicKey.X25519, Crypto.x25519PublicKey(secret)), secret);
    }

    /** Returns the public half. */
    public PublicKey publicKey() {
        return publicKey;
    }

    static PrivateKey readPrivate(Json jwk, String curve) throws PushCryptException {
        Jwk read = readJwk(jwk);
        PublicKey publicKey = read.publicKey(curve);
        if (read.secret == null) {
            throw new PushCryptException("wrong-key-type", "The JWK is a public key. Give a private one.");
        }
        byte[] computed = curve.equals(PublicKey.X25519)
            ? Crypto.x25519PublicKey(read.secret) : Crypto.ed25519PublicKey(read.secret);
        if (!Arrays.equals(computed, publicKey.bytes)) {
            throw new PushCryptException("key-pair-mismatch", "\"d\" doesn't belong to \"x\". Check the key.");
        }
        return new PrivateKey(publicKey, read.secret);
    }

    /** The members of a JWK of either curve. The secret is null in a public JWK. */
    static final class Jwk {
        private final String curve;
        private final byte[] raw;
        private final byte[] secret;

        private Jwk(String curve, byte[] raw, byte[] secret) {
            this.curve = curve;
            this.raw = raw;
            this.secret = secret;
        }

        byte[] secret() {
            return secret;
        }

        PublicKey publicKey(String wanted) throws PushCryptException {
            if (!curve.equals(wanted)) {
                throw new PushCryptException("wrong-key-type", "The JWK isn't an " + wanted + " key. Give one.");
            }
            return new PublicKey(curve, raw);
        }
    }

    private static String use(String curve) {
        return curve.equals(PublicKey.X25519) ? "enc" : curve.equals(PublicKey.ED25519) ? "sig" : null;
    }

    static Jwk readJwk(Json jwk) throws PushCryptException {
        for (String name : MEMBERS) {
            Json value = jwk.get(name);
            boolean isOptional = name.equals("use") || name.equals("d");
            if (value.kind != '"' && !(isOptional && value.isMissing())) {
                throw new PushCryptException(
                    "malformed-jwk", "\"" + name + "\" is missing or isn't a string. Give a JWK.");
            }
        }
        String use = use(jwk.get("crv").text);
        boolean fits = use != null && (jwk.get("use").isMissing() || jwk.get("use").text.equals(use));
        if (!jwk.get("kty").text.equals("OKP") || !fits) {
            throw new PushCryptException(
                "wrong-key-type", "The JWK isn't an X25519 or Ed25519 key with a fitting use. Give one.");
        }
        byte[] raw = decode(jwk.get("x"));
        byte[] secret = jwk.get("d").isMissing() ? null : decode(jwk.get("d"));
        return new Jwk(jwk.get("crv").text, raw, secret);
    }

    private static byte[] decode(Json value) throws PushCryptException {
        String quoted = value.rawText(); // Escapes aren't allowed here.
        byte[] data = Crypto.decode(quoted.substring(1, quoted.length() - 1));
        if (data == null || data.length != 32) {
            throw new PushCryptException(
                "malformed-jwk", "\"x\" or \"d\" isn't 32 bytes in base64url without padding. Check the key.");
        }
        return data;
    }

    /** Returns whether the number is written with digits only and in the range. */
    static boolean isInteger(Json value, long minimum, long maximum) {
        return value.isInteger(minimum, maximum);
    }
}
