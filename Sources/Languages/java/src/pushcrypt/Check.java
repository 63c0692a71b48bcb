package pushcrypt;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command that runs the test vectors with the installed package: {@code pushcrypt.Check [--version | FILE]}. */
public final class Check {
    private static final int SHOWN_FAILURES = 20;
    private static final String RESOURCE = "vectors.jsonl";

    private Check() {}

    /** Runs the command. */
    public static void main(String[] arguments) throws PushCryptException {
        if (arguments.length == 1 && arguments[0].equals("--version")) {
            System.out.println(Version.VERSION);
            return;
        }
        if (arguments.length > 1 || arguments.length == 1 && arguments[0].startsWith("-")) {
            System.err.println("usage: pushcrypt.Check [--version | FILE]");
            System.exit(64);
        }
        List<String> failed = new ArrayList<>();
        List<Json> vectors = read(arguments);
        for (Json vector : vectors) {
            if (!passes(vector)) {
                failed.add(vector.get("name").text);
            }
        }
        failed.stream().limit(SHOWN_FAILURES).forEach(name -> System.out.println("failed: " + name));
        System.out.printf("pushcrypt %s: %d vectors passed, %d failed%n",
            Version.VERSION, vectors.size() - failed.size(), failed.size());
        System.exit(failed.isEmpty() ? 0 : 1);
    }

    /** Returns the vectors of a whole file, or ends the process. */
    private static List<Json> read(String[] arguments) {
        List<Json> lines = new ArrayList<>();
        try (InputStream input = arguments.length == 1 ? Files.newInputStream(Path.of(arguments[0]))
            : Check.class.getResourceAsStream(RESOURCE)) {
            if (input == null) {
                throw new FileNotFoundException("the package has no " + RESOURCE);
            }
            for (String line : new String(input.readAllBytes(), StandardCharsets.US_ASCII).split("\n")) {
                lines.add(Json.parseLine(line.getBytes(StandardCharsets.UTF_8)));
            }
        } catch (IOException | PushCryptException problem) {
            System.err.println("error: The vectors can't be read: " + problem.getMessage() + ". Give their file.");
            System.exit(1);
        }
        Json header = lines.remove(0);
        String count = header.get("count").rawText();
        if (!header.get("version").rawText().equals("1") || lines.isEmpty() || !count.equals("" + lines.size())) {
            System.err.println("error: The vectors are incomplete. Write them again.");
            System.exit(1);
        }
        return lines;
    }

    private static boolean passes(Json vector) throws PushCryptException {
        String answer = "{" + CheckAnswers.members(vector.get("request")) + "}";
        List<String> texts = vector.get("json").items.stream().map(item -> item.text).toList();
        return areEqual(Json.parseLine(answer.getBytes(StandardCharsets.UTF_8)), vector.get("answer"), texts);
    }

    /** Compares objects in any order of their members. The values of some members are JSON text. */
    private static boolean areEqual(Json found, Json wanted, List<String> texts) throws PushCryptException {
        if (found.kind != wanted.kind || found.members.size() != wanted.members.size()
            || found.items.size() != wanted.items.size()) {
            return false;
        }
        for (Json.Member member : found.members) {
            Json other = wanted.get(member.name());
            boolean isText = texts.contains(member.name());
            Json value = member.value();
            if (!areEqual(isText ? parsed(value) : value, isText ? parsed(other) : other, List.of())) {
                return false;
            }
        }
        for (int at = 0; at < found.items.size(); at++) {
            if (!areEqual(found.items.get(at), wanted.items.get(at), List.of())) {
                return false;
            }
        }
        return found.kind == '{' || found.kind == '[' || found.kind == '"' && found.text.equals(wanted.text)
            || found.kind != '"' && found.rawText().equals(wanted.rawText());
    }

    private static Json parsed(Json text) throws PushCryptException {
        return Json.parseLine(text.text.getBytes(StandardCharsets.UTF_8));
    }
}
