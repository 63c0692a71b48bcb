package pushcrypt;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** The command that seals the payload of each line of its input, which has one JSON object per line. */
public final class Seal {
    private static final int MAXIMUM_LINE = 65536;
    private static final int MAXIMUM_PAYLOAD = 1048576;
    private static final String USAGE = """
        usage: seal (--anonymous | --sign-with KEYRING) [--payload FILE] [--type TYPE] [--lifetime 7d]
                    [--padding buckets|maximum|none] [--expose KEYS] [--placeholder-body TEXT] [--topic TOPIC]
                    [--carrier NAME] [--app-id ID]""";
    private static final Set<String> OPTION_MEMBERS =
        Set.of("line", "error", "type", "lifetime", "collapse-id", "topic", "priority");

    private static final class UsageException extends Exception {
        private static final long serialVersionUID = 1;
    }

    private Sealer sealer;
    private Options options = new Options();
    private byte[] payload; // for lines without a payload
    private String appId = "";

    private Seal() {}

    /** Runs the command. */
    public static void main(String[] arguments) {
        int status = 1;
        try {
            Seal seal = new Seal();
            seal.configure(arguments);
            InputStream input = new BufferedInputStream(new FileInputStream(FileDescriptor.in), MAXIMUM_LINE);
            status = seal.run(input, new FileOutputStream(FileDescriptor.out));
        } catch (UsageException problem) {
            System.err.println(USAGE);
            status = 64;
        } catch (PushCryptException problem) {
            System.err.println("seal: error: " + problem.getMessage());
        } catch (IOException problem) {
            System.err.println("seal: error: A file can't be read or written. Check the path. [" + problem + "]");
        }
        System.exit(status);
    }

    private void configure(String[] arguments) throws UsageException, PushCryptException, IOException {
        String keyring = null;
        Path payloadPath = null;
        boolean isAnonymous = false;
        List<String> exposed = new ArrayList<>();
        try {
            for (int at = 0; at < arguments.length; at++) {
                String[] pair = arguments[at].split("=", 2);
                if (arguments[at].equals("--anonymous")) {
                    isAnonymous = true;
                    continue;
                }
                if (arguments[at].equals("--help") || arguments[at].equals("-h")) {
                    System.out.println(USAGE);
                    System.exit(0);
                }
                // A value that begins with a hyphen needs an equals sign.
                String value = pair.length == 2 ? pair[1] : arguments[++at];
                boolean isOption = pair.length == 1 && value.startsWith("-") && value.length() > 1;
                if (isOption || value.isEmpty() && !pair[0].equals("--expose")) {
                    throw new UsageException();
                }
                switch (pair[0]) {
                    case "--sign-with" -> keyring = value;
                    case "--payload" -> payloadPath = Path.of(value);
                    case "--type" -> options = options.type(value);
                    case "--lifetime" -> options = options.lifetime(seconds(value));
                    case "--padding" -> options = options.padding(value);
                    case "--expose" -> Stream.of(value.split(",")).filter(name -> !name.isEmpty()).forEach(exposed::add);
                    case "--placeholder-body" -> options = options.placeholder(Map.of("body", value));
                    case "--topic" -> options = options.topic(value);
                    case "--carrier" -> options = options.carrier(checked(value, Carriers.isKnown(value)));
                    case "--app-id" -> appId = checked(value, value.matches("[!-~]+"));
                    default -> throw new UsageException();
                }
            }
            options = options.expose(exposed);
        } catch (PushCryptException | ArrayIndexOutOfBoundsException problem) {
            throw new UsageException();
        }
        boolean hasApp = !appId.isEmpty();
        if (isAnonymous == (keyring != null) || hasApp != options.carrier.equals("onesignal")) {
            throw new UsageException();
        }
        payload = payloadPath == null ? null : readPayload(payloadPath);
        sealer = isAnonymous ? Sealer.anonymous() : Sealer.signedBy(SigningKeyring.read(Path.of(keyring)));
    }

    private static String checked(String value, boolean isValid) throws UsageException {
        if (!isValid) {
            throw new UsageException();
        }
        return value;
    }

    /** Reads a payload for all lines. The file can be a device without an end. */
    private static byte[] readPayload(Path path) throws PushCryptException, IOException {
        try (InputStream file = Files.newInputStream(path)) {
            byte[] text = file.readNBytes(MAXIMUM_PAYLOAD + 1);
            if (text.length > MAXIMUM_PAYLOAD) {
                throw new PushCryptException("payload-too-large", "The payload has more than 1048576 bytes. Shorten it.");
            }
            return text;
        }
    }

    /** Parses a lifetime such as 90s, 15m, 12h or 7d. */
    private static long seconds(String text) throws PushCryptException {
        int unit = text.isEmpty() ? -1 : "smhd".indexOf(text.charAt(text.length() - 1));
        if (unit < 0 || !text.matches("[0-9]{1,9}.")) {
            throw new PushCryptException("invalid-lifetime", "The lifetime isn't valid. Give a number and s, m, h or d.");
        }
        return Long.parseLong(text.substring(0, text.length() - 1)) * new int[] {1, 60, 3600, 86400}[unit];
    }

