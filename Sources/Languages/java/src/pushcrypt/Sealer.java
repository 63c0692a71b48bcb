package pushcrypt;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Seals payloads, with a signature or anonymously. */
public final class Sealer {
    /** 30 days in seconds. */
    public static final long MAXIMUM_LIFETIME = Registration.MAXIMUM_LIFETIME;

    private static final SecureRandom RANDOM = new SecureRandom();

    /** The values that differ between two seals of one payload. Tests fix them. */
    interface Source {
        long now();

        /** Returns the message id (16 bytes), then the ephemeral secret key (32 bytes). */
        byte[] random(int length);
    }

    private static final Source SYSTEM = new Source() {
        @Override
        public long now() {
            return System.currentTimeMillis();
        }

        @Override
        public byte[] random(int length) {
            byte[] bytes = new byte[length];
            RANDOM.nextBytes(bytes);
            return bytes;
        }
    };

    private final SigningKeyring keyring;
    /** The time in milliseconds at which proofs were turned on, or null. */
    private final Long proofsSince;

    private Sealer(SigningKeyring keyring, Long proofsSince) {
        this.keyring = keyring;
        this.proofsSince = proofsSince;
    }

    /**
     * Returns a sealer that refuses a recipient without a proof of possession. Rows from before a time are accepted until 30
     * days after it. Challenges go to every recipient.
     *
     * @param since the time in milliseconds at which proofs were turned on
     */
    public Sealer withProofs(long since) {
        return new Sealer(keyring, since);
    }

    /** Returns a sealer that signs for each device with the first key of a server that the device accepts. */
    public static Sealer signedBy(SigningKeyring keyring) {
        return new Sealer(keyring, null);
    }

    /** Returns a sealer that signs with a server's only private key. */
    public static Sealer signedBy(PrivateKey key) throws PushCryptException {
        if (!key.publicKey.curve.equals(PublicKey.ED25519)) {
            throw new PushCryptException("wrong-key-type", "The key doesn't sign. Give an Ed25519 key.");
        }
        return new Sealer(new SigningKeyring(List.of(key)), null);
    }

    /** Returns a sealer of messages without a signature: anyone could have sent them. */
    public static Sealer anonymous() {
        return new Sealer(null, null);
    }

    /** Seals a payload for one device. It throws if a rule is violated, and never returns an unsealed payload. */
    public Push seal(byte[] payload, Recipient to, Options options) throws PushCryptException {
        return seal(payload, to, options, SYSTEM);
    }

    /** Seals a payload for the device of a row, which can have a proof. */
    public Push seal(byte[] payload, Row to, Options options) throws PushCryptException {
        return seal(payload, to, options, SYSTEM);
    }

    Push seal(byte[] payload, Row to, Options options, Source source) throws PushCryptException {
        return seal(payload, to.recipient(), to, options, source);
    }

    Push seal(byte[] payload, Recipient to, Options options, Source source) throws PushCryptException {
        return seal(payload, to, null, options, source);
    }

    /** Checks the carrier and the proof of a row, which is null for a recipient alone. */
    private void checkRow(Row row, Options options, long now) throws PushCryptException {
        if (row != null && !row.carrier().equals(options.carrier)) {
            throw new PushCryptException(
                "wrong-carrier", "The row has a token of another carrier. Set the carrier of the options.");
        }
        boolean isProved = proofsSince == null || row != null && row.isProved(proofsSince, now);
        if (!isProved && !options.isChallenge) {
            throw new PushCryptException(
                "unproved-recipient", "The recipient isn't a row with a proof. Send a challenge first.");
        }
    }

    private Push seal(byte[] payload, Recipient to, Row row, Options options, Source source) throws PushCryptException {
        Original original = new Original(payload, options);
        Carriers.check(options, original);
        int[] sizes = sizes(original, options);
        long now = source.now();
        checkRow(row, options, now);
        if (!to.key().curve.equals(PublicKey.X25519)) {
            throw new PushCryptException("wrong-key-type", "The recipient's key doesn't encrypt. Give an X25519 key.");
        }
        PrivateKey signer = keyring == null ? null : keyring.keyFor(to.signers());
        long lifetime = Math.min(options.lifetime, to.lifetime());
        Map<String, String> headers = headers(original, options, now / 1000 + lifetime);
        List<Original.Part> parts = original.parts;
        StringBuilder result = new StringBuilder(original.frames.get(0));
        for (int at = 0; at < sizes.length; at++) {
            byte[] id = source.random(16);
            if (parts.get(at).kind() != Original.ATTRIBUTES) { // A Live Activity with attributes has a state, too.
                headers.put("apns-id", Crypto.apnsId(id));
            }
            byte[] message = message(parts.get(at), sizes[at], to.key(), signer, lifetime, now, id);
            byte[] box = Crypto.seal(message, to.key().bytes, source.random(32));
            byte[] envelope = join(header(to.key()), box);
            result.append(Crypto.encode(envelope)).append(original.frames.get(at + 1));
        }
        return new Push(result.toString().getBytes(StandardCharsets.UTF_8), headers, options.carrier, now);
    }

