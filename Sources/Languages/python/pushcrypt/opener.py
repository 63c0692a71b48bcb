"""Opening of sealed payloads, for tests and for receivers other than Apple's."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Collection, Sequence

from nacl import bindings, exceptions

from . import strictjson
from .keys import MAXIMUM_LIFETIME, PushCryptError, VerificationKey, decode_base64
from .recipients import PrivateKey
from .sealer import signed_bytes

KINDS = {"notification": 1, "background": 2, "voip": 3, "activity-state": 4, "activity-attributes": 5, "location": 6,
         "pushtotalk": 7, "withdrawal": 8, "challenge": 9}
_NAMES = {number: name for name, number in KINDS.items()}
_AGELESS = ("activity-state", "activity-attributes")
_MAXIMUM_TOLERANCE = 172_800
_MINIMUM_TOLERANCE = 300


@dataclass(frozen=True)
class Account:
    """An account's name, PrivateKeys, and accepted VerificationKeys. Without a list, it accepts anyone."""

    name: str
    keys: Sequence[PrivateKey]
    signed_by: Sequence[VerificationKey] = field(default_factory=list)
    anyone: bool = False


@dataclass(frozen=True)
class Opened:
    """An authentic message. The signer is the thumbprint of its key, or None if signatures aren't checked."""

    original: bytes
    kind: str
    account: str
    signer: str | None
    message_id: bytes
    issued_at_ms: int
    lifetime_s: int


class Opener:
    """Opens the kinds that fit the push, for the accounts of one device. It has no replay guard."""

    def __init__(self, accounts: Sequence[Account],
                 kinds: Collection[str] = ("notification", "withdrawal", "challenge")) -> None:
        self._accounts = accounts
        self._kinds = kinds

    def open(self, payload: bytes, now_ms: int | None = None) -> Opened:
        """Returns the message in a sealed payload, as bytes."""
        value = _parse(payload).value.get("ENCRYPTED_DATA")
        if value is None:
            raise PushCryptError("not-sealed", "The payload has no ENCRYPTED_DATA. Send a sealed payload.")
        return self.open_value(value.value, now_ms)

    def open_value(self, value: object, now_ms: int | None = None) -> Opened:
        """Returns the message in a value of ENCRYPTED_DATA."""
        if not isinstance(value, str):
            raise _fail("malformed-envelope", "ENCRYPTED_DATA isn't a string.")
        envelope = decode_base64(value)
        if not envelope:
            raise _fail("malformed-envelope", "The envelope is empty.")
        if envelope[0] != 1:
            raise _fail("unsupported-version", "The version of the envelope isn't 1.")
        if len(envelope) < 57:
            raise _fail("malformed-envelope", "The envelope is shorter than 57 bytes.")
        account, key = self._find(envelope[1:9])
        try:
            message = bindings.crypto_box_seal_open(envelope[9:], key.public, key.secret)
        except exceptions.CryptoError:
            raise _fail("decryption-failed", "The box doesn't open.") from None
        return self._read(message, account, key, time.time_ns() // 1_000_000 if now_ms is None else now_ms)

    def _find(self, key_id: bytes) -> tuple[Account, PrivateKey]:
        for account in self._accounts:
            for key in account.keys:
                if key.key_id == key_id:
                    return account, key
        raise _fail("unknown-key", "No key has the id in the envelope.")

    def _read(self, message: bytes, account: Account, key: PrivateKey, now_ms: int) -> Opened:
        if len(message) < 32:
            raise _fail("malformed-message", "The message is shorter than 32 bytes.")
        is_signed = message[0] == 1
        if message[0] > 1:
            raise _fail("unsupported-authentication", "The authentication isn't 0 or 1.")
        kind = _NAMES.get(message[1])
        if kind is None:
            raise _fail("unsupported-kind", "The kind isn't 1 to 9.")
        length, lifetime, issued_at = (int.from_bytes(message[a:b], "big") for a, b in ((2, 4), (4, 8), (8, 16)))
        if not 1 <= lifetime <= MAXIMUM_LIFETIME:
            raise _fail("malformed-message", "The lifetime isn't from 1 second to 30 days.")
        end = len(message) - (72 if is_signed else 0)
        if 32 + length > end:
            raise _fail("malformed-message", "The payload is longer than the message.")
        if any(message[32 + length:end]):
            raise _fail("malformed-message", "The padding isn't zero.")
        signer = None if account.anyone else self._check_signature(message, is_signed, account, key)
        if kind not in self._kinds:
            raise _fail("wrong-kind", "The message has another purpose than the push.")
        tolerance = min(max(lifetime, _MINIMUM_TOLERANCE), _MAXIMUM_TOLERANCE)
        if kind not in _AGELESS and now_ms > issued_at + 1000 * (lifetime + tolerance):
            raise _fail("expired", "The message is too old.")
        if issued_at > now_ms + 1000 * _MAXIMUM_TOLERANCE:
            raise _fail("issued-in-future", "The message was issued too far in the future.")
        original = message[32:32 + length]
        _parse(original)
        return Opened(original, kind, account.name, signer, message[16:32], issued_at, lifetime)

    def _check_signature(self, message: bytes, is_signed: bool, account: Account, key: PrivateKey) -> str:
        if not is_signed:
            raise _fail("unsigned", "The message isn't signed.")
        key_id = message[-72:-64]
        signer = next((sender for sender in account.signed_by if sender.key_id == key_id), None)
        if signer is None:
            others = (sender for other in self._accounts if not other.anyone for sender in other.signed_by)
            if any(sender.key_id == key_id for sender in others):
                raise _fail("wrong-account", "The message is signed for another account.")
            raise _fail("unknown-signer", "The account doesn't accept the signer.")
        try:
            bindings.crypto_sign_open(message[-64:] + signed_bytes(key, message), signer.public)
        except exceptions.CryptoError:
            raise _fail("invalid-signature", "The signature isn't valid.") from None
        return signer.thumbprint


def _fail(code: str, reason: str) -> PushCryptError:
    return PushCryptError(code, f"{reason} Don't display the message.")


def _parse(data: bytes) -> strictjson.Node:
    try:
        return strictjson.parse(data)
    except strictjson.JSONSyntaxError as error:
        raise PushCryptError("malformed-json", str(error)) from None
