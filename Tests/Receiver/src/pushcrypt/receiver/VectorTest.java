package pushcrypt.receiver;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.Test;
import pushcrypt.Challenges;
import pushcrypt.Crypto;
import pushcrypt.Json;
import pushcrypt.Opener;
import pushcrypt.PublicKey;
import pushcrypt.PushCryptException;
import pushcrypt.Registration;
import pushcrypt.SignerRoots;
import pushcrypt.TestSealer;

/** The test vectors that concern a receiver. The property {@code vectors} names their directory. */
public class VectorTest {
    private static Json file(String name) throws Exception {
        byte[] bytes = Files.readAllBytes(Paths.get(System.getProperty("vectors"), name + ".json"));
        return Json.parse(bytes);
    }

    private static List<Json> vectors(Json file, String name) {
        List<Json> vectors = file.get(name).items();
        String count = file.get("counts").get(name).rawText();
        assertEquals(count, "" + vectors.size());
        assertTrue(vectors.size() > 10);
        return vectors;
    }

    private static List<String> strings(Json array) {
        List<String> texts = new ArrayList<>();
        array.items().forEach(item -> texts.add(item.string()));
        return texts;
    }

    // Opening

    @Test
    public void opening() throws Exception {
        Json file = file("opening");
        for (Json vector : vectors(file, "vectors")) {
            Json expected = vector.get("opens");
            String found;
            try {
                Opener.Message message = open(file, vector);
                found = new String(message.original(), StandardCharsets.UTF_8) + message.kind() + message.account()
                    + message.signer() + Crypto.encode(message.messageId())
                    + Long.toUnsignedString(message.issuedAt()) + message.lifetime();
            } catch (PushCryptException problem) {
                found = problem.code();
            }
            String wanted = expected.isMissing() ? vector.get("fails").string()
                : expected.get("original").string() + expected.get("kind").string() + expected.get("account").string()
                    + signer(file, expected.get("signer")) + expected.get("message_id").string()
                    + expected.get("issued_at_ms").rawText() + expected.get("lifetime_s").rawText();
            assertEquals(vector.get("name").string(), wanted, found);
        }
    }

    private static String signer(Json file, Json name) {
        return name.string() == null ? null : file.get("keys").get(name.string()).get("kid").string();
    }

    private static Opener.Message open(Json file, Json vector) throws PushCryptException {
        MemoryStore secrets = new MemoryStore();
        List<Account> accounts = new ArrayList<>();
        for (Json item : vector.get("accounts").items()) {
            Account account = new Account(item.get("name").string(), policy(file, item.get("accept")), "");
            accounts.add(account);
            store(file, item, account, secrets);
        }
        Json time = vector.get("now_ms").isMissing() ? file.get("now") : vector.get("now_ms");
        long now = Long.parseUnsignedLong(time.rawText());
        Receiver receiver = new ReceiverBuilder(
            accounts, Carrier.FIREBASE_ANDROID, secrets, new MemoryStore(), new FakeDisplay()).clock(() -> now).build();
        Json kinds = vector.get("kinds").isMissing() ? file.get("kinds") : vector.get("kinds");
        Json value = vector.get("userInfo-value");
        byte[] payload = value.isMissing() ? vector.get("payload").string().getBytes(StandardCharsets.UTF_8)
            : ("{\"ENCRYPTED_DATA\":" + value.rawText() + "}").getBytes(StandardCharsets.UTF_8);
        return receiver.opening.open(receiver.carrier.value(payload), strings(kinds), now).message;
    }

    private static SenderPolicy policy(Json file, Json accept) throws PushCryptException {
        if (accept.get("anyone").isTrue()) {
            return SenderPolicy.anyone();
        }
        Json names = accept.get("roots").isMissing() ? accept.get("signed_by") : accept.get("roots");
        List<String> keys = new ArrayList<>();
        for (Json name : names.items()) {
            keys.add(name.string() == null ? name.rawText() : publicJwk(file.get("keys").get(name.string())));
        }
        if (keys.isEmpty()) {
            // A key that signs nothing, because a policy without keys isn't valid here.
            return SenderPolicy.signedBy(TestSealer.serverKey(new byte[32]).publicKey().toJwk());
        }
        return SenderPolicy.signedBy(keys, accept.get("audience").string());
    }

    private static String publicJwk(Json key) {
        return key.get("x").string();
    }

    private static void store(Json file, Json item, Account account, MemoryStore secrets) throws PushCryptException {
        Keyring ring = new Keyring(KeySource.SYSTEM);
        for (Json name : item.get("keys").items()) {
            Json jwk = name.string() == null ? name : file.get("keys").get(name.string());
            DeviceKey key = DeviceKey.create(Crypto.decode(jwk.get("d").string()), 0, Registration.MAXIMUM_LIFETIME);
            if (ring.primary == null) {
                ring.primary = key;
            } else {
                ring.retired.add(key.retire(0, false));
            }
        }
        ring.lists = strings(item.get("accept").get("lists"));
        if (ring.primary != null) {
            secrets.write("keys." + account.id(), KeyringText.write(ring));
        }
    }

