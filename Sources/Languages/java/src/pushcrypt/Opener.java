package pushcrypt;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** Opens sealed payloads for the accounts of a device. */
public final class Opener {
    private static final long MINIMUM_TOLERANCE = 5 * 60;
    private static final long MAXIMUM_TOLERANCE = 48 * 3600;
    /** The seconds by which a sender's clock can be ahead: 48 hours. */
    public static final long MAXIMUM_LEAD = MAXIMUM_TOLERANCE;
    private static final List<String> KINDS = Arrays.asList(
        "notification", "background", "voip", "activity-state", "activity-attributes", "location", "pushtotalk",
        "withdrawal", "challenge");

    /** The keys of a device for one server or user, and its accepted senders. */
    public static final class Account {
        private final String name;
        private final List<PrivateKey> keys;
        private final List<PublicKey> signedBy;
        private final PushCryptException failure;

        /** Creates an account. Null in the place of the senders accepts and checks no signatures. */
        public Account(String name, List<PrivateKey> keys, List<PublicKey> signedBy) {
            this(name, keys, signedBy, null);
        }

        /** Creates an account whose senders can't be read, so that each message to its keys has the failure. */
        public Account(String name, List<PrivateKey> keys, PushCryptException failure) {
            this(name, keys, Collections.<PublicKey>emptyList(), failure);
        }

        private Account(String name, List<PrivateKey> keys, List<PublicKey> signedBy, PushCryptException failure) {
            this.name = name;
            this.keys = keys;
            this.signedBy = signedBy;
            this.failure = failure;
        }

        /** Returns the name. */
        public String name() {
            return name;
        }
    }

    /** An opened message. */
    public static final class Message {
        private final byte[] original;
        private final String kind;
        private final String account;
        private final String signer;
        private final byte[] keyId;
        private final byte[] messageId;
        private final long issuedAt;
        private final long lifetime;

        private Message(byte[] original, byte[] header, String kind, String account, PublicKey to, String signer) {
            ByteBuffer buffer = ByteBuffer.wrap(header);
            this.original = original;
            this.kind = kind;
            this.account = account;
            this.signer = signer;
            keyId = to.id();
            lifetime = buffer.getInt(4) & 0xffffffffL;
            issuedAt = buffer.getLong(8);
            messageId = Arrays.copyOfRange(header, 16, 32);
        }

        /** Returns the original payload. */
        public byte[] original() {
            return original;
        }

        /** Returns the purpose, for example notification. */
        public String kind() {
            return kind;
        }

        /** Returns the name of the account whose key has opened the message. */
        public String account() {
            return account;
        }

        /** Returns the thumbprint of the signer, or null if signatures aren't checked. */
        public String signer() {
            return signer;
        }

        /** Returns the id of the device's key. */
        public byte[] keyId() {
            return keyId;
        }

        /** Returns the message's own id, 16 bytes. */
        public byte[] messageId() {
            return messageId;
        }

        /** Returns the time of issue in milliseconds since 1970-01-01 UTC, unsigned. */
        public long issuedAt() {
            return issuedAt;
        }

        /** Returns the lifetime in seconds. */
        public long lifetime() {
            return lifetime;
        }
    }

    /** A replay guard. */
    public interface Guard {
        /** Throws replayed or possibly-replayed if the message isn't new, otherwise remembers its id. */
        void check(Message message) throws PushCryptException;
    }

    private final List<Account> accounts;
    private final List<String> kinds;
    private final Guard guard;
    private final long maximumLifetime;
    private final long maximumLead;

    /** Creates an opener of these kinds, for example "notification" and "withdrawal". The guard can be null. */
    public Opener(List<Account> accounts, List<String> kinds, Guard guard) {
        this(accounts, kinds, guard, Registration.MAXIMUM_LIFETIME, MAXIMUM_TOLERANCE);
    }

    /**
     * Creates an opener with limits for the age of messages.
     *
     * @param maximumLifetime the longest lifetime in seconds that counts
     * @param maximumLead the seconds by which the sender's clock can be ahead, at most 48 hours
     */
    public Opener(
        List<Account> accounts, List<String> kinds, Guard guard, long maximumLifetime, long maximumLead) {
        this.accounts = new ArrayList<>(accounts);
        this.kinds = new ArrayList<>(kinds);
        this.guard = guard;
        this.maximumLifetime = maximumLifetime;
        this.maximumLead = Math.max(0, Math.min(maximumLead, MAXIMUM_TOLERANCE));
    }

    /** Opens a sealed payload at a time in milliseconds since 1970-01-01 UTC. */
    public Message open(byte[] payload, long now) throws PushCryptException {
        Json value = Json.parse(payload).get("ENCRYPTED_DATA");
        check(!value.isMissing(), "not-sealed", "The payload has no ENCRYPTED_DATA. Seal it.");
        check(value.kind == '"', "malformed-envelope", "ENCRYPTED_DATA isn't a string. Seal the payload again.");
        return openText(value.text, now);
    }

    /** Opens the value of ENCRYPTED_DATA. */
    public Message openText(String text, long now) throws PushCryptException {
        return openText(text, now, now);
    }

