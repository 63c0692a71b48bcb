package pushcrypt.receiver;

import java.nio.charset.StandardCharsets;
import pushcrypt.Challenges;
import pushcrypt.Json;
import pushcrypt.Registration;
import pushcrypt.TestSealer;

/** A registration that the server confirms after a proof only. */
final class SimulationProof {
    private static final byte[] SECRET = new byte[32];

    private final World world;

    SimulationProof(World world) {
        this.world = world;
    }

    /** Returns the rule that the device breaks, or null. */
    String run(String token) throws Exception {
        FakeServer server = world.bankServer;
        Registrar registrar = world.receiver.registrar(world.bank, "device");
        server.responses.add(RegistrationResponse.challenged(world.now, FakeServer.none()));
        // A retry is challenged, too, because only a proof confirms.
        server.responses.add(RegistrationResponse.challenged(world.now, FakeServer.none()));
        registrar.register(token, server);
        server.responses.clear();
        Challenges challenges = new Challenges("com.example.app", SECRET, null);
        String registration = server.last().registration();
        Challenges.Device device = new Challenges.Device(token, "anna", "firebase-android");
        byte[] payload = challenges.issue(registration, device, world.now / 1000 + 900, null);
        TestSealer sealer = world.sealer(world.bank);
        sealer.kind = "challenge";
        String sealed = sealer.seal(new String(payload, StandardCharsets.UTF_8), Registration.parse(registration).key);
        Outcome outcome = world.receive(sealed);
        if (outcome.kind() != Outcome.Kind.CHALLENGE) {
            return "a challenge is stored";
        }
        int before = server.requests.size();
        registrar.register(token, server);
        RegistrationRequest proof = server.requests.get(before);
        Json body = Json.parse(proof.json().getBytes(StandardCharsets.UTF_8));
        challenges.verify(("{\"registration\":" + body.get("registration").rawText() + ",\"expires\":"
            + body.get("expires").rawText() + ",\"proof\":" + body.get("proof").rawText() + "}")
            .getBytes(StandardCharsets.UTF_8), device, world.now);
        return null;
    }
}
