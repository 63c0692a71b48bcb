package pushcrypt;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The library's answers to the requests of test vectors. */
final class CheckAnswers {
    private CheckAnswers() {
    }

    /** Returns the members of the answer to a request, as JSON text. */
    static String members(Json request) throws PushCryptException {
        try {
            return answer(request);
        } catch (PushCryptException problem) {
            return failure(request, problem);
        }
    }

    /** Returns the members of the answer if the library rejects a request. */
    static String failure(Json request, PushCryptException problem) {
        String generation = problem.code().equals("stale-generation") ? ",\"generation\":" + problem.generation() : "";
        String reason = request.get("reason").isMissing() ? "" : ",\"reason\":" + Json.quote(problem.reason());
        return "\"fails\":" + Json.quote(problem.code()) + generation + reason;
    }

    static String answer(Json request) throws PushCryptException {
        String text = request.get("text").text;
        switch (request.get("do").text) {
            case "key":
                PublicKey key = switch (request.get("kind").text) {
                    case "recipient-public" -> PublicKey.parseRecipient(text);
                    case "verification" -> PublicKey.parseVerification(text);
                    case "recipient-private" -> PrivateKey.parseDevice(text).publicKey();
                    default -> PrivateKey.parseSigning(text).publicKey();
                };
                return "\"thumbprint\":\"" + key.thumbprint() + "\",\"key_id\":\"" + Crypto.encode(key.id()) + "\"";
            case "apns-id":
                return "\"apns_id\":\"" + Crypto.apnsId(Crypto.decode(request.get("message_id").text)) + "\"";
            case "registration":
                return limits(Registration.parse(text));
            case "token":
                return "\"stored\":" + Json.quote(Registration.deviceToken(text));
            case "signer-list":
                return signerList(request);
            case "accepted-keys":
                return "\"kids\":" + kids(roots(request).acceptedKeys(strings(request.get("stored"))));
            case "choice":
                List<String> signers = request.get("signers").kind == 'n' ? null : strings(request.get("signers"));
                PrivateKey chosen = SigningKeyring.parse(request.get("keyring").text).keyFor(signers);
                return "\"kid\":" + Json.quote(chosen.publicKey().thumbprint());
            case "update", "row":
                return update(request);
            case "challenge":
                return challenge(request);
            case "proof":
                byte[] payload = request.get("payload").text.getBytes(StandardCharsets.UTF_8);
                String registration = request.get("registration").text;
                return "\"answer\":" + Json.quote(Challenges.answer(payload, registration, device(request)));
            case "answer":
                return verify(request);
            case "refusal":
                return refusal(request);
            case "request":
                return answered(carrierPush(request), request);
            case "limit":
                return limit(request);
            case "pad":
                return pad(request);
            case "open":
                return Open.members(request);
            default:
                return seal(request);
        }
    }

    private static Challenges.Device device(Json request) {
        return new Challenges.Device(
            request.get("token").text, request.get("account").text, request.get("carrier").text);
    }

    private static Challenges challenges(Json request) throws PushCryptException {
        List<String> texts = request.get("secrets").isMissing()
            ? List.of(request.get("secret").text, request.get("previous").text) : strings(request.get("secrets"));
        byte[] previous = texts.size() > 1 ? Crypto.decode(texts.get(1)) : null;
        return new Challenges(request.get("topic").text, Crypto.decode(texts.get(0)), previous);
    }

    private static String challenge(Json request) throws PushCryptException {
        StringBuilder result = new StringBuilder();
        for (String name : List.of("payload", "visible")) {
            String aps = name.equals("visible") ? request.get("aps").text : null;
            byte[] payload = challenges(request).issue(
                request.get("registration").text, device(request), number(request.get("expires")), aps);
            result.append(result.isEmpty() ? "" : ",").append(Json.quote(name)).append(":")
                .append(Json.quote(new String(payload, StandardCharsets.UTF_8)));
        }
        return result.toString();
    }

