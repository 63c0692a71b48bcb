"""The vectors of keys.json: keys in the forms in which they are handed around, accepted and refused."""

import json
import math
import re

from . import sodium
from .corpus import checked
from .names import ACME, ALICE, BOB, KEYS, MALLORY
from .wire import Key, base64url, compact_json

PRIME = 2**255 - 19
TOP_BIT = 2**255

# RFC 8037, appendices A.1 to A.3 and A.6; the private half that belongs to A.6 is in RFC 7748 section 6.1.
RFC_SEED = bytes.fromhex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60")
RFC_ED25519_X = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"
RFC_ED25519_THUMBPRINT = "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k"
RFC_X25519_X = "3p7bfXt9wbTTW2HC7OQ1Nz-DQ8hbeGdNrfx-FG-IK08"
RFC_X25519_SECRET = bytes.fromhex("5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb")

# From https://cr.yp.to/ecdh.html#validate; 0, 1 and p - 1 are of small order as well.
X25519_ORDER_8 = [
    "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
    "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
]
ED25519_ORDER_8 = [
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
]


def little_endian(number):
    return number.to_bytes(32, "little")


def jwk(curve, public, secret=None, **changes):
    """A JWK with members that a vector changes, or leaves out by making them None."""
    members = {"kty": "OKP", "crv": curve, "x": base64url(public)}
    if secret is not None:
        members["d"] = base64url(secret)
    return compact_json({name: value for name, value in (members | changes).items() if value is not None})


def set_of(*keys):
    return '{"keys":[' + ",".join(keys) + "]}"


RULES = {
    "jwk": "The text is a key: strict JSON with the required members, which are strings, or 43 characters (section 8).",
    "length": "x, d or a raw key is 32 bytes in strict base64url (section 8).",
    "type": "kty, crv, use, the curve and the private key are those that the reader needs (section 8).",
    "pair": "d belongs to x (section 8).",
    "one-primary": "A set has one primary key (section 8).",
    "recipient-canonical": "A recipient's key is canonical (section 3).",
    "recipient-order": "A recipient's key isn't of small order (section 3).",
    "verification-canonical": "A verification key is canonical (section 5).",
    "verification-curve": "A verification key is on the curve (section 5).",
    "verification-order": "A verification key isn't of small order (section 5).",
    "verification-subgroup": "A verification key is in the main subgroup (section 5).",
}


def _rule(code, name, kind):
    """The rule that a vector breaks."""
    rules = {"wrong-key-type": "type", "key-pair-mismatch": "pair", "multiple-primary-keys": "one-primary"}
    if code == "malformed-jwk":
        is_length = re.match("raw key |x (of|empty|with) |x empty|d (of|empty|with|in) |d empty|Ed25519 d of", name)
        return "length" if is_length else "jwk"
    if code != "invalid-key":
        return rules[code]
    if kind == "recipient-public":
        small = re.fullmatch("x is (0|1|p - 1|point . of order 8)|raw key of zeros", name)
        return "recipient-order" if small else "recipient-canonical"
    if name.startswith("key outside"):
        return "verification-subgroup"
    if re.match(r"y is p($| \+)|y is 1, x odd", name):
        return "verification-canonical"
    small = re.match("y is (0|1|p - 1|point . of order 8)($|,)|raw verification key of zeros", name)
    return "verification-order" if small else "verification-curve"


class Corpus:
    """Collects vectors, and makes sure that no two have the same name."""

    def __init__(self):
        self.vectors = []

    def accepts(self, name, why, kind, text, key):
        expected = {"thumbprint": base64url(key.thumbprint), "key_id": base64url(key.key_id)}
        self._add(name, why, kind, text, expected)

    def refuses(self, code, name, why, kind, text):
        self._add(name, why, kind, text, {"fails": code, "rule": _rule(code, name, kind)})

    def _add(self, name, why, kind, text, expected):
        assert all(vector["name"] != name for vector in self.vectors), name
        self.vectors.append({"name": name, "why": why, "kind": kind, "text": text} | expected)


