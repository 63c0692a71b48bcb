"""Sealing of APNs payloads."""

import hashlib
import json
import os
import re
import struct
import time
import uuid
from dataclasses import dataclass

from nacl import bindings, exceptions

from . import strictjson
from .keys import MAXIMUM_LIFETIME, PushCryptError, SigningKey, SigningKeyring, encode_base64
from .recipients import Recipient

DEFAULT_LIFETIME = 604_800
SIGNATURE_DOMAIN = b"pushcrypt/v1/signature\0"
APNS_ID_DOMAIN = b"pushcrypt/v1/apns-id\0"

# Kind, and APNs' limit in bytes. Live Activities aren't implemented.
PUSH_TYPES = {"alert": (1, 4096), "background": (2, 4096), "voip": (3, 5120), "location": (6, 4096),
              "pushtotalk": (7, 4096)}
# The ends that Apple requires of the header apns-topic.
TOPIC_SUFFIXES = {"voip": ".voip", "location": ".location-query", "pushtotalk": ".voip-ptt"}
PADDINGS = ("buckets", "maximum", "none")
EXPOSABLE_KEYS = ("category", "thread-id", "sound", "badge", "interruption-level", "relevance-score", "target-content-id",
                  "filter-criteria", "content-available")
_WITHDRAWAL = 8
_TEXTS = ("title", "subtitle", "body", "title-loc-key", "subtitle-loc-key", "loc-key")
_PLACEHOLDER_KEYS = ("title", "title-loc-key", "title-loc-args", "subtitle", "subtitle-loc-key", "subtitle-loc-args",
                     "body", "loc-key", "loc-args")


@dataclass(frozen=True)
class Push:
    """A sealed payload, as bytes, and the headers of the request to APNs."""

    payload: bytes
    headers: dict


