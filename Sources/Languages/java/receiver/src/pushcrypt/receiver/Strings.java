package pushcrypt.receiver;

import java.util.List;

/** The app's texts for the keys that originals name. */
public interface Strings {
    /** An app without texts: the original's own text is displayed, or the key. */
    Strings NONE = (key, arguments) -> null;

    /** Returns the text of a key with arguments, or null if the app doesn't have the key. */
    String text(String key, List<String> arguments);
}
