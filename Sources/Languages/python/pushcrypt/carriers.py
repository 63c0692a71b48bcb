"""Carriers: what each takes, and the requests that hand sealed pushes to them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Collection, Mapping

from . import strictjson
from .keys import PushCryptError

if TYPE_CHECKING:
    from .sealer import Push

    _Parts = dict[str, bytes | None]

_FOUR_WEEKS = 28 * 24 * 3600
_MESSAGES = ("alert", "background")
# Without apns-id, which only APNs gets.
_FIREBASE_HEADERS = ("apns-collapse-id", "apns-expiration", "apns-priority", "apns-push-type", "apns-topic")
_EXPO_VALUES = {"badge": "badge", "sound": "sound", "categoryId": "category", "interruptionLevel": "interruption-level"}
_ONESIGNAL_TEXTS = {"contents": "body", "headings": "title", "subtitle": "subtitle"}
_LEVELS = {"time-sensitive": "time_sensitive"}  # OneSignal's name of an interruption level
_ONESIGNAL_VALUES = {"ios_sound": "sound", "ios_category": "category", "thread_id": "thread-id",
                     "ios_relevance_score": "relevance-score", "target_content_identifier": "target-content-id"}


@dataclass(frozen=True)
class _Rules:
    """The rules of a carrier. None means everything."""

    types: tuple[str, ...] | None = None
    reserve: int = 0  # bytes for the carrier's own members
    longest_value: int | None = None  # characters
    exposable: tuple[str, ...] | None = None
    has_aps: bool = True
    takes_sound_members: bool = True
    takes_string_keys: bool = True
    requires_body: bool = False
    takes_collapse_id: bool = True


_RULES = {
    "apns": _Rules(),
    "firebase": _Rules(_MESSAGES, reserve=256),
    "firebase-android": _Rules(_MESSAGES, exposable=(), has_aps=False),
    "expo": _Rules(_MESSAGES, reserve=512, exposable=(*_EXPO_VALUES.values(), "content-available"),
                   takes_string_keys=False, takes_collapse_id=False),
    "onesignal": _Rules(_MESSAGES, reserve=512, longest_value=2048 - len('{"ENCRYPTED_DATA":""}'),
                        exposable=(*_ONESIGNAL_VALUES.values(), "badge", "interruption-level", "content-available"),
                        takes_sound_members=False, takes_string_keys=False, requires_body=True),
}
CARRIERS = tuple(_RULES)


def rules(carrier: str) -> _Rules:
    """Returns the rules of a carrier: those of APNs for a name that isn't in CARRIERS, such as a relay of your own."""
    return _RULES.get(carrier, _RULES["apns"])


def room(carrier: str, maximum: int, readable: int) -> int:
    """Returns the number of characters for the sealed value beside the readable bytes of a payload."""
    left = maximum - rules(carrier).reserve - readable
    longest = rules(carrier).longest_value
    return left if longest is None else min(left, longest)


def check_type(carrier: str, push_type: str) -> None:
    """Raises an error if the carrier can't take the push type."""
    types = rules(carrier).types
    if types is not None and push_type not in types:
        raise PushCryptError("not-sealable", f"{carrier} takes no sealed {push_type} pushes. Send them to APNs.")


def check_content(carrier: str, collapse_id: str | None, exposed: Collection[str], sound: object,
                  placeholder: Mapping[str, object] | None) -> None:
    """Raises an error if the carrier's request has no member for a part of a push.

    `exposed`, `sound` and `placeholder` are an alert's exposed keys, the exposed sound's value, and the placeholder.
    Other push types have none of them.
    """
    rule = rules(carrier)
    if collapse_id is not None and not rule.takes_collapse_id:
        raise PushCryptError("invalid-header", f"{carrier} has no collapse id. Omit it.")
    for key in exposed:
        if rule.exposable is not None and key not in rule.exposable:
            raise PushCryptError("invalid-payload", f"{carrier} has no member for {key}. Do not expose it.")
    if isinstance(sound, dict) and not rule.takes_sound_members:
        raise PushCryptError("invalid-payload", f"{carrier} takes a sound's name only. Do not expose the sound.")
    if placeholder is None:
        return
    if not rule.takes_string_keys and any("loc-" in name and placeholder[name] is not None for name in placeholder):
        raise PushCryptError("invalid-placeholder", f"{carrier} takes no keys of the app's string table. Use text.")
    if rule.requires_body and not placeholder.get("body"):
        raise PushCryptError("invalid-placeholder", f"{carrier} requires a body. Add it to the placeholder.")


@dataclass(frozen=True)
class Request:
    """The body of a carrier's request, as bytes, and its headers. The URL and your credentials aren't part of it."""

    body: bytes
    headers: dict[str, str]