def add_accepted(corpus):
    rfc_signer = Key.signer(RFC_SEED)
    rfc_recipient = Key.recipient(RFC_X25519_SECRET)
    # What the RFC prints is worth more than what this code computes.
    assert base64url(rfc_signer.public) == RFC_ED25519_X
    assert base64url(rfc_signer.thumbprint) == RFC_ED25519_THUMBPRINT
    assert base64url(rfc_recipient.public) == RFC_X25519_X

    add = corpus.accepts
    add("RFC 8037 A.1", "The RFC's own private Ed25519 key.", "signing",
        jwk("Ed25519", rfc_signer.public, RFC_SEED), rfc_signer)
    add("RFC 8037 A.2", "The RFC's own public key; A.3 has its thumbprint.", "verification",
        f'{{"kty":"OKP","crv":"Ed25519",\n   "x":"{RFC_ED25519_X}"}}', rfc_signer)
    add("RFC 8037 A.6", "The RFC's own X25519 key. Its kid is \"Bob\" there, and is not believed.", "recipient-public",
        jwk("X25519", rfc_recipient.public, kid="Bob"), rfc_recipient)
    add("RFC 7748 6.1", "The private half of the same key.", "recipient-private",
        jwk("X25519", rfc_recipient.public, RFC_X25519_SECRET), rfc_recipient)

    for name, key in KEYS.items():
        recipient = key.curve == "X25519"
        public, private = ("recipient-public", "recipient-private") if recipient else ("verification", "signing")
        add(f"{name}, public JWK", "A test key.", public, compact_json(key.public_jwk), key)
        add(f"{name}, private JWK", "A test key.", private, compact_json(key.private_jwk), key)
        add(f"{name}, raw", "The 43 characters of the raw key.", public, base64url(key.public), key)
        add(f"{name}, public half of a private JWK", "Of a private key the public half is taken.", public,
            compact_json(key.private_jwk), key)

    add("raw key with a line break", "White space around a key is ignored, as a file's last line break.",
        "recipient-public", f"\n {base64url(ALICE.public)}\r\n", ALICE)
    add("JWK with white space", "White space between tokens is legal.", "recipient-public",
        " " + json.dumps(ALICE.public_jwk, indent=2) + "\n", ALICE)
    add("JWK with other members", "RFC 7517 section 4: members that are not understood are ignored.",
        "recipient-public", jwk("X25519", ALICE.public, alg="ECDH-ES", key_ops=[], x5c={"x": "x"}), ALICE)
    add("JWK without use", "The member is optional.", "verification", jwk("Ed25519", ACME.public), ACME)
    add("JWK with another's kid", "A thumbprint is always computed from the key.", "recipient-public",
        jwk("X25519", ALICE.public, kid=base64url(BOB.thumbprint)), ALICE)
    add("set of one key", "The only key of a set stands for it.", "recipient-public",
        set_of(jwk("X25519", ALICE.public)), ALICE)
    add("set with a primary key", "Among several, it is the primary one.", "recipient-public",
        set_of(jwk("X25519", BOB.public, state="retired"), jwk("X25519", ALICE.public, state="primary")), ALICE)

    add("set with a primary key, and a key of the other curve", "Only the chosen key must be of the needed curve.",
        "recipient-public", set_of(jwk("X25519", ALICE.public, state="primary"), compact_json(ACME.public_jwk)), ALICE)
    add("set with a primary key, and a key of small order", "Only the chosen key is checked.", "recipient-public",
        set_of(jwk("X25519", bytes(32)), jwk("X25519", ALICE.public, state="primary")), ALICE)
    add("d of another X25519 key, read as a public key", "d is compared with x in private keys only.", "recipient-public",
        jwk("X25519", ALICE.public, BOB.secret), ALICE)
    add("d of another Ed25519 key, read as a public key", "d is compared with x in private keys only.", "verification",
        jwk("Ed25519", ACME.public, MALLORY.secret), ACME)

    add("x is 2", "The smallest number that is not of small order.", "recipient-public",
        jwk("X25519", little_endian(2)), Key("X25519", b"", little_endian(2)))
    add("x is p - 2", "The greatest number that is canonical and not of small order.", "recipient-public",
        jwk("X25519", little_endian(PRIME - 2)), Key("X25519", b"", little_endian(PRIME - 2)))
    flipped = bytes([ALICE.secret[0] ^ 1]) + ALICE.secret[1:]
    add("d with another lowest bit", "X25519 ignores some bits of a secret key: this is alice's.", "recipient-private",
        jwk("X25519", ALICE.public, flipped), Key.recipient(flipped))
    flipped = ALICE.secret[:31] + bytes([ALICE.secret[31] ^ 0x80])
    add("d with another top bit", "X25519 ignores some bits of a secret key: this is alice's.", "recipient-private",
        jwk("X25519", ALICE.public, flipped), Key.recipient(flipped))


