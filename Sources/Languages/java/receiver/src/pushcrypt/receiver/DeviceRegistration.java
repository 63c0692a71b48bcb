package pushcrypt.receiver;

import java.util.List;
import pushcrypt.PushCryptException;
import pushcrypt.Registration;

/** A registration that the device sends: the public half of its newest key, its generation and its limits. */
final class DeviceRegistration {
    final String text;
    final String kid;
    final long generation;
    final List<String> signers;

    DeviceRegistration(Keyring ring) throws PushCryptException {
        DeviceKey key = ring.registered();
        kid = key.kid;
        generation = ring.generation;
        signers = ring.signers;
        text = "{\"created\":" + key.created + ",\"generation\":" + generation
            + ",\"key\":" + key.key().publicKey().toJwk() + ",\"lifetime\":" + key.lifetime
            + (signers == null ? "" : ",\"signers\":" + KeyringText.strings(signers)) + "}";
    }

    /** Reads a registration that the device has written. */
    DeviceRegistration(String text) throws PushCryptException {
        Registration parsed = Registration.parse(text);
        this.text = text;
        kid = parsed.key.thumbprint();
        generation = parsed.generation;
        signers = parsed.signers;
    }
}
