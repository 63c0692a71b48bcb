package pushcrypt.receiver;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import org.junit.Before;
import org.junit.Test;
import pushcrypt.PushCryptException;

/** A state that was lost, rolled back or damaged. */
public class EpochTest {
    private World world;

    @Before
    public void register() throws Exception {
        world = new World().registered();
    }

    @Test
    public void aLostStateBeginsNow() {
        String sealed = world.sealed(world.shop, "one");
        world.receive(sealed);
        world.now += World.MINUTE;
        world.state.contents.remove("messages");
        Outcome outcome = world.receive(sealed);
        assertEquals(Outcome.Kind.FALLBACK, outcome.kind());
        assertEquals("possibly-replayed", outcome.code());
        world.now += 1;
        assertEquals(Outcome.Kind.OPENED, world.receive(world.sealed(world.shop, "two")).kind());
    }

    @Test
    public void aKeyThatIsNewerThanTheStateOpensAtOnce() throws Exception {
        world.now += World.DAY;
        world.state.contents.remove("messages");
        world.receiver.prepare();
        world.receiver.registrar(world.shop, "device").renew(World.TOKEN, world.shopServer);
        world.now -= World.HOUR; // The clock of the sender is slow.
        String sealed = world.sealed(world.shop, "one");
        world.now += World.HOUR;
        assertEquals(Outcome.Kind.OPENED, world.receive(sealed).kind());
    }

    @Test
    public void anOlderCopyOfTheStateIsALimit() {
        Map<String, byte[]> before = world.copy(world.state);
        String sealed = world.sealed(world.shop, "one");
        world.receive(sealed);
        world.state.contents.clear();
        world.state.contents.putAll(before);
        assertEquals(Outcome.Kind.OPENED, world.receive(sealed).kind());
    }

    @Test
    public void aNewEpochAdoptsTheStateOfAnAppWithoutOne() throws Exception {
        World other = new World();
        other.register(other.shop);
        String sealed = other.sealed(other.shop, "one");
        other.receive(sealed);
        other.now += 2 * World.HOUR;
        other.receiver.prepare();
        assertEquals(Outcome.Kind.REPLAYED, other.receive(sealed).kind());
        assertEquals(Outcome.Kind.OPENED, other.receive(other.sealed(other.shop, "two")).kind());
    }

    @Test
    public void anUnreadableEpochIsNotAMissingOne() throws Exception {
        String sealed = world.sealed(world.shop, "one");
        world.receive(sealed);
        world.now += 2 * World.HOUR;
        world.start();
        world.secrets.hook = (operation, name, isBefore) -> {
            if (name.equals("epoch")) {
                throw new PushCryptException("key-unreadable", "Not now.");
            }
        };
        world.display.dismiss("one");
        Outcome outcome = world.receive(sealed);
        assertEquals(Outcome.Kind.OPENED, outcome.kind());
        assertEquals("replay-guard-unavailable", outcome.code());
        world.secrets.hook = (operation, name, isBefore) -> { };
        assertEquals(Outcome.Kind.REPLAYED, world.receive(sealed).kind());
    }

    @Test
    public void aDamagedStateBeginsNowAndIsReported() {
        String sealed = world.sealed(world.shop, "one");
        world.receive(sealed);
        world.now += World.MINUTE;
        byte[] bytes = world.state.contents.get("messages");
        bytes[bytes.length - 1] ^= 1;
        assertEquals("possibly-replayed", world.receive(sealed).code());
        assertEquals("file-system-error", world.failures.get(0).code());
    }

    @Test
    public void contentsOfAnotherKindStay() {
        byte[] other = "another kind of contents".getBytes(StandardCharsets.UTF_8);
        world.state.contents.put("messages", other.clone());
        Outcome outcome = world.receive(world.sealed(world.shop, "one"));
        assertEquals("replay-guard-unavailable", outcome.code());
        assertEquals(Outcome.Kind.OPENED, outcome.kind());
        assertTrue(Arrays.equals(other, world.state.contents.get("messages")));
    }

    @Test
    public void aRequiredGuardDisplaysTheFallback() throws Exception {
        world.state.contents.put("messages", new byte[] {1, 2, 3, 4, 5, 6, 7, 8});
        world.receiver = world.builder().requireReplayGuard().build();
        Outcome outcome = world.receive(world.sealed(world.shop, "one"));
        assertEquals(Outcome.Kind.FALLBACK, outcome.kind());
        assertEquals("replay-guard-unavailable", outcome.code());
        assertEquals(Collections.singletonList("(Encrypted)"), world.display.bodies());
    }

    @Test
    public void aBeginningInTheFutureIsCorrected() throws Exception {
        world.now += 10 * World.DAY;
        world.state.contents.remove("messages");
        world.receiver.prepare();
        world.now -= 9 * World.DAY;
        world.receiver.prepare();
        world.now += 1;
        assertEquals(Outcome.Kind.OPENED, world.receive(world.sealed(world.shop, "one")).kind());
    }

    @Test
    public void aFullMemoryForgetsTheOldestAndSaysSo() throws Exception {
        ReceiverBuilder builder = world.builder();
        builder.capacity = 2;
        world.receiver = builder.build();
        String first = world.sealed(world.shop, "1");
        world.receive(first);
        for (int count = 2; count < 5; count++) {
            world.now += World.MINUTE;
            world.receive(world.sealed(world.shop, "" + count));
        }
        assertEquals("possibly-replayed", world.receive(first).code());
        assertEquals(Outcome.Kind.OPENED, world.receive(world.sealed(world.bank, "bank")).kind());
    }
}
