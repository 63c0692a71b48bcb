package pushcrypt;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.UUID;
import org.bouncycastle.crypto.digests.Blake2bDigest;
import org.bouncycastle.crypto.engines.Salsa20Engine;
import org.bouncycastle.crypto.engines.XSalsa20Engine;
import org.bouncycastle.crypto.macs.Poly1305;
import org.bouncycastle.crypto.params.KeyParameter;
import org.bouncycastle.crypto.params.ParametersWithIV;
import org.bouncycastle.math.ec.rfc7748.X25519;
import org.bouncycastle.math.ec.rfc8032.Ed25519;
import org.bouncycastle.util.Pack;

/** The cryptography of the format, with BouncyCastle. A receiver in another package uses its public methods. */
public final class Crypto {
    private static final byte[] SIGNATURE_DOMAIN = "pushcrypt/v1/signature\0".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] APNS_ID_DOMAIN = "pushcrypt/v1/apns-id\0".getBytes(StandardCharsets.US_ASCII);
    private static final BigInteger PRIME = BigInteger.ONE.shiftLeft(255).subtract(BigInteger.valueOf(19));
    // The canonical encodings of small order on Curve25519, as big-endian numbers.
    private static final String[] SMALL_ORDER = {
        "0", "1", PRIME.subtract(BigInteger.ONE).toString(16),
        "b8495f16056286fdb1329ceb8d09da6ac49ff1fae35616aeb8413b7c7aebe0",
        "57119fd0dd4e22d8868e1c58c45c44045bef839c55b1d0b1248c50a3bc959c5f"
    };

    private Crypto() {}

    /** Returns base64url without padding. */
    public static String encode(byte[] data) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(data);
    }

    /** Returns null if the text isn't strict base64url without padding. */
    public static byte[] decode(String text) {
        try {
            byte[] data = Base64.getUrlDecoder().decode(text);
            return encode(data).equals(text) ? data : null; // The decoder accepts padding and trailing bits.
        } catch (IllegalArgumentException problem) {
            return null;
        }
    }

    /** Returns the SHA-256 hash. */
    public static byte[] sha256(byte[] data) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(data);
        } catch (NoSuchAlgorithmException problem) {
            throw new IllegalStateException(problem); // Every Java has SHA-256.
        }
    }

    /** Returns the text before a message that its signature covers: the context, the header and the recipient's key. */
    static byte[] signedBytes(byte[] header, PublicKey to, byte[] message) {
        ByteBuffer text = ByteBuffer.allocate(SIGNATURE_DOMAIN.length + header.length + 32 + message.length);
        return text.put(SIGNATURE_DOMAIN).put(header).put(to.bytes).put(message).array();
    }

    static boolean isRecipientKey(byte[] key) {
        byte[] reversed = new byte[32];
        for (int at = 0; at < 32; at++) {
            reversed[at] = key[31 - at];
        }
        BigInteger number = new BigInteger(1, reversed);
        return number.compareTo(PRIME) < 0 && !Arrays.asList(SMALL_ORDER).contains(number.toString(16));
    }

    static boolean isVerificationKey(byte[] key) {
        return Ed25519.validatePublicKeyFull(key, 0);
    }

    /** Returns the public key of a secret key. */
    public static byte[] x25519PublicKey(byte[] secret) {
        byte[] key = new byte[32];
        X25519.scalarMultBase(secret, 0, key, 0);
        return key;
    }

    static byte[] ed25519PublicKey(byte[] seed) {
        byte[] key = new byte[32];
        Ed25519.generatePublicKey(seed, 0, key, 0);
        return key;
    }

    static byte[] sign(byte[] seed, byte[] text) {
        byte[] signature = new byte[64];
        Ed25519.sign(seed, 0, text, 0, text.length, signature, 0);
        return signature;
    }

    static boolean verify(byte[] signature, byte[] key, byte[] text) {
        byte[] neutral = new byte[32];
        neutral[0] = 1;
        // BouncyCastle checks S, and compares encodings of R. A valid key leaves one R of small order.
        return !Arrays.equals(Arrays.copyOf(signature, 32), neutral)
            && Ed25519.verify(signature, 0, key, 0, text, 0, text.length);
    }

    /** Returns a sealed box, and wipes the ephemeral secret key. */
    static byte[] seal(byte[] message, byte[] recipient, byte[] ephemeral) {
        byte[] ephemeralKey = x25519PublicKey(ephemeral);
        byte[] box = Arrays.copyOf(ephemeralKey, 48 + message.length);
        XSalsa20Engine cipher = cipher(ephemeral, recipient, ephemeralKey, recipient);
        Arrays.fill(ephemeral, (byte) 0);
        if (cipher == null) {
            throw new IllegalArgumentException("The recipient key has small order.");
        }
        byte[] oneTimeKey = new byte[32];
        cipher.processBytes(oneTimeKey, 0, 32, oneTimeKey, 0);
        cipher.processBytes(message, 0, message.length, box, 48);
        tag(oneTimeKey, box, box, 32);
        return box;
    }

    /** Returns null if the box doesn't open. */
    static byte[] open(byte[] box, byte[] publicKey, byte[] secret) {
        byte[] ephemeralKey = Arrays.copyOf(box, 32);
        XSalsa20Engine cipher = cipher(secret, ephemeralKey, ephemeralKey, publicKey);
        if (cipher == null) {
            return null;
        }
        byte[] oneTimeKey = new byte[32];
        cipher.processBytes(oneTimeKey, 0, 32, oneTimeKey, 0);
        byte[] tag = new byte[16];
        tag(oneTimeKey, box, tag, 0);
        if (!MessageDigest.isEqual(tag, Arrays.copyOfRange(box, 32, 48))) {
            return null;
        }
        byte[] message = new byte[box.length - 48];
        cipher.processBytes(box, 48, message.length, message, 0);
        return message;
    }

    /** Returns the header apns-id: a hash of the message id as a UUID of version 8 (RFC 9562). */
    static String apnsId(byte[] messageId) {
        Blake2bDigest hash = new Blake2bDigest(128);
        hash.update(APNS_ID_DOMAIN, 0, APNS_ID_DOMAIN.length);
        hash.update(messageId, 0, messageId.length);
        byte[] digest = new byte[16];
        hash.doFinal(digest, 0);
        digest[6] = (byte) (digest[6] & 0x0f | 0x80);
        digest[8] = (byte) (digest[8] & 0x3f | 0x80);
        ByteBuffer halves = ByteBuffer.wrap(digest);
        return new UUID(halves.getLong(), halves.getLong()).toString();
    }

    /** Returns BLAKE2b with 32 bytes of parts; the key is null for a hash without one. */
    public static byte[] blake2b(byte[] key, byte[]... parts) {
        Blake2bDigest hash = new Blake2bDigest(key, 32, null, null);
        for (byte[] part : parts) {
            hash.update(part, 0, part.length);
        }
        byte[] digest = new byte[32];
        hash.doFinal(digest, 0);
        return digest;
    }

    private static void tag(byte[] key, byte[] box, byte[] output, int offset) {
        Poly1305 authenticator = new Poly1305();
        authenticator.init(new KeyParameter(key));
        authenticator.update(box, 48, box.length - 48);
        authenticator.doFinal(output, offset);
    }

    /** Returns the stream cipher of a box, or null if the shared secret is zero. */
    private static XSalsa20Engine cipher(byte[] secret, byte[] peer, byte[] ephemeralKey, byte[] recipient) {
        byte[] shared = new byte[32];
        if (!X25519.calculateAgreement(secret, 0, peer, 0, shared, 0)) {
            return null;
        }
        Blake2bDigest digest = new Blake2bDigest(192);
        byte[] nonce = new byte[24];
        digest.update(ephemeralKey, 0, 32);
        digest.update(recipient, 0, 32);
        digest.doFinal(nonce, 0);
        XSalsa20Engine cipher = new XSalsa20Engine();
        cipher.init(true, new ParametersWithIV(new KeyParameter(hsalsa20(shared)), nonce));
        return cipher;
    }

    /** Returns HSalsa20 of the key and 16 zero bytes: the core of Salsa20 without its last addition. */
    private static byte[] hsalsa20(byte[] key) {
        int[] input = new int[16];
        int[] output = new int[16];
        input[0] = 0x61707865;
        Pack.littleEndianToInt(key, 0, input, 1, 4);
        input[5] = 0x3320646e;
        input[10] = 0x79622d32;
        Pack.littleEndianToInt(key, 16, input, 11, 4);
        input[15] = 0x6b206574;
        Salsa20Engine.salsaCore(20, input, output);
        byte[] result = new byte[32];
        int at = 0;
        for (int word : new int[] {0, 5, 10, 15, 6, 7, 8, 9}) {
            Pack.intToLittleEndian(output[word] - input[word], result, at);
            at += 4;
        }
        return result;
    }
}
