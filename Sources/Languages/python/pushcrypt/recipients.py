"""Devices: recipients, their registrations, and a server's updates of its row."""

from __future__ import annotations

import json
import re
import time
from typing import Any, Iterable, Literal, Tuple, overload

from nacl import bindings

from . import strictjson
from .keys import (FIELD_PRIME, MAXIMUM_INTEGER, MAXIMUM_LIFETIME, Private, PublicKey, PushCryptError, decode_32,
                   encode_base64, invalid, jwk_members, parse_object)

_FORMER_PERIOD = 60 * 24 * 3600 * 1000  # milliseconds
_FORMER_LIMIT = 64
_UNPROVED_PERIOD = 30 * 24 * 3600 * 1000  # milliseconds
_SIGNERS_LIMIT = 64
_KNOWN = {
    "row": {"account", "carrier", "deviceToken", "formerKeys", "proved", "registered", "registration"},
    "registration": {"created", "generation", "key", "lifetime", "signers"},
    "key": {"crv", "kid", "kty", "use", "x"},
    "former key": {"kid", "replaced"},
}
_Former = Tuple[str, int]  # a thumbprint and a time

_SMALL_ORDER = {bytes.fromhex(text) for text in (
    "0000000000000000000000000000000000000000000000000000000000000000",
    "0100000000000000000000000000000000000000000000000000000000000000",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
    "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157")}


class Recipient(PublicKey):
    """A device's X25519 key, the longest lifetime in seconds that its registration allows, and its signers or None."""

    curve = "X25519"
    lifetime = MAXIMUM_LIFETIME
    signers: list[str] | None = None

    def _check(self) -> None:
        number = int.from_bytes(self.public, "little")
        if len(self.public) != 32 or number >= FIELD_PRIME or self.public in _SMALL_ORDER:
            raise invalid("The X25519 key isn't 32 canonical bytes, or has small order. Register a new key.")

    @classmethod
    def parse(cls, key: str | bytes | strictjson.Node) -> Recipient:
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

    @classmethod
    def parse(cls, key: str | bytes | strictjson.Node) -> PrivateKey:
        """Returns the private key of a JWK, as text or a node."""
        return super().parse(key)

    def _derive(self) -> bytes:
        return bindings.crypto_scalarmult_base(self.secret)


class Registration:
    """A device's registration: its key as a recipient, generation, lifetime and creation time in seconds.

    `signers` has the thumbprints of the keys from which the device accepts signatures, or is None.
    """

    def __init__(self, recipient: Recipient, generation: int, lifetime: int, created: int,
                 signers: list[str] | None = None) -> None:
        self.recipient, self.generation, self.lifetime, self.created = recipient, generation, lifetime, created
        self.signers = signers
        recipient.lifetime, recipient.signers = lifetime, signers

    @property
    def members(self) -> tuple[object, ...]:
        """The values of all members. Two registrations with equal ones are the same."""
        return self.recipient.public, self.generation, self.lifetime, self.created, self.signers

    @classmethod
    def parse(cls, text: str | bytes | strictjson.Node) -> Registration:
        """Returns the registration of JSON text or a node."""
        def malformed(reason: str) -> PushCryptError:
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
        signers = _signers(members["signers"]) if "signers" in members else None
        return cls(recipient, signers=signers, **numbers)


def _signers(node: strictjson.Node) -> list[str]:
    """Returns 1 to 64 different thumbprints."""
    elements = node.value if isinstance(node.value, list) else []
    # The source has the same characters, because escapes aren't allowed here.
    kids = [element.source[1:-1].decode("ascii", "replace") for element in elements if isinstance(element.value, str)]
    if not 1 <= len(elements) <= _SIGNERS_LIMIT or len(set(kids)) != len(elements) or None in map(decode_32, kids):
        raise PushCryptError("malformed-registration", 'The member "signers" isn\'t valid. Send the registration unchanged.')
    return kids


def device_token(text: str) -> str:
    """Returns a device token of APNs, 16 to 200 bytes in hexadecimal digits, in lowercase: the form to store."""
    if not re.fullmatch(r"(?:[0-9A-Fa-f]{2}){16,200}", text):
        raise PushCryptError("malformed-registration", "The device token isn't 16 to 200 bytes in hexadecimal. Correct it.")
    return text.lower()


