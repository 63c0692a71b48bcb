package pushcrypt.receiver;

import pushcrypt.Opener;
import pushcrypt.PushCryptException;

/** The receiver's one decision about a message. */
public final class Outcome {
    /** The kinds of decisions. */
    public enum Kind {
        /** The original is displayed. */
        OPENED,
        /** The message was opened within the last hour. Its notification stays, or is displayed now after a kill. */
        REPEATED,
        /** A newer message with the same collapse id keeps its place. Nothing is displayed. */
        KEPT,
        /** The message was opened earlier. Nothing is displayed. */
        REPLAYED,
        /** The server has withdrawn the message. Nothing is displayed. */
        WITHDRAWN,
        /** The message has removed other notifications. */
        WITHDRAWAL,
        /** The message asks for a proof. Register the account that {@link Outcome#account} names. */
        CHALLENGE,
        /** The message is for the app's code, which gets the payload. */
        BACKGROUND,
        /** The message has no content, and asks the app to register. */
        REGISTRATION,
        /** The message couldn't be opened. The app's own text is displayed. */
        FALLBACK
    }

    private final Kind kind;
    private final Opener.Message message;
    private final PushCryptException failure;

    Outcome(Kind kind, Opener.Message message, PushCryptException failure) {
        this.kind = kind;
        this.message = message;
        this.failure = failure;
    }

    /** Returns the kind of the decision. */
    public Kind kind() {
        return kind;
    }

    /** Returns the code of the error for which the fallback is displayed or the message was replayed, or null. */
    public String code() {
        return failure == null ? null : failure.code();
    }

    /**
     * Returns the reason for the fallback or the replay, or null. For another kind, it's the failure of the replay
     * guard, without which the message may be displayed twice.
     */
    public PushCryptException failure() {
        return failure;
    }

    /** Returns the name of the account whose key has opened the message, or null. */
    public String account() {
        return message == null ? null : message.account();
    }

    /** Returns the original payload, or null if the message wasn't opened. */
    public byte[] payload() {
        return message == null ? null : message.original().clone();
    }

    /** Returns the kind and the code, without content. */
    @Override
    public String toString() {
        return kind + (failure == null ? "" : " " + failure.code());
    }
}
