package pushcrypt.receiver;

import static org.junit.Assert.assertEquals;

import java.util.Arrays;
import java.util.Collections;
import org.junit.Before;
import org.junit.Test;
import pushcrypt.PushCryptException;
import pushcrypt.TestSealer;

/** Messages that remove notifications. */
public class WithdrawalTest {
    private World world;

    @Before
    public void register() throws Exception {
        world = new World().registered();
    }

    private String inThread(String body, String thread) {
        return world.sealer(world.shop).seal(World.alert(body, thread), world.shopServer.key);
    }

    @Test
    public void aWithdrawalRemovesByCollapseIdAndByThread() {
        world.receive(world.sealed(world.shop, "one"), "id-1");
        world.receive(inThread("two", "family"), null);
        world.receive(world.sealed(world.shop, "three"), "id-3");
        Outcome outcome = world.receive(world.withdrawal(world.shop, "collapse-ids", "id-1"));
        assertEquals(Outcome.Kind.WITHDRAWAL, outcome.kind());
        assertEquals(Arrays.asList("three", "two"), world.display.bodies());
        world.receive(world.withdrawal(world.shop, "thread-ids", "family"));
        assertEquals(Collections.singletonList("three"), world.display.bodies());
    }

    @Test
    public void aLateMessageIsWithdrawn() {
        String late = world.sealed(world.shop, "late");
        world.now += World.MINUTE;
        world.receive(world.withdrawal(world.shop, "collapse-ids", "id-1"));
        assertEquals(Outcome.Kind.WITHDRAWN, world.receive(late, "id-1").kind());
        world.now += World.MINUTE;
        assertEquals(Outcome.Kind.OPENED, world.receive(world.sealed(world.shop, "later"), "id-1").kind());
        assertEquals(Collections.singletonList("later"), world.display.bodies());
    }

    @Test
    public void aMessageThatAForgottenWithdrawalMayHaveNamedIsNotDisplayed() throws Exception {
        String held = world.sealed(world.shop, "held");
        String other = world.sealed(world.bank, "bank");
        world.now += World.MINUTE;
        world.receive(world.withdrawal(world.shop, "collapse-ids", "id-1"));
        String later = world.sealed(world.shop, "later");
        for (int part = 0; part < 5; part++) {
            String[] names = new String[100];
            for (int at = 0; at < names.length; at++) {
                names[at] = part + "-" + at;
            }
            world.now += World.MINUTE;
            world.receive(world.withdrawal(world.shop, "collapse-ids", names));
        }
        world.start();
        Outcome outcome = world.receive(held, "id-1");
        assertEquals("possibly-withdrawn", outcome.code());
        assertEquals(Outcome.Kind.OPENED, world.receive(other, "id-1").kind());
        world.now += World.MINUTE;
        assertEquals(Outcome.Kind.OPENED, world.receive(world.sealed(world.shop, "new"), "id-2").kind());
        assertEquals(Arrays.asList("(Encrypted)", "bank", "new"), world.display.bodies());
        assertEquals("possibly-withdrawn", world.receive(later, "id-3").code());
    }

    @Test
    public void aCopyWithAnotherCollapseIdIsWithdrawn() throws Exception {
        String sealed = world.sealed(world.shop, "one");
        world.display.killsAfter = true;
        try {
            world.receive(sealed, "id-1");
        } catch (Killed expected) {
            world.start();
        }
        world.receive(world.withdrawal(world.shop, "collapse-ids", "id-1"));
        assertEquals(Outcome.Kind.WITHDRAWN, world.receive(sealed, "other").kind());
        assertEquals(Collections.emptyList(), world.display.bodies());
    }