    // Keys

    @Test
    public void keys() throws Exception {
        int count = 0;
        for (Json vector : vectors(file("keys"), "vectors")) {
            if (!vector.get("kind").string().equals("verification")) {
                continue; // A receiver reads no other keys as text.
            }
            count++;
            String found;
            try {
                found = SenderPolicy.signedBy(vector.get("text").string()).roots.keys().get(0).thumbprint();
            } catch (PushCryptException problem) {
                found = problem.code();
            }
            Json wanted = vector.get("fails").isMissing() ? vector.get("thumbprint") : vector.get("fails");
            assertEquals(vector.get("name").string(), wanted.string(), found);
        }
        assertTrue(count > 20);
    }

    // Registrations

    @Test
    public void registrations() throws Exception {
        Json file = file("registrations");
        for (Json vector : vectors(file, "registrations")) {
            String found;
            try {
                DeviceRegistration registration = new DeviceRegistration(vector.get("text").string());
                found = registration.generation + " " + registration.signers;
            } catch (PushCryptException problem) {
                found = problem.code();
            }
            Json signers = vector.get("signers");
            String wanted = vector.get("fails").isMissing()
                ? vector.get("generation").rawText() + " " + (signers.isArray() ? strings(signers) : null)
                : vector.get("fails").string();
            assertEquals(vector.get("name").string(), wanted, found);
        }
        for (Json vector : vectors(file, "answers")) {
            Keyring ring = Keyring.create(KeySource.SYSTEM, 1, "owner", 3600);
            ring.generation = Long.parseLong(vector.get("generation").rawText());
            String key = ring.registered().kid;
            String name = vector.get("name").string();
            try {
                ring.followGeneration(Long.parseLong(vector.get("answer").rawText()), 1, 3600);
                assertEquals(name, vector.get("next").rawText(), "" + ring.generation);
                assertEquals(name, vector.get("new_key").isTrue(), !ring.registered().kid.equals(key));
            } catch (PushCryptException problem) {
                assertEquals(name, vector.get("fails").string(), problem.code());
            }
        }
    }

    // Lists

    private static SignerRoots roots(Json file, Json vector) throws PushCryptException {
        List<String> keys = new ArrayList<>();
        strings(vector.get("roots")).forEach(name -> keys.add(publicJwk(file.get("keys").get(name))));
        return SenderPolicy.signedBy(keys, vector.get("audience").string()).roots;
    }

    @Test
    public void lists() throws Exception {
        Json file = file("signer-lists");
        for (Json vector : vectors(file, "lists")) {
            Keyring ring = Keyring.create(KeySource.SYSTEM, 1, "owner", 3600);
            String stored = vector.get("stored").string();
            ring.lists = stored == null ? Collections.<String>emptyList() : Collections.singletonList(stored);
            List<String> before = ring.lists;
            String found;
            try {
                ring.addList(vector.get("text").string(), roots(file, vector),
                    Math.floorDiv(Long.parseLong(vector.get("now_ms").rawText()), 1000L));
                found = ring.lists.equals(before) ? "unchanged" : "accepted";
            } catch (PushCryptException problem) {
                found = problem.code();
            }
            Json wanted = vector.get("fails").isMissing() ? vector.get("outcome") : vector.get("fails");
            assertEquals(vector.get("name").string(), wanted.string(), found);
        }
        for (Json vector : vectors(file, "accepted_keys")) {
            List<String> kids = new ArrayList<>();
            String found;
            try {
                for (PublicKey key : roots(file, vector).acceptedKeys(strings(vector.get("stored")))) {
                    kids.add(key.thumbprint());
                }
                found = kids.toString();
            } catch (PushCryptException problem) {
                found = problem.code();
            }
            String wanted = vector.get("fails").isMissing()
                ? strings(vector.get("kids")).toString() : vector.get("fails").string();
            assertEquals(vector.get("name").string(), wanted, found);
        }
    }

    // Proofs

    @Test
    public void proofs() throws Exception {
        for (Json vector : vectors(file("challenges"), "proofs")) {
            Challenges.Device device = new Challenges.Device(
                vector.get("token").string(), vector.get("account").string(), vector.get("carrier").string());
            String found;
            try {
                byte[] payload = vector.get("payload").string().getBytes(StandardCharsets.UTF_8);
                String members = Challenges.proofMembers(
                    payload, vector.get("registration").string(), device);
                String json = new RegistrationRequest(
                    vector.get("registration").string(), "token", "apns", false).proving(members).json();
                Json body = Json.parse(json.getBytes(StandardCharsets.UTF_8));
                assertEquals(vector.get("registration").string(), body.get("registration").string());
                found = body.get("expires").rawText() + body.get("proof").string();
            } catch (PushCryptException problem) {
                found = problem.code();
            }
            String wanted = vector.get("fails").isMissing()
                ? vector.get("expires").rawText() + vector.get("proof").string() : vector.get("fails").string();
            assertEquals(vector.get("name").string(), wanted, found);
        }
    }
}