def add_refused_x25519(corpus):
    def refused(name, why, public):
        corpus.refuses("invalid-key", name, why, "recipient-public", jwk("X25519", public))

    small = "Everybody knows the secret shared with such a key."
    points = {"0": 0, "1": 1, "p - 1": PRIME - 1, "p": PRIME, "p + 1": PRIME + 1}
    for number, order_8 in enumerate(X25519_ORDER_8, 1):
        points[f"point {number} of order 8"] = int.from_bytes(bytes.fromhex(order_8), "little")
    for name, number in points.items():
        refused(f"x is {name}", small, little_endian(number))
        refused(f"x is {name}, top bit set", small, little_endian(number | TOP_BIT))
    canonical = "Two spellings of one key would have two thumbprints."
    refused("x is p + 2", canonical, little_endian(PRIME + 2))
    refused("x is p + 18", canonical, little_endian(PRIME + 18))
    top = little_endian(int.from_bytes(ALICE.public, "little") | TOP_BIT)
    refused("x with the top bit set", "It could be sealed to, and its owner could not open what was sealed.", top)
    corpus.refuses(
        "invalid-key", "raw key with the top bit set", "The same without a JWK around it.", "recipient-public",
        base64url(top))
    corpus.refuses(
        "invalid-key", "raw key of zeros", "An empty key field must not be sealed to.", "recipient-public", "A" * 43)


def add_refused_ed25519(corpus):
    def refused(name, why, public):
        corpus.refuses("invalid-key", name, why, "verification", jwk("Ed25519", public))

    small = "Anybody can make signatures for such a key."
    points = {"0": 0, "1": 1, "p - 1": PRIME - 1}
    for number, order_8 in enumerate(ED25519_ORDER_8, 1):
        points[f"point {number} of order 8"] = int.from_bytes(bytes.fromhex(order_8), "little")
    for name, number in points.items():
        refused(f"y is {name}", small, little_endian(number))
    for name in ("0", "point 1 of order 8", "point 2 of order 8"):
        refused(f"y is {name}, x odd", small, little_endian(points[name] | TOP_BIT))
    refused("y is 1, x odd", "x is 0 there, and 0 is even (RFC 8032 section 5.1.3).", little_endian(1 | TOP_BIT))
    canonical = "y is not below the field's prime."
    refused("y is p", canonical, little_endian(PRIME))
    refused("y is p + 1", canonical, little_endian(PRIME + 1))
    number = next(number for number in range(2, 19) if _has_x(number))
    refused(f"y is p + {number}", canonical + " This one would be on the curve.", little_endian(PRIME + number))
    number = next(number for number in range(2, 19) if not _has_x(number))
    refused(f"y is {number}", "No point of the curve has it.", little_endian(number))
    # Without the fix of CVE-2025-69277, crypto_core_ed25519_is_valid_point accepts the key with a point of order 2.
    torsion, key = bytes.fromhex(ED25519_ORDER_8[0]), ACME.public
    for multiple in range(1, 8):
        order = 8 // math.gcd(8, multiple)
        key = sodium.ed25519_add(key, torsion)
        refused(f"key outside of the main subgroup, {multiple}", f"Acme's key and a point of order {order}.", key)
    assert sodium.ed25519_add(key, torsion) == ACME.public
    corpus.refuses("invalid-key", "raw verification key of zeros", "An empty key field must not be trusted.",
                   "verification", "A" * 43)


