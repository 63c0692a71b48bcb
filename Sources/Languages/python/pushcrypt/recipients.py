"""Devices: recipients, their registrations, and a server's updates of its row."""

import re

from nacl import bindings

from . import strictjson
from .keys import (FIELD_PRIME, MAXIMUM_INTEGER, MAXIMUM_LIFETIME, Private, PublicKey, PushCryptError, invalid, jwk_members,
                   parse_object)

_SMALL_ORDER = {bytes.fromhex(text) for text in (
    "0000000000000000000000000000000000000000000000000000000000000000",
    "0100000000000000000000000000000000000000000000000000000000000000",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
    "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157")}


class Recipient(PublicKey):
    """A device's X25519 key, and the longest lifetime in seconds that its registration allows."""

    curve = "X25519"
    lifetime = MAXIMUM_LIFETIME

    def _check(self):
        number = int.from_bytes(self.public, "little")
        if len(self.public) != 32 or number >= FIELD_PRIME or self.public in _SMALL_ORDER:
            raise invalid("The X25519 key isn't 32 canonical bytes, or has small order. Register a new key.")

    @classmethod
    def parse(cls, key):
        """Returns the recipient of a registration, a JWK, a JWK Set or 43 characters of base64url."""
        if isinstance(key, (str, bytes)):
            text = key.encode("utf-8", "surrogatepass") if isinstance(key, str) else key
            if not text.strip(b" \t\r\n").startswith(b"{"):
                return super().parse(key)
            key = parse_object(text)
        members = key.value if isinstance(key.value, dict) else {}
        if "key" in members:
            return Registration.parse(key).recipient
        return super().parse(key)


class PrivateKey(Private, Recipient):
    """A device's private X25519 key."""

    public_type = Recipient

    def _derive(self):
        return bindings.crypto_scalarmult_base(self.secret)


class Registration:
    """A device's registration: its key as a recipient, generation, lifetime and creation time in seconds."""

    def __init__(self, recipient, generation, lifetime, created):
        self.recipient, self.generation, self.lifetime, self.created = recipient, generation, lifetime, created
        recipient.lifetime = lifetime

    @classmethod
    def parse(cls, text):
        """Returns the registration of JSON text or a node."""
        def malformed(reason):
            return PushCryptError("malformed-registration", reason)
        if isinstance(text, (str, bytes)):
            try:
                text = strictjson.parse(text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text)
            except strictjson.JSONSyntaxError as error:
                raise malformed(str(error)) from None
        members = text.value
        key = members.get("key")
        if key is None or not isinstance(key.value, dict):
            raise malformed('The member "key" is missing or isn\'t a JWK. Send the registration unchanged.')
        public, secret = jwk_members(key, Recipient.curve)
        if secret is not None:
            raise malformed('The member "key" is a private key. Replace the key, and send its public half.')
        recipient = Recipient(public)
        numbers = {}
        for name, low, high in (("generation", 1, MAXIMUM_INTEGER), ("lifetime", 1, MAXIMUM_LIFETIME),
                                ("created", 0, MAXIMUM_INTEGER)):
            numbers[name] = members[name].integer(low, high) if name in members else None
            if numbers[name] is None:
                raise malformed(f'The member "{name}" isn\'t an integer from {low} to {high}. Register again.')
        return cls(recipient, **numbers)


def device_token(text):
    """Returns a device token of APNs, 16 to 200 bytes in hexadecimal digits, in lowercase: the form to store."""
    if not re.fullmatch(r"(?:[0-9A-Fa-f]{2}){16,200}", text):
        raise PushCryptError("malformed-registration", "The device token isn't 16 to 200 bytes in hexadecimal. Correct it.")
    return text.lower()


def accepted_registration(text, token, known=None):
    """Returns the registration that replaces the known one, or raises an error with the generation to answer."""
    device_token(token)
    new = Registration.parse(text)
    limit = known.generation + 2 ** 32 if known else 2 ** 52
    is_other = known and (new.recipient.public, new.lifetime) != (known.recipient.public, known.lifetime)
    stale = known.generation if known else 0
    if new.generation < stale or new.generation > limit or (new.generation == stale and is_other):
        raise PushCryptError("stale-generation", f"The registration doesn't follow generation {stale}. Register again.",
                             stale)
    return new
