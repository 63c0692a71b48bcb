package pushcrypt;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** A server's signing keys in the order of preference: the primary key, and then retired keys, the newest first. */
public final class SigningKeyring {
    private final List<PrivateKey> keys;

    private record Retired(PrivateKey key, long date) { }

    SigningKeyring(List<PrivateKey> keys) {
        this.keys = keys;
    }

    /**
     * Returns the first key that a device accepts, or throws no-accepted-key.
     *
     * @param signers thumbprints; null stands for the primary key
     */
    public PrivateKey keyFor(List<String> signers) throws PushCryptException {
        for (PrivateKey key : keys) {
            if (signers == null || signers.contains(key.publicKey.thumbprint())) {
                return key;
            }
        }
        throw new PushCryptException(
            "no-accepted-key", "The device accepts no key of the keyring. Send the bare placeholder.");
    }

    /**
     * Reads a server's keyring file. Rejects a link, and a file that others can access. Give the text of a mounted secret to
     * parse. The file system must have POSIX permissions.
     */
    public static SigningKeyring read(Path path) throws PushCryptException, IOException {
        PosixFileAttributes status = Files.readAttributes(path, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        if (!status.isRegularFile() || !PosixFilePermissions.toString(status.permissions()).endsWith("------")) {
            throw new PushCryptException(
                "insecure-file", "The keyring isn't a file, or others can access it. Set its mode to 0600.");
        }
        try (InputStream file = Files.newInputStream(path, LinkOption.NOFOLLOW_LINKS)) {
            return readKeyring(file.readAllBytes());
        }
    }

    /** Parses a server's keyring without a passphrase. */
    public static SigningKeyring parse(String text) throws PushCryptException {
        return readKeyring(text.getBytes(StandardCharsets.UTF_8));
    }

    private static SigningKeyring readKeyring(byte[] text) throws PushCryptException {
        Json set = Json.parse(text, "malformed-jwk");
        if (!set.get("protection").isMissing()) {
            throw new PushCryptException(
                "passphrase-required", "The keyring has a passphrase. Give one without a passphrase.");
        }
        if (set.get("keys").items.isEmpty()) {
            throw new PushCryptException("malformed-jwk", "The keyring has no keys. Give a JWK Set.");
        }
        boolean valid = PrivateKey.isInteger(set.get("generation"), 1, Registration.MAXIMUM_INTEGER);
        PrivateKey primary = null;
        List<Retired> retired = new ArrayList<>();
        Set<PublicKey> known = new HashSet<>();
        for (Json jwk : set.get("keys").items) {
            PrivateKey key = PrivateKey.readPrivate(jwk, PublicKey.ED25519);
            String state = jwk.get("state").text;
            valid &= PrivateKey.isInteger(jwk.get("created"), 0, Registration.MAXIMUM_INTEGER)
                && (!state.equals("retired") || PrivateKey.isInteger(jwk.get("retired"), 0, Registration.MAXIMUM_INTEGER))
                && (jwk.get("lifetime").isMissing() || PrivateKey.isInteger(jwk.get("lifetime"), 1, Sealer.MAXIMUM_LIFETIME));
            check(jwk.get("kid").kind == '"' && jwk.get("state").kind == '"', "malformed-jwk");
            check(jwk.get("kid").text.equals(key.publicKey.thumbprint()), "thumbprint-mismatch");
            check(List.of("primary", "pending", "retired").contains(state), "unknown-key-state");
            check(known.add(key.publicKey), "duplicate-key");
            check(!state.equals("primary") || primary == null, "multiple-primary-keys");
            primary = state.equals("primary") ? key : primary;
            if (valid && state.equals("retired")) {
                retired.add(new Retired(key, Long.parseLong(jwk.get("retired").rawText())));
            }
        }
        check(valid, "malformed-keyring");
        check(primary != null, "no-primary-key");
        retired.sort(Comparator.comparingLong(Retired::date).reversed());
        return new SigningKeyring(Stream.concat(Stream.of(primary), retired.stream().map(Retired::key)).toList());
    }

    private static void check(boolean condition, String code) throws PushCryptException {
        if (!condition) {
            throw new PushCryptException(code, "The keyring isn't valid. Restore it from a backup.");
        }
    }
}
