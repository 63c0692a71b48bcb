package pushcrypt.receiver;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Collections;
import org.junit.Before;
import org.junit.Test;
import pushcrypt.Challenges;
import pushcrypt.Json;
import pushcrypt.Registration;
import pushcrypt.TestSealer;

/** Proofs that a key and a token belong to one device. */
public class ProofTest {
    private World world;
    private FakeServer server;
    private Challenges challenges;

    @Before
    public void create() throws Exception {
        world = new World();
        server = world.shopServer;
        world.receiver.prepare();
        challenges = new Challenges("com.example.app", TestSealer.random(32), null);
    }

    private Challenges.Device device(String user) {
        return new Challenges.Device(World.TOKEN, user, "firebase-android");
    }

    /** Returns a sealed challenge for the last request. */
    private String challenge() throws Exception {
        String registration = server.last().registration();
        byte[] payload = challenges.issue(registration, device("anna"), world.now / 1000 + 900, null);
        TestSealer sealer = world.sealer(world.shop);
        sealer.kind = "challenge";
        return sealer.seal(new String(payload, StandardCharsets.UTF_8), Registration.parse(registration).key);
    }

    private void verify(String user) throws Exception {
        Json body = Json.parse(server.last().json().getBytes(StandardCharsets.UTF_8));
        assertNotNull(body.get("proof").string());
        String answer = "{\"registration\":" + body.get("registration").rawText() + ",\"expires\":"
            + body.get("expires").rawText() + ",\"proof\":" + body.get("proof").rawText() + "}";
        challenges.verify(answer.getBytes(StandardCharsets.UTF_8), device(user), world.now);
    }

    @Test
    public void aChallengeIsAnsweredAtTheNextRegistration() throws Exception {
        server.responses.add(RegistrationResponse.challenged(world.now, FakeServer.none()));
        world.register(world.shop);
        world.register(world.shop);
        assertEquals(1, server.requests.size()); // The device waits for the challenge.
        Outcome outcome = world.receive(challenge());
        assertEquals(Outcome.Kind.CHALLENGE, outcome.kind());
        assertEquals("shop", outcome.account());
        assertTrue(world.display.bodies().isEmpty());
        world.register(world.shop);
        verify("anna");
        assertEquals(2, server.requests.size());
        world.register(world.shop);
        assertEquals(2, server.requests.size());
    }

    @Test
    public void anotherAccountDoesNotAnswer() throws Exception {
        server.responses.add(RegistrationResponse.challenged(world.now, FakeServer.none()));
        world.register(world.shop);
        world.register(world.bank);
        world.receive(challenge());
        world.register(world.bank);
        assertFalse(world.bankServer.last().isProof());
        assertEquals(1, server.requests.size());
    }

    @Test
    public void withoutAChallengeTheDeviceAsksForAVisibleOne() throws Exception {
        server.responses.add(RegistrationResponse.challenged(world.now, FakeServer.none()));
        world.register(world.shop);
        world.now += World.HOUR;
        world.register(world.shop);
        assertTrue(server.last().json().endsWith(",\"visible\":true}"));
    }

    @Test
    public void theNewestOfSeveralChallengesIsAnsweredFirst() throws Exception {
        server.responses.add(RegistrationResponse.challenged(world.now, FakeServer.none()));
        world.register(world.shop);
        Challenges own = challenges;
        challenges = new Challenges("com.example.app", TestSealer.random(32), null);
        world.receive(challenge());
        world.now += World.MINUTE;
        challenges = own;
        world.receive(challenge());
        world.register(world.shop);
        verify("anna");
    }

    @Test
    public void aChangedTokenRegistersAnew() throws Exception {
        server.responses.add(RegistrationResponse.challenged(world.now, FakeServer.none()));
        world.register(world.shop);
        world.receive(challenge());
        world.receiver.registrar(world.shop, "device").register("other", server);
        assertFalse(server.last().isProof());
        assertEquals("other", server.last().token());
    }

    @Test
    public void aConfirmedRegistrationIsProvedAgainOnceAnHour() throws Exception {
        world.register(world.shop);
        world.receive(challenge());
        world.register(world.shop);
        verify("anna");
        world.now += World.MINUTE;
        world.receive(challenge());
        world.register(world.shop);
        assertEquals(2, server.requests.size());
    }

    @Test
    public void anOutsidersChallengeIsNotStored() throws Exception {
        world.register(world.shop);
        TestSealer sealer = world.sealer(world.bank);
        sealer.kind = "challenge";
        sealer.signer = null;
        world.receive(sealer.seal("{\"challenge\":\"x\",\"expires\":1}", server.key));
        sealer.signer = world.shopRoot;
        assertEquals("invalid-payload",
            world.receive(sealer.seal("{\"challenge\":\"x\",\"expires\":1}", server.key)).code());
        assertEquals(Collections.emptyList(), world.receiver.messages.challenges(0));
    }

    @Test
    public void aFailedAnswerRegistersAgain() throws Exception {
        server.responses.add(RegistrationResponse.challenged(world.now, FakeServer.none()));
        world.register(world.shop);
        world.receive(challenge());
        server.responses.add(RegistrationResponse.stale(70));
        world.register(world.shop);
        assertEquals(71, Registration.parse(server.last().registration()).generation);
        assertFalse(server.last().isProof());
    }
}
