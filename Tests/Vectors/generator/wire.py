"""The wire format, version 1, written from its description and not from the Swift sources.

Sealing differs from other implementations in two points. The randomness comes from the caller, so that every run gives the
same vectors. Every rule can be broken on its own, because most vectors must be refused.
"""

import base64
import hashlib
import json
import uuid
from dataclasses import dataclass

from . import sodium

VERSION = 1
ANONYMOUS = 0
ED25519 = 1

# The kinds of messages, and the name of each in the vectors.
KINDS = {
    "notification": 1,
    "background": 2,
    "voip": 3,
    "activity-state": 4,
    "activity-attributes": 5,
    "location": 6,
    "pushtotalk": 7,
    "withdrawal": 8,
    "challenge": 9,
}
DEFAULT_LIFETIME = 7 * 24 * 3600
MAXIMUM_LIFETIME = 30 * 24 * 3600
# The order of Ed25519's main subgroup (RFC 8032 section 5.1).
GROUP_ORDER = 2**252 + 27742317777372353535851937790883648493
SIGNATURE_DOMAIN = b"pushcrypt/v1/signature\x00"
APNS_ID_DOMAIN = b"pushcrypt/v1/apns-id\x00"


def base64url(data):
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


# MARK: Keys


def thumbprint(curve, public_key):
    """RFC 7638: SHA-256 over the required members of the public JWK, in alphabetical order and without white space."""
    canonical = f'{{"crv":"{curve}","kty":"OKP","x":"{base64url(public_key)}"}}'
    return hashlib.sha256(canonical.encode()).digest()


@dataclass(frozen=True)
class Key:
    """A key pair of either kind."""

    curve: str
    secret: bytes
    public: bytes

    @staticmethod
    def recipient(secret):
        return Key("X25519", secret, sodium.x25519_public_key(secret))

    @staticmethod
    def signer(seed):
        return Key("Ed25519", seed, sodium.ed25519_key_pair(seed)[0])

    @property
    def use(self):
        return {"X25519": "enc", "Ed25519": "sig"}[self.curve]

    @property
    def thumbprint(self):
        return thumbprint(self.curve, self.public)

    @property
    def key_id(self):
        return self.thumbprint[:8]

    @property
    def public_jwk(self):
        return {
            "kty": "OKP",
            "crv": self.curve,
            "use": self.use,
            "kid": base64url(self.thumbprint),
            "x": base64url(self.public),
        }

    @property
    def private_jwk(self):
        return self.public_jwk | {"d": base64url(self.secret)}

    def sign(self, data):
        return sodium.ed25519_sign(data, sodium.ed25519_key_pair(self.secret)[1])


# MARK: Messages


@dataclass(frozen=True)
class Message:
    """The plaintext of a sealed box. `length` is the n in the header, if it differs from the payload's length."""

    payload: bytes
    message_id: bytes
    issued_at: int
    padding: bytes = b""
    length: int | None = None
    kind: int = 1
    lifetime: int = DEFAULT_LIFETIME

    def encoded(self, authentication=ANONYMOUS):
        """The message up to the end of its padding, which is all of an anonymous message."""
        length = len(self.payload) if self.length is None else self.length
        numbers = length.to_bytes(2, "big") + self.lifetime.to_bytes(4, "big") + self.issued_at.to_bytes(8, "big")
        return bytes([authentication, self.kind]) + numbers + self.message_id + self.payload + self.padding

    def before_signature(self, signer_id):
        """A signed message without its signature."""
        return self.encoded(ED25519) + signer_id


def apns_id(message_id):
    """The header apns-id: a UUID of version 8, whose other bits are those of a hash."""
    digest = hashlib.blake2b(APNS_ID_DOMAIN + message_id, digest_size=16).digest()
    number = int.from_bytes(digest, "big")
    for first, width, value in ((48, 4, 8), (64, 2, 2)):
        shift = 128 - first - width
        number = number & ~((2**width - 1) << shift) | value << shift
    return str(uuid.UUID(int=number))


def envelope_header(recipient, version=VERSION, key_id=None):
    return bytes([version]) + (recipient.key_id if key_id is None else key_id)


def signature_context(recipient, domain=SIGNATURE_DOMAIN, header=None):
    """What is signed before the message: it ties the signature to this format, its version and one recipient."""
    return domain + (envelope_header(recipient) if header is None else header) + recipient.public


def signed(message, signer, recipient, signer_id=None, context=None):
    """A whole signed message."""
    before = message.before_signature(signer.key_id if signer_id is None else signer_id)
    return before + signer.sign((signature_context(recipient) if context is None else context) + before)


def signature_without_nonce(signer, data, neutral):
    """A signature whose R is an encoding of the neutral element. With the nonce 0, S is the hash times the key."""
    digest = hashlib.sha512(signer.secret).digest()
    scalar = int.from_bytes(digest[:32], "little") & (2**254 - 8) | 2**254
    challenge = int.from_bytes(hashlib.sha512(neutral + signer.public + data).digest(), "little")
    return neutral + (challenge * scalar % GROUP_ORDER).to_bytes(32, "little")


# MARK: Boxes and envelopes


def seal_nonce(ephemeral_public, recipient_public):
    return hashlib.blake2b(ephemeral_public + recipient_public, digest_size=24).digest()


def sealed_box(message, recipient, ephemeral_secret):
    """crypto_box_seal, but with an ephemeral key that the caller chooses."""
    ephemeral_public = sodium.x25519_public_key(ephemeral_secret)
    nonce = seal_nonce(ephemeral_public, recipient.public)
    return ephemeral_public + sodium.box(message, nonce, recipient.public, ephemeral_secret)


def envelope(message, recipient, ephemeral_secret, header=None):
    """The bytes whose base64url is ENCRYPTED_DATA, for a message that is already encoded."""
    header = envelope_header(recipient) if header is None else header
    return header + sealed_box(message, recipient, ephemeral_secret)


# MARK: Payloads


def compact_json(value):
    """JSON as it is sent: UTF-8 itself and no white space."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


@dataclass(frozen=True)
class Carrier:
    """The payload around the sealed value, which isn't encrypted."""

    # All three have text, so that a receiver that leaves a part of it standing is caught.
    visible: str = (
        '{"aps":{"alert":{"title":"Placeholder title","subtitle":"Placeholder subtitle",'
        '"body":"Placeholder body"},"mutable-content":1}'
    )

    def around(self, text):
        """The payload with a sealed value that is given as the text between the quotation marks."""
        return self.around_json(f'"{text}"')

    def around_json(self, value):
        return f'{self.visible},"ENCRYPTED_DATA":{value}}}'

    def room(self, limit):
        """The maximum length of an envelope, for a limit of the payload."""
        return (limit - len(self.around("").encode())) * 3 // 4
