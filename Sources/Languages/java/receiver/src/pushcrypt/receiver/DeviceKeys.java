package pushcrypt.receiver;

import java.util.ArrayList;
import java.util.List;
import pushcrypt.PublicKey;
import pushcrypt.PushCryptException;
import pushcrypt.SignerRoots;

/** Creates, rotates and deletes the keys of an account. */
final class DeviceKeys {
    /** The result of a preparation. */
    static final class Prepared {
        Preparation preparation = Preparation.UNCHANGED;
        /** Whether more than a day wasn't counted, or a list is damaged, so that the server should be asked. */
        boolean missesTime;
        /** The registration to send unless the server has confirmed it. */
        DeviceRegistration registration;
    }

    private static final long MAXIMUM_STEP = 24 * 3600;
    private static final int MAXIMUM_SIGNERS = 64;

    private final KeyringStore store;
    private final Account account;
    private final Installation installation;
    private final KeySource source;
    private final Clock clock;

    DeviceKeys(KeyringStore store, Account account, Installation installation, KeySource source, Clock clock) {
        this.store = store;
        this.account = account;
        this.installation = installation;
        this.source = source;
        this.clock = clock;
    }

    /**
     * Creates the first key, adds a pending key when the primary one is old, and deletes expired keys.
     *
     * @param isCreating false while a server is asked, because another call may have deleted the account
     */
    Prepared prepare(boolean isCreating) throws PushCryptException {
        Prepared prepared = new Prepared();
        long now = seconds();
        store.update(found -> {
            Keyring ring = found;
            if (ring == null) {
                if (!isCreating) {
                    throw missing();
                }
                ring = Keyring.create(source, now, installation.owner(), account.lifetime);
                prepared.preparation = Preparation.CREATED;
            } else {
                prepared.missesTime = ring.clock < 0 || now - ring.clock > 2 * MAXIMUM_STEP || hasDamagedList(ring);
                prepared.preparation = setOwner(ring, now);
                if (prepared.preparation != Preparation.RESTORED) {
                    maintain(ring, now);
                }
            }
            setSigners(ring);
            prepared.registration = new DeviceRegistration(ring);
            return ring;
        });
        return prepared;
    }

    /** Returns the registration of the pending key, or of the primary key if no key is pending. */
    DeviceRegistration registration() throws PushCryptException {
        try (Keyring ring = store.read()) {
            if (ring == null) {
                throw missing();
            }
            return new DeviceRegistration(ring);
        }
    }

    /** Records a server's answer, and makes a confirmed key the primary one. */
    void confirm(String kid, Long date) throws PushCryptException {
        store.update(ring -> {
            if (ring == null) {
                throw missing();
            }
            ring.confirm(kid, seconds(), date == null ? null : Math.floorDiv(date, 1000L));
            return ring;
        });
    }

    /** Follows the generation that the server knows, after it has rejected a registration as stale. */
    void followGeneration(long known, long rejected) throws PushCryptException {
        store.update(ring -> {
            // Another call may have changed the keys, and registered them.
            if (ring == null || known == ring.generation && rejected < known) {
                return null;
            }
            ring.followGeneration(known, seconds(), account.lifetime);
            return ring;
        });
    }

    /** Replaces the pending key with a new one, because the keys may have leaked. */
    void renew() throws PushCryptException {
        store.update(ring -> {
            if (ring != null) {
                ring.renew(seconds(), account.lifetime);
            }
            return ring;
        });
    }

    /**
     * Stores the lists of accepted keys from a server's answer.
     *
     * @return the error of the first list that breaks a rule, or null
     */
    PushCryptException addLists(List<String> lists, long date) throws PushCryptException {
        SignerRoots roots = account.policy.roots;
        if (roots == null || lists.isEmpty()) {
            return null;
        }
        List<PushCryptException> failures = new ArrayList<>();
        store.update(ring -> {
            failures.clear();
            for (String list : lists) {
                try {
                    if (ring != null) {
                        ring.addList(list.trim(), roots, Math.floorDiv(date, 1000L));
                    }
                } catch (PushCryptException problem) {
                    failures.add(problem);
                }
            }
            return ring;
        });
        boolean isAnyValid = failures.size() < lists.size();
        for (PushCryptException failure : failures) {
            // The server may have lists for several releases of the app.
            if (!isAnyValid || !failure.code().equals("unknown-root")) {
                return failure;
            }
        }
        return null;
    }

    // Steps

    private boolean hasDamagedList(Keyring ring) {
        return account.policy.roots != null && accepted(ring) == null;
    }

    /** Returns the accepted keys, or null if a stored list is damaged. */
    private List<PublicKey> accepted(Keyring ring) {
        try {
            return account.policy.roots.acceptedKeys(ring.lists);
        } catch (PushCryptException problem) {
            return null;
        }
    }

    private void setSigners(Keyring ring) throws PushCryptException {
        if (account.policy.roots == null) {
            ring.setSigners(null);
            return;
        }
        List<PublicKey> accepted = accepted(ring);
        // With a damaged list, nothing is accepted until the server's next answer replaces it.
        if (accepted == null) {
            return;
        }
        List<String> kids = new ArrayList<>();
        for (PublicKey key : accepted) {
            kids.add(key.thumbprint());
        }
        ring.setSigners(kids.isEmpty() || kids.size() > MAXIMUM_SIGNERS ? null : kids);
    }

    /** Sets the keyring's owner, and creates a new key if the keyring belongs to another device or installation. */
    private Preparation setOwner(Keyring ring, long now) throws PushCryptException {
        String owner = installation.owner();
        String old = ring.owner;
        if (owner.equals(old)) {
            return Preparation.UNCHANGED;
        }
        if (old != null && !installation.isOnSameDevice(old)) {
            ring.reset(owner, now, account.lifetime);
            return Preparation.RESTORED;
        }
        ring.setOwner(owner);
        if (old == null) {
            return Preparation.UNCHANGED;
        }
        ring.renew(now, account.lifetime);
        return Preparation.REINSTALLED;
    }

    private void maintain(Keyring ring, long now) throws PushCryptException {
        boolean isRecent = ring.clock >= 0 && now >= ring.clock && now - ring.clock < 3600;
        if (!isRecent) {
            ring.observe(now, null);
        }
        ring.prune();
        // Early, so that no key exceeds the rotation age if the app runs daily, at any hour.
        long early = Math.min(36 * 3600, account.rotationAge / 4);
        if (ring.pending.isEmpty() && ring.primaryAge() >= account.rotationAge - early) {
            ring.addPending(ring.estimate, account.lifetime);
        }
    }

    private long seconds() {
        return Math.floorDiv(clock.now(), 1000L);
    }

    private static PushCryptException missing() {
        return new PushCryptException("unknown-key", "The device's keyring doesn't exist. Register the device first.");
    }
}
