package pushcrypt;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A server's row of a device. Times are milliseconds since 1970-01-01 UTC. The time of the proof of possession is null
 * without one, and the carrier is the service that delivers the pushes. A row that a newer version has written is read, and
 * never replaced.
 */
public record Row(
    String account, String deviceToken, long registered, Registration registration, List<FormerKey> formerKeys,
    Long proved, String carrier, boolean isNewer) {
    static final String APNS = Registration.APNS;
    private static final long FORMER_PERIOD = 60L * 24 * 3600 * 1000;
    private static final long UNPROVED_PERIOD = 30L * 24 * 3600 * 1000;
    private static final int FORMER_LIMIT = 64;
    private static final Set<String> MEMBERS = Set.of(
        "account", "carrier", "deviceToken", "formerKeys", "proved", "registered", "registration");
    private static final Set<String> REGISTRATION_MEMBERS = Set.of(
        "created", "generation", "key", "lifetime", "signers");
    private static final Set<String> KEY_MEMBERS = Set.of("crv", "kid", "kty", "use", "x");
    private static final Set<String> FORMER_MEMBERS = Set.of("kid", "replaced");

    /** A row of this version. */
    public Row(
        String account, String deviceToken, long registered, Registration registration, List<FormerKey> formerKeys,
        Long proved, String carrier) {
        this(account, deviceToken, registered, registration, formerKeys, proved, carrier, false);
    }

    /** A key that a device has replaced: its thumbprint, and the time of the registration that replaced it. */
    public record FormerKey(String kid, long replaced) { }

    /** Parses the row's text in the database. */
    public static Row parse(String text) throws PushCryptException {
        Json object = Json.parse(text.getBytes(StandardCharsets.UTF_8), "malformed-registration");
        Json entries = object.get("formerKeys");
        boolean isValid = entries.isMissing() || entries.kind == '[';
        List<FormerKey> former = new ArrayList<>();
        for (Json entry : entries.items) {
            isValid &= entry.get("kid").kind == '"' && Registration.isThumbprint(entry.get("kid").text);
            long replaced = Registration.integer(entry, "replaced", 0, Registration.MAXIMUM_INTEGER);
            former.add(new FormerKey(entry.get("kid").text, replaced));
        }
        if (!isValid || object.get("account").kind != '"' || object.get("deviceToken").kind != '"') {
            throw Registration.malformed("The row isn't valid. Restore it from a backup, or delete it.");
        }
        Json carrier = object.get("carrier");
        if (!carrier.isMissing() && carrier.kind != '"') {
            throw Registration.malformed("The row's carrier isn't a string. Restore the row from a backup.");
        }
        String service = carrier.isMissing() ? APNS : carrier.text;
        Long proved = object.get("proved").isMissing()
            ? null : Long.valueOf(Registration.integer(object, "proved", 0, Registration.MAXIMUM_INTEGER));
        return new Row(
            object.get("account").text, Registration.storedToken(object.get("deviceToken").text, service),
            Registration.integer(object, "registered", 0, Registration.MAXIMUM_INTEGER),
            Registration.read(object.get("registration")), List.copyOf(former), proved, service, isNewer(object));
    }

    /** Returns whether a row has another version, or a member that this version doesn't know. */
    private static boolean isNewer(Json row) {
        Json registration = row.get("registration");
        boolean isOtherVersion = !row.get("version").isMissing() && !row.get("version").isInteger(1, 1);
        return isOtherVersion || hasUnknown(row, MEMBERS, "version") || hasUnknown(registration, REGISTRATION_MEMBERS, "")
            || hasUnknown(registration.get("key"), KEY_MEMBERS, "")
            || row.get("formerKeys").items.stream().anyMatch(entry -> hasUnknown(entry, FORMER_MEMBERS, ""));
    }

    private static boolean hasUnknown(Json object, Set<String> known, String other) {
        return object.members.stream().anyMatch(member -> !known.contains(member.name()) && !member.name().equals(other));
    }

    private void checkVersion() throws PushCryptException {
        if (isNewer) {
            throw new PushCryptException("newer-format", "A newer version of PushCrypt has written the row, so it isn't "
                + "changed. Update this program.");
        }
    }

    /**
     * A registration that arrives at a server, with its device token, account, time in milliseconds, and carrier. proved is
     * null while proofs are off, true for the result of Challenges.verify, and otherwise false.
     */
    public record Request(String text, String token, String account, long now, String carrier, Boolean proved) {
        /** A registration over APNs, for a server without proofs. */
        public Request(String text, String token, String account, long now) {
            this(text, token, account, now, APNS, null);
        }
    }

    /**
     * Returns the row to store after a registration. Call it in a transaction. After stale-generation, keep the known row, and
     * answer with the exception's generation. Without a proof, the result can be null. Keep the known row then, too, and send
     * a challenge.
     *
     * @param known the row of the token, in lowercase, and account; null if it is missing
     * @param others the account's other rows
     */
    public static Row accept(Request request, Row known, List<Row> others) throws PushCryptException {
        String token = Registration.storedToken(request.token, request.carrier);
        Registration registration = Registration.parse(request.text);
        List<Row> rows = new ArrayList<>(others);
        if (known != null) {
            rows.add(known);
        }
        boolean isRight = known == null || known.deviceToken.equals(token) && known.carrier.equals(request.carrier);
        if (!isRight || !rows.stream().allMatch(row -> row.account.equals(request.account))) {
            throw Registration.malformed("A row has another token or account. Look it up by both.");
        }
        if (known != null) {
            known.checkVersion();
        }
        boolean isUnproved = Boolean.FALSE.equals(request.proved);
        Long proof = known != null && registration.isSame(known.registration) ? known.proved : null;
        if (isUnproved && proof != null) {
            return new Row(
                request.account, token, request.now, registration, known.formerKeys, proof, request.carrier);
        }
        registration.checkGeneration(known == null ? null : known.registration);
        String kid = registration.key.thumbprint();
        if (current(rows, request.now).stream().anyMatch(former -> former.kid.equals(kid))) {
            throw new PushCryptException(
                "stale-generation", "The key is a former key of the account. Register another key.",
                registration.generation);
        }
        if (isUnproved) {
            return null;
        }
        boolean isProved = Boolean.TRUE.equals(request.proved);
        List<FormerKey> kept = formerKeys(registration, known, others, request.now, isProved);
        return new Row(
            request.account, token, request.now, registration, kept, isProved ? Long.valueOf(request.now) : proof,
            request.carrier);
    }

    /** Returns the former keys of the new row. A key that was never proved may be anyone's. */
    private static List<FormerKey> formerKeys(
        Registration registration, Row known, List<Row> others, long now, boolean isProved) {
        List<FormerKey> former = current(known == null ? others : List.of(known), now);
        boolean isForged = isProved && known != null && known.proved == null;
        if (known != null && !known.registration.key.equals(registration.key) && !isForged) {
            FormerKey replaced = new FormerKey(known.registration.key.thumbprint(), now);
            former = current(List.of(known.with(replaced)), now);
        }
        return List.copyOf(former.subList(0, Math.min(former.size(), FORMER_LIMIT)));
    }

    /** Returns whether a sender accepts the row while proofs are on, which were turned on at a time in milliseconds. */
    boolean isProved(long since, long now) {
        return proved != null || registered < since && now < since + UNPROVED_PERIOD;
    }

    /** Returns the device's key, with its lifetime and signers. */
    public Recipient recipient() {
        return Recipient.of(registration);
    }

    /**
     * Returns the row's text for the database.
     *
     * @throws PushCryptException newer-format for a row of a newer version
     */
    public String toJson() throws PushCryptException {
        checkVersion();
        String former = formerKeys.stream()
            .map(key -> "{\"kid\":\"" + key.kid + "\",\"replaced\":" + key.replaced + "}")
            .collect(Collectors.joining(","));
        return "{\"account\":" + Json.quote(account) + ",\"deviceToken\":" + Json.quote(deviceToken) + ","
            + (former.isEmpty() ? "" : "\"formerKeys\":[" + former + "],")
            + "\"registered\":" + registered + ",\"registration\":" + registration.toJson()
            + (proved == null ? "" : ",\"proved\":" + proved)
            + (carrier.equals(APNS) ? "" : ",\"carrier\":" + Json.quote(carrier)) + "}";
    }

    private Row with(FormerKey key) {
        List<FormerKey> keys = new ArrayList<>(formerKeys);
        keys.add(key);
        return new Row(account, deviceToken, registered, registration, keys, proved, carrier);
    }

    /** Returns the former keys of the last 60 days, the newest of each key, the newest first. */
    private static List<FormerKey> current(List<Row> rows, long now) {
        Set<String> kids = new HashSet<>();
        return rows.stream().flatMap(row -> row.formerKeys.stream())
            .filter(key -> key.replaced + FORMER_PERIOD > now)
            .sorted(Comparator.comparingLong(FormerKey::replaced).reversed().thenComparing(FormerKey::kid))
            .filter(key -> kids.add(key.kid)).toList();
    }
}