def bound_token(token: str, carrier: str) -> str:
    """Returns the token as a server stores it: a token of APNs in lowercase, and that of another carrier unchanged."""
    return device_token(token) if carrier == "apns" else token


class Row:
    """A server's row of a device: its account, token, registration, the time of this, and the former keys.

    Times are milliseconds. A former key is a pair of a thumbprint and the time of the registration that replaced the key.
    `proved` is the time of the proof of possession or None, and `carrier` the service that delivers the pushes.
    A row of a newer version is read, and never replaced: the error is newer-format.
    """

    def __init__(self, account: str, device_token: str, registered: int, registration: Registration,
                 former_keys: Iterable[_Former] = (), proved: int | None = None, carrier: str = "apns",
                 is_newer: bool = False) -> None:
        self.account, self.device_token, self.registered = account, device_token, registered
        self.registration, self.former_keys = registration, tuple(former_keys)
        self.proved, self.carrier, self.is_newer = proved, carrier, is_newer

    @classmethod
    def parse(cls, text: str | bytes) -> Row:
        """Returns the row of its JSON text."""
        try:
            node = strictjson.parse(text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text)
        except strictjson.JSONSyntaxError:
            raise _malformed_row() from None
        entries = node.value["formerKeys"].value if "formerKeys" in node.value else []
        if not isinstance(entries, list):
            raise _malformed_row()
        former_keys = []
        for entry in entries:
            replaced, kid = _integer(entry, "replaced"), _string(entry, "kid")
            if decode_32(kid) is None:
                raise _malformed_row()
            former_keys.append((kid, replaced))
        carrier = _string(node, "carrier") if "carrier" in node.value else "apns"
        proved = _integer(node, "proved") if "proved" in node.value else None
        token = bound_token(_string(node, "deviceToken"), carrier)
        registration = Registration.parse(_member(node, "registration"))
        return cls(_string(node, "account"), token, _integer(node, "registered"), registration, former_keys, proved,
                   carrier, _is_newer_row(node))

    def check_version(self) -> None:
        """Raises newer-format if a newer version has written the row."""
        if self.is_newer:
            raise PushCryptError("newer-format", "A newer version of PushCrypt has written the row, so it isn't changed. "
                                 "Update this program.")

    @property
    def recipient(self) -> Recipient:
        """The device's key, with its lifetime."""
        return self.registration.recipient

    @property
    def json(self) -> str:
        """The row as JSON text, for the database."""
        self.check_version()
        registration = self.registration
        key = {"crv": "X25519", "kid": registration.recipient.thumbprint, "kty": "OKP", "use": "enc",
               "x": encode_base64(registration.recipient.public)}
        row: dict[str, Any] = {"account": self.account, "deviceToken": self.device_token}
        if self.former_keys:
            row["formerKeys"] = [{"kid": kid, "replaced": replaced} for kid, replaced in self.former_keys]
        row["registered"] = self.registered
        row["registration"] = {"created": registration.created, "generation": registration.generation, "key": key,
                               "lifetime": registration.lifetime}
        if registration.signers is not None:
            row["registration"]["signers"] = registration.signers
        row.update({} if self.proved is None else {"proved": self.proved})
        row.update({} if self.carrier == "apns" else {"carrier": self.carrier})
        return json.dumps(row, ensure_ascii=False)

    def is_proved(self, since: int, now_ms: int | None = None) -> bool:
        """Whether a sender accepts the row while proofs are on, which were turned on at a time in milliseconds."""
        now = time.time_ns() // 1_000_000 if now_ms is None else now_ms
        return self.proved is not None or (self.registered < since and now < since + _UNPROVED_PERIOD)


@overload
def accepted_row(text: str | bytes, token: str, account: str = "", known: Row | None = None, others: Iterable[Row] = (),
                 now_ms: int | None = None, *, carrier: str = "apns", proved: Literal[True] | None = None) -> Row: ...


@overload
def accepted_row(text: str | bytes, token: str, account: str = "", known: Row | None = None, others: Iterable[Row] = (),
                 now_ms: int | None = None, *, carrier: str = "apns", proved: bool | None) -> Row | None: ...


