package pushcrypt.android;

import android.security.keystore.KeyGenParameterSpec;
import java.io.InputStream;
import java.io.OutputStream;
import java.security.Key;
import java.security.KeyStoreSpi;
import java.security.Provider;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.security.spec.AlgorithmParameterSpec;
import java.util.Collections;
import java.util.Date;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.Map;
import javax.crypto.KeyGeneratorSpi;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/** The provider AndroidKeyStore, with keys in memory. */
public final class FakeKeystore extends Provider {
    private static final long serialVersionUID = 1;
    static final Map<String, SecretKey> KEYS = new HashMap<>();

    FakeKeystore() {
        super("AndroidKeyStore", "1", "A stand-in");
        put("KeyStore.AndroidKeyStore", Store.class.getName());
        put("KeyGenerator.AES", Generator.class.getName());
    }

    /** The generator of keys. */
    public static final class Generator extends KeyGeneratorSpi {
        private KeyGenParameterSpec spec;

        @Override
        protected void engineInit(SecureRandom random) { }

        @Override
        protected void engineInit(AlgorithmParameterSpec parameters, SecureRandom random) {
            spec = (KeyGenParameterSpec) parameters;
        }

        @Override
        protected void engineInit(int keySize, SecureRandom random) { }

        @Override
        protected SecretKey engineGenerateKey() {
            byte[] bytes = new byte[spec.getKeySize() / 8];
            new SecureRandom().nextBytes(bytes);
            KEYS.put(spec.getKeystoreAlias(), new SecretKeySpec(bytes, "AES"));
            return KEYS.get(spec.getKeystoreAlias());
        }
    }

    /** The store of keys. */
    public static final class Store extends KeyStoreSpi {
        @Override
        public Key engineGetKey(String alias, char[] password) {
            return KEYS.get(alias);
        }

        @Override
        public Certificate[] engineGetCertificateChain(String alias) {
            return null;
        }

        @Override
        public Certificate engineGetCertificate(String alias) {
            return null;
        }

        @Override
        public Date engineGetCreationDate(String alias) {
            return null;
        }

        @Override
        public void engineSetKeyEntry(String alias, Key key, char[] password, Certificate[] chain) { }

        @Override
        public void engineSetKeyEntry(String alias, byte[] key, Certificate[] chain) { }

        @Override
        public void engineSetCertificateEntry(String alias, Certificate certificate) { }

        @Override
        public void engineDeleteEntry(String alias) { }

        @Override
        public Enumeration<String> engineAliases() {
            return Collections.enumeration(KEYS.keySet());
        }

        @Override
        public boolean engineContainsAlias(String alias) {
            return KEYS.containsKey(alias);
        }

        @Override
        public int engineSize() {
            return KEYS.size();
        }

        @Override
        public boolean engineIsKeyEntry(String alias) {
            return KEYS.containsKey(alias);
        }

        @Override
        public boolean engineIsCertificateEntry(String alias) {
            return false;
        }

        @Override
        public String engineGetCertificateAlias(Certificate certificate) {
            return null;
        }

        @Override
        public void engineStore(OutputStream stream, char[] password) { }

        @Override
        public void engineLoad(InputStream stream, char[] password) { }
    }
}
