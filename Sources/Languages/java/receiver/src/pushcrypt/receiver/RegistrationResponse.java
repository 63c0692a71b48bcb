package pushcrypt.receiver;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The server's authenticated response to a registration. */
public final class RegistrationResponse {
    /** The kinds of responses. */
    enum Kind { ACCEPTED, CHALLENGED, STALE }

    final Kind kind;
    /** The date of the response in milliseconds since 1970, or null. */
    final Long date;
    final List<String> lists;
    final long generation;

    private RegistrationResponse(Kind kind, Long date, List<String> lists, long generation) {
        this.kind = kind;
        // HttpURLConnection.getDate() is 0 for an answer without a date, and negative for a wrong one.
        this.date = date == null || date <= 0 ? null : date;
        this.lists = new ArrayList<>(lists);
        this.generation = generation;
    }

    /**
     * Returns the response of a server that has stored the registration: the status 200 or 204.
     *
     * @param date the header {@code Date} in milliseconds since 1970; null, or 0 as {@code HttpURLConnection.getDate()}
     *     returns it, if the answer doesn't have one
     * @param lists the lists of accepted keys in the response
     */
    public static RegistrationResponse accepted(Long date, List<String> lists) {
        return new RegistrationResponse(Kind.ACCEPTED, date, lists, 0);
    }

    /** Returns the response of a server that has sent a challenge: the status 202. */
    public static RegistrationResponse challenged(Long date, List<String> lists) {
        return new RegistrationResponse(Kind.CHALLENGED, date, lists, 0);
    }

    /** Returns the response of a server that rejects the registration as stale: the status 409, with its generation. */
    public static RegistrationResponse stale(long generation) {
        return new RegistrationResponse(Kind.STALE, null, Collections.<String>emptyList(), generation);
    }
}
