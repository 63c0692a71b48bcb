package pushcrypt.receiver;

import java.util.Collection;
import pushcrypt.Json;
import pushcrypt.PushCryptException;

/** The members of stored JSON. What a newer version has added is read, and never written: it would be lost. */
final class StoredFormat {
    private StoredFormat() { }

    /** Returns the first member that this version doesn't know, or null. A version other than 1 is one, too. */
    static String unknown(Json object, Collection<String> known) {
        for (Json.Member member : object.members()) {
            boolean isVersion = member.name().equals("version") && member.value().isInteger(1, 1);
            if (!isVersion && !known.contains(member.name())) {
                return member.name();
            }
        }
        return null;
    }

    /** Throws newer-format if there is an unknown member. */
    static void check(String unknown, String what) throws PushCryptException {
        if (unknown != null) {
            throw new PushCryptException("newer-format", "The " + what + " has the member " + quoted(unknown)
                + ", which this version of PushCrypt doesn't know, so it isn't changed. A newer version has written it."
                + " Update this app.");
        }
    }

    /** Returns a name for a message: only names of harmless characters are repeated. */
    private static String quoted(String name) {
        return name.matches("[A-Za-z0-9-]{1,40}") ? '"' + name + '"' : "of " + name.length() + " characters";
    }
}