def accepted_row(text: str | bytes, token: str, account: str = "", known: Row | None = None, others: Iterable[Row] = (),
                 now_ms: int | None = None, *, carrier: str = "apns", proved: bool | None = None) -> Row | None:
    """Returns the row to store after a registration, or raises an error, whose generation is the answer if it isn't None.

    `known` is the row of this token, in lowercase, and account, and `others` are the account's other rows. Keep the known
    row after an error. `proved` is None while proofs are off, and True after Challenges.verify. Without a proof, it is
    False. Then the result is None if the server keeps the row, and sends a challenge.
    """
    token, new = bound_token(token, carrier), Registration.parse(text)
    now = time.time_ns() // 1_000_000 if now_ms is None else now_ms
    rows = ([known] if known else []) + list(others)
    if known and (known.device_token, known.carrier) != (token, carrier) or any(row.account != account for row in rows):
        raise PushCryptError("malformed-registration", "A row has another token or account. Look it up by both.")
    if known:
        known.check_version()
    is_same = known is not None and known.registration.members == new.members
    if proved is False and known and is_same and known.proved is not None:
        return Row(account, token, now, known.registration, known.former_keys, known.proved, carrier)
    _check_generation(new, known.registration if known else None)
    if new.recipient.thumbprint in (kid for row in rows for kid, _ in _current(row.former_keys, now)):
        raise _stale(new.generation, "The key is a former key of the account. Register another key.")
    if proved is False:
        return None
    former = list(known.former_keys) if known else [entry for row in others for entry in row.former_keys]
    is_forged = proved and known and known.proved is None  # A row without a proof may be anyone's.
    if known and known.recipient.public != new.recipient.public and not is_forged:
        former.append((known.recipient.thumbprint, now))
    proof = now if proved else known.proved if known and is_same else None
    return Row(account, token, now, new, _current(former, now), proof, carrier)


def _check_generation(new: Registration, known: Registration | None) -> None:
    stale = known.generation if known else 0
    limit = stale + 2 ** 32 if known else 2 ** 52
    is_other = known and (new.recipient.public, new.lifetime, new.signers) != (
        known.recipient.public, known.lifetime, known.signers)
    if new.generation < stale or new.generation > limit or (new.generation == stale and is_other):
        raise _stale(stale, f"The registration doesn't follow generation {stale}. Register again.")


def _current(former_keys: Iterable[_Former], now: int) -> list[_Former]:
    """Returns the entries of the last 60 days, the newest of each key, and at most 64."""
    newest: dict[str, int] = {}
    for kid, replaced in sorted(former_keys, key=lambda entry: (-entry[1], entry[0])):
        if replaced + _FORMER_PERIOD > now:
            newest.setdefault(kid, replaced)
    return list(newest.items())[:_FORMER_LIMIT]


def _stale(generation: int, reason: str) -> PushCryptError:
    return PushCryptError("stale-generation", reason, generation)


def _is_newer_row(row: strictjson.Node) -> bool:
    """Whether a row has another version, or a member that this version doesn't know."""
    registration = row.value["registration"]
    former_keys = row.value["formerKeys"].value if "formerKeys" in row.value else []
    objects = [("row", row), ("registration", registration), ("key", registration.value["key"])]
    unknown = [(kind, name) for kind, node in [*objects, *(("former key", entry) for entry in former_keys)]
               for name in set(node.value) - _KNOWN[kind]]
    return any(each != ("row", "version") or row.value["version"].integer(1, 1) is None for each in unknown)


def _malformed_row() -> PushCryptError:
    return PushCryptError("malformed-registration", "The row isn't valid. Restore it from a backup, or delete it.")


def _member(node: strictjson.Node, name: str) -> strictjson.Node:
    if not isinstance(node.value, dict) or name not in node.value:
        raise _malformed_row()
    member: strictjson.Node = node.value[name]
    return member


def _string(node: strictjson.Node, name: str) -> str:
    text = _member(node, name).value
    if not isinstance(text, str):
        raise _malformed_row()
    return text


def _integer(node: strictjson.Node, name: str) -> int:
    number = _member(node, name).integer(0, MAXIMUM_INTEGER)
    if number is None:
        raise _malformed_row()
    return number
