package pushcrypt.receiver;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import pushcrypt.PrivateKey;
import pushcrypt.PushCryptException;
import pushcrypt.TestSealer;

/** A device with two accounts, its stores, its display and its servers. */
final class World {
    static final long START = 1_767_225_600_000L;
    static final long MINUTE = 60_000;
    static final long HOUR = 60 * MINUTE;
    static final long DAY = 24 * HOUR;
    static final String TOKEN = "dPz-1:APA91bH_Zx";

    long now = START;
    final MemoryStore secrets = new MemoryStore();
    final MemoryStore state = new MemoryStore();
    final FakeDisplay display = new FakeDisplay();
    final List<PushCryptException> failures = new ArrayList<>();
    final PrivateKey shopRoot;
    final PrivateKey bankRoot;
    final Account shop;
    final Account bank;
    final FakeServer shopServer = new FakeServer(() -> now);
    final FakeServer bankServer = new FakeServer(() -> now);
    final Log log = new Log() {
        @Override
        public void failed(PushCryptException failure) {
            failures.add(failure);
        }
    };
    KeySource source = KeySource.SYSTEM;
    Receiver receiver;

    World() throws PushCryptException {
        this(TestSealer.serverKey(TestSealer.random(32)), TestSealer.serverKey(TestSealer.random(32)));
    }

    World(PrivateKey shopRoot, PrivateKey bankRoot) throws PushCryptException {
        this.shopRoot = shopRoot;
        this.bankRoot = bankRoot;
        shop = new Account("shop", SenderPolicy.signedBy(shopRoot.publicKey().toJwk()), "anna");
        bank = new Account("bank", SenderPolicy.signedBy(bankRoot.publicKey().toJwk()), "anna");
        start();
    }

    /** Creates another device with the accounts of a world. */
    World(World template, KeySource source) throws PushCryptException {
        shopRoot = template.shopRoot;
        bankRoot = template.bankRoot;
        shop = template.shop;
        bank = template.bank;
        this.source = source;
        start();
    }

    /** Starts a process over the same stores and the same display. */
    Receiver start() throws PushCryptException {
        receiver = builder().build();
        return receiver;
    }

    ReceiverBuilder builder() {
        ReceiverBuilder builder = new ReceiverBuilder(
            Arrays.asList(shop, bank), Carrier.FIREBASE_ANDROID, secrets, state, display)
            .clock(() -> now).log(log).deadline(0);
        builder.source = source;
        return builder;
    }

    /** Prepares the device, and registers both accounts. */
    World registered() throws Exception {
        receiver.prepare();
        register(shop);
        register(bank);
        return this;
    }

    Preparation register(Account account) throws Exception {
        return receiver.registrar(account, "device").register(TOKEN, server(account));
    }

    FakeServer server(Account account) {
        return account == shop ? shopServer : bankServer;
    }

    /** Returns a sealer for an account's server at the present time. */
    TestSealer sealer(Account account) {
        TestSealer sealer = new TestSealer();
        sealer.issuedAt = now;
        sealer.signer = account == shop ? shopRoot : bankRoot;
        return sealer;
    }

    /** Returns a sealed notification with a body. */
    String sealed(Account account, String body) {
        return sealer(account).seal(alert(body, ""), server(account).key);
    }

    static String alert(String body, String thread) {
        return "{\"aps\":{\"alert\":{\"body\":\"" + body + "\"}"
            + (thread.isEmpty() ? "" : ",\"thread-id\":\"" + thread + "\"") + "}}";
    }

    String withdrawal(Account account, String member, String... values) {
        TestSealer sealer = sealer(account);
        sealer.kind = "withdrawal";
        String list = "[\"" + String.join("\",\"", values) + "\"]";
        return sealer.seal("{\"" + member + "\":" + list + "}", server(account).key);
    }

    static Map<String, String> data(String sealed) {
        return Collections.singletonMap("ENCRYPTED_DATA", sealed);
    }

    Outcome receive(String sealed) {
        return receive(sealed, null);
    }

    Outcome receive(String sealed, String collapseId) {
        return receiver.receive(data(sealed), collapseId);
    }

    /** Receives a message in a process that is killed, and starts another one. */
    void receiveKilled(String sealed) throws PushCryptException {
        receiveKilled(sealed, null);
    }

    void receiveKilled(String sealed, String collapseId) throws PushCryptException {
        try {
            receive(sealed, collapseId);
            throw new AssertionError("The process wasn't killed.");
        } catch (Killed expected) {
            start();
        }
    }

    /** Has the process end at a step: arrival, open, before or after; null never ends it. */
    void arm(String kill) {
        display.killsBefore = "before".equals(kill);
        display.killsAfter = "after".equals(kill);
        if ("arrival".equals(kill)) {
            state.hook = (operation, name, isBefore) -> {
                throw new Killed();
            };
        } else if ("open".equals(kill)) {
            secrets.hook = (operation, name, isBefore) -> {
                if (name.startsWith("keys.")) {
                    throw new Killed();
                }
            };
        }
    }

    Map<String, byte[]> copy(MemoryStore store) {
        return new HashMap<>(store.contents);
    }
}
