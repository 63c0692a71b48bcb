"""Sealing of APNs payloads."""

from __future__ import annotations

import hashlib
import os
import re
import struct
import time
import uuid
from dataclasses import dataclass
from typing import Any, Callable, Collection, Mapping

from nacl import bindings, exceptions

from . import carriers, strictjson
from .keys import MAXIMUM_LIFETIME, PushCryptError, SigningKey, SigningKeyring, encode_base64
from .originals import PUSH_TYPES, TEXTS, WITHDRAWAL, check, invalid, only_collapse_id, parse
from .recipients import Recipient, Row

DEFAULT_LIFETIME = 604_800
SIGNATURE_DOMAIN = b"pushcrypt/v1/signature\0"
APNS_ID_DOMAIN = b"pushcrypt/v1/apns-id\0"

# The ends that Apple requires of the header apns-topic.
TOPIC_SUFFIXES = {"voip": ".voip", "location": ".location-query", "pushtotalk": ".voip-ptt"}
_Box = Callable[[bytes, bytes], bytes]
PADDINGS = ("buckets", "maximum", "none")
EXPOSABLE_KEYS = ("category", "thread-id", "sound", "badge", "interruption-level", "relevance-score", "target-content-id",
                  "filter-criteria", "content-available", "alert")
_PLACEHOLDER_KEYS = ("title", "title-loc-key", "title-loc-args", "subtitle", "subtitle-loc-key", "subtitle-loc-args",
                     "body", "loc-key", "loc-args")


@dataclass(frozen=True)
class Push:
    """A sealed payload, as bytes, the headers of the request to APNs, the carrier, and the time of issue."""

    payload: bytes
    headers: dict[str, str]
    carrier: str = "apns"
    issued_at_ms: int = 0

    def request(self, token: str, app_id: str | None = None) -> carriers.Request:
        """Returns the carrier's request for a device, with its body as bytes and its headers.

        The token is the carrier's own. OneSignal requires the app's id. For APNs, the token is in the URL.
        """
        return carriers.request(self, token, app_id)


