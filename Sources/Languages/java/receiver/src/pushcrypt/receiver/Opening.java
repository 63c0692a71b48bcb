package pushcrypt.receiver;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import pushcrypt.Opener;
import pushcrypt.PrivateKey;
import pushcrypt.PublicKey;
import pushcrypt.PushCryptException;

/** Opens sealed values with the keys of all accounts. */
final class Opening {
    /** An opened message, and the time in seconds at which its key was created. */
    static final class Opened {
        final Opener.Message message;
        final long keyCreated;

        private Opened(Opener.Message message, long keyCreated) {
            this.message = message;
            this.keyCreated = keyCreated;
        }
    }

    private static final List<String> KINDS = Arrays.asList("notification", "withdrawal", "challenge", "background");

    private final Receiver receiver;

    Opening(Receiver receiver) {
        this.receiver = receiver;
    }

    /** Opens a value that arrived at a time, with the one key that it names, in the account of that key. */
    Opened open(String text, long arrival) throws PushCryptException {
        PushCryptException failure = null;
        List<Keyring> rings = new ArrayList<>();
        List<Opener.Account> accounts = new ArrayList<>();
        try {
            for (Account account : receiver.accounts) {
                try {
                    Keyring ring = new KeyringStore(receiver.secrets, account, receiver.source).read();
                    if (ring != null) {
                        rings.add(ring);
                        accounts.add(account(account, ring));
                    }
                } catch (PushCryptException problem) {
                    // A store that can't be read may have the key.
                    failure = failure == null ? problem : failure;
                }
            }
            return open(text, arrival, accounts, rings);
        } catch (PushCryptException problem) {
            if (!problem.code().equals("unknown-key")) {
                throw problem;
            }
            if (receiver.messages.isRemoved(text)) {
                throw new PushCryptException("removed-account",
                    "The message is sealed to an account that was removed. Have its server stop sending.");
            }
            throw failure == null ? problem : failure;
        } finally {
            rings.forEach(Keyring::close);
        }
    }

    private Opened open(String text, long arrival, List<Opener.Account> accounts, List<Keyring> rings)
        throws PushCryptException {
        Opener opener =
            new Opener(accounts, KINDS, null, receiver.maximumLifetime, Opener.MAXIMUM_LEAD);
        Opener.Message message = opener.openText(text, receiver.clock.now(), arrival);
        for (Keyring ring : rings) {
            for (DeviceKey key : ring.keys()) {
                if (key.key.publicKey().hasId(message.keyId())) {
                    return new Opened(message, key.created);
                }
            }
        }
        return new Opened(message, Long.MIN_VALUE);
    }

    /** Opens a stored challenge of one account. */
    Opener.Message openChallenge(String text, Account account) throws PushCryptException {
        try (Keyring ring = new KeyringStore(receiver.secrets, account, receiver.source).read()) {
            List<Opener.Account> accounts =
                ring == null ? Collections.<Opener.Account>emptyList() : Collections.singletonList(account(account, ring));
            return new Opener(accounts, Collections.singletonList("challenge"), null)
                .openText(text, receiver.clock.now());
        }
    }

    private static Opener.Account account(Account account, Keyring ring) {
        List<PrivateKey> keys = new ArrayList<>();
        ring.keys().forEach(key -> keys.add(key.key));
        if (account.policy.roots == null) {
            return new Opener.Account(account.name, keys, (List<PublicKey>) null);
        }
        try {
            return new Opener.Account(account.name, keys, account.policy.roots.acceptedKeys(ring.lists));
        } catch (PushCryptException problem) {
            // A damaged list must not bring back a revoked root.
            return new Opener.Account(account.name, keys, problem);
        }
    }
}
