"""The payloads that callers give, and the rules of their push types."""

from __future__ import annotations

import json
import re
from typing import Any

from . import strictjson
from .keys import MAXIMUM_INTEGER, PushCryptError, decode_32
from .strictjson import Members, Node

# Kind, and APNs' limit in bytes. Live Activities aren't implemented.
PUSH_TYPES = {"alert": (1, 4096), "background": (2, 4096), "voip": (3, 5120), "location": (6, 4096),
              "pushtotalk": (7, 4096)}
WITHDRAWAL = 8
CHALLENGE = 9
TEXTS = ("title", "subtitle", "body", "title-loc-key", "subtitle-loc-key", "loc-key")
_RESERVED_NAMES = ("pushcrypt.receipt", "pushcrypt.added")  # The extension writes these members.
_WITHDRAWAL_NAMES = {"collapse-ids", "thread-ids", "aps"}


def invalid(reason: str) -> PushCryptError:
    return PushCryptError("invalid-payload", reason)


def parse(payload: Any) -> Node:
    """Returns the node of JSON text, or of a dict."""
    if not isinstance(payload, (str, bytes)):
        try:
            payload = json.dumps(payload, ensure_ascii=False, allow_nan=False)
        except (TypeError, ValueError, RecursionError):
            raise PushCryptError("malformed-json", "The payload can't be written as JSON. Use JSON's types.") from None
    try:
        return strictjson.parse(payload.encode("utf-8", "surrogatepass") if isinstance(payload, str) else payload)
    except strictjson.JSONSyntaxError as error:
        raise PushCryptError("malformed-json", str(error)) from None


def check(original: Node, push_type: str, is_challenge: bool = False) -> tuple[int, int]:
    """Checks the rules of the push type, or of a challenge. Returns the kind, and APNs' limit in bytes."""
    if push_type not in PUSH_TYPES:
        raise PushCryptError("not-sealable", f"The push type can't be sealed. Use one of: {', '.join(PUSH_TYPES)}.")
    kind, maximum = PUSH_TYPES[push_type]
    members = original.value
    if len(original.compact()) > 65_535:
        raise PushCryptError("payload-too-large", "The payload is longer than 65,535 bytes. Shorten it.")
    if "ENCRYPTED_DATA" in members:
        raise PushCryptError("already-sealed", "The payload has ENCRYPTED_DATA. Seal the original.")
    for name in _RESERVED_NAMES:
        if name in members:
            raise invalid(f'"{name}" is reserved for the device. Rename the member.')
    aps = members["aps"].value if "aps" in members else None
    if "aps" in members and not isinstance(aps, dict):
        raise invalid("aps isn't an object. Use an object.")
    if is_challenge:
        kind = CHALLENGE
        _check_challenge(members, push_type)
    elif push_type == "alert" and {"collapse-ids", "thread-ids"} & set(members) and set(members) <= _WITHDRAWAL_NAMES:
        kind = WITHDRAWAL
        _check_withdrawal(members)
    elif push_type == "alert" and aps is None:
        raise invalid("aps is missing. Add aps with an alert.")
    elif push_type == "background":
        _check_background(aps or {})
    if push_type == "alert" and aps is not None:
        _check_alert(aps.get("alert"), kind)
    return kind, maximum


def read_challenge(members: Members) -> tuple[bytes, int]:
    """Returns the nonce and the expiry of a challenge's payload."""
    text = members["challenge"].value if "challenge" in members else None
    expires = members["expires"].integer(0, MAXIMUM_INTEGER) if "expires" in members else None
    nonce = decode_32(text) if isinstance(text, str) else None
    if nonce is None or expires is None or not set(members) <= {"challenge", "expires", "aps"}:
        raise invalid("The payload isn't a challenge. Use the text of Challenges.issue.")
    if "aps" in members and not isinstance(members["aps"].value, dict):
        raise invalid("aps isn't an object. Use an object.")
    return nonce, expires


def _check_challenge(members: Members, push_type: str) -> None:
    read_challenge(members)
    if push_type not in ("alert", "background"):
        raise invalid("The push type doesn't fit a challenge. Use alert or background.")


def _check_background(aps: Members) -> None:
    available = aps.get("content-available")
    if available is None or not (available.value is True or _is_one(available.value)):
        raise invalid("aps.content-available isn't 1. Add it to a background push.")
    if any(name in aps and aps[name].value is not None for name in ("alert", "badge", "sound")):
        raise invalid("A background push has an alert, badge or sound. Remove it, or send an alert.")


def _check_alert(alert: Node | None, kind: int) -> None:
    value = alert.value if alert else None
    if isinstance(value, dict):
        texts = [value[name].value for name in TEXTS if name in value]
        if not all(text is None or isinstance(text, str) for text in texts):
            raise invalid("A text of aps.alert isn't a string. Use a string.")
        value = "".join(text or "" for text in texts)
    if value is not None and not isinstance(value, str):
        raise invalid("aps.alert isn't a string or an object. Use one of them.")
    if not value and kind not in (WITHDRAWAL, CHALLENGE):
        raise PushCryptError("no-alert-text", "aps.alert has no text. Add a title, a subtitle or a body.")


def _is_one(value: object) -> bool:
    return isinstance(value, strictjson.Number) and float(value) == 1


def _check_withdrawal(members: Members) -> None:
    count = 0
    for name, pattern in (("collapse-ids", "[!-~]{1,64}"), ("thread-ids", "(?s:.+)")):
        ids = members[name].value if name in members else []
        if not isinstance(ids, list) or not all(isinstance(node.value, str) and re.fullmatch(pattern, node.value)
                                                for node in ids):
            raise invalid(f"{name} isn't an array of strings, or an id isn't valid. Use 64 visible ASCII characters.")
        count += len(ids)
    if not 1 <= count <= 100:
        raise invalid("The withdrawal doesn't have 1 to 100 ids. Add an id, or seal several withdrawals.")


def only_collapse_id(original: Node) -> str | None:
    """Returns the collapse id of a withdrawal with exactly one."""
    ids: list[Node] = original.value["collapse-ids"].value if "collapse-ids" in original.value else []
    return ids[0].value if len(ids) == 1 else None