    private static byte[] message(
        Original.Part part, int size, PublicKey to, PrivateKey signer, long lifetime, long now, byte[] id) {
        ByteBuffer message = ByteBuffer.allocate(size);
        message.put((byte) (signer == null ? 0 : 1)).put((byte) part.kind()).putShort((short) part.text().length);
        message.putInt((int) lifetime).putLong(now).put(id).put(part.text());
        if (signer != null) {
            message.position(size - 72);
            message.put(signer.publicKey.id());
            byte[] text = Arrays.copyOf(message.array(), size - 64);
            message.put(Crypto.sign(signer.secret, Crypto.signedBytes(header(to), to, text)));
        }
        return message.array();
    }

    private static byte[] header(PublicKey to) {
        return join(new byte[] {1}, to.id());
    }

    private static byte[] join(byte[]... parts) {
        int length = Arrays.stream(parts).mapToInt(part -> part.length).sum();
        ByteBuffer result = ByteBuffer.allocate(length);
        for (byte[] part : parts) {
            result.put(part);
        }
        return result.array();
    }

    private static int limit(int characters) {
        return Math.floorDiv(characters * 3, 4) - 57;
    }

    private static int characters(int size) {
        return ((57 + size) * 4 + 2) / 3;
    }

    /** Returns the length of the message for each part. */
    private int[] sizes(Original original, Options options) throws PushCryptException {
        int readable = String.join("", original.frames).getBytes(StandardCharsets.UTF_8).length;
        int room = Carriers.room(options.carrier, options.type, readable);
        int overhead = keyring == null ? 32 : 104;
        int[] needed = original.parts.stream().mapToInt(part -> overhead + part.text().length).toArray();
        return sizes(needed, room, options.padding);
    }

    /** Returns the length of each message. Together they have room for a number of characters. */
    static int[] sizes(int[] needed, int room, String padding) throws PushCryptException {
        int used = Arrays.stream(needed).map(Sealer::characters).sum();
        if (used > room) {
            throw new PushCryptException(
                "payload-too-large",
                "The sealed payload has " + (used - room) + " bytes too many. Shorten the payload.");
        }
        if (needed.length < 2) {
            return Arrays.stream(needed).map(size -> padded(size, limit(room), padding)).toArray();
        }
        int small = needed[0] > needed[1] ? 1 : 0;
        int large = 1 - small;
        int half = limit(room / 2);
        if (needed[large] <= half) {
            return Arrays.stream(needed).map(size -> padded(size, half, padding)).toArray();
        }
        int[] sizes = new int[2];
        String first = padding.equals("maximum") ? "buckets" : padding;
        sizes[small] = padded(needed[small], limit(room - characters(needed[large])), first);
        sizes[large] = padded(needed[large], limit(room - characters(sizes[small])), padding);
        return sizes;
    }

    private static int padded(int needed, int limit, String padding) {
        if (padding.equals("none")) {
            return needed;
        }
        for (int bucket : new int[] {256, 512, 1024, 2048}) {
            if (padding.equals("buckets") && needed <= bucket && bucket <= limit) {
                return bucket;
            }
        }
        return limit;
    }

    private static Map<String, String> headers(Original original, Options options, long expiration)
        throws PushCryptException {
        boolean isBackground = options.type.equals("background");
        int priority = options.priority != 0 ? options.priority : isBackground ? 5 : 10;
        if (isBackground && priority == 10) {
            throw new PushCryptException("invalid-header", "A background push has the priority 10. Give 5 or 1.");
        }
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("apns-push-type", options.type);
        headers.put("apns-priority", String.valueOf(priority));
        // Apple requires 0 for push-to-talk pushes.
        headers.put("apns-expiration", options.type.equals("pushtotalk") ? "0" : String.valueOf(expiration));
        String suffix = Options.TOPIC_SUFFIXES.getOrDefault(options.type, "");
        if (!options.topic.isEmpty() && (!options.topic.endsWith(suffix) || options.topic.equals(suffix))) {
            throw new PushCryptException(
                "invalid-header", "The topic doesn't fit the push type. Append " + suffix + " to the app's bundle ID.");
        }
        if (!options.topic.isEmpty()) {
            headers.put("apns-topic", options.topic);
        }
        if (!options.collapseId.isEmpty()) {
            headers.put("apns-collapse-id", options.collapseId);
        } else if (!original.withdrawnId.isEmpty() && Carriers.takesCollapseId(options.carrier)) {
            headers.put("apns-collapse-id", original.withdrawnId);
        }
        return headers;
    }
}
