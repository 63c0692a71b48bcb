package pushcrypt;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The command that opens one sealed payload for each line of its input. It is made for tests. */
public final class Open {
    private Open() {}

    /** Runs the command. */
    public static void main(String[] arguments) {
        try (OutputStream output = new FileOutputStream(FileDescriptor.out)) {
            BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            for (String line = input.readLine(); line != null; line = input.readLine()) {
                output.write((answer(line) + "\n").getBytes(StandardCharsets.UTF_8));
            }
        } catch (IOException problem) {
            System.err.println("open: error: " + problem.getMessage());
            System.exit(1);
        }
    }

    private static String answer(String line) {
        try {
            return "{" + members(Json.parseLine(line.getBytes(StandardCharsets.UTF_8))) + "}";
        } catch (PushCryptException problem) {
            return "{\"fails\":" + Json.quote(problem.code()) + "}";
        }
    }

    /** Returns the members of the answer to a line, as JSON text. */
    static String members(Json line) throws PushCryptException {
        Opener.Message message = open(line);
        return "\"opens\":{\"original\":" + Json.quote(new String(message.original(), StandardCharsets.UTF_8))
            + ",\"kind\":" + Json.quote(message.kind())
            + ",\"account\":" + Json.quote(message.account())
            + ",\"signer\":" + (message.signer() == null ? "null" : Json.quote(message.signer()))
            + ",\"message_id\":" + Json.quote(Crypto.encode(message.messageId()))
            + ",\"issued_at_ms\":" + Long.toUnsignedString(message.issuedAt())
            + ",\"lifetime_s\":" + message.lifetime() + "}";
    }

    /** Returns the accepted keys: "signed_by", or those of "roots", "audience" and "lists". */
    private static List<PublicKey> signers(Json accept) throws PushCryptException {
        if (accept.get("anyone").kind == 't') {
            return null;
        }
        Json roots = accept.get("roots");
        List<PublicKey> keys = new ArrayList<>();
        for (Json jwk : roots.isMissing() ? accept.get("signed_by").items : roots.items) {
            keys.add(PublicKey.parseVerification(jwk.rawText()));
        }
        if (roots.isMissing()) {
            return keys;
        }
        Json audience = accept.get("audience");
        List<String> stored = accept.get("lists").items.stream().map(item -> item.text).toList();
        return new SignerRoots(keys, audience.kind == '"' ? audience.text : null).acceptedKeys(stored);
    }

    private static Opener.Message open(Json line) throws PushCryptException {
        List<Opener.Account> accounts = new ArrayList<>();
        for (Json item : line.get("accounts").items) {
            List<PrivateKey> keys = new ArrayList<>();
            for (Json jwk : item.get("keys").items) {
                keys.add(PrivateKey.parseDevice(jwk.rawText()));
            }
            accounts.add(new Opener.Account(item.get("name").text, keys, signers(item.get("accept"))));
        }
        List<String> kinds = new ArrayList<>();
        line.get("kinds").items.forEach(kind -> kinds.add(kind.text));
        Opener opener = new Opener(accounts, kinds, null);
        long now = Long.parseUnsignedLong(line.get("now_ms").rawText());
        Json value = line.get("userInfo-value");
        if (value.isMissing()) {
            return opener.open(line.get("payload").text.getBytes(StandardCharsets.UTF_8), now);
        }
        if (value.kind != '"') {
            throw new PushCryptException("malformed-envelope", "ENCRYPTED_DATA isn't a string. Seal the payload again.");
        }
        return opener.openText(value.text, now);
    }
}
