package pushcrypt.receiver;

/** The app's own words, which are displayed if a message can't be opened. */
public final class FallbackText {
    private final String body;
    private final String removedAccount;
    private final String locked;

    /** Creates a text for all failures. An empty one becomes {@code (Encrypted)}. */
    public FallbackText(String body) {
        this(body, "", "");
    }

    /**
     * Creates texts in the user's language. An empty one is replaced by the first.
     *
     * @param removedAccount the text for messages to accounts that the app has removed
     * @param locked the text until the device is unlocked for the first time after a restart
     */
    public FallbackText(String body, String removedAccount, String locked) {
        this.body = body.isEmpty() ? "(Encrypted)" : body;
        this.removedAccount = removedAccount.isEmpty() ? this.body : removedAccount;
        this.locked = locked.isEmpty() ? this.body : locked;
    }

    /** Returns the text for a failure. */
    String text(String code) {
        return code.equals("removed-account") ? removedAccount : code.equals("device-locked") ? locked : body;
    }
}
