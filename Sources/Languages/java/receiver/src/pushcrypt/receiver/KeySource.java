package pushcrypt.receiver;

import java.security.SecureRandom;

/** The source of random bytes. Tests fix them. */
interface KeySource {
    /** The system's random numbers. */
    KeySource SYSTEM = length -> {
        byte[] bytes = new byte[length];
        new SecureRandom().nextBytes(bytes);
        return bytes;
    };

    /** Returns new bytes. */
    byte[] random(int length);

    /** Returns a new secret key of the device. */
    default byte[] secretKey() {
        return random(32);
    }
}
