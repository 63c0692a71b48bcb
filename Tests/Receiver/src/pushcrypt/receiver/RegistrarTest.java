package pushcrypt.receiver;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.Before;
import org.junit.Test;
import pushcrypt.PrivateKey;
import pushcrypt.PublicKey;
import pushcrypt.PushCryptException;
import pushcrypt.Registration;
import pushcrypt.SignerRoots;
import pushcrypt.TestSealer;

/** Registration, rotation, stale generations and lists of accepted keys. */
public class RegistrarTest {
    private World world;
    private FakeServer server;

    @Before
    public void create() throws Exception {
        world = new World();
        server = world.shopServer;
        world.receiver.prepare();
    }

    private Registration last() throws PushCryptException {
        return Registration.parse(server.last().registration());
    }

    @Test
    public void theFirstRegistrationCreatesAKey() throws Exception {
        assertEquals(Preparation.CREATED, world.register(world.shop));
        assertEquals(2, last().generation); // The accepted keys are a change of their own.
        assertEquals(Collections.singletonList(world.shopRoot.publicKey().thumbprint()), last().signers);
        assertEquals(604800, last().lifetime);
        assertEquals(Preparation.UNCHANGED, world.register(world.shop));
        assertEquals(1, server.requests.size());
        assertEquals("{\"token\":\"dPz-1:APA91bH_Zx\",\"carrier\":\"firebase-android\",\"registration\":",
            server.last().json().substring(0, 72));
    }

    @Test
    public void aNewTokenAndANewWeekRegisterAgain() throws Exception {
        world.register(world.shop);
        world.receiver.registrar(world.shop, "device").register("other", server);
        assertEquals(2, server.requests.size());
        assertEquals("other", server.last().token());
        for (int day = 0; day < 4; day++) {
            world.now += World.DAY;
            world.receiver.registrar(world.shop, "device").register("other", server);
        }
        assertEquals(2, server.requests.size());
        for (int day = 0; day < 3; day++) {
            world.now += World.DAY;
            world.receiver.registrar(world.shop, "device").register("other", server);
        }
        assertTrue(server.requests.size() > 2);
    }

    @Test
    public void aKeyIsReplacedAndStillOpensUntilItsEnd() throws Exception {
        world.register(world.shop);
        PublicKey first = server.key;
        for (int day = 0; day < 7 && server.key.equals(first); day++) {
            world.now += World.DAY;
            world.register(world.shop);
        }
        assertNotEquals(first, server.key);
        String old = world.sealer(world.shop).seal(World.alert("old", ""), first);
        assertEquals(Outcome.Kind.OPENED, world.receive(old).kind());
        for (int day = 0; day < 9; day++) {
            world.now += World.DAY;
            world.register(world.shop);
        }
        assertEquals("unknown-key", world.receive(world.sealer(world.shop).seal(World.alert("x", ""), first)).code());
        assertEquals(Outcome.Kind.OPENED, world.receive(world.sealed(world.shop, "new")).kind());
    }

    @Test
    public void aLostAnswerLosesNoKey() throws Exception {
        world.register(world.shop);
        String confirmed = world.sealed(world.shop, "confirmed");
        server.fails = true;
        Registrar registrar = world.receiver.registrar(world.shop, "device");
        assertThrows(IOException.class, () -> registrar.renew(World.TOKEN, server));
        // The server has stored the registration, and its answer was lost.
        String pending = world.sealer(world.shop).seal(World.alert("pending", ""), last().key);
        world.start();
        assertEquals(Outcome.Kind.OPENED, world.receive(confirmed).kind());
        assertEquals(Outcome.Kind.OPENED, world.receive(pending).kind());
        server.fails = false;
        world.register(world.shop);
        assertEquals(last().key, server.key);
    }

    @Test
    public void aJumpOfTheClockDestroysNoKey() throws Exception {
        world.register(world.shop);
        String sealed = world.sealed(world.shop, "one");
        world.receiver.registrar(world.shop, "device").renew(World.TOKEN, server);
        world.now += 1000 * World.DAY;
        server.fails = true;
        assertThrows(IOException.class, () -> world.register(world.shop));
        world.now -= 1000 * World.DAY;
        assertEquals(Outcome.Kind.OPENED, world.receive(sealed).kind());
    }

