"""Collects the vectors of opening.json, and makes the payloads in them from originals."""

from . import wire
from .names import ACME, ALICE, EPHEMERAL_SECRET, MESSAGE_ID, NOW
from .wire import Carrier, Message, base64url

ORIGINAL = '{"aps":{"alert":{"title":"Original title","body":"Original body"}}}'
CARRIER = Carrier()

BY_ACME = {"signed_by": ["acme"]}
ANYONE = {"anyone": True}

# A notification service extension opens these kinds.
EXTENSION = ("notification", "withdrawal", "challenge")


def account(name, keys, accept):
    """A server or user at which the receiver is registered: its keys and the senders that it accepts."""
    return {"name": name, "keys": list(keys), "accept": accept}

# The check of section 7 that gives a code, if it is only one.
CHECKS = {
    "not-sealed": 2, "malformed-base64": 4, "unsupported-version": 6, "unknown-key": 8, "decryption-failed": 9,
    "unsupported-authentication": 11, "unsupported-kind": 12, "unsigned": 16, "unknown-signer": 17, "wrong-account": 17,
    "invalid-signature": 18, "wrong-kind": 19, "expired": 20, "issued-in-future": 21, "malformed-json": 22,
}

# The version of the files. It changes if a member gets another meaning.
VERSION = 1
# The version of the kit: the format's version, and the number of the release of the vectors. README.md has the rule.
KIT = "1.0"


def checked(document, *arrays):
    """A file with its version and the number of vectors, after a check of names and rules."""
    arrays = arrays or ("vectors",)
    rules = document.get("rules", {})
    used = set()
    for name in arrays:
        names = [vector["name"] for vector in document[name]]
        assert len(set(names)) == len(names), [each for each in names if names.count(each) > 1]
        failing = [vector for vector in document[name] if {"fails", "stale", "challenge"} & set(vector)]
        for vector in failing:
            assert vector["rule"] in rules, vector
        assert sum("rule" in vector for vector in document[name]) == len(failing)
        used |= {vector["rule"] for vector in failing}
    assert used == set(rules), set(rules) - used
    start = {"description": document.pop("description"), "version": VERSION, "kit": KIT}
    return start | {"counts": {name: len(document[name]) for name in arrays}} | document


class Corpus:
    """Collects vectors, and makes sure that no two have the same name."""

    def __init__(self):
        self.vectors = []

    def opens(self, name, why, payload, original=ORIGINAL, accept=ANYONE, signer=None, message_id=MESSAGE_ID,
              issued_at=NOW, kind="notification", lifetime=wire.DEFAULT_LIFETIME, account="main", **other):
        expected = {
            "original": original,
            "kind": kind,
            "account": account,
            "signer": signer,
            "message_id": base64url(message_id),
            "issued_at_ms": issued_at,
            "lifetime_s": lifetime,
        }
        self._add(name, why, payload, accept, {"opens": expected}, **other)

    def fails(self, code, name, why, payload, accept=ANYONE, check=None, **other):
        rule = f"check-{CHECKS[code] if check is None else check}"
        self._add(name, why, payload, accept, {"fails": code, "rule": rule}, **other)

    def malformed_carrier(self, name, why, payload):
        """A failure of the payload that travels, which a strict reader gets no value out of at all."""
        self.fails("malformed-json", name, why, payload, check=1, payload_is_valid_json=False)

    def _add(self, name, why, payload, accept, expected, keys=("alice",), now=NOW, payload_is_valid_json=True,
             user_info_value=None, kinds=EXTENSION, accounts=None):
        assert all(vector["name"] != name for vector in self.vectors), name
        vector = {"name": name, "why": why}
        if payload is not None:
            vector["payload"] = payload
        else:
            vector["userInfo-value"] = user_info_value
        if not payload_is_valid_json:
            vector["payload_is_valid_json"] = False
        vector["accounts"] = accounts or [account("main", keys, accept)]
        if kinds != EXTENSION:
            vector["kinds"] = list(kinds)
        if now != NOW:
            vector["now_ms"] = now
        self.vectors.append(vector | expected)


# MARK: From an original to a payload


def message(original=ORIGINAL, **other):
    payload = original.encode() if isinstance(original, str) else original
    return Message(payload, **({"message_id": MESSAGE_ID, "issued_at": NOW} | other))


def sealed(encoded, recipient=ALICE, header=None):
    """The text of ENCRYPTED_DATA for a message that is already encoded."""
    return base64url(wire.envelope(encoded, recipient, EPHEMERAL_SECRET, header))


def anonymous_push(original=ORIGINAL, **other):
    return CARRIER.around(sealed(message(original, **other).encoded()))


def signed_push(original=ORIGINAL, signer=ACME, signer_id=None, context=None, **other):
    return CARRIER.around(
        sealed(wire.signed(message(original, **other), signer, ALICE, signer_id, context))
    )


def envelope(encoded=None, recipient=ALICE):
    return wire.envelope(message().encoded() if encoded is None else encoded, recipient, EPHEMERAL_SECRET)


def push(envelope):
    return CARRIER.around(base64url(envelope))


def flipped(data, index, bit=0):
    changed = bytearray(data)
    changed[index] ^= 1 << bit
    return bytes(changed)
