package pushcrypt;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.List;

/** Seals messages of any kind and content, which a sealer refuses in part. */
public final class TestSealer {
    private static final List<String> KINDS = Arrays.asList(
        "notification", "background", "voip", "activity-state", "activity-attributes", "location", "pushtotalk",
        "withdrawal", "challenge");
    private static final SecureRandom RANDOM = new SecureRandom();

    public String kind = "notification";
    public long lifetime = 7 * 24 * 3600;
    public long issuedAt;
    public byte[] messageId = random(16);
    /** The key that signs, or null. */
    public PrivateKey signer;

    public static byte[] random(int length) {
        byte[] bytes = new byte[length];
        RANDOM.nextBytes(bytes);
        return bytes;
    }

    /** Returns a server's key for a seed. */
    public static PrivateKey serverKey(byte[] seed) throws PushCryptException {
        String x = Crypto.encode(Crypto.ed25519PublicKey(seed));
        return PrivateKey.parseSigning("{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"x\":\"" + x + "\",\"d\":\""
            + Crypto.encode(seed) + "\"}");
    }

    /** Returns a list of accepted keys that a root has signed. */
    public static String list(PrivateKey root, List<PublicKey> keys, long number, long expires) {
        return list(root, keys, number, expires, null);
    }

    /** Returns a list of accepted keys for an audience, or for none if it's null. */
    public static String list(PrivateKey root, List<PublicKey> keys, long number, long expires, String audience) {
        StringBuilder jwks = new StringBuilder();
        for (PublicKey key : keys) {
            jwks.append(jwks.length() == 0 ? "" : ",").append(key.toJwk());
        }
        String header = "{\"alg\":\"Ed25519\",\"kid\":\"" + root.publicKey().thumbprint()
            + "\",\"typ\":\"pushcrypt-signers\"}";
        String content = "{\"keys\":[" + jwks + "],\"number\":" + number + ",\"iat\":1,\"exp\":" + expires
            + (audience == null ? "" : ",\"aud\":\"" + audience + '"') + "}";
        String signed = encode(header) + "." + encode(content);
        byte[] signature = Crypto.sign(root.secret, signed.getBytes(StandardCharsets.US_ASCII));
        return signed + "." + Crypto.encode(signature);
    }

    private static String encode(String text) {
        return Crypto.encode(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns the value of ENCRYPTED_DATA. */
    public String seal(String payload, PublicKey to) {
        byte[] text = payload.getBytes(StandardCharsets.UTF_8);
        int size = 32 + text.length + (signer == null ? 0 : 72);
        ByteBuffer message = ByteBuffer.allocate(size);
        message.put((byte) (signer == null ? 0 : 1)).put((byte) (KINDS.indexOf(kind) + 1));
        message.putShort((short) text.length).putInt((int) lifetime).putLong(issuedAt).put(messageId).put(text);
        byte[] header = ByteBuffer.allocate(9).put((byte) 1).put(to.id()).array();
        if (signer != null) {
            message.put(signer.publicKey.id());
            byte[] signed = Crypto.signedBytes(header, to, Arrays.copyOf(message.array(), size - 64));
            message.put(Crypto.sign(signer.secret, signed));
        }
        byte[] box = Crypto.seal(message.array(), to.bytes, random(32));
        return Crypto.encode(ByteBuffer.allocate(9 + box.length).put(header).put(box).array());
    }
}
