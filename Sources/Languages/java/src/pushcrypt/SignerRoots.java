package pushcrypt;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** The keys that an app pins for an account, in order, and the audience of their lists, or null. */
public final class SignerRoots {
    private static final int MAXIMUM_LENGTH = 65536;
    private static final String TYPE = "pushcrypt-signers";
    private static final String CODE = "malformed-signer-list";

    /**
     * A list of the keys from which devices accept signatures. Its signature is valid. Times are seconds since 1970-01-01 UTC,
     * and the audience can be null.
     */
    public static final class SignerList {
        private final String text;
        private final PublicKey root;
        private final List<PublicKey> keys;
        private final long number;
        private final long issued;
        private final long expiration;
        private final String audience;

        private SignerList(String text, PublicKey root, Json content) throws PushCryptException {
            this.text = text;
            this.root = root;
            number = integer(content, "number", 1);
            issued = integer(content, "iat", 0);
            expiration = integer(content, "exp", 0);
            Json name = content.get("aud");
            check(issued < expiration && (name.isMissing() || name.kind == '"'), CODE);
            audience = name.isMissing() ? null : name.text;
            keys = readKeys(content.get("keys"));
        }

        /** Returns the list as it arrived. */
        public String text() {
            return text;
        }

        /** Returns the root that has signed the list. */
        public PublicKey root() {
            return root;
        }

        /** Returns the accepted keys. */
        public List<PublicKey> keys() {
            return keys;
        }

        /** Returns the number. */
        public long number() {
            return number;
        }

        /** Returns the time of issue. */
        public long issued() {
            return issued;
        }

        /** Returns the time after which a device doesn't store the list. */
        public long expiration() {
            return expiration;
        }

        /** Returns the audience, or null. */
        public String audience() {
            return audience;
        }
    }

    private final List<PublicKey> keys;
    private final String audience;

    /** Pins keys in order, of which a second one that is equal doesn't count, and the audience of their lists, or null. */
    public SignerRoots(List<PublicKey> keys, String audience) {
        this.keys = Collections.unmodifiableList(new ArrayList<>(new LinkedHashSet<>(keys)));
        this.audience = audience;
    }

    /** Returns the pinned keys. */
    public List<PublicKey> keys() {
        return keys;
    }

    /** Returns the audience, or null. */
    public String audience() {
        return audience;
    }

    /** Returns the list of one of the roots. It checks neither the audience nor the expiration. */
    public SignerList verify(String text) throws PushCryptException {
        String[] parts = text.split("\\.", -1);
        check(text.length() <= MAXIMUM_LENGTH && parts.length == 3, CODE);
        byte[][] decoded = new byte[3][];
        for (int at = 0; at < 3; at++) {
            decoded[at] = Crypto.decode(parts[at]);
            check(decoded[at] != null, CODE);
        }
        PublicKey root = root(Json.parse(decoded[0], CODE));
        byte[] signed = (parts[0] + "." + parts[1]).getBytes(StandardCharsets.US_ASCII);
        check(decoded[2].length == 64 && Crypto.verify(decoded[2], root.bytes, signed), "invalid-signature");
        return new SignerList(text, root, Json.parse(decoded[1], CODE));
    }

    /** Returns the pinned root that a header names. */
    private PublicKey root(Json header) throws PushCryptException {
        check(header.members.size() == 3 && header.members.stream().allMatch(member -> member.value().kind == '"'), CODE);
        check(header.get("alg").text.equals(PublicKey.ED25519) && header.get("typ").text.equals(TYPE), CODE);
        String kid = header.get("kid").text;
        check(Registration.isThumbprint(kid), CODE);
        for (PublicKey root : keys) {
            if (root.thumbprint().equals(kid)) {
                return root;
            }
        }
        throw new PushCryptException("unknown-root", "The list's root isn't pinned. Sign the list with a pinned root.");
    }

