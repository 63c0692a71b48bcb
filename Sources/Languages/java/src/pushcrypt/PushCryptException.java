package pushcrypt;

import java.security.GeneralSecurityException;

/** A failure with a code for programs and a reason for people. Neither contains content or keys. */
public final class PushCryptException extends GeneralSecurityException {
    private static final long serialVersionUID = 1;

    private final String code;
    private final String reason;
    private final long generation;

    /** Creates a failure with a code for programs and a reason for people. */
    public PushCryptException(String code, String reason) {
        this(code, reason, 0);
    }

    PushCryptException(String code, String reason, long generation) {
        super(reason + " [" + code + "]");
        this.code = code;
        this.reason = reason;
        this.generation = generation;
    }

    /** Returns the code, for example {@code invalid-key}. */
    public String code() {
        return code;
    }

    /** Returns the reason. */
    public String reason() {
        return reason;
    }

    /** Returns the generation to answer if the code is {@code stale-generation}. */
    public long generation() {
        return generation;
    }
}
