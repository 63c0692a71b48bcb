package pushcrypt;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/** Opens sealed payloads for the accounts of a device. */
public final class Opener {
    private static final long MINIMUM_TOLERANCE = 5 * 60;
    private static final long MAXIMUM_TOLERANCE = 48 * 3600;
    private static final List<String> KINDS = List.of(
        "notification", "background", "voip", "activity-state", "activity-attributes", "location", "pushtotalk",
        "withdrawal", "challenge");

    /** The keys of a device for one server or user, and its accepted senders. Null accepts and checks no signatures. */
    public record Account(String name, List<PrivateKey> keys, List<PublicKey> signedBy) {}

    /** An opened message. The signer is a thumbprint, or null if signatures aren't checked. */
    public record Message(
        byte[] original, String kind, String account, String signer, byte[] messageId, long issuedAt, long lifetime) {}

    /** A replay guard. */
    public interface Guard {
        /** Throws replayed or possibly-replayed if the message isn't new, otherwise remembers its id. */
        void check(Message message) throws PushCryptException;
    }

    private final List<Account> accounts;
    private final List<String> kinds;
    private final Guard guard;

    /** Creates an opener of these kinds, for example "notification" and "withdrawal". The guard can be null. */
    public Opener(List<Account> accounts, List<String> kinds, Guard guard) {
        this.accounts = List.copyOf(accounts);
        this.kinds = List.copyOf(kinds);
        this.guard = guard;
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
                    return read(message, header, account, key.publicKey, now);
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

    private Message read(byte[] bytes, byte[] header, Account account, PublicKey to, long now)
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
        check(lifetime >= 1 && lifetime <= Sealer.MAXIMUM_LIFETIME, "malformed-message",
            "The lifetime isn't valid. Check the sender.");
        int end = bytes.length - 72 * authentication;
        check(padding <= end, "malformed-message", "The length of the payload isn't valid. Check the sender.");
        for (int at = padding; at < end; at++) {
            check(bytes[at] == 0, "malformed-message", "The padding isn't zero. Check the sender.");
        }
        String signer = account.signedBy == null ? null : authenticate(bytes, header, account, to);
        String name = KINDS.get(kind - 1);
        check(kinds.contains(name), "wrong-kind", "The receiver doesn't open this kind. Send the push that fits.");
        checkAge(issuedAt, lifetime, now, name.startsWith("activity-"));
        byte[] original = Arrays.copyOfRange(bytes, 32, padding);
        Json.parse(original);
        byte[] messageId = Arrays.copyOfRange(bytes, 16, 32);
        Message message = new Message(original, name, account.name, signer, messageId, issuedAt, lifetime);
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
        byte[] text = Sealer.signedBytes(header, to, Arrays.copyOf(message, split));
        check(Crypto.verify(signature, signer.bytes, text), "invalid-signature",
            "The signature isn't valid. Check the sender and the recipient.");
        return signer.thumbprint();
    }

    private static void checkAge(long issuedAt, long lifetime, long now, boolean isActivity) throws PushCryptException {
        long tolerance = Math.max(MINIMUM_TOLERANCE, Math.min(MAXIMUM_TOLERANCE, lifetime));
        boolean isPast = Long.compareUnsigned(now, issuedAt) > 0;
        long distance = isPast ? now - issuedAt : issuedAt - now; // Both times are unsigned.
        boolean isLate = isPast && Long.compareUnsigned(distance, (lifetime + tolerance) * 1000) > 0;
        // A Live Activity's values are opened at every rendering and have no delivery date.
        check(!isLate || isActivity, "expired", "The message is too old. Check the clocks.");
        check(isPast || Long.compareUnsigned(distance, MAXIMUM_TOLERANCE * 1000) <= 0, "issued-in-future",
            "The message is from the future. Check the clocks.");
    }
}
