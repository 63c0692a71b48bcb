package pushcrypt.receiver;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.List;
import pushcrypt.Json;
import pushcrypt.PushCryptException;

/** The program that replays a file of scenarios. Tests/Receiver/README.md describes the format. */
public final class Replay {
    private Replay() { }

    /** Runs the program: {@code [--print] FILE}. */
    public static void main(String[] arguments) throws Exception {
        boolean prints = arguments.length == 2 && arguments[0].equals("--print");
        if (!prints && arguments.length != 1) {
            System.err.println("usage: Tests/Receiver/replay [--print] FILE");
            System.exit(64);
        }
        List<String> lines = Files.readAllLines(Paths.get(arguments[arguments.length - 1]));
        int differences = 0;
        int steps = 0;
        for (String line : lines) {
            Json scenario = Json.parse(line.getBytes(StandardCharsets.UTF_8));
            StringBuilder printed = new StringBuilder();
            ReplayScenario replayed = new ReplayScenario(scenario);
            for (Json step : scenario.get("steps").items()) {
                String found = replayed.run(step);
                printed.append(printed.length() == 0 ? "" : ",").append(withExpectation(step, found));
                steps++;
                if (!prints && !step.get("expect").isMissing()) {
                    differences += compare(scenario.get("name").string(), steps, step, found);
                }
            }
            if (prints) {
                System.out.println(withSteps(scenario, printed.toString()));
            }
        }
        if (!prints) {
            System.out.println(lines.size() + " scenarios, " + steps + " steps, " + differences + " differences");
            System.exit(differences == 0 && steps > 0 ? 0 : 1);
        }
    }

    /** Compares the members of an expectation that are there. */
    static int compare(String name, int number, Json step, String found) throws IOException, PushCryptException {
        Json result = Json.parse(found.getBytes(StandardCharsets.UTF_8));
        int differences = 0;
        for (Json.Member member : step.get("expect").members()) {
            String wanted = compact(member.value());
            String actual = compact(result.get(member.name()));
            if (!wanted.equals(actual)) {
                System.out.println(name + ", step " + number + ", " + member.name() + ": expected " + wanted
                    + ", found " + actual);
                differences++;
            }
        }
        return differences;
    }

    private static String compact(Json value) {
        return value.string() != null ? Json.quote(value.string()) : value.rawText().replace(", ", ",");
    }

    private static String withExpectation(Json step, String found) {
        StringBuilder text = new StringBuilder("{");
        for (Json.Member member : step.members()) {
            if (!member.name().equals("expect")) {
                text.append(member.rawName()).append(':').append(member.value().rawText()).append(',');
            }
        }
        return text.append("\"expect\":").append(found).append('}').toString();
    }

    private static String withSteps(Json scenario, String steps) {
        StringBuilder text = new StringBuilder("{");
        for (Json.Member member : scenario.members()) {
            text.append(text.length() == 1 ? "" : ",").append(member.rawName()).append(':');
            text.append(member.name().equals("steps") ? "[" + steps + "]" : member.value().rawText());
        }
        return text.append('}').toString();
    }
}
