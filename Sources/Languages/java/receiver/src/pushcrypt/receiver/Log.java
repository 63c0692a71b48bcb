package pushcrypt.receiver;

import pushcrypt.PushCryptException;

/** The app's log of decisions and failures. Neither contains content, keys or tokens. */
public interface Log {
    /** A log that keeps nothing. */
    Log NONE = new Log() { };

    /** Records a decision. After the deadline, a late one follows the fallback's. */
    default void decided(Outcome outcome) { }

    /** Records a failure that doesn't stop the message, such as a withdrawal without a signature. */
    default void failed(PushCryptException failure) { }
}
