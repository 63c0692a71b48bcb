"""Answers of challenges.json whose proof is for something else: each of them is invalid-proof."""

import hashlib
import hmac
import json

from . import challenges
from .challenge_answers import BOTH, COMPOSED, DECOMPOSED, MIXED, OTHER, USUAL, body, refuses
from .challenges import EXPIRES, FOREIGN, LARGEST, PREVIOUS, PROOF_DOMAIN, REGISTRATION, SECRET, blake2b, joined, plain
from .names import ALICE, BOB, NOW
from .registration_vectors import TWO, jwk, registration
from .wire import base64url


def invalid(rule, name, why, text=None, request=USUAL, **state):
    return refuses("invalid-proof", rule, name, why, text or body(), request, **state)


def requests():
    """Answers in a request for something else than the challenge."""
    why = "The server takes it from the request at hand."
    for topic in ("com.example.other", "com.example.App", "com.example.app.voip", "com.example.ap", "com.example.app\0",
                  ""):
        yield invalid("topic", repr(topic), why, request=USUAL.with_(topic=topic))
    for carrier in ("fcm", "APNS", "apn", ""):
        yield invalid("carrier", repr(carrier), why, request=USUAL.with_(carrier=carrier))
    yield invalid("carrier", "a challenge of another carrier", why, body(OTHER.with_(token=USUAL.token)),
                  OTHER.with_(token=USUAL.token, carrier="apns"))
    for account in ("bob", "Anna", "anna ", "ann", "annaa", "", "anna\0"):
        yield invalid("account", repr(account), why, request=USUAL.with_(account=account))
    for name, first, second in [("composed", DECOMPOSED, COMPOSED), ("decomposed", COMPOSED, DECOMPOSED),
                                ("named", "", "anna")]:
        yield invalid("account", f"{name} in the request", why, body(USUAL.with_(account=first)),
                      USUAL.with_(account=second))
    for name, token in {"another": "0b" * 32, "its first half": "0a" * 16, "twice": USUAL.token * 2,
                        "its last digit": USUAL.token[:-1] + "b"}.items():
        yield invalid("same-token", name, why, request=USUAL.with_(token=token))
    fcm = OTHER.with_(token=MIXED)
    for name, token in {"in capitals": MIXED.upper(), "in lowercase": MIXED.lower(), "with a space": MIXED + " ",
                        "empty": ""}.items():
        yield invalid("same-token", f"of another carrier, {name}", "Tokens of other carriers stay unchanged.",
                      body(fcm), fcm.with_(token=token))
    upper = USUAL.with_(carrier="APNS", token=MIXED)
    yield invalid("same-token", "of the carrier APNS, in lowercase", "Only apns itself changes tokens.", body(upper),
                  upper.with_(token=MIXED.lower()))