class _Content:
    """The parts of a sealed push, as JSON texts."""

    def __init__(self, push: Push) -> None:
        self.payload, self.headers = push.payload, push.headers
        members = strictjson.parse(push.payload).value
        self.aps = _members(members.get("aps"))
        self.texts = _members(self.aps.get("alert"))
        data = members.get("ENCRYPTED_DATA")
        self.data = _object({"ENCRYPTED_DATA": data and data.compact()})
        self.urgency = _text("high" if push.headers["apns-priority"] == "10" else "normal")
        self.expiration = int(push.headers["apns-expiration"]) if "apns-expiration" in push.headers else None
        self.time_to_live = self.expiration  # seconds
        if self.expiration:
            self.time_to_live = max(self.expiration * 1000 - push.issued_at_ms, 0) // 1000

    def flag(self, key: str) -> bytes | None:
        return b"true" if key in self.aps else None

    def header(self, name: str) -> bytes | None:
        return _text(self.headers[name]) if name in self.headers else None

    def values(self, names: Mapping[str, str]) -> dict[str, bytes]:
        """Returns values of aps under other names."""
        return {name: self.aps[key].compact() for name, key in names.items() if key in self.aps}

    def kept_for(self) -> int | None:
        """Returns the time to live in seconds, at most four weeks, or None."""
        return None if self.time_to_live is None else min(self.time_to_live, _FOUR_WEEKS)


def request(push: Push, token: str, app_id: str | None = None) -> Request:
    """Returns the request for a push to the carrier that it is sealed for, or raises an error."""
    if not isinstance(token, str) or not re.fullmatch("[!-~]+", token):
        raise PushCryptError("invalid-header", "The device token isn't visible ASCII. Give it as it was issued.")
    if push.carrier not in CARRIERS:
        raise PushCryptError("not-sealable", f"The carrier's request isn't known. Use one of: {', '.join(CARRIERS)}.")
    if push.carrier == "apns":
        return Request(push.payload, dict(push.headers))
    return Request(_object(_BODIES[push.carrier](_Content(push), token, app_id)), {"Content-Type": "application/json"})


def _firebase(content: _Content, token: str, _: str | None) -> _Parts:
    headers = _object({name: content.header(name) for name in _FIREBASE_HEADERS})
    apns = _object({"headers": headers, "payload": content.payload})
    return {"message": _object({"token": _text(token), "apns": apns})}


def _firebase_android(content: _Content, token: str, _: str | None) -> _Parts:
    seconds = content.kept_for()
    android = {"priority": content.urgency, "ttl": None if seconds is None else _text(f"{seconds}s"),
               "collapseKey": content.header("apns-collapse-id"), "data": content.data}
    return {"message": _object({"token": _text(token), "android": _object(android)})}


def _expo(content: _Content, token: str, _: str | None) -> _Parts:
    end = content.expiration
    return {
        "to": _text(token),
        **{line: content.texts[line].compact() for line in ("title", "subtitle", "body") if line in content.texts},
        "mutableContent": content.flag("mutable-content"), "_contentAvailable": content.flag("content-available"),
        **content.values(_EXPO_VALUES), "data": content.data,
        "ttl": b"0" if end == 0 else None, "expiration": _number(end) if end else None, "priority": content.urgency}


def _onesignal(content: _Content, token: str, app_id: str | None) -> _Parts:
    if not app_id:
        raise PushCryptError("missing-value", "OneSignal requires the app's id. Give it.")
    has_badge = "badge" in content.aps
    level = content.aps["interruption-level"].value if "interruption-level" in content.aps else None
    return {
        "app_id": _text(app_id), "include_subscription_ids": b"[" + _text(token) + b"]",
        "target_channel": _text("push"),
        # OneSignal shows English to users of a language without its own text.
        **{name: _object({"en": content.texts[line].compact()}) for name, line in _ONESIGNAL_TEXTS.items()
           if line in content.texts},
        "mutable_content": content.flag("mutable-content"), "content_available": content.flag("content-available"),
        "ios_badgeType": _text("SetTo") if has_badge else None,
        "ios_badgeCount": content.aps["badge"].compact() if has_badge else None,
        "ios_interruption_level": _text(_LEVELS.get(level, level)) if isinstance(level, str) else None,
        **content.values(_ONESIGNAL_VALUES), "data": content.data, "ttl": _number(content.kept_for()),
        "priority": content.headers["apns-priority"].encode(), "collapse_id": content.header("apns-collapse-id")}


_BODIES = {"firebase": _firebase, "firebase-android": _firebase_android, "expo": _expo, "onesignal": _onesignal}


def _members(node: strictjson.Node | None) -> strictjson.Members:
    return node.value if node is not None and isinstance(node.value, dict) else {}


def _text(text: str) -> bytes:
    return strictjson.encode_string(text)


def _number(number: int | None) -> bytes | None:
    return None if number is None else str(number).encode()


def _object(members: Mapping[str, bytes | None]) -> bytes:
    """Returns an object in JSON, without the members whose value is None."""
    return b"{" + b",".join(_text(name) + b":" + value for name, value in members.items() if value is not None) + b"}"