    private static String verify(Json request) throws PushCryptException {
        byte[] body = request.get("body").text.getBytes(StandardCharsets.UTF_8);
        Registration registration =
            Registration.parse(challenges(request).verify(body, device(request), number(request.get("now_ms"))));
        return "\"generation\":" + registration.generation + ",\"kid\":" + Json.quote(registration.key.thumbprint());
    }

    private static String refusal(Json request) throws PushCryptException {
        Sealer sealer = withProofs(Sealer.anonymous(), request);
        Json kind = request.get("kind");
        Options options = kind.kind == '"' ? new Options().kind(kind.text) : new Options();
        Sealer.Source source = new Sealer.Source() {
            @Override
            public long now() {
                return number(request.get("now_ms"));
            }

            @Override
            public byte[] random(int length) {
                byte[] bytes = new byte[length];
                Arrays.fill(bytes, (byte) 1);
                return bytes;
            }
        };
        byte[] payload = request.get("payload").text.getBytes(StandardCharsets.UTF_8);
        Row row = Row.parse(request.get("row").text);
        sealer.seal(payload, row, options.carrier(row.carrier()), source);
        return "\"refused\":false";
    }

    private static String update(Json request) throws PushCryptException {
        List<Row> others = new ArrayList<>();
        for (Json text : request.get("others").items) {
            others.add(Row.parse(text.text));
        }
        Row known = request.get("row").kind == 'n' ? null : Row.parse(request.get("row").text);
        long now = Long.parseLong(request.get("now_ms").rawText());
        boolean isProved = request.get("proved").kind == 't';
        boolean hasProofs = request.get("proofs").kind == 't' || isProved;
        String carrier = request.get("carrier").isMissing() ? "apns" : request.get("carrier").text;
        Row.Request update = new Row.Request(
            request.get("text").text, request.get("token").text, request.get("account").text, now, carrier,
            hasProofs ? isProved : null);
        Row row = Row.accept(update, known, others);
        return row == null ? "\"challenge\":true" : "\"row\":" + Json.quote(row.toJson());
    }

    private static String limits(Registration registration) {
        return "\"generation\":" + registration.generation + ",\"lifetime\":" + registration.lifetime
            + ",\"signers\":" + (registration.signers == null ? "null" : quoted(registration.signers));
    }

    private static String quoted(List<String> texts) {
        return "[" + String.join(",", texts.stream().map(Json::quote).toList()) + "]";
    }

    private static String kids(List<PublicKey> keys) {
        return quoted(keys.stream().map(PublicKey::thumbprint).toList());
    }

    private static SignerRoots roots(Json request) throws PushCryptException {
        List<PublicKey> keys = new ArrayList<>();
        for (Json jwk : request.get("roots").items) {
            keys.add(PublicKey.parseVerification(jwk.rawText()));
        }
        return new SignerRoots(keys, request.get("audience").kind == 'n' ? null : request.get("audience").text);
    }

    private static String signerList(Json request) throws PushCryptException {
        SignerRoots roots = roots(request);
        String text = request.get("text").text;
        List<String> stored = request.get("stored").kind == 'n' ? List.of() : List.of(request.get("stored").text);
        boolean isSame = roots.storedWith(text, stored, number(request.get("now_ms"))).equals(stored);
        SignerRoots.SignerList list = roots.verify(text);
        return "\"outcome\":\"" + (isSame ? "unchanged" : "accepted") + "\",\"number\":" + list.number() + ",\"kids\":"
            + kids(list.keys());
    }

    private static String pad(Json request) throws PushCryptException {
        int overhead = request.get("sender").kind == 'n' ? 32 : 104;
        int[] needed = request.get("lengths").items.stream().mapToInt(item -> overhead + (int) number(item)).toArray();
        int room = (int) (number(request.get("maximum")) - number(request.get("frame")));
        return "\"padded\":" + Arrays.toString(Sealer.sizes(needed, room, request.get("padding").text));
    }

