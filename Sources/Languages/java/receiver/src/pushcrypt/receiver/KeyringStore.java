package pushcrypt.receiver;

import java.util.Arrays;
import java.util.List;
import pushcrypt.PushCryptException;

/** The keyring of an account in the store of secrets. Keys that can't be read are never treated as missing. */
final class KeyringStore {
    /** A change of a keyring. */
    interface Change {
        /**
         * Returns the keyring to store, or null to store nothing. The found one is null if it certainly doesn't
         * exist.
         */
        Keyring apply(Keyring found) throws PushCryptException;
    }

    private static final List<String> KNOWN = Arrays.asList(
        "device-locked", "invalid-configuration", "newer-format");

    private final SecretStore store;
    private final String name;
    private final KeySource source;

    KeyringStore(SecretStore store, Account account, KeySource source) {
        this.store = store;
        this.source = source;
        name = "keys." + account.id();
    }

    /** Returns the keyring, or null if it certainly doesn't exist. Close it after use. */
    Keyring read() throws PushCryptException {
        try {
            byte[] bytes = store.read(name);
            return bytes == null ? null : KeyringText.read(bytes, source);
        } catch (PushCryptException | RuntimeException problem) {
            throw unreadable("read", problem);
        }
    }

    /** Changes the keyring exclusively. If the change throws, nothing is stored. */
    void update(final Change change) throws PushCryptException {
        PushCryptException[] rejected = new PushCryptException[1];
        try {
            store.locked(name, () -> {
                byte[] bytes = store.read(name);
                byte[] before = bytes == null ? new byte[0] : bytes.clone();
                try (Keyring found = bytes == null ? null : KeyringText.read(bytes, source)) {
                    Keyring changed = apply(change, found, rejected);
                    if (changed != null) {
                        write(changed, before);
                    }
                } finally {
                    Arrays.fill(before, (byte) 0);
                }
                return null;
            });
        } catch (PushCryptException | RuntimeException problem) {
            throw rejected[0] == null ? unreadable("read or written", problem) : rejected[0];
        }
    }

    private static Keyring apply(Change change, Keyring found, PushCryptException[] rejected)
        throws PushCryptException {
        try {
            return change.apply(found);
        } catch (PushCryptException problem) {
            rejected[0] = problem;
            throw problem;
        }
    }

    /** Writes a changed keyring, and reads it back: a key that isn't stored must not be registered. */
    private void write(Keyring ring, byte[] before) throws PushCryptException {
        StoredFormat.check(ring.unknown, "keyring");
        byte[] bytes = KeyringText.write(ring);
        byte[] stored = null;
        try {
            if (Arrays.equals(bytes, before)) {
                return;
            }
            // Only what can be read replaces the stored keys. Reading overwrites the copy.
            KeyringText.read(bytes.clone(), source).close();
            store.write(name, bytes.clone());
            stored = store.read(name);
            if (!Arrays.equals(bytes, stored)) {
                throw new PushCryptException(
                    "file-system-error", "The stored keys differ from the written ones. Check the device's storage.");
            }
        } finally {
            Arrays.fill(bytes, (byte) 0);
            if (stored != null) {
                Arrays.fill(stored, (byte) 0);
            }
            ring.close();
        }
    }

    /** Deletes the keyring with all its keys. */
    void delete() throws PushCryptException {
        try {
            store.locked(name, () -> {
                store.delete(name);
                return null;
            });
        } catch (PushCryptException | RuntimeException problem) {
            throw unreadable("deleted", problem);
        }
    }

    /** Returns the error for keys that can't be used now. A store's own error may contain anything. */
    static PushCryptException unreadable(String use, Exception problem) {
        if (!(problem instanceof PushCryptException)) {
            return new PushCryptException("key-unreadable", "The device's keys can't be " + use
                + " now. The store threw " + problem.getClass().getSimpleName() + ". Try again later.");
        }
        PushCryptException known = (PushCryptException) problem;
        if (KNOWN.contains(known.code())) {
            return known;
        }
        return new PushCryptException(
            "key-unreadable", "The device's keys can't be " + use + " now. " + known.reason());
    }
}
