package pushcrypt.receiver;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import pushcrypt.Crypto;

/** An installation of an app: the device, and a random name that is stored apart from the keys. */
final class Installation {
    private final String device;
    private final String installation;

    Installation(String device, String installation) {
        this.device = device;
        this.installation = installation;
    }

    /** Returns the owner that the keyring stores: the hashes of both names. */
    String owner() {
        return hash("device", device) + "." + hash("installation", installation);
    }

    /** Returns whether an owner is this device, in any installation. */
    boolean isOnSameDevice(String owner) {
        return owner.split("\\.", -1)[0].equals(hash("device", device));
    }

    private static String hash(String kind, String name) {
        byte[] digest = Crypto.sha256(("pushcrypt/v1/" + kind + ":" + name).getBytes(StandardCharsets.UTF_8));
        return Crypto.encode(Arrays.copyOf(digest, 12));
    }
}