class Sealer:
    """Seals payloads. Create it with signed() or anonymous()."""

    def __init__(self, keyring, lifetime, padding, placeholder, expose):
        self._keyring = keyring
        self._lifetime = check_lifetime(lifetime)
        self._padding = padding
        self._placeholder = _encode_placeholder({"body": "(Encrypted)"} if placeholder is None else placeholder)
        self._expose = expose
        if padding not in PADDINGS or not set(expose) <= set(EXPOSABLE_KEYS):
            raise ValueError("The padding or an exposed key is unknown. Use a listed value.")

    @classmethod
    def signed(cls, keys, *, lifetime=DEFAULT_LIFETIME, padding="buckets", placeholder=None, expose=()):
        """Returns a sealer that signs for each device with the first key of the SigningKeyring that the device accepts.

        A SigningKey is a keyring of one key. The placeholder has members of Apple's alert dictionary.
        """
        keyring = SigningKeyring([keys]) if isinstance(keys, SigningKey) else keys
        if not isinstance(keyring, SigningKeyring):
            raise TypeError("The keys aren't a SigningKeyring. Use anonymous() to seal without one.")
        return cls(keyring, lifetime, padding, placeholder, expose)

    @classmethod
    def anonymous(cls, *, lifetime=DEFAULT_LIFETIME, padding="buckets", placeholder=None, expose=()):
        """Returns a sealer that doesn't sign. Anyone who knows a device's public key could have sent its messages."""
        return cls(None, lifetime, padding, placeholder, expose)

    def seal(self, payload, to, *, type="alert", lifetime=None, topic=None, collapse_id=None, priority=None):
        """Returns the Push for one recipient.

        The payload is JSON text, which arrives byte for byte without white space between tokens, or a dict. The recipient
        is a Recipient, or the text of a registration or key. The lifetime is in seconds.
        """
        if not isinstance(to, (Recipient, str, bytes)):
            raise TypeError("The recipient isn't a Recipient or text. Use the recipient of a registration.")
        recipient = to if isinstance(to, Recipient) else Recipient.parse(to)
        original = _parse(payload)
        kind, maximum = _check(original, type)
        if kind == _WITHDRAWAL and collapse_id is None:
            collapse_id = _only_collapse_id(original)
        now_ms = time.time_ns() // 1_000_000
        seconds = min(check_lifetime(self._lifetime if lifetime is None else lifetime), recipient.lifetime)
        headers = check_headers(type, now_ms // 1000 + seconds, topic, collapse_id, priority)
        message_id = os.urandom(16)
        headers["apns-id"] = apns_id(message_id)
        before, after = self._frame(original, type), b'"}'
        length = self._message_length(len(original.compact()), maximum - len(before) - len(after))
        signing_key = self._keyring and self._keyring.key_for(recipient.signers)
        envelope = _envelope(original.compact(), kind, seconds, recipient, signing_key, length, now_ms, message_id)
        return Push(before + encode_base64(envelope).encode() + after, headers)

    def _frame(self, original, push_type):
        aps = b'"content-available":1' if push_type == "background" else b""
        if push_type == "alert":
            aps = b'"alert":' + self._placeholder + b',"mutable-content":1' + self._exposed(original)
        return b'{"aps":{' + aps + b'},"ENCRYPTED_DATA":"'

    def _exposed(self, original):
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
                    raise _invalid("An exposed member of aps.sound is an object or array. Use a simple value.")
                value = b"{" + b",".join(b'"%s":%s' % (key.encode(), node.compact()) for key, node in parts) + b"}"
            elif isinstance(aps[name].value, (dict, list)):
                raise _invalid(f"The exposed member aps.{name} is an object or array. Use a simple value.")
            result += b',"%s":%s' % (name.encode(), value)
        return result

    def _message_length(self, payload_length, room):
        needed = payload_length + (104 if self._keyring else 32)
        limit = room * 3 // 4 - 57
        if needed > limit:
            raise PushCryptError("payload-too-large", f"The payload is {needed - limit} bytes too long. Shorten it.")
        if self._padding == "none":
            return needed
        buckets = (256, 512, 1024, 2048) if self._padding == "buckets" else ()
        return next((size for size in buckets if needed <= size <= limit), limit)


def check_lifetime(seconds):
    """Returns the lifetime in seconds, if it is from 1 second to 30 days."""
    if type(seconds) is not int or not 1 <= seconds <= MAXIMUM_LIFETIME:
        raise PushCryptError("invalid-lifetime", "The lifetime isn't from 1 second to 30 days. Use a lifetime in this range.")
    return seconds


def check_headers(push_type, expiration=0, topic=None, collapse_id=None, priority=None):
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


def apns_id(message_id):
    """Returns the header apns-id: a hash of the message id as a UUID of version 8 (RFC 9562)."""
    digest = bytearray(hashlib.blake2b(APNS_ID_DOMAIN + message_id, digest_size=16).digest())
    digest[6] = digest[6] & 0x0F | 0x80
    digest[8] = digest[8] & 0x3F | 0x80
    return str(uuid.UUID(bytes=bytes(digest)))


def signed_bytes(recipient, message):
    """Returns the bytes that a message's signature covers."""
    return SIGNATURE_DOMAIN + b"\x01" + recipient.key_id + recipient.public + message[:-64]


def _envelope(original, kind, lifetime, recipient, signing_key, length, now_ms, message_id, box=bindings.crypto_box_seal):
    header = struct.pack(">BBHIQ", 1 if signing_key else 0, kind, len(original), lifetime, now_ms)
    message = (header + message_id + original).ljust(length - (72 if signing_key else 0), b"\0")
    if signing_key:
        message += signing_key.key_id + bytes(64)
        message = message[:-64] + signing_key.sign(signed_bytes(recipient, message))
    try:
        return b"\x01" + recipient.key_id + box(message, recipient.public)
    except exceptions.CryptoError:
        raise PushCryptError("invalid-key", "The key can't be used to seal. Register a new key.") from None


def _box_with(ephemeral_secret):
    """Returns the box of a fixed ephemeral key. A second message would have the same key stream, so it is for tests."""
    def box(message, public):
        ephemeral = bindings.crypto_scalarmult_base(ephemeral_secret)
        nonce = hashlib.blake2b(ephemeral + public, digest_size=24).digest()
        return ephemeral + bindings.crypto_box(message, nonce, public, ephemeral_secret)
    return box


def _invalid(reason):
    return PushCryptError("invalid-payload", reason)


def _parse(payload):
    if not isinstance(payload, (str, bytes)):
        try:
            payload = json.dumps(payload, ensure_ascii=False, allow_nan=False)
        except (TypeError, ValueError, RecursionError):
            raise PushCryptError("malformed-json", "The payload can't be written as JSON. Use JSON's types.") from None
    try:
        return strictjson.parse(payload.encode("utf-8", "surrogatepass") if isinstance(payload, str) else payload)
    except strictjson.JSONSyntaxError as error:
        raise PushCryptError("malformed-json", str(error)) from None


def _check(original, push_type):
    """Checks the rules of the push type. Returns the kind, and APNs' limit in bytes."""
    if push_type not in PUSH_TYPES:
        raise PushCryptError("not-sealable", f"The push type can't be sealed. Use one of: {', '.join(PUSH_TYPES)}.")
    kind, maximum = PUSH_TYPES[push_type]
    members = original.value
    if len(original.compact()) > 65_535:
        raise PushCryptError("payload-too-large", "The payload is longer than 65,535 bytes. Shorten it.")
    if "ENCRYPTED_DATA" in members:
        raise PushCryptError("already-sealed", "The payload has ENCRYPTED_DATA. Seal the original.")
    if "pushcrypt.receipt" in members:
        raise _invalid('"pushcrypt.receipt" is reserved for the device. Rename the member.')
    aps = members["aps"].value if "aps" in members else None
    if "aps" in members and not isinstance(aps, dict):
        raise _invalid("aps isn't an object. Use an object.")
    if push_type == "alert":
        if {"collapse-ids", "thread-ids"} & set(members) and set(members) <= {"collapse-ids", "thread-ids", "aps"}:
            _check_withdrawal(members)
            kind = _WITHDRAWAL
        elif aps is None:
            raise _invalid("aps is missing. Add aps with an alert.")
        if aps is not None:
            _check_alert(aps.get("alert"), kind)
    if push_type == "background":
        available = (aps or {}).get("content-available")
        if available is None or not (available.value is True or _is_one(available.value)):
            raise _invalid("aps.content-available isn't 1. Add it to a background push.")
        if any(name in aps and aps[name].value is not None for name in ("alert", "badge", "sound")):
            raise _invalid("A background push has an alert, badge or sound. Remove it, or send an alert.")
    return kind, maximum


def _check_alert(alert, kind):
    value = alert.value if alert else None
    if isinstance(value, dict):
        texts = [value[name].value for name in _TEXTS if name in value]
        if not all(text is None or isinstance(text, str) for text in texts):
            raise _invalid("A text of aps.alert isn't a string. Use a string.")
        value = "".join(text or "" for text in texts)
    if value is not None and not isinstance(value, str):
        raise _invalid("aps.alert isn't a string or an object. Use one of them.")
    if not value and kind != _WITHDRAWAL:
        raise PushCryptError("no-alert-text", "aps.alert has no text. Add a title, a subtitle or a body.")


def _is_one(value):
    return isinstance(value, strictjson.Number) and float(value) == 1


def _check_withdrawal(members):
    count = 0
    for name, pattern in (("collapse-ids", "[!-~]{1,64}"), ("thread-ids", "(?s:.+)")):
        ids = members[name].value if name in members else []
        if not isinstance(ids, list) or not all(isinstance(node.value, str) and re.fullmatch(pattern, node.value)
                                                for node in ids):
            raise _invalid(f"{name} isn't an array of strings, or an id isn't valid. Use 64 visible ASCII characters.")
        count += len(ids)
    if not 1 <= count <= 100:
        raise _invalid("The withdrawal doesn't have 1 to 100 ids. Add an id, or seal several withdrawals.")


def _only_collapse_id(original):
    ids = original.value["collapse-ids"].value if "collapse-ids" in original.value else []
    return ids[0].value if len(ids) == 1 else None


def _encode_placeholder(placeholder):
    parts = []
    for name in (name for name in _PLACEHOLDER_KEYS if placeholder.get(name) is not None):
        value = placeholder[name]
        strings = value if isinstance(value, (list, tuple)) else [value]
        try:
            encoded = b",".join(strictjson.encode_string(text) for text in strings)
        except UnicodeEncodeError:
            raise PushCryptError("invalid-placeholder", "The placeholder isn't Unicode text. Use UTF-8.") from None
        parts.append(b'"%s":%s' % (name.encode(), b"[" + encoded + b"]" if name.endswith("args") else encoded))
    if not set(placeholder) <= set(_PLACEHOLDER_KEYS) or not any(placeholder.get(name) for name in _TEXTS):
        raise PushCryptError("invalid-placeholder", "The placeholder has no text, or an unknown member. Add a body.")
    return b"{" + b",".join(parts) + b"}"