def _has_x(y):
    """Whether a point of Ed25519 has this y: x^2 = (y^2 - 1) / (d y^2 + 1) must be a square."""
    d = -121665 * pow(121666, -1, PRIME)
    square = (y * y - 1) * pow(d * y * y + 1, -1, PRIME) % PRIME
    return pow(square, (PRIME - 1) // 2, PRIME) in (0, 1)


def add_refused_forms(corpus):
    def refused(code, name, why, text, kind="recipient-public"):
        corpus.refuses(code, name, why, kind, text)

    x = base64url(ALICE.public)
    length = "A key is 32 bytes."
    refused("malformed-jwk", "empty text", "It is no key.", "")
    refused("malformed-jwk", "white space alone", "It is no key.", " \n")
    refused("malformed-jwk", "raw key of 31 bytes", length, base64url(ALICE.public[:31]))
    refused("malformed-jwk", "raw key of 33 bytes", length, base64url(ALICE.public + b"\0"))
    refused("malformed-jwk", "raw key with padding", "The form is base64url without padding.", x + "=")
    refused("malformed-jwk", "raw key in hexadecimal", "The form is base64url.", ALICE.public.hex())
    refused("malformed-jwk", "raw key in the other alphabet", "The form is base64url.",
            RFC_X25519_X.replace("-", "+").replace("_", "/"))
    refused("malformed-jwk", "raw key with spare bits", "Two texts would be one key.", _with_spare_bit(x))
    refused("malformed-jwk", "raw key with a space in it", "White space is ignored around a key only.",
            x[:20] + " " + x[21:])
    refused("malformed-jwk", "JSON string", "A JWK is an object.", f'"{x}"')
    refused("malformed-jwk", "array of a JWK", "A JWK is an object.", f"[{jwk('X25519', ALICE.public)}]")
    refused("malformed-jwk", "PEM", "The form is a JWK.", f"-----BEGIN PUBLIC KEY-----\n{x}\n-----END PUBLIC KEY-----")

    def member(code, name, why, kind="recipient-public", **changes):
        refused(code, name, why, jwk("X25519", ALICE.public, **changes), kind)

    whole = jwk("X25519", ALICE.public)
    member("malformed-jwk", "x of 31 bytes", length, x=base64url(ALICE.public[:31]))
    member("malformed-jwk", "x of 33 bytes", length, x=base64url(ALICE.public + b"\0"))
    member("malformed-jwk", "x empty", length, x="")
    member("malformed-jwk", "x with padding", "RFC 7515 section 2: base64url has none.", x=x + "=")
    member("malformed-jwk", "x with white space", "RFC 7515 section 2: base64url has none.", x=x + "\n")
    member("malformed-jwk", "x with spare bits", "Two texts would be one key.", x=_with_spare_bit(x))
    member("malformed-jwk", "x is a number", "It is a string.", x=1)
    refused("malformed-jwk", "x is null", "It is a string.", whole.replace(f'"{x}"', "null"))
    refused("malformed-jwk", "no x", "A key needs a key.", '{"kty":"OKP","crv":"X25519"}')
    refused("malformed-jwk", "no crv", "A JWK of kind OKP has a curve.", f'{{"kty":"OKP","x":"{x}"}}')
    refused("malformed-jwk", "no kty", "A JWK has a kind.", f'{{"crv":"X25519","x":"{x}"}}')
    member("malformed-jwk", "kty is a number", "It is a string.", kty=1)
    refused("malformed-jwk", "x twice", "One reader takes the first of two, another the last.",
            whole[:-1] + f',"x":"{base64url(BOB.public)}"}}')
    refused("malformed-jwk", "x twice, once escaped", "Two spellings of one name are one name.",
            whole[:-1] + f',"\\u0078":"{base64url(BOB.public)}"}}')
    refused("malformed-jwk", "kty twice, the same", "Equal values don't help.",
            whole[:-1] + ',"kty":"OKP"}')
    refused("malformed-jwk", "JWK with a trailing comma", "Keys are strict JSON.", whole[:-1] + ",}")
    refused("malformed-jwk", "JWK with a byte order mark", "Keys are strict JSON.", "\ufeff" + whole)
    refused("malformed-jwk", "two JWKs", "It is one key or a set.", whole + "\n" + whole)
    refused("malformed-jwk", "JWK cut short", "The last brace is missing.", whole[:-1])

    member("wrong-key-type", "kty EC", "The keys here are of kind OKP.", kty="EC")
    member("wrong-key-type", "kty in lower case", "Values are case-sensitive.", kty="okp")
    member("wrong-key-type", "crv P-256", "The curves here are X25519 and Ed25519.", crv="P-256")
    member("wrong-key-type", "crv X448", "The curves here are X25519 and Ed25519.", crv="X448")
    member("wrong-key-type", "crv in lower case", "Values are case-sensitive.", crv="x25519")
    member("wrong-key-type", "use sig for X25519", "X25519 keys encrypt.", use="sig")
    member("wrong-key-type", "use in upper case", "Values are case-sensitive.", use="ENC")
    member("malformed-jwk", "use is an array", "It is a string.", use=["enc"])
    refused("wrong-key-type", "use enc for Ed25519", "Ed25519 keys sign.",
            jwk("Ed25519", ACME.public, use="enc"), "verification")
    refused("wrong-key-type", "verification key for a recipient's", "Only X25519 keys are sealed to.",
            compact_json(ACME.public_jwk))
    refused("wrong-key-type", "recipient's key for a verification key", "Only Ed25519 keys check signatures.",
            compact_json(ALICE.public_jwk), "verification")

    refused("malformed-jwk", "set without keys", "There is no key.", set_of())
    refused("malformed-jwk", "set whose keys are an object", "RFC 7517 section 5.1: an array.", '{"keys":{}}')
    refused("malformed-jwk", "set of two keys, none primary", "Nobody says which one is meant.",
            set_of(jwk("X25519", ALICE.public), jwk("X25519", BOB.public)))
    refused("multiple-primary-keys", "set of two primary keys", "There is exactly one.",
            set_of(jwk("X25519", ALICE.public, state="primary"), jwk("X25519", BOB.public, state="primary")))
    primary = jwk("X25519", ALICE.public, state="primary")
    refused("multiple-primary-keys", "set of two primary keys of different curves", "There is exactly one.",
            set_of(primary, jwk("Ed25519", ACME.public, state="primary")))
    every = "Each element of keys is a JWK."
    refused("malformed-jwk", "set with a primary key, and a number", every, set_of(primary, "1"))
    refused("malformed-jwk", "set with a primary key, and a state that is a number", "A state is a string.",
            set_of(primary, jwk("X25519", BOB.public, state=1)))
    refused("wrong-key-type", "set with a primary key, and a kty EC", every,
            set_of(primary, jwk("X25519", BOB.public, kty="EC")))
    refused("wrong-key-type", "set with a primary key, and a wrong use", every,
            set_of(primary, jwk("X25519", BOB.public, use="sig")))
    refused("wrong-key-type", "set whose one key is of another kind", "A key's own rules hold in a set too.",
            set_of(compact_json(ACME.public_jwk)))


def add_refused_private(corpus):
    def refused(code, name, why, text, kind="recipient-private"):
        corpus.refuses(code, name, why, kind, text)

    def member(name, why, **changes):
        refused("malformed-jwk", name, why, jwk("X25519", ALICE.public, ALICE.secret, **changes))

    d = base64url(ALICE.secret)
    length = "A private key is 32 bytes."
    member("d of 31 bytes", length, d=base64url(ALICE.secret[:31]))
    member("d of 33 bytes", length, d=base64url(ALICE.secret + b"\0"))
    member("d empty", length, d="")
    member("d with padding", "RFC 7515 section 2: base64url has none.", d=d + "=")
    member("d with a line break", "RFC 7515 section 2: base64url has none.", d=d[:20] + "\n" + d[20:])
    refused("malformed-jwk", "d in the other alphabet", "RFC 7515 section 2: base64url.",
            jwk("Ed25519", Key.signer(RFC_SEED).public, d=base64url(RFC_SEED).replace("_", "/")), "signing")
    member("d with spare bits", "Two texts would be one key.", d=_with_spare_bit(d))
    member("d is a number", "It is a string.", d=1)
    refused("malformed-jwk", "d is null", "It is a string.",
            jwk("X25519", ALICE.public, ALICE.secret).replace(f'"{d}"', "null"))
    refused("malformed-jwk", "d is null, read as a public key", "A key that is partly malformed is malformed.",
            jwk("X25519", ALICE.public)[:-1] + ',"d":null}', "recipient-public")
    refused("malformed-jwk", "d of 31 bytes, read as a public key", "A key that is partly malformed is malformed.",
            jwk("X25519", ALICE.public, ALICE.secret[:31]), "recipient-public")
    refused("malformed-jwk", "no x beside d", "RFC 8037 section 2: x is in private keys too.",
            f'{{"kty":"OKP","crv":"X25519","d":"{d}"}}')
    refused("malformed-jwk", "d twice", "One reader takes the first of two, another the last.",
            jwk("X25519", ALICE.public, ALICE.secret)[:-1] + f',"d":"{d}"}}')
    refused("malformed-jwk", "Ed25519 d of 64 bytes", "d is the seed, not libsodium's form of the private key.",
            jwk("Ed25519", ACME.public, ACME.secret + ACME.public), "signing")

    mismatch = "A key pair is one key."
    refused("key-pair-mismatch", "d of another X25519 key", mismatch, jwk("X25519", ALICE.public, BOB.secret))
    refused("key-pair-mismatch", "d of another Ed25519 key", mismatch,
            jwk("Ed25519", ACME.public, MALLORY.secret), "signing")
    refused("key-pair-mismatch", "X25519 d in the place of x", "The private half must not pass for the public one.",
            jwk("X25519", ALICE.secret, ALICE.secret))
    refused("key-pair-mismatch", "X25519 x in the place of d", mismatch, jwk("X25519", ALICE.public, ALICE.public))
    refused("key-pair-mismatch", "Ed25519 x in the place of d", mismatch,
            jwk("Ed25519", ACME.public, ACME.public), "signing")

    refused("wrong-key-type", "public X25519 key, read as a private key", "There is no d.",
            compact_json(ALICE.public_jwk))
    refused("wrong-key-type", "public Ed25519 key, read as a private key", "There is no d.",
            compact_json(ACME.public_jwk), "signing")
    refused("wrong-key-type", "signing key for a recipient's", "Only X25519 keys open.", compact_json(ACME.private_jwk))
    refused("wrong-key-type", "recipient's key for a signing key", "Only Ed25519 keys sign.",
            compact_json(ALICE.private_jwk), "signing")
    refused("wrong-key-type", "private key with use sig for X25519", "X25519 keys encrypt.",
            jwk("X25519", ALICE.public, ALICE.secret, use="sig"))
    refused("malformed-jwk", "raw private key", "A private key is a JWK, so that it says what it is.", d)
    refused("malformed-jwk", "set for a private key", "One key is needed here; a keyring is read as such.",
            set_of(compact_json(ALICE.private_jwk)))


def _with_spare_bit(text):
    """The same 32 bytes for a lenient decoder: their 43rd character has two bits that belong to no byte."""
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    return text[:-1] + alphabet[alphabet.index(text[-1]) | 1]


def _described(key):
    return {
        "crv": key.curve,
        "private": key.secret.hex(),
        "public": key.public.hex(),
        "thumbprint": base64url(key.thumbprint),
        "key_id": base64url(key.key_id),
        "public_jwk": key.public_jwk,
        "private_jwk": key.private_jwk,
    }


def document():
    corpus = Corpus()
    for add in (add_accepted, add_refused_x25519, add_refused_ed25519, add_refused_forms, add_refused_private):
        add(corpus)
    return checked({
        "description": "Vectors for reading PushCrypt's keys. README.md explains the members. "
        "Everybody has these keys: they are for tests and protect nothing.",
        "keys": {name: _described(key) for name, key in KEYS.items()},
        "rules": RULES,
        "vectors": corpus.vectors,
    })