    @Test
    public void aWithdrawnMessageDoesNotComeBackAsAFallback() throws Exception {
        world.display.killsBefore = true;
        world.receiveKilled(inThread("one", "family"));
        world.receive(world.withdrawal(world.shop, "thread-ids", "family"));
        world.secrets.hook = (operation, name, isBefore) -> {
            if (name.startsWith("keys.")) {
                throw new PushCryptException("device-locked", "Not before the first unlock.");
            }
        };
        world.receiver.resume();
        assertEquals(Collections.emptyList(), world.display.bodies());
    }

    @Test
    public void aWithdrawalActsOnItsOwnAccountOnly() {
        world.receive(world.sealed(world.bank, "bank"), "id-1");
        world.receive(world.withdrawal(world.shop, "collapse-ids", "id-1"));
        assertEquals(Collections.singletonList("bank"), world.display.bodies());
    }

    @Test
    public void aWithdrawalWithoutASignatureDoesNotAct() throws Exception {
        Account open = new Account("open", SenderPolicy.anyone(), "anna");
        Receiver receiver = new ReceiverBuilder(Collections.singletonList(open), Carrier.FIREBASE_ANDROID,
            world.secrets, world.state, world.display).clock(() -> world.now).log(world.log).deadline(0).build();
        FakeServer server = new FakeServer(() -> world.now);
        receiver.registrar(open, "device").register(World.TOKEN, server);
        TestSealer sealer = new TestSealer();
        sealer.issuedAt = world.now;
        receiver.receive(World.data(sealer.seal(World.alert("one", "t"), server.key)), null);
        TestSealer withdrawal = new TestSealer();
        withdrawal.issuedAt = world.now;
        withdrawal.kind = "withdrawal";
        Outcome outcome =
            receiver.receive(World.data(withdrawal.seal("{\"thread-ids\":[\"t\"]}", server.key)), null);
        assertEquals(Outcome.Kind.WITHDRAWAL, outcome.kind());
        assertEquals(Collections.singletonList("one"), world.display.bodies());
        assertEquals("unsigned", world.failures.get(0).code());
    }

    @Test
    public void aKillBetweenRecordAndRemovalRemovesAtTheNextStart() throws Exception {
        world.receive(world.sealed(world.shop, "one"), "id-1");
        int[] writes = {0};
        world.state.hook = (operation, name, isBefore) -> {
            if (operation.equals("write") && !isBefore && ++writes[0] == 2) {
                throw new Killed();
            }
        };
        world.receiveKilled(world.withdrawal(world.shop, "collapse-ids", "id-1"));
        world.state.hook = (operation, name, isBefore) -> { };
        assertEquals(Collections.singletonList("one"), world.display.bodies());
        world.receiver.resume();
        assertEquals(Collections.emptyList(), world.display.bodies());
    }

    @Test
    public void aMalformedWithdrawalIsATypeMismatch() {
        TestSealer sealer = world.sealer(world.shop);
        sealer.kind = "withdrawal";
        for (String payload : Arrays.asList("{}", "{\"collapse-ids\":[1]}", "{\"thread-ids\":\"t\"}")) {
            sealer.messageId = TestSealer.random(16);
            assertEquals("type-mismatch", world.receive(sealer.seal(payload, world.shopServer.key)).code());
        }
    }

    @Test
    public void aReplacedMessageDoesNotComeBackAfterAKill() throws Exception {
        world.display.killsAfter = true;
        try {
            world.receive(world.sealed(world.shop, "first"), "id-1");
        } catch (Killed expected) {
            world.start();
        }
        world.receive(world.sealed(world.shop, "second"), "id-1");
        world.receiver.resume();
        assertEquals(Collections.singletonList("second"), world.display.bodies());
    }

    @Test
    public void aNewerMessageTakesThePlaceOfOneWithItsCollapseId() {
        world.receive(world.sealed(world.shop, "first"), "id-1");
        world.receive(world.sealed(world.bank, "bank"), "id-1");
        world.receive(world.sealed(world.shop, "second"), "id-1");
        assertEquals(Arrays.asList("bank", "second"), world.display.bodies());
    }
}
