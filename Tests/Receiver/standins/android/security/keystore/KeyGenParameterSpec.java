package android.security.keystore;

import java.security.spec.AlgorithmParameterSpec;

public final class KeyGenParameterSpec implements AlgorithmParameterSpec {
    private final String alias;
    private int keySize;

    private KeyGenParameterSpec(String alias) {
        this.alias = alias;
    }

    public String getKeystoreAlias() {
        return alias;
    }

    public int getKeySize() {
        return keySize;
    }

    public static final class Builder {
        private final KeyGenParameterSpec spec;

        public Builder(String keystoreAlias, int purposes) {
            spec = new KeyGenParameterSpec(keystoreAlias);
        }

        public Builder setBlockModes(String... blockModes) {
            return this;
        }

        public Builder setEncryptionPaddings(String... paddings) {
            return this;
        }

        public Builder setKeySize(int keySize) {
            spec.keySize = keySize;
            return this;
        }

        public KeyGenParameterSpec build() {
            return spec;
        }
    }
}
