package pushcrypt.receiver;

/** The source of the time. */
public interface Clock {
    /** The device's clock. */
    Clock SYSTEM = System::currentTimeMillis;

    /** Returns the time in milliseconds since 1970-01-01 UTC. */
    long now();
}
