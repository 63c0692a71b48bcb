package pushcrypt.receiver;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import pushcrypt.Crypto;
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

    /** The kinds that a receiver opens. */
    static final List<String> KINDS = Arrays.asList("notification", "withdrawal", "challenge", "background");

    private static final int ENVELOPE_HEADER = 9;

    private final Receiver receiver;

    Opening(Receiver receiver) {
        this.receiver = receiver;
    }

    /** Opens a value that arrived at a time, with the one key that it names, in the account of that key. */
    Opened open(String text, List<String> kinds, long arrival) throws PushCryptException {
        PushCryptException failure = null;
        DeviceKey named = null;
        List<Keyring> rings = new ArrayList<>();
        List<Opener.Account> accounts = new ArrayList<>();
        try {
            for (Account account : receiver.accounts) {
                try {
                    Keyring ring = new KeyringStore(receiver.secrets, account, receiver.source).read();
                    DeviceKey key = ring == null ? null : find(ring, text);
                    // Also without keys, so that a message that is signed for this account is recognized.
                    accounts.add(account(account, ring, key));
                    if (ring != null) {
                        rings.add(ring);
                        named = named == null ? key : named;
                    }
                } catch (PushCryptException problem) {
                    // A store that can't be read may have the key.
                    failure = failure == null ? problem : failure;
                }
            }
            Opener opener = new Opener(accounts, kinds, null, receiver.maximumLifetime, Opener.MAXIMUM_LEAD);
            Opener.Message message = opener.openText(text, receiver.clock.now(), arrival);
            return new Opened(message, named.created);
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

    /** Opens a stored challenge of one account. */
    Opener.Message openChallenge(String text, Account account) throws PushCryptException {
        try (Keyring ring = new KeyringStore(receiver.secrets, account, receiver.source).read()) {
            List<Opener.Account> accounts = new ArrayList<>();
            if (ring != null) {
                accounts.add(account(account, ring, find(ring, text)));
            }
            return new Opener(accounts, Collections.singletonList("challenge"), null)
                .openText(text, receiver.clock.now());
        }
    }

    /** Returns the key that an envelope names, or null. */
    private static DeviceKey find(Keyring ring, String text) {
        byte[] envelope = Crypto.decode(text);
        if (envelope == null || envelope.length < ENVELOPE_HEADER) {
            return null;
        }
        byte[] id = Arrays.copyOfRange(envelope, 1, ENVELOPE_HEADER);
        for (DeviceKey key : ring.keys()) {
            if (Arrays.equals(key.id(), id)) {
                return key;
            }
        }
        return null;
    }

    private static Opener.Account account(Account account, Keyring ring, DeviceKey key) throws PushCryptException {
        List<PrivateKey> keys =
            key == null ? Collections.<PrivateKey>emptyList() : Collections.singletonList(key.key());
        if (account.policy.roots == null) {
            return new Opener.Account(account.name, keys, (List<PublicKey>) null);
        }
        List<String> lists = ring == null ? Collections.<String>emptyList() : ring.lists;
        try {
            return new Opener.Account(account.name, keys, account.policy.roots.acceptedKeys(lists));
        } catch (PushCryptException problem) {
            // A damaged list must not bring back a revoked root.
            return new Opener.Account(account.name, keys, problem);
        }
    }
}