    @Test
    public void aDateThatStandsStillKeepsNoKey() throws Exception {
        world.register(world.shop);
        PublicKey first = server.key;
        long begin = world.now;
        for (int day = 0; day < 40; day++) {
            world.now += World.DAY;
            server.responses.add(RegistrationResponse.accepted(begin, FakeServer.none()));
            server.responses.add(RegistrationResponse.accepted(begin, FakeServer.none()));
            world.receiver.registrar(world.shop, "device").register("token" + day, server);
            server.responses.clear();
        }
        assertTrue(ring().generation > 8);
        for (DeviceKey key : ring().keys()) {
            assertNotEquals(first.thumbprint(), key.kid);
        }
        assertTrue(ring().keys().size() <= 4);
    }

    @Test
    public void aDateOutsideOfTheRangeDamagesNoKeyring() throws Exception {
        long[] dates = {-259200000L, Long.MAX_VALUE, Long.MIN_VALUE, 0, 1, -1};
        for (long date : dates) {
            for (int day = 0; day < 30; day++) {
                world.now += World.DAY;
                server.responses.add(RegistrationResponse.accepted(date, FakeServer.none()));
                world.receiver.registrar(world.shop, "device").register(date + "-" + day, server);
                server.responses.clear();
                assertEquals(
                    Outcome.Kind.OPENED, world.receive(world.sealer(world.shop).seal(World.alert("x", ""), last().key)).kind());
            }
        }
        world.now += World.DAY;
        world.register(world.shop);
        assertEquals(Outcome.Kind.OPENED, world.receive(world.sealed(world.shop, "right")).kind());
        assertTrue(ring().keys().size() <= 4);
    }

    @Test
    public void signingOutMeanwhileCreatesNoKeys() throws Exception {
        Registrar registrar = world.receiver.registrar(world.shop, "device");
        for (boolean isChallenged : new boolean[] {true, false}) {
            PushCryptException problem = assertThrows(PushCryptException.class, () -> registrar.register(World.TOKEN,
                request -> {
                    server.requests.add(request);
                    try {
                        registrar.remove();
                    } catch (PushCryptException removal) {
                        throw new IOException(removal);
                    }
                    return isChallenged ? RegistrationResponse.challenged(world.now, FakeServer.none())
                        : RegistrationResponse.accepted(world.now, FakeServer.none());
                }));
            assertEquals("unknown-key", problem.code());
            assertFalse(world.secrets.contents.containsKey("keys." + world.shop.id()));
        }
        assertEquals(2, server.requests.size());
    }

    private Keyring ring() throws PushCryptException {
        return KeyringText.read(world.secrets.contents.get("keys." + world.shop.id()).clone(), KeySource.SYSTEM);
    }

    @Test
    public void aStaleAnswerCreatesANewKeyInAHigherGeneration() throws Exception {
        world.register(world.shop);
        String key = last().key.thumbprint();
        server.responses.add(RegistrationResponse.stale(50));
        world.receiver.registrar(world.shop, "device").register("other", server);
        assertEquals(51, last().generation);
        assertNotEquals(key, last().key.thumbprint());
        server.responses.add(RegistrationResponse.stale(90));
        server.responses.add(RegistrationResponse.stale(200));
        world.now += 8 * World.DAY;
        PushCryptException problem = assertThrows(PushCryptException.class, () -> world.register(world.shop));
        assertEquals("stale-generation", problem.code());
        server.responses.add(RegistrationResponse.stale(1L << 53));
        problem = assertThrows(PushCryptException.class, () -> world.register(world.shop));
        assertEquals("malformed-registration", problem.code());
    }

    @Test
    public void aListReplacesTheRootAndIsRegisteredAtOnce() throws Exception {
        world.register(world.shop);
        PrivateKey online = TestSealer.serverKey(TestSealer.random(32));
        long end = world.now / 1000 + 1000;
        server.lists.add(TestSealer.list(world.shopRoot, Collections.singletonList(online.publicKey()), 1, end) + "\n");
        world.receiver.registrar(world.shop, "device").register("other", server);
        assertEquals(3, server.requests.size());
        assertEquals(Collections.singletonList(online.publicKey().thumbprint()), last().signers);
        assertEquals("unknown-signer", world.receive(world.sealed(world.shop, "revoked")).code());
        TestSealer sealer = world.sealer(world.shop);
        sealer.signer = online;
        assertEquals(Outcome.Kind.OPENED, world.receive(sealer.seal(World.alert("new", ""), server.key)).kind());
        checkRefusedLists(online, end);
    }

