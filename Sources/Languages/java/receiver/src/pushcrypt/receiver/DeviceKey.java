package pushcrypt.receiver;

import java.util.Arrays;
import pushcrypt.Crypto;
import pushcrypt.PrivateKey;
import pushcrypt.PushCryptException;

/** A key of the device's keyring. Times are seconds since 1970-01-01 UTC. */
final class DeviceKey {
    /** 48 hours, for errors of clocks. */
    static final long CLOCK_TOLERANCE = 48 * 3600;

    /** The thumbprint of the public half. */
    final String kid;
    final byte[] secret;
    /** The longest lifetime of messages to the key, in seconds. */
    final long lifetime;
    long created;
    boolean isRetired;
    /** The time of the retirement, if the key is retired. */
    long retired;
    /** Whether the time of the retirement is a server's, and not an estimate. */
    boolean isDateKnown;
    /** The device's own count at the retirement, or before it, at the creation; null until it is recorded. */
    Long counted;

    /** Creates a key from its stored parts. {@link #key} checks that they belong together. */
    DeviceKey(String kid, byte[] secret, long created, long lifetime) {
        this.kid = kid;
        this.secret = secret;
        this.created = created;
        this.lifetime = lifetime;
    }

    /** Creates a new key. */
    static DeviceKey create(byte[] secret, long created, long lifetime) throws PushCryptException {
        return new DeviceKey(PrivateKey.ofDevice(secret).publicKey().thumbprint(), secret, created, lifetime);
    }

    /** Returns the key pair, which shares the secret's bytes. */
    PrivateKey key() throws PushCryptException {
        PrivateKey key = PrivateKey.ofDevice(secret);
        if (!key.publicKey().thumbprint().equals(kid)) {
            throw new PushCryptException("key-unreadable",
                "A stored key isn't the one that its thumbprint names. Remove the account, and register again.");
        }
        return key;
    }

    /** Returns the key id: the first 8 bytes of the thumbprint. */
    byte[] id() {
        return Arrays.copyOf(Crypto.decode(kid), 8);
    }

    /** Returns the time of the retirement, or before it, of the creation. */
    long lastStep() {
        return isRetired ? retired : created;
    }

    /** Records the device's own count at the last step, unless it is recorded. */
    void mark(long count, long estimate) {
        if (counted == null) {
            counted = Math.min(Math.max(count - (estimate - lastStep()), 0), count);
        }
    }

    /** Returns the seconds since the last step, by the estimate or by the count. */
    long elapsed(long count, long estimate) {
        long own = counted == null ? 0 : count - counted;
        return Math.max(estimate - lastStep(), own);
    }

    DeviceKey retire(long date, boolean isKnown) {
        isRetired = true;
        retired = date;
        isDateKnown = isKnown;
        counted = null;
        return this;
    }

    void wipe() {
        Arrays.fill(secret, (byte) 0);
    }
}
