package pushcrypt;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** Answers requests of Tests/Interop/run. */
final class Driver {
    public static void main(String[] arguments) throws Exception {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        PrintStream output = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            Json request = Json.parse(line.getBytes(StandardCharsets.UTF_8));
            String answer;
            try {
                answer = answer(request);
            } catch (PushCryptException problem) {
                answer = CheckAnswers.failure(request, problem);
            }
            output.print("{" + answer + "}\n");
        }
    }

    private static String answer(Json request) throws Exception {
        String text = request.get("text").text;
        switch (request.get("do").text) {
            case "keyring":
                String thumbprint = SigningKeyring.read(Path.of(text)).keyFor(null).publicKey().thumbprint();
                return "\"thumbprint\":\"" + thumbprint + "\"";
            case "print":
                return "\"texts\":[" + Json.quote(printed(request.get("kind").text, text)) + "]";
            case "carrier-seal":
                return carrierSeal(request);
            default:
                return CheckAnswers.answer(request);
        }
    }

    private static String printed(String kind, String text) throws PushCryptException {
        if (kind.equals("signing")) {
            PrivateKey key = PrivateKey.parseSigning(text);
            return key + " " + List.of(key) + " " + Sealer.signedBy(key);
        }
        PrivateKey key = PrivateKey.parseDevice(text);
        Opener.Account account = new Opener.Account("anna", List.of(key), List.of());
        return key + " " + account + " " + new Opener(List.of(account), List.of("notification"), null);
    }

    private static String carrierSeal(Json request) throws PushCryptException {
        byte[] payload = request.get("payload").text.getBytes(StandardCharsets.UTF_8);
        Sealer sealer = CheckAnswers.withProofs(CheckAnswers.sealer(request.get("sender")), request);
        Push push = request.get("row").kind == '"'
            ? sealer.seal(payload, Row.parse(request.get("row").text), CheckAnswers.options(request))
            : sealer.seal(payload, Recipient.parse(request.get("to").text), CheckAnswers.options(request));
        return "\"payload\":" + Json.quote(new String(push.payload(), StandardCharsets.UTF_8)) + ",\"apns_headers\":"
            + CheckAnswers.object(push.headers()) + ",\"issued_at_ms\":" + push.issuedAt() + ","
            + CheckAnswers.answered(push, request);
    }
}
