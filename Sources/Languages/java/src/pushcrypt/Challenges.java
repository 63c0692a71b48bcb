package pushcrypt;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;

/** A server's challenges for an app, and the verification of the answers of devices. */
public final class Challenges {
    private static final String CHALLENGE = "pushcrypt/v1/challenge\0";
    private static final String PROOF = "pushcrypt/v1/proof\0";

    /** A device in a request: its token, the account of the session, and the service that delivers its pushes. */
    public static final class Device {
        private final String token;
        private final String account;
        private final String carrier;

        /** Creates a device of a service. */
        public Device(String token, String account, String carrier) {
            this.token = token;
            this.account = account;
            this.carrier = carrier;
        }

        /** Creates a device of APNs. */
        public Device(String token, String account) {
            this(token, account, Registration.APNS);
        }

        /** Returns the token in the form to store: that of APNs in lowercase, and others unchanged. */
        String storedToken() throws PushCryptException {
            return Registration.storedToken(token, carrier);
        }
    }

    private static final class Answer {
        private final String registration;
        private final long expires;
        private final byte[] proof;

        private Answer(String registration, long expires, byte[] proof) {
            this.registration = registration;
            this.expires = expires;
            this.proof = proof;
        }
    }

    /** The content of a challenge. */
    static final class Content {
        final byte[] nonce;
        final long expires;

        private Content(byte[] nonce, long expires) {
            this.nonce = nonce;
            this.expires = expires;
        }
    }

    private final String topic;
    private final List<byte[]> secrets = new ArrayList<>();

    /**
     * Creates the challenges for an app.
     *
     * @param topic the app's bundle ID
     * @param secret 32 random bytes
     * @param previous the secret before, while they rotate, or null
     */
    public Challenges(String topic, byte[] secret, byte[] previous) throws PushCryptException {
        this.topic = topic;
        secrets.add(secret.clone());
        if (previous != null) {
            secrets.add(previous.clone());
        }
        for (byte[] each : secrets) {
            if (each.length != 32) {
                throw new PushCryptException(
                    "invalid-configuration", "A secret isn't 32 bytes. Create it with SecureRandom, and store it.");
            }
        }
    }

    /**
     * Returns the payload of a challenge, to be sealed with the kind challenge.
     *
     * @param registration the text that the device has sent
     * @param expires a time in seconds
     * @param aps the JSON text that a visible challenge displays, or null
     */
    public byte[] issue(String registration, Device device, long expires, String aps) throws PushCryptException {
        if (expires < 0 || expires > Registration.MAXIMUM_INTEGER) {
            throw new PushCryptException("invalid-configuration", "The expiry isn't valid. Give seconds since 1970.");
        }
        byte[] nonce = nonce(secrets.get(0), device, digest(registration), expires);
        String visible = "";
        if (aps != null) {
            byte[] text = Json.parse(aps.getBytes(StandardCharsets.UTF_8)).compact();
            visible = ",\"aps\":" + new String(text, StandardCharsets.UTF_8);
        }
        String text = "{\"challenge\":\"" + Crypto.encode(nonce) + "\",\"expires\":" + expires + visible + "}";
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Returns the text of the registration in a device's answer. It throws if the proof isn't valid.
     *
     * @param device the device of the request that brings the answer
     * @param now milliseconds since 1970-01-01 UTC
     */
    public String verify(byte[] answer, Device device, long now) throws PushCryptException {
        Answer read = readAnswer(answer);
        String token = device.storedToken();
        Registration.parse(read.registration);
        // Seconds are compared, because an expiry in milliseconds could be too large.
        if (Math.floorDiv(now, 1000L) >= read.expires) {
            throw new PushCryptException(
                "expired-challenge", "The challenge expired before its answer came. Send another one.");
        }
        byte[] digest = digest(read.registration);
        boolean isValid = false;
        for (byte[] secret : secrets) {
            byte[] proof = proof(nonce(secret, device, digest, read.expires), digest, token, device.account);
            isValid |= MessageDigest.isEqual(proof, read.proof);
        }
        if (!isValid) {
            throw new PushCryptException(
                "invalid-proof", "The proof isn't that of the challenge. Send another challenge.");
        }
        return read.registration;
    }

    /**
     * Returns a device's answer to the payload of a challenge.
     *
     * @param registration the text that the device has sent
     * @param device the device itself
     */
    public static String answer(byte[] payload, String registration, Device device) throws PushCryptException {
        return "{\"registration\":" + Json.quote(registration) + "," + proofMembers(payload, registration, device) + "}";
    }

    /** Returns the members "expires" and "proof" of a device's answer to the payload of a challenge. */
    public static String proofMembers(byte[] payload, String registration, Device device) throws PushCryptException {
        Content content = read(Json.parse(payload));
        byte[] proof = proof(content.nonce, digest(registration), device.storedToken(), device.account);
        return "\"expires\":" + content.expires + ",\"proof\":\"" + Crypto.encode(proof) + "\"";
    }

    /** Throws unless an object is exactly a challenge. */
    public static void check(Json root) throws PushCryptException {
        read(root);
    }

    private static Content read(Json root) throws PushCryptException {
        Json text = root.get("challenge");
        boolean isValid = text.kind == '"'
            && PrivateKey.isInteger(root.get("expires"), 0, Registration.MAXIMUM_INTEGER);
        for (Json.Member member : root.members) {
            boolean isAps = member.name().equals("aps") && member.value().kind == '{';
            isValid &= isAps || member.name().equals("challenge") || member.name().equals("expires");
        }
        byte[] nonce = isValid ? Crypto.decode(text.text) : null;
        if (nonce == null || nonce.length != 32) {
            throw new PushCryptException(
                "invalid-payload", "The payload isn't a challenge. Use the text of Challenges.issue.");
        }
        return new Content(nonce, Long.parseLong(root.get("expires").rawText()));
    }

    private static Answer readAnswer(byte[] answer) throws PushCryptException {
        Json root = Json.parse(answer, "malformed-registration");
        Json registration = root.get("registration");
        Json proof = root.get("proof");
        byte[] bytes = proof.kind == '"' ? Crypto.decode(proof.text) : null;
        if (bytes == null || bytes.length != 32 || registration.kind != '"') {
            throw Registration.malformed("The answer isn't valid. Send a device's answer unchanged.");
        }
        long expires = Registration.integer(root, "expires", 0, Registration.MAXIMUM_INTEGER);
        return new Answer(registration.text, expires, bytes);
    }

    private static byte[] digest(String registration) {
        return Crypto.blake2b(null, registration.getBytes(StandardCharsets.UTF_8));
    }

    private byte[] nonce(byte[] secret, Device device, byte[] digest, long expires) throws PushCryptException {
        byte[] expiry = ByteBuffer.allocate(8).putLong(expires).array();
        return mac(
            secret, CHALLENGE, utf8(topic), utf8(device.carrier), utf8(device.account), utf8(device.storedToken()), digest,
            expiry);
    }

    private static byte[] proof(byte[] nonce, byte[] digest, String token, String account) {
        return mac(nonce, PROOF, digest, utf8(token), utf8(account));
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Returns BLAKE2b under a key of a name and parts, each after its length. */
    private static byte[] mac(byte[] key, String name, byte[]... parts) {
        byte[][] joined = new byte[2 * parts.length + 1][];
        joined[0] = utf8(name);
        for (int at = 0; at < parts.length; at++) {
            joined[2 * at + 1] = ByteBuffer.allocate(4).putInt(parts[at].length).array();
            joined[2 * at + 2] = parts[at];
        }
        return Crypto.blake2b(key, joined);
    }
}
