"""Proofs of possession: challenges through the push channel, and the answers of devices that have received them."""

from __future__ import annotations

import hashlib
import hmac
import json
import time
from typing import Any, Iterable

from . import strictjson
from .keys import MAXIMUM_INTEGER, PushCryptError, decode_32, encode_base64
from .originals import parse, read_challenge
from .recipients import Registration, bound_token

CHALLENGE_DOMAIN = b"pushcrypt/v1/challenge\0"
PROOF_DOMAIN = b"pushcrypt/v1/proof\0"


class Challenges:
    """A server's challenges for an app: its bundle ID, the current secret of 32 bytes, and the previous one or None."""

    def __init__(self, topic: str, secret: bytes, previous: bytes | None = None) -> None:
        self._topic = topic
        self._secrets = [secret] + ([] if previous is None else [previous])
        if not all(isinstance(each, bytes) and len(each) == 32 for each in self._secrets):
            raise ValueError("A secret isn't 32 bytes. Use os.urandom(32), and store it.")

    def issue(self, registration: str | bytes, token: str, account: str = "", *, expires: int, carrier: str = "apns",
              aps: Any = None) -> str:
        """Returns the payload of a challenge, to be sealed with the kind "challenge".

        The registration is the text that the device has sent, and `expires` a time in seconds. A visible challenge
        displays `aps`, which is JSON text or a dict.
        """
        if type(expires) is not int or not 0 <= expires <= MAXIMUM_INTEGER:
            raise ValueError("The expiry isn't an integer of seconds. Use a time.")
        request = self._topic, carrier, account, bound_token(token, carrier)
        nonce = _nonce(self._secrets[0], request, _digest(registration), expires)
        after = "" if aps is None else f',"aps":{parse(aps).source.decode()}'
        return f'{{"challenge":"{encode_base64(nonce)}","expires":{expires}{after}}}'

    def verify(self, answer: str | bytes, token: str, account: str = "", *, carrier: str = "apns",
               now_ms: int | None = None) -> str:
        """Returns the text of the registration in a device's answer, or raises an error if the proof isn't valid.

        Token, account and carrier are those of the request that brings the answer.
        """
        registration, expires, proof = _read_answer(answer)
        token = bound_token(token, carrier)
        Registration.parse(registration)
        if (time.time_ns() // 1_000_000 if now_ms is None else now_ms) >= expires * 1000:
            raise PushCryptError("expired-challenge", "The challenge expired before its answer came. Send another one.")
        digest = _digest(registration)
        request = self._topic, carrier, account, token
        proofs = [_proof(_nonce(secret, request, digest, expires), digest, token, account) for secret in self._secrets]
        if not any([hmac.compare_digest(proof, each) for each in proofs]):
            raise PushCryptError("invalid-proof", "The proof isn't that of the challenge. Send another challenge.")
        return registration


def answer_challenge(payload: Any, registration: str | bytes, token: str, account: str = "", *,
                     carrier: str = "apns") -> str:
    """Returns a device's answer to the payload of a challenge, with the text of the registration that it has sent."""
    nonce, expires = read_challenge(parse(payload).value)
    proof = _proof(nonce, _digest(registration), bound_token(token, carrier), account)
    text = registration.decode() if isinstance(registration, bytes) else registration
    return json.dumps({"registration": text, "expires": expires, "proof": encode_base64(proof)}, ensure_ascii=False)


def _joined(*parts: bytes) -> bytes:
    return b"".join(len(part).to_bytes(4, "big") + part for part in parts)


def _mac(key: bytes, data: bytes) -> bytes:
    return hashlib.blake2b(data, digest_size=32, key=key).digest()


def _digest(registration: str | bytes) -> bytes:
    data = registration.encode() if isinstance(registration, str) else registration
    return hashlib.blake2b(data, digest_size=32).digest()


def _nonce(secret: bytes, request: Iterable[str], digest: bytes, expires: int) -> bytes:
    """Returns the nonce for a topic, a carrier, an account and a token."""
    texts = (text.encode() for text in request)
    return _mac(secret, CHALLENGE_DOMAIN + _joined(*texts, digest, expires.to_bytes(8, "big")))


def _proof(nonce: bytes, digest: bytes, token: str, account: str) -> bytes:
    return _mac(nonce, PROOF_DOMAIN + _joined(digest, token.encode(), account.encode()))


def _read_answer(text: str | bytes) -> tuple[str, int, bytes]:
    """Returns the registration, the expiry and the proof of an answer."""
    try:
        members = strictjson.parse(text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text).value
    except strictjson.JSONSyntaxError as error:
        raise PushCryptError("malformed-registration", str(error)) from None
    registration, encoded = (members[name].value if name in members else None for name in ("registration", "proof"))
    expires = members["expires"].integer(0, MAXIMUM_INTEGER) if "expires" in members else None
    proof = decode_32(encoded) if isinstance(encoded, str) else None
    if not isinstance(registration, str) or expires is None or proof is None:
        raise PushCryptError("malformed-registration", "The answer isn't valid. Send a device's answer unchanged.")
    return registration, expires, proof
