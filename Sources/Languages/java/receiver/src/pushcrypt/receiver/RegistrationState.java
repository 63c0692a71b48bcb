package pushcrypt.receiver;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import pushcrypt.Crypto;
import pushcrypt.Json;
import pushcrypt.PushCryptException;

/** The contents of the state of one registration. Times are seconds since 1970-01-01 UTC by the device's clock. */
final class RegistrationState {
    /** A registration that the device has sent, and the server hasn't confirmed. */
    static final class Begun {
        String registration;
        /** The hash of the token and the user together: a hash of the user alone could be guessed. */
        String token;
        long since;
        long asked;
        /** The number of challenges that the server has sent for this registration. */
        long challenges;
        /** Whether the server has answered the last request with a challenge. */
        boolean isWaiting;

        boolean isSame(Begun other) {
            return other != null && registration.equals(other.registration) && token.equals(other.token)
                && since == other.since && asked == other.asked && challenges == other.challenges
                && isWaiting == other.isWaiting;
        }
    }

    /** The random name of the installation. */
    String installation;
    /** The thumbprint of the last confirmed key, or null. */
    String key;
    String token;
    /** The hash of the accepted keys in the registration and of the pinned roots, or null. */
    String signers;
    /** The time of the confirmation, or null. */
    Long confirmed;
    /** The time of the last registration that a push asked for, or null. */
    Long asked;
    /** The time of the last answer to a challenge, or null. */
    Long answered;
    Begun begun;

    /**
     * Records that a registration is about to be sent.
     *
     * @return whether the device asks for a challenge with a high priority, because a silent one hasn't arrived
     */
    boolean begin(String registration, String tokenHash, long now) {
        Begun last = begun;
        boolean isRepetition =
            last != null && last.registration.equals(registration) && last.token.equals(tokenHash);
        begun = new Begun();
        begun.registration = registration;
        begun.token = tokenHash;
        begun.since = isRepetition ? last.since : now;
        begun.asked = now;
        begun.challenges = isRepetition ? last.challenges : 0;
        return begun.challenges > 0;
    }

    /** Returns whether the server has confirmed a registration within the last week. */
    boolean isKnown(Registered registered, long now) {
        boolean isSame = registered.key.equals(key) && registered.token.equals(token)
            && Objects.equals(registered.signers, signers);
        // A confirmation from the future doesn't count: the clock was set back.
        return isSame && confirmed != null && now >= confirmed && now - confirmed < 7 * 24 * 3600;
    }

    void confirm(Registered registered, long now) {
        key = registered.key;
        token = registered.token;
        signers = registered.signers;
        begun = null;
        confirmed = now;
    }

    /** The hashes of a registration with its token and its account. */
    static final class Registered {
        final String key;
        final String token;
        final String signers;

        Registered(DeviceRegistration registration, String deviceToken, String carrier, Account account) {
            key = registration.kid;
            // The user is last, because the name is any text.
            token = hash((carrier.equals("apns") ? "" : carrier + ":") + deviceToken + ":" + account.user);
            signers = registration.signers == null ? null : hash(pinned(registration, account));
        }

        private static String pinned(DeviceRegistration registration, Account account) {
            StringBuilder text = new StringBuilder(String.join(" ", registration.signers)).append(' ');
            if (account.policy.roots != null) {
                account.policy.roots.keys().forEach(root -> text.append(' ').append(root.thumbprint()));
                String audience = account.policy.roots.audience();
                text.append(' ').append(audience == null ? "" : audience);
            }
            return text.toString();
        }
    }

    private static String hash(String text) {
        return Crypto.encode(Crypto.sha256(text.getBytes(StandardCharsets.UTF_8)));
    }

    // JSON

    String toJson() {
        StringBuilder text = new StringBuilder("{\"installation\":").append(Json.quote(installation));
        if (key != null) {
            text.append(",\"key\":").append(Json.quote(key)).append(",\"token\":").append(Json.quote(token));
            text.append(signers == null ? "" : ",\"signers\":" + Json.quote(signers));
            text.append(number("confirmed", confirmed));
        }
        text.append(number("asked", asked)).append(number("answered", answered));
        if (begun != null) {
            text.append(",\"begun\":{\"registration\":").append(Json.quote(begun.registration)).append(",\"token\":")
                .append(Json.quote(begun.token)).append(number("since", begun.since))
                .append(number("asked", begun.asked)).append(number("challenges", begun.challenges))
                .append(",\"waiting\":").append(begun.isWaiting).append('}');
        }
        return text.append('}').toString();
    }

    private static String number(String name, Long value) {
        return value == null ? "" : ",\"" + name + "\":" + value;
    }

    private static final List<String> MEMBERS = Arrays.asList(
        "installation", "key", "token", "signers", "confirmed", "asked", "answered", "begun");

    /**
     * Parses the contents; returns null if they are damaged.
     *
     * @throws PushCryptException newer-format if a newer version has written them
     */
    static RegistrationState parse(byte[] bytes) throws PushCryptException {
        Json object = object(bytes);
        if (object == null) {
            return null;
        }
        StoredFormat.check(StoredFormat.unknown(object, MEMBERS), "state of the registration");
        RegistrationState state = new RegistrationState();
        state.installation = object.get("installation").string();
        if (state.installation == null || state.installation.isEmpty()) {
            return null;
        }
        String key = object.get("key").string();
        if (key != null && object.get("token").string() != null) {
            state.key = key;
            state.token = object.get("token").string();
            state.signers = object.get("signers").string();
            state.confirmed = number(object.get("confirmed"));
        }
        state.asked = number(object.get("asked"));
        state.answered = number(object.get("answered"));
        state.begun = begun(object.get("begun"));
        return state;
    }

    private static Json object(byte[] bytes) {
        try {
            return Json.parse(bytes);
        } catch (PushCryptException problem) {
            return null;
        }
    }

    private static Begun begun(Json value) {
        Begun begun = new Begun();
        begun.registration = value.get("registration").string();
        begun.token = value.get("token").string();
        Long since = number(value.get("since"));
        Long asked = number(value.get("asked"));
        if (begun.registration == null || begun.token == null || since == null || asked == null) {
            return null; // The device registers again.
        }
        begun.since = since;
        begun.asked = asked;
        Long challenges = number(value.get("challenges"));
        begun.challenges = challenges == null ? 0 : challenges;
        begun.isWaiting = value.get("waiting").isTrue();
        return begun;
    }

    private static Long number(Json value) {
        return value.isInteger(0, Keyring.MAXIMUM_INTEGER) ? Long.valueOf(value.rawText()) : null;
    }
}
