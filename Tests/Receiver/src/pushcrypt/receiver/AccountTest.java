package pushcrypt.receiver;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import java.util.Arrays;
import java.util.Collections;
import org.junit.Before;
import org.junit.Test;
import pushcrypt.PushCryptException;
import pushcrypt.TestSealer;

/** Senders, accounts and removed accounts. */
public class AccountTest {
    private World world;

    @Before
    public void register() throws Exception {
        world = new World().registered();
    }

    @Test
    public void anOutsiderIsNeverDisplayed() throws Exception {
        TestSealer anonymous = world.sealer(world.shop);
        anonymous.signer = null;
        assertEquals("unsigned", world.receive(anonymous.seal(World.alert("evil", ""), world.shopServer.key)).code());
        TestSealer stranger = world.sealer(world.shop);
        stranger.signer = TestSealer.serverKey(TestSealer.random(32));
        assertEquals(
            "unknown-signer", world.receive(stranger.seal(World.alert("evil", ""), world.shopServer.key)).code());
        TestSealer other = world.sealer(world.bank);
        assertEquals("wrong-account", world.receive(other.seal(World.alert("evil", ""), world.shopServer.key)).code());
        assertEquals("malformed-base64", world.receive("evil!").code());
        assertEquals("not-sealed", world.receiver.receive(Collections.singletonMap("body", "evil"), null).code());
        assertEquals(Collections.singleton("(Encrypted)"), world.display.distinctBodies());
    }

    @Test
    public void aMessageForAnotherAccountDoesNotUseUpTheIdOfThisOne() {
        TestSealer sealer = world.sealer(world.shop);
        world.receive(sealer.seal(World.alert("shop", ""), world.shopServer.key));
        TestSealer same = world.sealer(world.bank);
        same.messageId = sealer.messageId;
        assertEquals(
            Outcome.Kind.OPENED, world.receive(same.seal(World.alert("bank", ""), world.bankServer.key)).kind());
        assertEquals(Arrays.asList("bank", "shop"), world.display.bodies());
    }

    @Test
    public void aRemovedAccountIsReported() throws Exception {
        String sealed = world.sealed(world.shop, "one");
        world.receiver.registrar(world.shop, "device").remove();
        assertEquals("removed-account", world.receive(sealed).code());
        TestSealer removed = world.sealer(world.shop);
        assertEquals("wrong-account", world.receive(removed.seal(World.alert("evil", ""), world.bankServer.key)).code());
        assertEquals(Outcome.Kind.OPENED, world.receive(world.sealed(world.bank, "bank")).kind());
        world.now += 33 * World.DAY;
        assertEquals("unknown-key", world.receive(sealed).code());
        assertEquals(Preparation.CREATED, world.register(world.shop));
    }

    @Test
    public void unreadableKeysAreNotMissing() throws Exception {
        String sealed = world.sealed(world.shop, "one");
        world.secrets.hook = (operation, name, isBefore) -> {
            throw new PushCryptException("file-system-error", "Not now.");
        };
        assertEquals("key-unreadable", world.receive(sealed).code());
        PushCryptException problem = assertThrows(PushCryptException.class, () -> world.register(world.shop));
        assertEquals("key-unreadable", problem.code());
        world.secrets.hook = (operation, name, isBefore) -> {
            throw new PushCryptException("device-locked", "Not before the first unlock.");
        };
        assertEquals("device-locked", world.receive(world.sealed(world.shop, "two")).code());
        world.secrets.hook = (operation, name, isBefore) -> {
            throw new IllegalStateException("secret text");
        };
        Outcome outcome = world.receive(world.sealed(world.bank, "three"));
        assertEquals("key-unreadable", outcome.code());
        assertEquals(-1, outcome.failure().reason().indexOf("secret text"));
    }

    @Test
    public void anUnreadableStoreDoesNotHideTheKeyOfAnother() throws Exception {
        world.secrets.hook = (operation, name, isBefore) -> {
            if (name.equals("keys." + world.bank.id())) {
                throw new PushCryptException("file-system-error", "Not now.");
            }
        };
        assertEquals(Outcome.Kind.OPENED, world.receive(world.sealed(world.shop, "one")).kind());
        assertEquals("key-unreadable", world.receive(world.sealed(world.bank, "two")).code());
    }

    @Test
    public void damagedKeysAreNeverReplaced() throws Exception {
        byte[] bytes = world.secrets.contents.get("keys." + world.shop.id());
        bytes[20] ^= 1;
        byte[] before = bytes.clone();
        assertEquals("key-unreadable", world.receive(world.sealed(world.shop, "one")).code());
        assertThrows(PushCryptException.class, () -> world.register(world.shop));
        assertThrows(PushCryptException.class, () -> world.receiver.registrar(world.shop, "device").remove());
        assertEquals(true, Arrays.equals(before, world.secrets.contents.get("keys." + world.shop.id())));
        world.receiver.registrar(world.shop, "device").removeUnreadable();
        assertEquals(Preparation.CREATED, world.register(world.shop));
    }

    @Test
    public void twoAccountsOfOneNameAreRefused() throws Exception {
        Account same = new Account("shop", SenderPolicy.anyone(), "");
        ReceiverBuilder builder = new ReceiverBuilder(
            Arrays.asList(world.shop, same), Carrier.FIREBASE_ANDROID, world.secrets, world.state, world.display);
        assertEquals("invalid-configuration", assertThrows(PushCryptException.class, builder::build).code());
    }

    @Test
    public void agesAreLimited() throws Exception {
        TestSealer sealer = world.sealer(world.shop);
        sealer.lifetime = 3600;
        String sealed = sealer.seal(World.alert("one", ""), world.shopServer.key);
        world.now += 2 * World.HOUR + 1;
        assertEquals("expired", world.receive(sealed).code());
        world.now -= 1;
        assertEquals(Outcome.Kind.OPENED, world.receive(sealed).kind());
        world.receiver = world.builder().maximumLifetime(60).build();
        sealer.messageId = TestSealer.random(16);
        sealer.issuedAt = world.now;
        sealed = sealer.seal(World.alert("two", ""), world.shopServer.key);
        world.now += 6 * World.MINUTE + 1;
        assertEquals("expired", world.receive(sealed).code());
        sealer.messageId = TestSealer.random(16);
        sealer.issuedAt = world.now + 48 * World.HOUR + 1;
        sealed = sealer.seal(World.alert("three", ""), world.shopServer.key);
        assertEquals("issued-in-future", world.receive(sealed).code());
    }

    @Test
    public void kindsAreSeparate() throws Exception {
        TestSealer sealer = world.sealer(world.shop);
        sealer.kind = "voip";
        assertEquals("wrong-kind", world.receive(sealer.seal("{\"aps\":{}}", world.shopServer.key)).code());
        sealer.kind = "background";
        Outcome outcome = world.receive(sealer.seal("{\"aps\":{},\"n\":1}", world.shopServer.key));
        assertEquals(Outcome.Kind.BACKGROUND, outcome.kind());
        assertEquals("{\"aps\":{},\"n\":1}", new String(outcome.payload()));
        sealer.kind = "notification";
        sealer.messageId = TestSealer.random(16);
        assertEquals("no-alert-text", world.receive(sealer.seal("{\"aps\":{}}", world.shopServer.key)).code());
    }
}
