package pushcrypt;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** A server's row of a device. Times are milliseconds since 1970-01-01 UTC. */
public record Row(
    String account, String deviceToken, long registered, Registration registration, List<FormerKey> formerKeys) {
    private static final long FORMER_PERIOD = 60L * 24 * 3600 * 1000;
    private static final int FORMER_LIMIT = 64;

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
        return new Row(
            object.get("account").text, Registration.deviceToken(object.get("deviceToken").text),
            Registration.integer(object, "registered", 0, Registration.MAXIMUM_INTEGER),
            Registration.read(object.get("registration")), List.copyOf(former));
    }

    /** A registration that arrives at a server, with its device token, account and time. */
    public record Request(String text, String token, String account, long now) { }

    /**
     * Returns the row to store after a registration. Call it in a transaction. After stale-generation, keep the known row, and
     * answer with the exception's generation.
     *
     * @param known the row of the token, in lowercase, and account; null if it is missing
     * @param others the account's other rows
     */
    public static Row accept(Request request, Row known, List<Row> others) throws PushCryptException {
        String token = Registration.deviceToken(request.token);
        Registration registration = Registration.parse(request.text);
        List<Row> rows = new ArrayList<>(others);
        if (known != null) {
            rows.add(known);
        }
        boolean isRight = known == null || known.deviceToken.equals(token);
        if (!isRight || !rows.stream().allMatch(row -> row.account.equals(request.account))) {
            throw Registration.malformed("A row has another token or account. Look it up by both.");
        }
        registration.checkGeneration(known == null ? null : known.registration);
        String kid = registration.key.thumbprint();
        if (current(rows, request.now).stream().anyMatch(former -> former.kid.equals(kid))) {
            throw new PushCryptException(
                "stale-generation", "The key is a former key of the account. Register another key.",
                registration.generation);
        }
        List<FormerKey> former = current(known == null ? others : List.of(known), request.now);
        if (known != null && !known.registration.key.equals(registration.key)) {
            FormerKey replaced = new FormerKey(known.registration.key.thumbprint(), request.now);
            former = current(List.of(known.with(replaced)), request.now);
        }
        List<FormerKey> kept = former.subList(0, Math.min(former.size(), FORMER_LIMIT));
        return new Row(request.account, token, request.now, registration, List.copyOf(kept));
    }

    /** Returns the device's key, with its lifetime and signers. */
    public Recipient recipient() {
        return registration.recipient();
    }

    /** Returns the row's text for the database. */
    public String toJson() {
        String former = formerKeys.stream()
            .map(key -> "{\"kid\":\"" + key.kid + "\",\"replaced\":" + key.replaced + "}")
            .collect(Collectors.joining(","));
        return "{\"account\":" + Json.quote(account) + ",\"deviceToken\":\"" + deviceToken + "\","
            + (former.isEmpty() ? "" : "\"formerKeys\":[" + former + "],")
            + "\"registered\":" + registered + ",\"registration\":" + registration.toJson() + "}";
    }

    private Row with(FormerKey key) {
        List<FormerKey> keys = new ArrayList<>(formerKeys);
        keys.add(key);
        return new Row(account, deviceToken, registered, registration, keys);
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
