package pushcrypt.receiver;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import pushcrypt.PublicKey;
import pushcrypt.PushCryptException;
import pushcrypt.SignerRoots;

/** The senders whose messages an account opens. */
public final class SenderPolicy {
    /** The pinned keys; null accepts messages from anyone. */
    final SignerRoots roots;

    private SenderPolicy(SignerRoots roots) {
        this.roots = roots;
    }

    /**
     * Returns a policy that checks no signatures. Anyone who has the device's public key can then display text on
     * it.
     */
    public static SenderPolicy anyone() {
        return new SenderPolicy(null);
    }

    /** Returns a policy for messages that one of these keys has signed, or a key of their list without an audience. */
    public static SenderPolicy signedBy(String... keys) throws PushCryptException {
        return signedBy(Arrays.asList(keys), null);
    }

    /**
     * Returns a policy for messages that one of these keys has signed, or a key of their list.
     *
     * @param keys the roots in order of rank: each a JWK, or the 43 characters of the raw key
     * @param audience the audience that a list must have; null requires a list without one
     */
    public static SenderPolicy signedBy(List<String> keys, String audience) throws PushCryptException {
        List<PublicKey> parsed = new ArrayList<>();
        for (String key : keys) {
            parsed.add(PublicKey.parseVerification(key));
        }
        if (parsed.isEmpty()) {
            throw new PushCryptException(
                "invalid-configuration", "The list of accepted keys is empty. Add the server's verification key.");
        }
        return new SenderPolicy(new SignerRoots(parsed, audience));
    }
}