    @Test
    public void aDamagedListDoesNotBringBackTheRoot() throws Exception {
        PrivateKey online = TestSealer.serverKey(TestSealer.random(32));
        server.lists.add(TestSealer.list(
            world.shopRoot, Collections.singletonList(online.publicKey()), 1, world.now / 1000 + 1000));
        world.register(world.shop);
        String name = "keys." + world.shop.id();
        Keyring ring = KeyringText.read(world.secrets.contents.get(name).clone(), KeySource.SYSTEM);
        ring.lists = Collections.singletonList(ring.lists.get(0).replaceFirst(".$", "!"));
        world.secrets.contents.put(name, KeyringText.write(ring));
        assertEquals("malformed-signer-list", world.receive(world.sealed(world.shop, "revoked")).code());
    }

    private void checkRefusedLists(PrivateKey online, long end) {
        List<PublicKey> keys = Arrays.asList(online.publicKey(), world.shopRoot.publicKey());
        PrivateKey stranger = world.bankRoot;
        String[][] refused = {
            {"conflicting-signer-list", TestSealer.list(world.shopRoot, keys, 1, end)},
            {"unknown-root", TestSealer.list(stranger, keys, 2, end)},
            {"expired-signer-list", TestSealer.list(world.shopRoot, keys, 2, world.now / 1000)},
            {"malformed-signer-list", "x"}};
        int count = 0;
        for (String[] each : refused) {
            server.lists.clear();
            server.lists.add(each[1]);
            String token = "token" + count++;
            PushCryptException problem = assertThrows(PushCryptException.class,
                () -> world.receiver.registrar(world.shop, "device").register(token, server));
            assertEquals(each[0], problem.code());
        }
        assertEquals("unknown-signer", world.receive(world.sealed(world.shop, "revoked")).code());
    }

    @Test
    public void aLostInstallationAndAnotherDeviceReplaceTheKeys() throws Exception {
        world.register(world.shop);
        PublicKey key = server.key;
        String sealed = world.sealed(world.shop, "one");
        world.state.contents.remove("registration." + world.shop.id());
        assertEquals(Preparation.REINSTALLED, world.register(world.shop));
        assertNotEquals(key, server.key);
        key = server.key;
        assertEquals(
            Preparation.RESTORED, world.receiver.registrar(world.shop, "other").register(World.TOKEN, server));
        assertNotEquals(key, server.key);
        assertEquals(Outcome.Kind.OPENED, world.receive(sealed).kind());
    }

    @Test
    public void aDamagedRegistrationStateIsReplaced() throws Exception {
        world.register(world.shop);
        world.state.contents.put("registration." + world.shop.id(), new byte[] {'{'});
        assertEquals(Preparation.REINSTALLED, world.register(world.shop));
    }

    @Test
    public void aStateOfANewerVersionIsNotChanged() throws Exception {
        world.register(world.shop);
        for (String member : new String[] {"\"version\":2", "\"secret\":\"a\""}) {
            byte[] newer = ("{\"installation\":\"a\"," + member + "}").getBytes(StandardCharsets.UTF_8);
            world.state.contents.put("registration." + world.shop.id(), newer.clone());
            PushCryptException problem = assertThrows(PushCryptException.class, () -> world.register(world.shop));
            assertEquals("newer-format", problem.code());
            assertArrayEquals(newer, world.state.contents.get("registration." + world.shop.id()));
        }
    }