    /** Opens the value of ENCRYPTED_DATA that arrived at an earlier time, by which its age is judged. */
    public Message openText(String text, long now, long arrival) throws PushCryptException {
        byte[] envelope = Crypto.decode(text);
        check(envelope != null, "malformed-base64", "The text isn't base64url without padding. Seal the payload again.");
        check(envelope.length == 0 || envelope[0] == 1, "unsupported-version", "The version is unknown. Update the receiver.");
        check(envelope.length >= 57, "malformed-envelope", "The envelope is too short. Seal the payload again.");
        byte[] header = Arrays.copyOf(envelope, 9);
        byte[] keyId = Arrays.copyOfRange(header, 1, 9);
        for (Account account : accounts) {
            for (PrivateKey key : account.keys) {
                if (key.publicKey.hasId(keyId)) { // The named key only, once.
                    byte[] box = Arrays.copyOfRange(envelope, 9, envelope.length);
                    byte[] message = Crypto.open(box, key.publicKey.bytes, key.secret);
                    check(message != null, "decryption-failed", "The box doesn't open. Check that nothing changes the payload.");
                    return read(message, header, account, key.publicKey, new long[] {now, Math.min(now, arrival)});
                }
            }
        }
        throw new PushCryptException("unknown-key", "No key has the envelope's key id. Register the device again.");
    }

    private static void check(boolean condition, String code, String reason) throws PushCryptException {
        if (!condition) {
            throw new PushCryptException(code, reason);
        }
    }

    private Message read(byte[] bytes, byte[] header, Account account, PublicKey to, long[] times)
        throws PushCryptException {
        check(bytes.length >= 32, "malformed-message", "The message is too short. Check the sender.");
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        int authentication = buffer.get() & 0xff;
        int kind = buffer.get() & 0xff;
        int padding = 32 + (buffer.getShort() & 0xffff);
        long lifetime = buffer.getInt() & 0xffffffffL;
        long issuedAt = buffer.getLong();
        check(authentication <= 1, "unsupported-authentication", "The authentication is unknown. Update the receiver.");
        check(kind >= 1 && kind <= 9, "unsupported-kind", "The kind is unknown. Update the receiver.");
        check(lifetime >= 1 && lifetime <= Registration.MAXIMUM_LIFETIME, "malformed-message",
            "The lifetime isn't valid. Check the sender.");
        int end = bytes.length - 72 * authentication;
        check(padding <= end, "malformed-message", "The length of the payload isn't valid. Check the sender.");
        for (int at = padding; at < end; at++) {
            check(bytes[at] == 0, "malformed-message", "The padding isn't zero. Check the sender.");
        }
        String signer = account.signedBy == null ? null : authenticate(bytes, header, account, to);
        String name = KINDS.get(kind - 1);
        check(kinds.contains(name), "wrong-kind", "The receiver doesn't open this kind. Send the push that fits.");
        checkAge(issuedAt, lifetime, times, name.startsWith("activity-"));
        byte[] original = Arrays.copyOfRange(bytes, 32, padding);
        Json.parse(original);
        Message message = new Message(original, Arrays.copyOf(bytes, 32), name, account.name, to, signer);
        if (guard != null) {
            guard.check(message);
        }
        return message;
    }

    private static PublicKey find(Account account, byte[] id) {
        if (account.signedBy != null) {
            for (PublicKey key : account.signedBy) {
                if (key.hasId(id)) {
                    return key;
                }
            }
        }
        return null;
    }

    private String authenticate(byte[] message, byte[] header, Account account, PublicKey to) throws PushCryptException {
        if (account.failure != null) {
            throw account.failure;
        }
        check(message[0] == 1, "unsigned", "The message isn't signed. Sign it.");
        int split = message.length - 64;
        byte[] id = Arrays.copyOfRange(message, split - 8, split);
        PublicKey signer = find(account, id);
        if (signer == null) {
            for (Account other : accounts) {
                check(find(other, id) == null, "wrong-account",
                    "Another account accepts the signer. Check the server's keys.");
            }
        }
        check(signer != null, "unknown-signer", "The signer isn't accepted. Add its key to the receiver.");
        byte[] signature = Arrays.copyOfRange(message, split, message.length);
        byte[] text = Crypto.signedBytes(header, to, Arrays.copyOf(message, split));
        check(Crypto.verify(signature, signer.bytes, text), "invalid-signature",
            "The signature isn't valid. Check the sender and the recipient.");
        return signer.thumbprint();
    }

    /** Returns the greatest age in seconds of a message with a lifetime. */
    public static long maximumAge(long lifetime) {
        return lifetime + Math.max(MINIMUM_TOLERANCE, Math.min(MAXIMUM_TOLERANCE, lifetime));
    }

    /** Checks the age at the arrival, and the lead now. All times are unsigned. */
    private void checkAge(long issuedAt, long lifetime, long[] times, boolean isActivity) throws PushCryptException {
        long age = Long.compareUnsigned(times[1], issuedAt) > 0 ? times[1] - issuedAt : 0;
        long lead = Long.compareUnsigned(issuedAt, times[0]) > 0 ? issuedAt - times[0] : 0;
        long longest = maximumAge(Math.min(lifetime, maximumLifetime)) * 1000;
        boolean isLate = Long.compareUnsigned(age, longest) > 0;
        // A Live Activity's values are opened at every rendering and have no delivery date.
        check(!isLate || isActivity, "expired", "The message is too old. Check the clocks.");
        check(Long.compareUnsigned(lead, maximumLead * 1000) <= 0, "issued-in-future",
            "The message is from the future. Check the clocks.");
    }
}
