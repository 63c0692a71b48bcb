package pushcrypt.receiver;

import pushcrypt.Json;

/** The request with which a device registers. The app sends its JSON to the server, as the signed-in user. */
public final class RegistrationRequest {
    private final String registration;
    private final String token;
    private final String carrier;
    private final boolean wantsVisibleChallenge;
    /** The members of an answer to a challenge, or null. */
    private final String proof;

    RegistrationRequest(String registration, String token, String carrier, boolean wantsVisibleChallenge) {
        this(registration, token, carrier, wantsVisibleChallenge, null);
    }

    private RegistrationRequest(
        String registration, String token, String carrier, boolean wantsVisibleChallenge, String proof) {
        this.registration = registration;
        this.token = token;
        this.carrier = carrier;
        this.wantsVisibleChallenge = wantsVisibleChallenge;
        this.proof = proof;
    }

    RegistrationRequest proving(String members) {
        return new RegistrationRequest(registration, token, carrier, false, members);
    }

    /** Returns the registration as the device has written it: JSON on one line. */
    public String registration() {
        return registration;
    }

    /** Returns the token that the carrier has issued. */
    public String token() {
        return token;
    }

    /** Returns whether the request answers a challenge. */
    public boolean isProof() {
        return proof != null;
    }

    /** Returns the body of the request. */
    public String json() {
        return "{\"token\":" + Json.quote(token)
            + (carrier.equals("apns") ? "" : ",\"carrier\":" + Json.quote(carrier))
            + ",\"registration\":" + Json.quote(registration)
            + (proof == null ? "" : "," + proof)
            + (wantsVisibleChallenge ? ",\"visible\":true" : "") + "}";
    }
}
