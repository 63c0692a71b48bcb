package pushcrypt.receiver;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.util.Arrays;
import java.util.Collections;
import org.junit.Before;
import org.junit.Test;
import pushcrypt.PushCryptException;
import pushcrypt.TestSealer;

/** Messages that arrive more than once, and processes that are killed over them. */
public class RepeatTest {
    private World world;

    @Before
    public void register() throws Exception {
        world = new World().registered();
    }

    @Test
    public void aDoubleIsDisplayedOnce() {
        String sealed = world.sealed(world.shop, "one");
        assertEquals(Outcome.Kind.OPENED, world.receive(sealed).kind());
        assertFalse(world.display.notices.values().iterator().next().isSilent());
        world.now += World.HOUR;
        assertEquals(Outcome.Kind.REPEATED, world.receive(sealed).kind());
        assertEquals(Collections.singletonList("one"), world.display.bodies());
        assertEquals(1, (int) world.display.appearances.get("one"));
    }

    @Test
    public void aDismissedMessageDoesNotComeBack() {
        String sealed = world.sealed(world.shop, "one");
        world.receive(sealed);
        world.display.dismiss("one");
        assertEquals(Outcome.Kind.REPEATED, world.receive(sealed).kind());
        assertEquals(Collections.emptyList(), world.display.bodies());
    }

    @Test
    public void anOldCopyIsReplayedAndLeavesTheNotification() {
        String sealed = world.sealed(world.shop, "one");
        world.receive(sealed);
        world.now += World.HOUR + 1;
        Outcome outcome = world.receive(sealed);
        assertEquals(Outcome.Kind.REPLAYED, outcome.kind());
        assertEquals("replayed", outcome.code());
        assertEquals(Collections.singletonList("one"), world.display.bodies());
        world.display.dismiss("one");
        world.receive(sealed);
        assertEquals(Collections.emptyList(), world.display.bodies());
    }

    @Test
    public void aKillBeforeTheDisplayLosesNothing() throws Exception {
        String sealed = world.sealed(world.shop, "one");
        world.display.killsBefore = true;
        world.receiveKilled(sealed);
        assertEquals(Collections.emptyList(), world.display.bodies());
        assertEquals(Outcome.Kind.REPEATED, world.receive(sealed).kind());
        assertEquals(Collections.singletonList("one"), world.display.bodies());
        assertFalse(world.display.notices.values().iterator().next().isSilent());
    }

    @Test
    public void aMessageThatWasNeverDisplayedIsNotAReplay() throws Exception {
        String sealed = world.sealed(world.shop, "one");
        world.display.killsBefore = true;
        world.receiveKilled(sealed);
        world.now -= 2 * World.HOUR;
        world.receiver.resume();
        assertEquals(Collections.singletonList("one"), world.display.bodies());
    }

    @Test
    public void aDismissedFallbackDoesNotEndTheWaitingOfALaterCopy() throws Exception {
        String sealed = world.sealed(world.shop, "one");
        world.secrets.hook = (operation, name, isBefore) -> {
            if (name.startsWith("keys.")) {
                throw new PushCryptException("device-locked", "Not before the first unlock.");
            }
        };
        world.receive(sealed);
        world.display.dismiss("(Encrypted)");
        world.display.killsBefore = true;
        world.receiveKilled(sealed);
        world.secrets.hook = (operation, name, isBefore) -> { };
        world.receiver.resume();
        assertEquals(Collections.singletonList("one"), world.display.bodies());
    }

    @Test
    public void aKillAfterTheDisplayDoublesNothing() throws Exception {
        String sealed = world.sealed(world.shop, "one");
        world.display.killsAfter = true;
        world.receiveKilled(sealed);
        assertEquals(Outcome.Kind.REPEATED, world.receive(sealed).kind());
        assertEquals(1, (int) world.display.appearances.get("one"));
        assertTrue(world.display.notices.values().iterator().next().isSilent());
    }

    @Test
    public void theNextStartDisplaysWhatAKillInterrupted() throws Exception {
        world.display.killsBefore = true;
        world.receiveKilled(world.sealed(world.shop, "one"));
        String second = world.sealed(world.bank, "two");
        world.secrets.hook = (operation, name, isBefore) -> {
            if (name.startsWith("keys.")) {
                throw new Killed();
            }
        };
        world.receiveKilled(second);
        world.secrets.hook = (operation, name, isBefore) -> { };
        world.now += 2 * World.DAY;
        assertEquals(2, world.receiver.resume().size());
        assertEquals(Arrays.asList("one", "two"), world.display.bodies());
        assertEquals(0, world.receiver.resume().size());
    }

    @Test
    public void aLateRedeliveryAfterAKillIsJudgedByTheFirstArrival() throws Exception {
        String sealed = world.sealed(world.shop, "one");
        world.display.killsBefore = true;
        world.receiveKilled(sealed);
        world.now += 5 * World.HOUR;
        assertEquals(Outcome.Kind.REPEATED, world.receive(sealed).kind());
        assertEquals(Collections.singletonList("one"), world.display.bodies());
    }

    @Test
    public void aForgottenMessageDoesNotShutOutOneThatWaits() throws Exception {
        TestSealer sealer = world.sealer(world.shop);
        sealer.lifetime = 3600;
        world.arm("open");
        world.receiveKilled(sealer.seal(World.alert("waits", ""), world.shopServer.key));
        world.secrets.hook = (operation, name, isBefore) -> { };
        sealer.messageId = TestSealer.random(16);
        sealer.issuedAt += 1000;
        world.receive(sealer.seal(World.alert("forgotten", ""), world.shopServer.key));
        world.now += 3 * World.DAY;
        world.receive(world.sealed(world.shop, "later"));
        world.receiver.resume();
        assertEquals(Arrays.asList("forgotten", "later", "waits"), world.display.bodies());
    }

    @Test
    public void oneMessageInTwoSealedValuesHasOneNotification() throws Exception {
        TestSealer sealer = world.sealer(world.shop);
        String first = sealer.seal(World.alert("one", ""), world.shopServer.key);
        String second = sealer.seal(World.alert("one", ""), world.shopServer.key);
        world.display.killsAfter = true;
        world.receiveKilled(first);
        world.receive(second);
        assertEquals(Collections.singletonList("one"), world.display.bodies());
        assertEquals(1, (int) world.display.appearances.get("one"));
    }

    @Test
    public void aKillAtAnyStepDisplaysExactlyOnce() throws Exception {
        for (int step = 0; step < 40; step++) {
            World each = new World().registered();
            String sealed = each.sealed(each.shop, "one");
            int[] left = {step};
            MemoryStore.Hook hook = (operation, name, isBefore) -> {
                if (left[0]-- == 0) {
                    throw new Killed();
                }
            };
            each.state.hook = hook;
            each.secrets.hook = hook;
            try {
                each.receive(sealed);
            } catch (Killed expected) {
                each.start();
            }
            each.state.hook = (operation, name, isBefore) -> { };
            each.secrets.hook = each.state.hook;
            each.receiver.resume();
            each.receive(sealed);
            assertEquals("step " + step, Collections.singletonList("one"), each.display.bodies());
            assertEquals("step " + step, 1, (int) each.display.appearances.get("one"));
            if (left[0] >= 0) {
                return; // The last step was reached.
            }
        }
        throw new AssertionError("A delivery takes more than 40 steps.");
    }
}