class Sealer:
    """Seals payloads. Create it with signed() or anonymous()."""

    def __init__(self, keyring: SigningKeyring | None, lifetime: int, padding: str,
                 placeholder: Mapping[str, Any] | None, expose: Collection[str], proofs_since: int | None,
                 carrier: str) -> None:
        self._keyring = keyring
        self._lifetime = check_lifetime(lifetime)
        self._padding = padding
        self._lines = {"body": "(Encrypted)"} if placeholder is None else dict(placeholder)
        self._placeholder = _encode_placeholder(self._lines)
        # The alert stays readable in Live Activities alone, which aren't implemented.
        self._expose = set(expose) - {"alert"}
        self._proofs_since = proofs_since
        self._carrier = carrier
        if padding not in PADDINGS or not set(expose) <= set(EXPOSABLE_KEYS):
            raise ValueError("The padding or an exposed key is unknown. Use a listed value.")

    @classmethod
    def signed(cls, keys: SigningKeyring | SigningKey, *, lifetime: int = DEFAULT_LIFETIME, padding: str = "buckets",
               placeholder: Mapping[str, Any] | None = None, expose: Collection[str] = (),
               proofs_since: int | None = None, carrier: str = "apns") -> Sealer:
        """Returns a sealer that signs for each device with the first key of the SigningKeyring that the device accepts.

        A SigningKey is a keyring of one key. The placeholder has members of Apple's alert dictionary. `proofs_since` is
        the time in milliseconds at which proofs were turned on. Then the sealer refuses a recipient without a proof.
        The carrier decides the longest payload and the push types. It is a name of CARRIERS, or a relay of your own.
        """
        keyring = SigningKeyring([keys]) if isinstance(keys, SigningKey) else keys
        if not isinstance(keyring, SigningKeyring):
            raise TypeError("The keys aren't a SigningKeyring. Use anonymous() to seal without one.")
        return cls(keyring, lifetime, padding, placeholder, expose, proofs_since, carrier)

    @classmethod
    def anonymous(cls, *, lifetime: int = DEFAULT_LIFETIME, padding: str = "buckets",
                  placeholder: Mapping[str, Any] | None = None, expose: Collection[str] = (),
                  proofs_since: int | None = None, carrier: str = "apns") -> Sealer:
        """Returns a sealer that doesn't sign. Anyone who knows a device's public key could have sent its messages."""
        return cls(None, lifetime, padding, placeholder, expose, proofs_since, carrier)

    def seal(self, payload: Any, to: Row | Recipient | str | bytes, *, type: str = "alert", kind: str | None = None,
             lifetime: int | None = None, topic: str | None = None, collapse_id: str | None = None,
             priority: int | None = None) -> Push:
        """Returns the Push for one recipient.

        The payload is JSON text, which arrives byte for byte without white space between tokens, or a dict. The recipient
        is a Row, a Recipient, or the text of a registration or key. The lifetime is in seconds. With the kind
        "challenge", the payload is that of a challenge, in an alert or a background push.
        """
        if kind not in (None, "challenge"):
            raise ValueError("The kind is unknown. Use None or challenge.")
        now_ms = time.time_ns() // 1_000_000
        original = parse(payload)
        is_challenge = kind == "challenge"
        number, maximum = check(original, type, is_challenge)
        if number == WITHDRAWAL and collapse_id is None and carriers.rules(self._carrier).takes_collapse_id:
            collapse_id = only_collapse_id(original)
        self._check_carrier(original, type, collapse_id)
        before, after = self._frame(original, type), b'"}'
        room = carriers.room(self._carrier, maximum, len(before) + len(after))
        length = self._message_length(len(original.compact()), room)
        recipient = self._recipient(to, is_challenge, now_ms)
        seconds = min(check_lifetime(self._lifetime if lifetime is None else lifetime), recipient.lifetime)
        headers = check_headers(type, now_ms // 1000 + seconds, topic, collapse_id, priority)
        message_id = os.urandom(16)
        headers["apns-id"] = apns_id(message_id)
        signing_key = self._keyring.key_for(recipient.signers) if self._keyring else None
        envelope = _envelope(original.compact(), number, seconds, recipient, signing_key, length, now_ms, message_id)
        return Push(before + encode_base64(envelope).encode() + after, headers, self._carrier, now_ms)

    def _check_carrier(self, original: strictjson.Node, push_type: str, collapse_id: str | None) -> None:
        carriers.check_type(self._carrier, push_type)
        if push_type != "alert":
            return carriers.check_content(self._carrier, collapse_id, (), None, None)
        aps = original.value["aps"].value if "aps" in original.value else {}
        sound = aps["sound"].value if "sound" in self._expose and "sound" in aps else None
        carriers.check_content(self._carrier, collapse_id, self._expose, sound, self._lines)

    def _recipient(self, to: Row | Recipient | str | bytes, is_challenge: bool, now_ms: int) -> Recipient:
        """Returns the key to seal to. While proofs are on, only a challenge goes to a recipient without a proof."""
        if isinstance(to, Row) and to.carrier != self._carrier:
            raise PushCryptError("wrong-carrier", "The row has a token of another carrier. Set the sealer's carrier.")
        if self._proofs_since is not None and not is_challenge and not (
                isinstance(to, Row) and to.is_proved(self._proofs_since, now_ms)):
            raise PushCryptError("unproved-recipient", "The recipient isn't a Row with a proof. Send a challenge first.")
        if not isinstance(to, (Row, Recipient, str, bytes)):
            raise TypeError("The recipient isn't a Row, a Recipient or text. Use the row of the device.")
        if isinstance(to, Row):
            return to.recipient
        return to if isinstance(to, Recipient) else Recipient.parse(to)

    def _frame(self, original: strictjson.Node, push_type: str) -> bytes:
        if not carriers.rules(self._carrier).has_aps:
            return b'{"ENCRYPTED_DATA":"'
        aps = b'"content-available":1' if push_type == "background" else b""
        if push_type == "alert":
            aps = b'"alert":' + self._placeholder + b',"mutable-content":1' + self._exposed(original)
        return b'{"aps":{' + aps + b'},"ENCRYPTED_DATA":"'

    def _exposed(self, original: strictjson.Node) -> bytes:
        aps = original.value["aps"].value if "aps" in original.value else {}
        result = b""
        for name in EXPOSABLE_KEYS:
            if name not in self._expose or name not in aps:
                continue
            value = aps[name].compact()
            if name == "sound" and isinstance(aps[name].value, dict):
                sound = aps[name].value
                parts = [(key, sound[key]) for key in ("critical", "name", "volume") if key in sound]
                if any(isinstance(node.value, (dict, list)) for _, node in parts):
                    raise invalid("An exposed member of aps.sound is an object or array. Use a simple value.")
                value = b"{" + b",".join(b'"%s":%s' % (key.encode(), node.compact()) for key, node in parts) + b"}"
            elif isinstance(aps[name].value, (dict, list)):
                raise invalid(f"The exposed member aps.{name} is an object or array. Use a simple value.")
            result += b',"%s":%s' % (name.encode(), value)
        return result

    def _message_length(self, payload_length: int, room: int) -> int:
        needed = payload_length + (104 if self._keyring else 32)
        limit = room * 3 // 4 - 57
        if needed > limit:
            raise PushCryptError("payload-too-large", f"The payload is {needed - limit} bytes too long. Shorten it.")
        if self._padding == "none":
            return needed
        buckets = (256, 512, 1024, 2048) if self._padding == "buckets" else ()
        return next((size for size in buckets if needed <= size <= limit), limit)


def check_lifetime(seconds: int | None) -> int:
    """Returns the lifetime in seconds, if it is from 1 second to 30 days."""
    if type(seconds) is not int or not 1 <= seconds <= MAXIMUM_LIFETIME:
        raise PushCryptError("invalid-lifetime", "The lifetime isn't from 1 second to 30 days. Use a lifetime in this range.")
    return seconds


def check_headers(push_type: str, expiration: int = 0, topic: str | None = None, collapse_id: str | None = None,
                  priority: int | None = None) -> dict[str, str]:
    """Returns the headers of the request to APNs, or raises an error."""
    priority = (5 if push_type == "background" else 10) if priority is None else priority
    if priority not in (1, 5, 10) or (push_type == "background" and priority == 10):
        raise PushCryptError("invalid-header", "The priority isn't 1, 5 or 10, or is 10 for a background push. Correct it.")
    expiration = 0 if push_type == "pushtotalk" else expiration  # APNs must not deliver it later.
    headers = {"apns-push-type": push_type, "apns-priority": str(priority), "apns-expiration": str(expiration)}
    for name, value, pattern in (("apns-topic", topic, "[!-~]+"), ("apns-collapse-id", collapse_id, "[!-~]{1,64}")):
        if value is not None and not re.fullmatch(pattern, value):
            raise PushCryptError("invalid-header", f"{name} isn't visible ASCII, or an id has over 64 bytes. Correct it.")
        headers.update({name: value} if value is not None else {})
    suffix = TOPIC_SUFFIXES.get(push_type, "")
    if topic is not None and (topic == suffix or not topic.endswith(suffix)):
        reason = f"The topic doesn't fit the push type. Append {suffix} to the app's bundle ID."
        raise PushCryptError("invalid-header", reason)
    return headers


def apns_id(message_id: bytes) -> str:
    """Returns the header apns-id: a hash of the message id as a UUID of version 8 (RFC 9562)."""
    digest = bytearray(hashlib.blake2b(APNS_ID_DOMAIN + message_id, digest_size=16).digest())
    digest[6] = digest[6] & 0x0F | 0x80
    digest[8] = digest[8] & 0x3F | 0x80
    return str(uuid.UUID(bytes=bytes(digest)))


def signed_bytes(recipient: Recipient, message: bytes) -> bytes:
    """Returns the bytes that a message's signature covers."""
    return SIGNATURE_DOMAIN + b"\x01" + recipient.key_id + recipient.public + message[:-64]


def _envelope(original: bytes, kind: int, lifetime: int, recipient: Recipient, signing_key: SigningKey | None,
              length: int, now_ms: int, message_id: bytes, box: _Box = bindings.crypto_box_seal) -> bytes:
    header = struct.pack(">BBHIQ", 1 if signing_key else 0, kind, len(original), lifetime, now_ms)
    message = (header + message_id + original).ljust(length - (72 if signing_key else 0), b"\0")
    if signing_key:
        message += signing_key.key_id + bytes(64)
        message = message[:-64] + signing_key.sign(signed_bytes(recipient, message))
    try:
        return b"\x01" + recipient.key_id + box(message, recipient.public)
    except exceptions.CryptoError:
        raise PushCryptError("invalid-key", "The key can't be used to seal. Register a new key.") from None


def _box_with(ephemeral_secret: bytes) -> _Box:
    """Returns the box of a fixed ephemeral key. A second message would have the same key stream, so it is for tests."""
    def box(message: bytes, public: bytes) -> bytes:
        ephemeral: bytes = bindings.crypto_scalarmult_base(ephemeral_secret)
        nonce = hashlib.blake2b(ephemeral + public, digest_size=24).digest()
        return ephemeral + bindings.crypto_box(message, nonce, public, ephemeral_secret)
    return box


def _encode_placeholder(placeholder: Mapping[str, Any]) -> bytes:
    parts = []
    for name in (name for name in _PLACEHOLDER_KEYS if placeholder.get(name) is not None):
        value = placeholder[name]
        strings = value if isinstance(value, (list, tuple)) else [value]
        try:
            encoded = b",".join(strictjson.encode_string(text) for text in strings)
        except UnicodeEncodeError:
            raise PushCryptError("invalid-placeholder", "The placeholder isn't Unicode text. Use UTF-8.") from None
        parts.append(b'"%s":%s' % (name.encode(), b"[" + encoded + b"]" if name.endswith("args") else encoded))
    if not set(placeholder) <= set(_PLACEHOLDER_KEYS) or not any(placeholder.get(name) for name in TEXTS):
        raise PushCryptError("invalid-placeholder", "The placeholder has no text, or an unknown member. Add a body.")
    return b"{" + b",".join(parts) + b"}"
