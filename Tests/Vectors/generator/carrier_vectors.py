"""The vectors of carriers.json: requests of carriers, and the longest messages that they take."""

import json

from . import carrier_push_vectors
from .carriers import NAMES, SEALABLE, TYPES, VALUE, Push, Refused, compact, longest, request
from .corpus import checked

NOW = 1_767_225_600_123
APP = "8f1c2e8a-6f0a-4c8e-9d0a-6c2b7b9f3a11"
TOKENS = {
    "apns": "0a1b" * 16, "firebase": "dPz-1:APA91bH_Zx", "firebase-android": "dPz-1:APA91bH_Zx",
    "expo": "ExponentPushToken[xxxxxxxxxxxxxxxxxxxxxx]", "onesignal": "1dd608f2-c6a1-11e3-851d-000c2940e62c",
}
RULES = {
    "token": "The token has visible ASCII characters (section 15).",
    "carrier": "The carrier is one of the table (section 15).",
    "type": "The carrier takes the push type (section 15).",
    "app-id": "OneSignal requires the app's ID (section 15).",
} | carrier_push_vectors.RULES
LARGE = "\U0001f512 \u201cVerschl\u00fcsselt\u201d \\ \"/\"\n"


def alert(text=None, **exposed):
    aps = {"alert": text or {"body": "(Encrypted)"}, "mutable-content": 1}
    return {"aps": aps | {name.replace("_", "-"): value for name, value in exposed.items()}, "ENCRYPTED_DATA": VALUE}


def headers(push_type="alert", priority="10", **other):
    """The headers in the order of their names."""
    fields = {"apns-priority": priority, "apns-push-type": push_type}
    return dict(sorted((fields | {f"apns-{name.replace('_', '-')}": value for name, value in other.items()}).items()))


BACKGROUND = {"aps": {"content-available": 1}, "ENCRYPTED_DATA": VALUE}
END = str(NOW // 1000 + 604_800)


def usual():
    """Payloads and headers for all carriers."""
    yield "an alert", alert(), headers(expiration=END)
    yield "an alert without expiration", alert(), headers()
    yield "all lines", alert({"title": "Bank", "subtitle": "Konto", "body": "(Encrypted)"}), headers(expiration=END)
    yield "characters that JSON escapes", alert({"body": LARGE}), headers(expiration=END)
    yield "a topic and an id", alert(), headers(topic="com.example.app", expiration=END, id="0d0f7a3e-9a55-8c4b-a1b2-0123456789ab")
    yield "priority 5", alert(), headers(priority="5", expiration=END)
    yield "priority 1", alert(), headers(priority="1", expiration=END)
    yield "an expiration of 30 days", alert(), headers(expiration=str(NOW // 1000 + 2_592_000))
    yield "an expiration in the second of issue", alert(), headers(expiration=str(NOW // 1000))
    yield "an expiration of one second", alert(), headers(expiration=str(NOW // 1000 + 1))
    yield "a readable badge", alert(badge=0), headers(expiration=END)
    yield "a readable sound", alert(sound="ping.caf"), headers(expiration=END)
    yield "a readable category", alert(category="MESSAGE"), headers(expiration=END)
    for level in ("passive", "active", "time-sensitive", "critical"):
        yield f"a readable interruption level {level}", alert(interruption_level=level), headers(expiration=END)
    yield "an alert that wakes the app", alert(content_available=1), headers(expiration=END)
    yield "a background push", BACKGROUND, headers("background", "5", expiration=END)


def special():
    """Payloads and headers for some carriers."""
    yield "a collapse ID", NAMES[:3] + NAMES[4:], alert(), headers(collapse_id="chat-7", expiration=END)
    yield "one attempt", NAMES, alert(), headers(expiration="0")
    yield "a readable sound with a volume", NAMES[:2] + ("expo",), alert(
        sound={"critical": 1, "name": "ping.caf", "volume": 0.5}), headers(expiration=END)
    yield "a readable group", ("apns", "firebase", "onesignal"), alert(thread_id="t1"), headers(expiration=END)
    yield "a readable relevance score", ("apns", "onesignal"), alert(relevance_score=0.25), headers(expiration=END)
    for level in ("later-and-new", "", None, 1):
        yield f"a readable interruption level {level!r}", ("expo", "onesignal"), alert(interruption_level=level), headers(expiration=END)
    yield "a readable window", ("apns", "onesignal"), alert(target_content_id="inbox"), headers(expiration=END)


def vector(name, carrier, push, token, app_id=None):
    payload, fields = push
    if carrier == "firebase-android":
        payload = {"ENCRYPTED_DATA": VALUE}
    result = {"name": f"{carrier}: {name}", "carrier": carrier, "payload": compact(payload), "apns_headers": fields,
              "issued_at_ms": NOW, "token": token}
    if app_id is not None:
        result["app_id"] = app_id
    try:
        body, own = request(carrier, Push(payload, fields, NOW), token, app_id)
        return result | {"body": body, "headers": own}
    except Refused as error:
        return result | {"fails": error.code, "rule": error.rule}


def requests():
    for name, payload, fields in usual():
        for carrier in NAMES:
            yield vector(name, carrier, (payload, fields), TOKENS[carrier], APP if carrier == "onesignal" else None)
    for name, carriers, payload, fields in special():
        for carrier in carriers:
            yield vector(name, carrier, (payload, fields), TOKENS[carrier], APP if carrier == "onesignal" else None)
    push = alert(), headers(expiration=END)
    for token in ("", "a b", "a\n", "\u00fc", "\0"):
        for carrier in NAMES:
            yield vector(f"the token {token!r}", carrier, push, token, APP if carrier == "onesignal" else None)
    yield vector("no app ID", "onesignal", push, TOKENS["onesignal"])
    yield vector("an empty app ID", "onesignal", push, TOKENS["onesignal"], "")
    yield vector("a name that isn't known", "relay", push, "1")


def limits():
    for carrier in NAMES:
        for push_type in SEALABLE[:3] + SEALABLE[4:]:
            frames = (21,) if carrier == "firebase-android" else (80, 81, 82, 83, 500, 2000)
            for frame in frames:
                result = {"name": f"{carrier}, {push_type}, frame {frame}", "carrier": carrier, "type": push_type, "frame": frame}
                try:
                    yield result | {"longest": longest(carrier, push_type, frame)}
                except Refused as error:
                    yield result | {"fails": error.code, "rule": error.rule}


def document():
    assert set(TYPES) < set(NAMES)
    return checked({
        "description": "Vectors of carriers, wire format version 1. README.md explains the members.",
        "rules": RULES,
        "requests": list(requests()),
        "limits": list(limits()),
        "now_ms": carrier_push_vectors.NOW,
        "recipient": json.dumps(carrier_push_vectors.REGISTRATION),
        "pushes": list(carrier_push_vectors.pushes()),
    }, "requests", "limits", "pushes")