    @Test
    public void aKeyringOfANewerVersionIsReadAndNotChanged() throws Exception {
        world.register(world.shop);
        String sealed = world.sealed(world.shop, "one");
        byte[] stored = world.secrets.contents.get("keys." + world.shop.id());
        int length = ByteBuffer.wrap(stored, 8, 4).getInt();
        String text = new String(stored, 12, length, StandardCharsets.UTF_8);
        for (String newer : new String[] {
            "{\"version\":2," + text.substring(1), text.replace("{\"kid\"", "{\"secret\":\"a\",\"kid\"")}) {
            byte[] bytes = newer.getBytes(StandardCharsets.UTF_8);
            ByteBuffer changed = ByteBuffer.allocate(stored.length - length + bytes.length);
            changed.put(stored, 0, 8).putInt(bytes.length).put(bytes);
            changed.put(stored, 12 + length, stored.length - 12 - length);
            world.secrets.contents.put("keys." + world.shop.id(), changed.array().clone());
            world.now += World.DAY;
            PushCryptException problem = assertThrows(PushCryptException.class, () -> world.register(world.shop));
            assertEquals("newer-format", problem.code());
            assertArrayEquals(changed.array(), world.secrets.contents.get("keys." + world.shop.id()));
        }
        assertEquals(Outcome.Kind.OPENED, world.receive(sealed).kind());
    }

    @Test
    public void aListOfAnotherAudienceKeepsItsNumber() throws Exception {
        List<PublicKey> keys = Collections.singletonList(world.shopRoot.publicKey());
        long end = world.now / 1000 + 86400;
        SignerRoots roots = new SignerRoots(keys, null);
        List<String> stored = roots.storedWith(
            TestSealer.list(world.shopRoot, keys, 2, end), Collections.<String>emptyList(), world.now);
        String damaged = stored.get(0).substring(0, stored.get(0).length() - 2);
        List<String> both = new SignerRoots(keys, "beta").storedWith(
            TestSealer.list(world.shopRoot, keys, 7, end, "beta"), stored, world.now);
        assertEquals(2, both.size());
        PushCryptException stale = assertThrows(PushCryptException.class,
            () -> roots.storedWith(TestSealer.list(world.shopRoot, keys, 1, end), both, world.now));
        assertEquals("stale-signer-list", stale.code());

        PrivateKey online = TestSealer.serverKey(TestSealer.random(32));
        SignerRoots two = new SignerRoots(Arrays.asList(world.shopRoot.publicKey(), online.publicKey()), null);
        List<String> kept = two.storedWith(
            TestSealer.list(online, keys, 1, end), Collections.singletonList(damaged), world.now);
        assertTrue(kept.contains(damaged));
        assertThrows(PushCryptException.class, () -> two.acceptedKeys(kept));
        List<String> repaired = two.storedWith(TestSealer.list(world.shopRoot, keys, 3, end), kept, world.now);
        assertFalse(repaired.contains(damaged));
        assertEquals(2, repaired.size());
    }

    @Test
    public void aPushAsksOnceAnHour() throws Exception {
        world.register(world.shop);
        Outcome outcome = world.receiver.receive(Collections.<String, String>emptyMap(), null);
        assertEquals(Outcome.Kind.REGISTRATION, outcome.kind());
        Registrar registrar = world.receiver.registrar(world.shop, "device");
        assertTrue(registrar.registerIfDue(World.TOKEN, server));
        assertEquals(2, server.requests.size());
        world.now += World.HOUR - 1000;
        assertFalse(registrar.registerIfDue(World.TOKEN, server));
        world.now += 1000;
        assertTrue(registrar.registerIfDue(World.TOKEN, server));
        world.now -= World.DAY;
        assertTrue(registrar.registerIfDue(World.TOKEN, server));
    }

    @Test
    public void aKeyThatIsNotStoredIsNotRegistered() throws Exception {
        world.secrets.hook = (operation, name, isBefore) -> {
            if (operation.equals("write") && !isBefore) {
                world.secrets.contents.get(name)[30] ^= 1;
            }
        };
        PushCryptException problem = assertThrows(PushCryptException.class, () -> world.register(world.shop));
        assertEquals("key-unreadable", problem.code());
        assertTrue(server.requests.isEmpty());
    }

    @Test
    public void periodsAreChecked() {
        assertThrows(PushCryptException.class, () -> world.shop.withPeriods(1, 0));
        assertThrows(PushCryptException.class, () -> world.shop.withPeriods(1, 2592001));
        assertThrows(PushCryptException.class, () -> world.register(new Account("new", SenderPolicy.anyone(), "")));
        assertThrows(PushCryptException.class,
            () -> world.receiver.registrar(world.shop, "device").register("", server));
    }
}