    /** Returns the exit status. */
    private int run(InputStream input, OutputStream output) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        int status = 0;
        int next = input.read();
        for (long number = 1; next >= 0; number++) {
            line.reset();
            for (; next >= 0 && next != '\n'; next = input.read()) {
                if (line.size() <= MAXIMUM_LINE) {
                    line.write(next);
                }
            }
            StringBuilder answer = new StringBuilder();
            status = answer(line.toByteArray(), number, answer) ? status : 65;
            output.write(answer.append('\n').toString().getBytes(StandardCharsets.UTF_8));
            next = next < 0 ? next : input.read();
        }
        return status;
    }

    /** Appends the output for a line, and returns false if the line isn't sealed. */
    private boolean answer(byte[] text, long number, StringBuilder answer) {
        List<String> members = new ArrayList<>();
        Set<String> own = new HashSet<>(Set.of("to", "payload", "headers"));
        List<Json.Member> input = List.of();
        String sealed = null;
        try {
            if (text.length > MAXIMUM_LINE) {
                throw new PushCryptException("line-too-long", "The line has more than 65536 bytes. Shorten it.");
            }
            Json line = Json.parseLine(text);
            input = line.members;
            CarrierRequest request = request(line);
            sealed = "\"payload\":" + new String(request.body(), StandardCharsets.UTF_8);
            List<String> headers = new ArrayList<>();
            request.headers().forEach((name, value) -> headers.add(Json.quote(name) + ":" + Json.quote(value)));
            members.add((line.get("payload").isMissing() ? sealed + "," : "")
                + "\"headers\":{" + String.join(",", headers) + "}");
        } catch (PushCryptException problem) {
            members.add("\"line\":" + number + ",\"error\":{\"code\":" + Json.quote(problem.code()) + ",\"reason\":"
                + Json.quote(problem.reason()) + "}");
            own.addAll(OPTION_MEMBERS);
            if (isPrivateKey(input)) {
                input = List.of();
            }
        }
        int index = 0;
        for (Json.Member member : input) {
            if (member.name().equals("payload") && sealed != null) {
                members.add(index++, sealed);
            } else if (!own.contains(member.name())) {
                members.add(index++, copied(member.rawText()));
            }
        }
        answer.append('{').append(String.join(",", members)).append('}');
        return sealed != null;
    }

    /** Returns true for a line that is a private JWK by mistake, so that no answer may repeat it. */
    private static boolean isPrivateKey(List<Json.Member> members) {
        List<String> names = members.stream().filter(member -> member.rawText().endsWith("\"")).map(Json.Member::name)
            .toList();
        return names.contains("d") && (names.contains("kty") || names.contains("crv"));
    }

    /** Returns a member with one space between tokens, because a carriage return there ends a line for some readers. */
    private static String copied(String member) {
        StringBuilder result = new StringBuilder(member.length());
        boolean isInString = false;
        for (int index = 0; index < member.length(); index++) {
            char character = member.charAt(index);
            boolean isSpace = !isInString && character <= ' ';
            if (isSpace && index > 0 && member.charAt(index - 1) <= ' ') {
                continue;
            }
            result.append(isSpace ? ' ' : character);
            if (character == '\\' && isInString) {
                result.append(member.charAt(++index));
            } else if (character == '"') {
                isInString = !isInString;
            }
        }
        return result.toString();
    }

    private Push push(Json line) throws PushCryptException {
        Json to = line.get("to");
        byte[] original = line.get("payload").isMissing() ? payload : line.get("payload").raw;
        if (to.isMissing() || original == null) {
            throw new PushCryptException("missing-value", "\"to\" or \"payload\" is missing. Add it.");
        }
        Options changed = override(line);
        return sealer.seal(original, Recipient.parse(to.kind == '"' ? to.text : to.rawText()), changed);
    }

    /** Returns the request to APNs, or to the carrier for the line's token. */
    private CarrierRequest request(Json line) throws PushCryptException {
        Push push = push(line);
        if (push.carrier().equals(Row.APNS)) {
            return new CarrierRequest(push.payload(), push.headers());
        }
        Json token = line.get("token");
        if (token.isMissing()) {
            throw new PushCryptException("missing-value", "\"token\" is missing. Add it.");
        }
        return push.request(string("token", token), appId);
    }

    private static String string(String name, Json value) throws PushCryptException {
        if (value.kind != '"') {
            throw new PushCryptException("type-mismatch", "\"" + name + "\" isn't a string. Give a string.");
        }
        return value.text;
    }

    /** Returns the options with the line's members. */
    private Options override(Json line) throws PushCryptException {
        Options changed = options;
        for (String name : List.of("type", "topic", "collapse-id")) {
            Json value = line.get(name);
            if (value.isMissing()) {
                continue;
            }
            String text = string(name, value);
            changed = switch (name) {
                case "type" -> changed.type(text);
                case "topic" -> changed.topic(text);
                default -> changed.collapseId(text);
            };
        }
        Json lifetime = line.get("lifetime");
        if (!lifetime.isMissing()) {
            changed = changed.lifetime(seconds(lifetime.kind == '0' ? lifetime.rawText() + "s" : lifetime.text));
        }
        Json priority = line.get("priority");
        if (!priority.isMissing()) {
            boolean isInteger = PrivateKey.isInteger(priority, 1, 10);
            changed = changed.priority(isInteger ? Integer.parseInt(priority.rawText()) : -1);
        }
        return changed;
    }
}