def texts():
    """Answers with another registration or expiry than that of the challenge."""
    key = jwk("X25519", ALICE.public)
    why = "The digest is of the text that the device has sent."
    for name, text in {
        "another key": registration(jwk("X25519", BOB.public)), "another generation": REGISTRATION.replace(":3,",
                                                                                                           ":4,"),
        "another creation": REGISTRATION.replace("1767225600", "1767225601"),
        "another lifetime": REGISTRATION.replace("604800", "604799"),
        "other signers": registration(key, signers=json.dumps(TWO)), "an unknown member": REGISTRATION[:-1] + ',"x":1}',
        "the members in another order": '{"generation":3,"created":1767225600,' + REGISTRATION.split(",", 2)[2],
        "white space": REGISTRATION + " ",
        "an escape": REGISTRATION.replace('"created"', r'"cr\u0065ated"'), "no kid": registration(key),
        "spaces": REGISTRATION.replace(":", ": "),
        "a line break at the end": REGISTRATION + "\n",
    }.items():
        assert text != REGISTRATION
        yield invalid("digest", name, why, body(registration=json.dumps(text)))
    spaced = USUAL.with_(registration=REGISTRATION.replace(",", " , "))
    yield invalid("digest", "without the white space of the challenge's", why,
                  body(spaced, registration=json.dumps(REGISTRATION)))
    for name, expires in {"a second later": EXPIRES + 1, "a second earlier": EXPIRES - 1,
                          "a day later": EXPIRES + 86_400, "2^32 later": EXPIRES + 2**32,
                          "2^53 - 1": LARGEST, "in milliseconds": EXPIRES * 1000}.items():
        yield invalid("expiry", name, "Nobody can prolong a challenge.", body(expires=str(expires)))
    yield invalid("expiry", "a later one of an expired challenge", "Nobody can prolong a challenge.",
                  body(USUAL.with_(expires=NOW // 1000 - 60), expires=str(EXPIRES)))


def secrets():
    why = "The server knows the current secret and the previous one."
    yield invalid("secret", "a foreign one", why, body(USUAL.with_(secret=FOREIGN)))
    yield invalid("secret", "one that is rotated out", why, secrets=(PREVIOUS, FOREIGN))
    yield invalid("secret", "one that is rotated out, the only one", why, secrets=(PREVIOUS,))
    yield invalid("secret", "the previous one, which the server has deleted", why, body(USUAL.with_(secret=PREVIOUS)),
                  secrets=(SECRET,))
    for name, secret in {"zeros": bytes(32), "31 bytes": SECRET[:31], "text": base64url(SECRET).encode(), "empty": b"",
                         "both": SECRET + PREVIOUS[:32]}.items():
        yield invalid("secret", name, why, body(USUAL.with_(secret=secret)))
    mixed = USUAL.proof(USUAL.with_(secret=PREVIOUS).proof())
    yield invalid("secret", "a proof as the nonce", why, body(proof=mixed))


def longer(key, data):
    return blake2b(key, data, 64)[:32]


def hashed(key, data):
    return hashlib.blake2b(key + data, digest_size=32).digest()


def unkeyed(_, data):
    return hashlib.blake2b(data, digest_size=32).digest()


def sha256(key, data):
    return hmac.digest(key, data, "sha256")


def little(*parts):
    return joined(*parts, order="little")


def short(*parts):
    return joined(*parts, size=2)


def long(*parts):
    return joined(*parts, size=8)


FUNCTIONS = {"a longer digest, cut": longer, "a hash of key and text": hashed, "without a key": unkeyed,
             "HMAC-SHA-256": sha256}
JOINS = {"without lengths": plain, "with lengths in little-endian": little, "with lengths in 2 bytes": short,
         "with lengths in 8 bytes": long}


def proofs():
    why = "The proof depends on all bits of the nonce and of its inputs."
    right = USUAL.proof()
    for at in (0, 1, 3, 7, 8, 15, 16, 23, 24, 30, 31):
        yield invalid("proof", f"a bit of byte {at}", "All 32 bytes are compared.",
                      body(proof=right[:at] + bytes([right[at] ^ 1]) + right[at + 1:]))
    for name, value in {"zeros": bytes(32), "ones": b"\xff" * 32, "the nonce": USUAL.nonce(),
                        "the digest": USUAL.digest, "the secret": FOREIGN,
                        "its bytes in reverse": right[::-1], "another nonce": USUAL.proof(bytes(32))}.items():
        yield invalid("proof", name, why, body(proof=value))
    for name, mac in FUNCTIONS.items():
        yield invalid("proof", name, why, body(proof=USUAL.proof(mac=mac)))
    for name, join in JOINS.items():
        yield invalid("proof", name, why, body(proof=USUAL.proof(join=join)))
    for name, domain in {"without its name": b"", "with the challenge's name": challenges.CHALLENGE_DOMAIN,
                         "without the zero byte": PROOF_DOMAIN[:-1],
                         "of version 2": PROOF_DOMAIN.replace(b"v1", b"v2")}.items():
        yield invalid("proof", name, why, body(proof=USUAL.proof(domain=domain)))
    for names in (("digest",), ("digest", "token"), ("digest", "account"), ("token", "account"),
                  ("digest", "account", "token"),
                  ("token", "account", "digest"), ("digest", "token", "account", "expiry")):
        yield invalid("proof", f"of {', '.join(names)}", why, body(proof=USUAL.proof(names=names)))
    for name, part in {"account": b"bob", "token": b"0b" * 32, "digest": bytes(32)}.items():
        yield invalid("proof", f"another {name} for the right nonce", "The device proves what it has itself.",
                      body(proof=USUAL.proof(**{name: part})))
    yield invalid("proof", "the token in capitals", "Tokens of APNs are in lowercase.",
                  body(proof=USUAL.proof(token=USUAL.token.upper().encode())))
    yield invalid("proof", "a boundary", "Each input stands after its length.",
                  body(OTHER, USUAL.proof(OTHER.with_(account="x").nonce())), OTHER.with_(account="x"))


def nonces():
    """Right proofs for nonces that another function has computed."""
    why = "The nonce depends on all inputs."

    def case(name, **changes):
        return invalid("challenge", name, why, body(proof=USUAL.proof(USUAL.nonce(**changes))))

    for name, mac in FUNCTIONS.items():
        yield case(name, mac=mac)
    for name, join in JOINS.items():
        yield case(name, join=join)
    for name, domain in {"without its name": b"", "with the proof's name": PROOF_DOMAIN,
                         "without the zero byte": challenges.CHALLENGE_DOMAIN[:-1]}.items():
        yield case(name, domain=domain)
    for part in USUAL.parts:
        yield case(f"without {part}", **{part: None})
        yield case(f"with an empty {part}", **{part: b""})
    yield case("with the expiry in little-endian", expiry=EXPIRES.to_bytes(8, "little"))
    yield case("with the expiry in 4 bytes", expiry=EXPIRES.to_bytes(4, "big"))
    yield case("with the expiry as text", expiry=str(EXPIRES).encode())
    yield case("with the text of the registration", digest=REGISTRATION.encode())
    yield case("with a digest of 64 bytes", digest=hashlib.blake2b(REGISTRATION.encode()).digest())
    yield case("with the digest of the members in order", digest=hashlib.blake2b(
        json.dumps(json.loads(REGISTRATION), sort_keys=True).encode(), digest_size=32).digest())
    yield case("with the token's bytes", token=bytes.fromhex(USUAL.token))
    yield case("with the token in capitals", token=USUAL.token.upper().encode())
    swapped = USUAL.with_(topic=USUAL.account, account=USUAL.topic)
    yield invalid("challenge", "with topic and account exchanged", why, body(proof=USUAL.proof(swapped.nonce())))
