package pushcrypt.android;

import android.content.Context;
import android.security.keystore.KeyGenParameterSpec;
import android.security.keystore.KeyProperties;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.KeyGenerator;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import pushcrypt.PushCryptException;
import pushcrypt.receiver.FileStore;
import pushcrypt.receiver.SecretStore;

/**
 * The device's keys in files that a key of the Android Keystore encrypts with AES-256-GCM. The keystore's key
 * doesn't leave the device. If it was lost while files exist, they are unreadable and never replaced.
 */
public final class KeystoreSecretStore implements SecretStore {
    private static final String PROVIDER = "AndroidKeyStore";
    private static final String ALIAS = "pushcrypt";
    private static final String TRANSFORMATION = "AES/GCM/NoPadding";
    private static final byte VERSION = 1;
    private static final int IV_LENGTH = 12;
    private static final int TAG_BITS = 128;
    private static final String PREFIX = "secret.";

    private final FileStore files;

    /** Creates a store in the directory for files without backups. */
    public KeystoreSecretStore(Context context) {
        this(context.getNoBackupFilesDir());
    }

    /** Creates a store in a directory, which must not be in backups. */
    public KeystoreSecretStore(File directory) {
        files = new FileStore(directory);
    }

    @Override
    public byte[] read(String name) throws PushCryptException {
        byte[] stored = files.read(PREFIX + name);
        if (stored == null) {
            return null;
        }
        if (stored.length < 1 + IV_LENGTH + TAG_BITS / 8 || stored[0] != VERSION) {
            throw unreadable("The file isn't one of this store.");
        }
        try {
            Key key = keyStore().getKey(ALIAS, null);
            if (key == null) {
                throw unreadable("The keystore has lost its key.");
            }
            Cipher cipher = Cipher.getInstance(TRANSFORMATION);
            cipher.init(Cipher.DECRYPT_MODE, key, new GCMParameterSpec(TAG_BITS, stored, 1, IV_LENGTH));
            cipher.updateAAD(name.getBytes(StandardCharsets.UTF_8));
            return cipher.doFinal(stored, 1 + IV_LENGTH, stored.length - 1 - IV_LENGTH);
        } catch (PushCryptException problem) {
            throw problem;
        } catch (GeneralSecurityException | IOException | RuntimeException problem) {
            throw unreadable("The keystore threw " + problem.getClass().getSimpleName() + ".");
        }
    }

    /** Encrypts and replaces the contents, and overwrites the given bytes. */
    @Override
    public void write(String name, byte[] contents) throws PushCryptException {
        try {
            Cipher cipher = Cipher.getInstance(TRANSFORMATION);
            cipher.init(Cipher.ENCRYPT_MODE, key());
            cipher.updateAAD(name.getBytes(StandardCharsets.UTF_8));
            byte[] sealed = cipher.doFinal(contents);
            byte[] iv = cipher.getIV();
            if (iv.length != IV_LENGTH) {
                throw unreadable("The keystore gives another length of nonces.");
            }
            byte[] stored = new byte[1 + IV_LENGTH + sealed.length];
            stored[0] = VERSION;
            System.arraycopy(iv, 0, stored, 1, IV_LENGTH);
            System.arraycopy(sealed, 0, stored, 1 + IV_LENGTH, sealed.length);
            files.write(PREFIX + name, stored);
        } catch (PushCryptException problem) {
            throw problem;
        } catch (GeneralSecurityException | IOException | RuntimeException problem) {
            throw unreadable("The keystore threw " + problem.getClass().getSimpleName() + ".");
        } finally {
            Arrays.fill(contents, (byte) 0);
        }
    }

    @Override
    public void delete(String name) throws PushCryptException {
        files.delete(PREFIX + name);
    }

    @Override
    public <Result> Result locked(String name, Action<Result> action) throws PushCryptException {
        return files.locked(PREFIX + name, action);
    }

    /** Returns the keystore's key, and creates the first one under a lock of its own. */
    private SecretKey key() throws GeneralSecurityException, IOException {
        Key known = keyStore().getKey(ALIAS, null);
        if (known != null) {
            return (SecretKey) known;
        }
        return files.locked("keystore", () -> {
            try {
                Key created = keyStore().getKey(ALIAS, null);
                return created == null ? create() : (SecretKey) created;
            } catch (PushCryptException problem) {
                throw problem;
            } catch (GeneralSecurityException | IOException problem) {
                throw unreadable("The keystore threw " + problem.getClass().getSimpleName() + ".");
            }
        });
    }

    private SecretKey create() throws GeneralSecurityException {
        if (files.hasAny(PREFIX)) {
            throw unreadable("The keystore has lost its key.");
        }
        KeyGenerator generator = KeyGenerator.getInstance(KeyProperties.KEY_ALGORITHM_AES, PROVIDER);
        generator.init(new KeyGenParameterSpec.Builder(
            ALIAS, KeyProperties.PURPOSE_ENCRYPT | KeyProperties.PURPOSE_DECRYPT)
            .setBlockModes(KeyProperties.BLOCK_MODE_GCM)
            .setEncryptionPaddings(KeyProperties.ENCRYPTION_PADDING_NONE)
            .setKeySize(256)
            .build());
        return generator.generateKey();
    }

    private static KeyStore keyStore() throws GeneralSecurityException, IOException {
        KeyStore keyStore = KeyStore.getInstance(PROVIDER);
        keyStore.load(null);
        return keyStore;
    }

    private static PushCryptException unreadable(String reason) {
        return new PushCryptException("key-unreadable",
            "The device's secrets can't be used now. " + reason + " Try again, or clear the app's data.");
    }
}
