package pushcrypt.receiver;

import java.util.Map;
import pushcrypt.Json;
import pushcrypt.PushCryptException;

/** The service that delivers the app's pushes, and the one place of the sealed value in them. */
public final class Carrier {
    private static final String MEMBER = "ENCRYPTED_DATA";

    /** Firebase Cloud Messaging to Android: the value is a member of the message's data. */
    public static final Carrier FIREBASE_ANDROID = new Carrier("firebase-android");

    private final String name;

    private Carrier(String name) {
        this.name = name;
    }

    /** Returns another service, by the name that your server knows, for example of UnifiedPush. */
    public static Carrier named(String name) {
        return new Carrier(name);
    }

    /** Returns the name, which a registration and a proof have. */
    public String name() {
        return name;
    }

    /** Returns the sealed value in the data of a message. */
    String value(Map<String, String> data) throws PushCryptException {
        String value = data.get(MEMBER);
        if (value == null) {
            throw missing();
        }
        return value;
    }

    /** Returns the sealed value in a message of one JSON object. */
    String value(byte[] payload) throws PushCryptException {
        Json value = Json.parse(payload).get(MEMBER);
        if (value.isMissing()) {
            throw missing();
        }
        if (value.string() == null) {
            throw new PushCryptException(
                "malformed-envelope", "ENCRYPTED_DATA isn't a string. Send the payload as it was sealed.");
        }
        return value.string();
    }

    private static PushCryptException missing() {
        return new PushCryptException(
            "not-sealed", "ENCRYPTED_DATA is missing. The payload wasn't sealed, or the value was removed. Seal it.");
    }
}
