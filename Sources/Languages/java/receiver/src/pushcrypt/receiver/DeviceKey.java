package pushcrypt.receiver;

import pushcrypt.PrivateKey;

/** A key of the device's keyring. Times are seconds since 1970-01-01 UTC. */
final class DeviceKey {
    /** 48 hours, for errors of clocks. */
    static final long CLOCK_TOLERANCE = 48 * 3600;

    final PrivateKey key;
    /** The longest lifetime of messages to the key, in seconds. */
    final long lifetime;
    long created;
    /** The time of the retirement; negative before it. */
    long retired = -1;
    /** Whether the time of the retirement is a server's, and not an estimate. */
    boolean isDateKnown;

    DeviceKey(PrivateKey key, long created, long lifetime) {
        this.key = key;
        this.created = created;
        this.lifetime = lifetime;
    }

    /** Returns the time from which the key is destroyed. */
    long expiration() {
        return retired + lifetime + CLOCK_TOLERANCE;
    }

    DeviceKey retire(long date, boolean isKnown) {
        retired = date;
        isDateKnown = isKnown;
        return this;
    }

    String kid() {
        return key.publicKey().thumbprint();
    }
}