    private static List<PublicKey> readKeys(Json array) throws PushCryptException {
        check(array.kind == '[' && !array.items.isEmpty() && array.items.size() <= Registration.MAXIMUM_SIGNERS, CODE);
        List<PublicKey> keys = new ArrayList<>();
        Set<PublicKey> known = new HashSet<>();
        for (Json item : array.items) {
            try {
                PrivateKey.Jwk jwk = PrivateKey.readJwk(item);
                keys.add(jwk.publicKey(PublicKey.ED25519));
                check(jwk.secret() == null && known.add(keys.get(keys.size() - 1)), CODE);
            } catch (PushCryptException problem) {
                throw new PushCryptException(CODE, "A key of the list is invalid, private or there twice. Issue a new list.");
            }
        }
        return Collections.unmodifiableList(keys);
    }

    private static long integer(Json content, String name, long minimum) throws PushCryptException {
        check(PrivateKey.isInteger(content.get(name), minimum, Registration.MAXIMUM_INTEGER), CODE);
        return Long.parseLong(content.get(name).rawText());
    }

    private static void check(boolean condition, String code) throws PushCryptException {
        if (!condition) {
            throw new PushCryptException(code, "The list of accepted keys isn't valid here. Issue a new list.");
        }
    }

    /** Returns the stored lists of pinned roots for the pinned audience, at most one for each root. */
    private List<SignerList> own(List<String> stored) throws PushCryptException {
        List<SignerList> lists = new ArrayList<>();
        for (String text : stored) {
            try {
                SignerList list = verify(text);
                if (Objects.equals(list.audience, audience)) {
                    lists.add(list);
                }
            } catch (PushCryptException problem) {
                if (!problem.code().equals("unknown-root")) {
                    throw problem;
                }
            }
        }
        return lists;
    }

    /** The number of stored lists of roots and audiences that this release of the app doesn't pin. */
    private static final int MAXIMUM_FOREIGN = 8;

    /**
     * Returns the list of a pinned root and audience, or null. A damaged list that another root has signed, as its header says, is
     * put into others, because only a list of its root replaces it. A list of another root or audience is put into foreign.
     */
    private SignerList own(String text, SignerList list, List<String> others, List<String> foreign) {
        try {
            SignerList known = verify(text);
            if (Objects.equals(known.audience, audience)) {
                return known;
            }
            foreign.add(text);
        } catch (PushCryptException problem) {
            if (problem.code().equals("unknown-root")) {
                foreign.add(text);
            } else if (isOfAnotherRoot(text, list.root)) {
                others.add(text);
            }
        }
        return null;
    }

    /** Returns whether the header of a damaged list names another pinned root. */
    private boolean isOfAnotherRoot(String text, PublicKey root) {
        try {
            byte[] header = Crypto.decode(text.split("\\.", -1)[0]);
            return header != null && !root(Json.parse(header, CODE)).equals(root);
        } catch (PushCryptException problem) {
            return false;
        }
    }

    /**
     * Returns the texts to store after a list has come, which are the stored ones if nothing changes.
     *
     * @param now the date of the server's answer, in milliseconds since 1970-01-01 UTC
     */
    public List<String> storedWith(String text, List<String> stored, long now) throws PushCryptException {
        SignerList list = verify(text);
        check(Objects.equals(list.audience, audience), "wrong-audience");
        List<String> result = new ArrayList<>(Collections.singletonList(text));
        List<String> foreign = new ArrayList<>();
        for (String known : stored) {
            SignerList old = own(known, list, result, foreign);
            if (old != null && !old.root.equals(list.root)) {
                result.add(known);
            } else if (old != null) {
                if (known.equals(text)) {
                    return stored;
                }
                check(list.number >= old.number, "stale-signer-list");
                check(list.number > old.number, "conflicting-signer-list");
            }
        }
        check(Math.floorDiv(now, 1000) < list.expiration, "expired-signer-list");
        result.addAll(foreign.subList(Math.max(0, foreign.size() - MAXIMUM_FOREIGN), foreign.size()));
        return Collections.unmodifiableList(result);
    }

    /** Returns the keys that count with the stored lists, for the signedBy of an account. */
    public List<PublicKey> acceptedKeys(List<String> stored) throws PushCryptException {
        List<SignerList> lists = own(stored);
        for (PublicKey root : keys) {
            for (SignerList list : lists) {
                if (list.root.equals(root)) {
                    return list.keys;
                }
            }
        }
        return keys;
    }
}
