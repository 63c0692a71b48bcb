"""Random values of messages: a sealer never repeats one, and none is zero."""

import base64
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "Vectors"))

from generator import sodium  # noqa: E402

# The envelope is a version, the key's ID and libsodium's sealed box, which begins with the ephemeral key.
HEADER_LENGTH = 9
EPHEMERAL_KEY = slice(HEADER_LENGTH, HEADER_LENGTH + 32)
MESSAGE_ID = slice(16, 32)
# R is the first half of the signature at the end.
SIGNATURE_R = slice(-64, -32)
COLUMN = "randomness"


def decoded(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def values(payload, key, is_signed):
    """Returns the random values of a sealed payload by their names."""
    envelope = decoded(json.loads(payload)["ENCRYPTED_DATA"])
    secret = decoded(key["d"])
    message = sodium.open_sealed_box(envelope[HEADER_LENGTH:], sodium.x25519_public_key(secret), secret)
    result = {"ephemeral key": envelope[EPHEMERAL_KEY], "message ID": message[MESSAGE_ID]}
    return result | ({"signature's R": message[SIGNATURE_R]} if is_signed else {})


def check(sealed, messages, report):
    """Compares the values of each sealer's messages with all other values of their kind."""
    seen = {}
    for sealer, payloads in sealed.items():
        for message in messages:
            if message.number not in payloads:
                continue
            problems = []
            for name, value in values(payloads[message.number], message.recipient, message.is_signed).items():
                if not any(value):
                    problems.append(f"The {name} is zero.")
                if other := seen.get((name, value)):
                    problems.append(f"The {name} is the one of {other}.")
                seen[name, value] = f"message {message.number} of {sealer}"
            report.compare(sealer, COLUMN, message.line.decode(), [], problems)
