"""Challenges and proofs of possession, written from section 14 of Format.md."""

import hashlib
import hmac
import json
import re

from .wire import base64url

LARGEST = 2**53 - 1
NAMES = ("challenge", "expires", "aps")


class Refused(Exception):
    """A rule is broken; the text is the code of the error."""


def with_length(data):
    return len(data).to_bytes(4, "big") + data


def digest(registration):
    return hashlib.blake2b(registration.encode(), digest_size=32).digest()


def stored_token(carrier, token):
    return token.lower() if carrier == "apns" else token


def nonce(secret, topic, carrier, account, token, registration, expires):
    parts = [topic.encode(), carrier.encode(), account.encode(), stored_token(carrier, token).encode(),
             digest(registration), expires.to_bytes(8, "big")]
    text = b"pushcrypt/v1/challenge\x00" + b"".join(map(with_length, parts))
    return hashlib.blake2b(text, key=secret, digest_size=32).digest()


def proof(nonce, registration, carrier, token, account):
    parts = [digest(registration), stored_token(carrier, token).encode(), account.encode()]
    text = b"pushcrypt/v1/proof\x00" + b"".join(map(with_length, parts))
    return hashlib.blake2b(text, key=nonce, digest_size=32).digest()


def payload(nonce, expires, aps=None):
    return f'{{"challenge":"{base64url(nonce)}","expires":{expires}' + (f',"aps":{aps}' if aps else "") + "}"


def answer(registration, expires, proof, /, **others):
    members = {"registration": json.dumps(registration), "expires": str(expires), "proof": f'"{base64url(proof)}"'}
    members |= others
    return "{" + ",".join(f'"{name}":{value}' for name, value in members.items() if value is not None) + "}"


def verify(secrets, expires, proof_bytes, registration, carrier, token, account, topic, now):
    """Rules 3 and 4 of the server, for an answer that is well-formed."""
    if now >= expires:
        raise Refused("expired-challenge")
    for secret in secrets:
        expected = proof(nonce(secret, topic, carrier, account, token, registration, expires), registration, carrier, token,
                         account)
        if hmac.compare_digest(expected, proof_bytes):
            return
    raise Refused("invalid-proof")


def is_text(value):
    return re.fullmatch(r"[A-Za-z0-9_-]{43}", value) is not None
