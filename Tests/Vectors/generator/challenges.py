"""Challenges and proofs (section 14), with every part to be changed on its own, and an own reader for the checks."""

import hashlib
import re
from dataclasses import dataclass, replace

from .key_vectors import jwk
from .names import ALICE, NOW
from .registration_vectors import TOKEN, registration
from .signer_lists import LARGEST, Refused, _integer, _is_string, _object, encoded, members
from .wire import base64url

CHALLENGE_DOMAIN = b"pushcrypt/v1/challenge\x00"
PROOF_DOMAIN = b"pushcrypt/v1/proof\x00"
SECRET = b"pushcrypt test secret: challenge"
PREVIOUS = b"pushcrypt test secret: the last."
FOREIGN = b"pushcrypt test secret: a foreign"
EXPIRES = NOW // 1000 + 900
KID = base64url(ALICE.thumbprint)
REGISTRATION = registration(jwk("X25519", ALICE.public, kid=KID, use="enc"))
APS = '{"alert":{"title-loc-key":"CHECK"},"mutable-content":1}'


def joined(*parts, size=4, order="big"):
    """Byte strings, each after its length."""
    return b"".join(len(part).to_bytes(size, order) + part for part in parts)


def plain(*parts):
    """Byte strings without their lengths."""
    return b"".join(parts)


def blake2b(key, data, size=32):
    return hashlib.blake2b(data, digest_size=size, key=key).digest()


@dataclass(frozen=True)
class Inputs:
    """What a challenge is about. `registration` is the text as the device has sent it."""

    topic: str = "com.example.app"
    carrier: str = "apns"
    account: str = "anna"
    token: str = TOKEN
    registration: str = REGISTRATION
    expires: int = EXPIRES
    secret: bytes = SECRET

    def with_(self, **changes):
        return replace(self, **changes)

    @property
    def bound_token(self):
        return self.token.lower() if self.carrier == "apns" else self.token

    @property
    def digest(self):
        return hashlib.blake2b(self.registration.encode(), digest_size=32).digest()

    @property
    def parts(self):
        """The six inputs of the nonce by their names."""
        return {"topic": self.topic.encode(), "carrier": self.carrier.encode(), "account": self.account.encode(),
                "token": self.bound_token.encode(), "digest": self.digest, "expiry": self.expires.to_bytes(8, "big")}

    def nonce(self, join=joined, domain=CHALLENGE_DOMAIN, mac=blake2b, **changes):
        """The nonce. A change replaces a part, or leaves it out if it is None."""
        parts = [part for part in (self.parts | changes).values() if part is not None]
        return mac(self.secret, domain + join(*parts))

    def proof(self, nonce=None, join=joined, domain=PROOF_DOMAIN, mac=blake2b, names=("digest", "token", "account"),
              **changes):
        """The proof for a nonce, which is the right one if it is None."""
        parts = self.parts | changes
        return mac(self.nonce() if nonce is None else nonce, domain + join(*(parts[name] for name in names)))

    def payload(self, aps=None, nonce=None, **changes):
        """The payload of a challenge. The changes are JSON texts, and None leaves a member out."""
        values = {"challenge": f'"{base64url(self.nonce() if nonce is None else nonce)}"', "expires": str(self.expires),
                  "aps": aps}
        return members(values, changes)


def read_payload(text):
    """The nonce and the expiry of a challenge."""
    try:
        values = _object(text.encode("utf-8", "surrogatepass"))
    except Refused:
        raise Refused("malformed-json") from None
    try:
        nonce = encoded_bytes(values.get("challenge"))
        expires = _integer(values.get("expires"), 0)
    except Refused:
        raise Refused("invalid-payload") from None
    if set(values) - {"aps"} != {"challenge", "expires"} or not isinstance(values.get("aps", {}), dict):
        raise Refused("invalid-payload")
    return nonce, expires


def encoded_bytes(value):
    """The 32 bytes of a string in strict base64url."""
    if not _is_string(value) or not re.fullmatch("[A-Za-z0-9_-]{43}", value, re.ASCII):
        raise Refused("malformed")
    number = sum("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".index(character) << 6 * at
                 for at, character in enumerate(reversed(value)))
    if number % 4:
        raise Refused("malformed")
    return (number >> 2).to_bytes(32, "big")


def read_answer(text):
    """The registration, the expiry and the proof of an answer."""
    try:
        values = _object(text.encode("utf-8", "surrogatepass"))
        expires = _integer(values.get("expires"), 0)
        proof = encoded_bytes(values.get("proof"))
        if not _is_string(values.get("registration")):
            raise Refused("malformed")
    except Refused:
        raise Refused("malformed-registration") from None
    return values["registration"], expires, proof


def outcome(text, inputs, secrets, now, problem=None):
    """The code of the first check that an answer fails, or None. `problem` is the code of its registration."""
    try:
        registered, expires, proof = read_answer(text)
    except Refused as refused:
        return str(refused)
    if inputs.carrier == "apns" and not re.fullmatch("([0-9A-Fa-f]{2}){16,200}", inputs.token, re.ASCII):
        return "malformed-registration"
    if problem:
        return problem
    if now >= expires * 1000:
        return "expired-challenge"
    same = inputs.with_(registration=registered, expires=expires)
    proofs = [same.with_(secret=secret).proof() for secret in secrets]
    return None if proof in proofs else "invalid-proof"


__all__ = ["APS", "CHALLENGE_DOMAIN", "EXPIRES", "FOREIGN", "Inputs", "KID", "LARGEST", "PREVIOUS", "PROOF_DOMAIN",
           "REGISTRATION",
           "Refused", "SECRET", "blake2b", "encoded", "encoded_bytes", "joined", "members", "outcome", "plain",
           "read_answer",
           "read_payload"]