    private static long number(Json value) {
        return Long.parseLong(value.rawText());
    }

    private static List<String> strings(Json value) {
        return value.items.stream().map(item -> item.text).toList();
    }

    static Options options(Json request) throws PushCryptException {
        Options options = new Options();
        for (Json.Member member : request.members) {
            Json value = member.value();
            options = switch (member.name()) {
                case "type" -> options.type(value.text);
                case "kind" -> options.kind(value.text);
                case "lifetime_s" -> options.lifetime(number(value));
                case "padding" -> options.padding(value.text);
                case "expose" -> options.expose(strings(value));
                case "carrier" -> options.carrier(value.text);
                case "topic" -> options.topic(value.text);
                case "collapse_id" -> options.collapseId(value.text);
                case "priority" -> options.priority((int) number(value));
                case "placeholder" -> {
                    Map<String, Object> members = new LinkedHashMap<>();
                    for (Json.Member part : value.members) {
                        Json text = part.value();
                        members.put(part.name(), text.kind == '[' ? strings(text) : text.text);
                    }
                    yield options.placeholder(members);
                }
                default -> options;
            };
        }
        return options;
    }

    static Sealer sealer(Json key) throws PushCryptException {
        return key.kind == 'n' ? Sealer.anonymous() : Sealer.signedBy(PrivateKey.parseSigning(key.rawText()));
    }

    static Sealer withProofs(Sealer sealer, Json request) {
        Json since = request.get("proofs_since_ms");
        return since.kind == '0' ? sealer.withProofs(number(since)) : sealer;
    }

    static String object(Map<String, String> texts) {
        List<String> members = new ArrayList<>();
        texts.forEach((name, text) -> members.add(Json.quote(name) + ":" + Json.quote(text)));
        return "{" + String.join(",", members) + "}";
    }

    static String answered(Push push, Json request) throws PushCryptException {
        String token = request.get("token").text;
        boolean hasApp = !request.get("app_id").isMissing();
        CarrierRequest result = hasApp ? push.request(token, request.get("app_id").text) : push.request(token);
        return "\"body\":" + Json.quote(new String(result.body(), StandardCharsets.UTF_8)) + ",\"headers\":"
            + object(result.headers());
    }

    private static Push carrierPush(Json request) {
        Map<String, String> headers = new LinkedHashMap<>();
        request.get("apns_headers").members.forEach(header -> headers.put(header.name(), header.value().text));
        byte[] payload = request.get("payload").text.getBytes(StandardCharsets.UTF_8);
        return new Push(payload, headers, request.get("carrier").text, number(request.get("issued_at_ms")));
    }

    private static String limit(Json request) throws PushCryptException {
        String carrier = request.get("carrier").text;
        String type = request.get("type").text;
        Carriers.checkType(carrier, type);
        int room = Carriers.room(carrier, type, (int) number(request.get("frame")));
        return "\"longest\":" + Sealer.sizes(new int[] {0}, room, "maximum")[0];
    }

    private static String seal(Json request) throws PushCryptException {
        Sealer sealer = sealer(request.get("sender"));
        Sealer.Source source = new Sealer.Source() {
            private int count;

            @Override
            public long now() {
                return number(request.get("now_ms"));
            }

            @Override
            public byte[] random(int length) {
                List<Json> values = request.get(length == 16 ? "message_ids" : "ephemeral_secrets").items;
                return Crypto.decode(values.get(count++ / 2).text);
            }
        };
        byte[] payload = request.get("payload").text.getBytes(StandardCharsets.UTF_8);
        Push push = sealer.seal(payload, Recipient.parse(request.get("to").text), options(request), source);
        return "\"payload\":" + Json.quote(new String(push.payload(), StandardCharsets.UTF_8)) + ",\"headers\":"
            + object(push.headers());
    }
}
