package pushcrypt.receiver;

/** A notification to display. */
public final class Notice {
    private final String tag;
    private final String account;
    private final Content content;
    private final boolean isSilent;

    Notice(String tag, String account, Content content, boolean isSilent) {
        this.tag = tag;
        this.account = account;
        this.content = content;
        this.isSilent = isSilent;
    }

    /** Returns the tag, which is the same whenever the message arrives. */
    public String tag() {
        return tag;
    }

    /** Returns the name of the account, or null for the fallback: no account is authenticated. */
    public String account() {
        return account;
    }

    /** Returns the content: the original's, or the fallback. */
    public Content content() {
        return content;
    }

    /** Returns whether the notification must not sound, because the message was perhaps displayed before. */
    public boolean isSilent() {
        return isSilent;
    }

    /** Returns whether the content is the app's own text, because the message couldn't be opened. */
    public boolean isFallback() {
        return account == null;
    }
}
