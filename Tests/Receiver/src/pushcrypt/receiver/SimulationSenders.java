package pushcrypt.receiver;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import pushcrypt.PublicKey;
import pushcrypt.PushCryptException;
import pushcrypt.Registration;
import pushcrypt.TestSealer;

/** The senders of an order: two servers, and outsiders. */
final class SimulationSenders {
    /** The sealed messages of all orders, because sealing takes most of the time. */
    private static final Map<String, String> SEALED = Collections.synchronizedMap(new HashMap<>());
    private static final int MAXIMUM_SEALED = 50_000;

    private final Random random;
    private final SimulationKeys keys;
    private final World world;

    SimulationSenders(Random random, SimulationKeys keys, World world) {
        this.random = random;
        this.keys = keys;
        this.world = world;
    }

    private Account account(String name) {
        return name.equals("shop") ? world.shop : world.bank;
    }

    /** Creates a message with a number, which is perhaps an outsider's. */
    ReferenceModel.Message create(int number, Map<String, String> signers) throws PushCryptException {
        ReferenceModel.Message message = new ReferenceModel.Message();
        message.body = "m" + number;
        message.account = random.nextInt(3) == 0 ? "bank" : "shop";
        message.signer = random.nextInt(4) > 0 ? signers.get(message.account)
            : new String[] {null, "stranger", "shop", "bank", "online0"}[random.nextInt(5)];
        long[] ages = {0, World.MINUTE, World.HOUR, 2 * World.DAY, -World.HOUR};
        message.issued = world.now - ages[random.nextInt(ages.length)];
        message.lifetime = random.nextInt(4) == 0 ? 3600 : 7 * 24 * 3600;
        if (random.nextInt(5) == 0) {
            message.isThread = random.nextBoolean();
            message.withdrawn = (message.isThread ? "t" : "c") + random.nextInt(2);
        } else {
            message.collapse = random.nextInt(2) == 0 ? "c" + random.nextInt(2) : "";
            message.thread = random.nextInt(2) == 0 ? "t" + random.nextInt(2) : "";
        }
        return sealed(message);
    }

    /** Creates a message with a number, which has the account and the collapse ID of another one. */
    ReferenceModel.Message edit(int number, Map<String, String> signers, ReferenceModel.Message other)
        throws PushCryptException {
        ReferenceModel.Message message = later(number, signers, other);
        message.issued -= random.nextInt(3) == 0 ? World.MINUTE : 0;
        message.collapse = other.collapse;
        return sealed(message);
    }

    /** Creates a withdrawal with a number, of a thread or of a collapse ID that another message may have had. */
    ReferenceModel.Message withdrawal(int number, Map<String, String> signers, ReferenceModel.Message other)
        throws PushCryptException {
        ReferenceModel.Message message = later(number, signers, other);
        message.isThread = random.nextInt(4) == 0;
        message.withdrawn = (message.isThread ? "t" : "c") + random.nextInt(2);
        return sealed(message);
    }

    private ReferenceModel.Message later(int number, Map<String, String> signers, ReferenceModel.Message other) {
        ReferenceModel.Message message = new ReferenceModel.Message();
        message.body = "m" + number;
        message.account = other.account;
        message.signer = signers.get(other.account);
        message.issued = world.now;
        message.lifetime = 7 * 24 * 3600;
        return message;
    }

    /** Returns a message whose sealed value differs from another one's in a character. */
    ReferenceModel.Message damage(ReferenceModel.Message other, int number) {
        ReferenceModel.Message message = new ReferenceModel.Message();
        message.body = "damaged" + number;
        message.account = other.account;
        message.signer = other.signer;
        message.collapse = other.collapse;
        message.issued = other.issued;
        message.lifetime = other.lifetime;
        message.keyCreated = other.keyCreated;
        message.isDamaged = true;
        // The last characters are the tag and the text. No two values of an order differ in the same one.
        int at = other.sealed.length() - 2 - number;
        char changed = other.sealed.charAt(at) == 'A' ? 'B' : 'A';
        message.sealed = other.sealed.substring(0, at) + changed + other.sealed.substring(at + 1);
        return message;
    }

    private ReferenceModel.Message sealed(ReferenceModel.Message message) throws PushCryptException {
        Registration registration = Registration.parse(lastAccepted(message.account));
        message.keyCreated = registration.created;
        message.sealed = seal(message, registration.key);
        return message;
    }

    private String lastAccepted(String account) {
        FakeServer server = world.server(account(account));
        String found = null;
        for (RegistrationRequest request : server.requests) {
            if (request.registration().contains(server.key.thumbprint())) {
                found = request.registration();
            }
        }
        return found;
    }

    private String seal(ReferenceModel.Message message, PublicKey key) throws PushCryptException {
        String name = String.join(" ", message.body, message.signer, message.collapse, message.thread,
            message.withdrawn, "" + message.isThread, "" + message.issued, "" + message.lifetime, key.thumbprint());
        if (SEALED.size() > MAXIMUM_SEALED) {
            SEALED.clear();
        }
        String known = SEALED.get(name);
        if (known == null) {
            TestSealer sealer = new TestSealer();
            sealer.signer = message.signer == null ? null : keys.server(message.signer);
            sealer.issuedAt = message.issued;
            sealer.lifetime = message.lifetime;
            sealer.kind = message.withdrawn == null ? "notification" : "withdrawal";
            String member = message.isThread ? "thread-ids" : "collapse-ids";
            known = sealer.seal(message.withdrawn == null ? World.alert(message.body, message.thread)
                : "{\"" + member + "\":[\"" + message.withdrawn + "\"]}", key);
            SEALED.put(name, known);
        }
        return known;
    }
}
