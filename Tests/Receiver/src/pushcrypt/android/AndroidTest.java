package pushcrypt.android;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import android.app.Notification;
import com.google.firebase.messaging.RemoteMessage;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.Security;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import pushcrypt.PrivateKey;
import pushcrypt.PublicKey;
import pushcrypt.PushCryptException;
import pushcrypt.Registration;
import pushcrypt.TestSealer;
import pushcrypt.receiver.Account;
import pushcrypt.receiver.Carrier;
import pushcrypt.receiver.FileStore;
import pushcrypt.receiver.Outcome;
import pushcrypt.receiver.Receiver;
import pushcrypt.receiver.ReceiverBuilder;
import pushcrypt.receiver.RegistrationResponse;
import pushcrypt.receiver.SenderPolicy;

/** The classes for Android over stand-ins of the system's classes. */
public class AndroidTest {
    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();
    private KeystoreSecretStore store;

    @Before
    public void create() {
        FakeKeystore.KEYS.clear();
        Security.addProvider(new FakeKeystore());
        store = new KeystoreSecretStore(folder.getRoot());
    }

    @After
    public void remove() {
        Security.removeProvider("AndroidKeyStore");
    }

    @Test
    public void secretsAreEncryptedAndOverwritten() throws Exception {
        byte[] secret = "a secret of the device".getBytes(StandardCharsets.US_ASCII);
        byte[] given = secret.clone();
        assertNull(store.read("a"));
        store.write("a", given);
        assertArrayEquals(new byte[given.length], given);
        assertArrayEquals(secret, store.read("a"));
        byte[] file = Files.readAllBytes(new File(folder.getRoot(), "pushcrypt.secret.a").toPath());
        assertFalse(new String(file, StandardCharsets.ISO_8859_1).contains("secret of"));
        store.delete("a");
        assertNull(store.read("a"));
    }

    @Test
    public void aLostOrAnotherKeyIsUnreadableAndReplacesNothing() throws Exception {
        store.write("a", new byte[] {1});
        FakeKeystore.KEYS.clear();
        assertEquals("key-unreadable", assertThrows(PushCryptException.class, () -> store.read("a")).code());
        assertEquals(
            "key-unreadable", assertThrows(PushCryptException.class, () -> store.write("b", new byte[] {2})).code());
        assertTrue(FakeKeystore.KEYS.isEmpty());
    }

    @Test
    public void changedOrRenamedFilesAreUnreadable() throws Exception {
        store.write("a", new byte[] {1});
        File file = new File(folder.getRoot(), "pushcrypt.secret.a");
        Files.copy(file.toPath(), new File(folder.getRoot(), "pushcrypt.secret.b").toPath());
        assertEquals("key-unreadable", assertThrows(PushCryptException.class, () -> store.read("b")).code());
        byte[] bytes = Files.readAllBytes(file.toPath());
        bytes[bytes.length - 1] ^= 1;
        Files.write(file.toPath(), bytes);
        assertEquals("key-unreadable", assertThrows(PushCryptException.class, () -> store.read("a")).code());
    }

    @Test
    public void aMessageOfFirebaseIsDisplayedOnce() throws Exception {
        FakeContext context = new FakeContext(folder.getRoot());
        PrivateKey server = TestSealer.serverKey(TestSealer.random(32));
        Account account = new Account("shop", SenderPolicy.signedBy(server.publicKey().toJwk()), "anna");
        Receiver receiver = new ReceiverBuilder(Collections.singletonList(account), Carrier.FIREBASE_ANDROID,
            new KeystoreSecretStore(context), new FileStore(context.getNoBackupFilesDir()),
            new SystemDisplay(context, "messages", 1)).build();
        receiver.prepare();
        PublicKey[] key = new PublicKey[1];
        receiver.registrar(account, "device").register("token", request -> {
            key[0] = parse(request.registration());
            return RegistrationResponse.accepted(null, Collections.<String>emptyList());
        });
        Service service = new Service(receiver, context);
        TestSealer sealer = new TestSealer();
        sealer.signer = server;
        sealer.issuedAt = System.currentTimeMillis();
        String sealed = sealer.seal("{\"aps\":{\"alert\":{\"title\":\"Hello\",\"body\":\"world\"}},\"n\":7}", key[0]);
        RemoteMessage message =
            new RemoteMessage(Collections.singletonMap("ENCRYPTED_DATA", sealed), "do_not_collapse");
        service.onMessageReceived(message);
        service.onMessageReceived(message);
        assertEquals(1, context.manager.active.size());
        Notification shown = context.manager.active.values().iterator().next();
        assertEquals("Hello world", shown.title + " " + shown.text);
        assertTrue(shown.isOnlyAlertingOnce);
        byte[] payload = shown.contentIntent.intent().getByteArrayExtra(SystemDisplay.PAYLOAD);
        assertTrue(new String(payload, StandardCharsets.UTF_8).endsWith("\"n\":7}"));
        service.onMessageReceived(new RemoteMessage(Collections.<String, String>emptyMap(), null));
        assertEquals(Outcome.Kind.REGISTRATION, service.asked.get(0).kind());
        service.onNewToken("new");
        assertEquals("new", service.token);
    }

    private static PublicKey parse(String registration) {
        try {
            return Registration.parse(registration).key;
        } catch (PushCryptException problem) {
            throw new AssertionError(problem);
        }
    }

    private static final class Service extends SealedMessagingService {
        private final Receiver receiver;
        private final List<Outcome> asked = new ArrayList<>();
        private String token;

        private Service(Receiver receiver, FakeContext context) {
            this.receiver = receiver;
            attachBaseContext(context);
        }

        @Override
        protected Receiver receiver() {
            return receiver;
        }

        @Override
        protected void register(String newToken) {
            token = newToken;
        }

        @Override
        protected void registerIfAsked(Outcome outcome) {
            asked.add(outcome);
        }
    }
}
