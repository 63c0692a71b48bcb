package pushcrypt.receiver;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import pushcrypt.Crypto;
import pushcrypt.PrivateKey;
import pushcrypt.PublicKey;
import pushcrypt.PushCryptException;
import pushcrypt.TestSealer;

/** The keys of all orders, so that sealed messages can be used again. */
final class SimulationKeys {
    final World template;
    private final Map<String, PrivateKey> servers = new ConcurrentHashMap<>();
    private final Map<String, String> lists = new ConcurrentHashMap<>();

    SimulationKeys() throws PushCryptException {
        template = new World(server("shop"), server("bank"));
    }

    PrivateKey server(String name) throws PushCryptException {
        PrivateKey known = servers.get(name);
        if (known == null) {
            known = TestSealer.serverKey(Crypto.sha256(("server " + name).getBytes(StandardCharsets.UTF_8)));
            servers.put(name, known);
        }
        return known;
    }

    /** Returns the source of a device, whose keys are the same in each order. */
    KeySource source(Random random) {
        return new KeySource() {
            private int count;

            @Override
            public byte[] random(int length) {
                byte[] bytes = new byte[length];
                random.nextBytes(bytes);
                return bytes;
            }

            @Override
            public byte[] secretKey() {
                return Crypto.sha256(("device " + count++).getBytes(StandardCharsets.UTF_8));
            }
        };
    }

    String list(String name, List<PublicKey> keys, int number) throws PushCryptException {
        PrivateKey root = server("shop");
        return lists.computeIfAbsent(
            name + " " + number, each -> TestSealer.list(root, keys, number, World.START / 1000 + 10_000_000));
    }
}
