"""The requests of carriers, from section 15 of Format.md."""

import json

from .wire import base64url

NAMES = ("apns", "firebase", "firebase-android", "expo", "onesignal")
SEALABLE = ("alert", "background", "voip", "liveactivity", "location", "pushtotalk")
TYPES = {"apns": SEALABLE}
MAXIMUM = {"voip": 5120}
RESERVE = {"firebase": 256, "expo": 512, "onesignal": 512}
FOUR_WEEKS = 28 * 24 * 3600
ONESIGNAL_DATA = 2048
VALUE = base64url(bytes(range(66)))


class Refused(Exception):
    def __init__(self, code, rule):
        self.code, self.rule = code, rule


def compact(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def capacity(characters):
    """The length of the longest message in a number of characters: the envelope has 57 bytes more."""
    return characters * 3 // 4 - 57


def longest(carrier, push_type, frame):
    """The length of the longest message beside a readable part."""
    if push_type not in TYPES.get(carrier, ("alert", "background")):
        raise Refused("not-sealable", "type")
    room = MAXIMUM.get(push_type, 4096) - RESERVE.get(carrier, 0) - frame
    if carrier == "onesignal":
        room = min(room, ONESIGNAL_DATA - len('{"ENCRYPTED_DATA":""}'))
    return capacity(room)


class Push:
    """A sealed payload with the headers of its request to APNs, and its time of issue in milliseconds."""

    def __init__(self, payload, headers, issued_at):
        self.payload, self.headers, self.issued_at = payload, headers, issued_at
        self.aps = payload.get("aps", {})
        self.data = {name: value for name, value in payload.items() if name == "ENCRYPTED_DATA"}
        self.expiration = int(headers["apns-expiration"]) if "apns-expiration" in headers else None

    def seconds(self):
        if not self.expiration:
            return self.expiration
        return min(max(self.expiration * 1000 - self.issued_at, 0) // 1000, FOUR_WEEKS)

    def is_urgent(self):
        return self.headers["apns-priority"] == "10"

    def chosen(self, names):
        """Members of aps under other names."""
        return {name: self.aps[key] for name, key in names.items() if key in self.aps}


def firebase(push, token, _):
    names = ("apns-collapse-id", "apns-expiration", "apns-priority", "apns-push-type", "apns-topic")
    headers = {name: push.headers[name] for name in names if name in push.headers}
    return {"message": {"token": token, "apns": {"headers": headers, "payload": push.payload}}}


def firebase_android(push, token, _):
    android = {"priority": "high" if push.is_urgent() else "normal"}
    if push.expiration is not None:
        android["ttl"] = f"{push.seconds()}s"
    if "apns-collapse-id" in push.headers:
        android["collapseKey"] = push.headers["apns-collapse-id"]
    return {"message": {"token": token, "android": android | {"data": push.data}}}


def expo(push, token, _):
    body = {"to": token} | {line: push.aps["alert"][line] for line in ("title", "subtitle", "body")
                            if line in push.aps.get("alert", {})}
    body |= {name: True for name, key in {"mutableContent": "mutable-content", "_contentAvailable": "content-available"}.items()
             if key in push.aps}
    body |= push.chosen({"badge": "badge", "sound": "sound", "categoryId": "category", "interruptionLevel": "interruption-level"})
    body["data"] = push.data
    if push.expiration is not None:
        body |= {"expiration": push.expiration} if push.expiration else {"ttl": 0}
    return body | {"priority": "high" if push.is_urgent() else "normal"}


def onesignal(push, token, app_id):
    if not app_id:
        raise Refused("missing-value", "app-id")
    body = {"app_id": app_id, "include_subscription_ids": [token], "target_channel": "push"}
    body |= {name: {"en": push.aps["alert"][line]} for name, line in {
        "contents": "body", "headings": "title", "subtitle": "subtitle"}.items() if line in push.aps.get("alert", {})}
    body |= {name: True for name, key in {"mutable_content": "mutable-content", "content_available": "content-available"}.items()
             if key in push.aps}
    if "badge" in push.aps:
        body |= {"ios_badgeType": "SetTo", "ios_badgeCount": push.aps["badge"]}
    level = push.aps.get("interruption-level")
    if isinstance(level, str):
        body["ios_interruption_level"] = "time_sensitive" if level == "time-sensitive" else level
    body |= push.chosen({"ios_sound": "sound", "ios_category": "category", "thread_id": "thread-id",
                         "ios_relevance_score": "relevance-score", "target_content_identifier": "target-content-id"})
    body["data"] = push.data
    if push.expiration is not None:
        body["ttl"] = push.seconds()
    body["priority"] = int(push.headers["apns-priority"])
    if "apns-collapse-id" in push.headers:
        body["collapse_id"] = push.headers["apns-collapse-id"]
    return body


BODIES = {"firebase": firebase, "firebase-android": firebase_android, "expo": expo, "onesignal": onesignal}


def request(carrier, push, token, app_id=None):
    """The body and the headers of a request."""
    if not token or any(not " " < character < "\x7f" for character in token):
        raise Refused("invalid-header", "token")
    if carrier == "apns":
        return compact(push.payload), push.headers
    if carrier not in BODIES:
        raise Refused("not-sealable", "carrier")
    return compact(BODIES[carrier](push, token, app_id)), {"Content-Type": "application/json"}
