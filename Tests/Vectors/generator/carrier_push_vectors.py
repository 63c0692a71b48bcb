"""The vectors of pushes in carriers.json: payloads that a sealer takes for a carrier, or refuses (section 15 of Format.md)."""

import json

from . import sealing
from .carriers import NAMES, TYPES, compact, longest
from .names import ALICE

RULES = {
    "collapse-id": "A push for Expo has no collapse ID of the caller (refusal 2 of section 15).",
    "exposed": "The carrier's body has a member for each exposed key (refusal 3 of section 15).",
    "placeholder": "The carrier can express the placeholder (refusal 4 of section 15).",
    "length": "The message isn't longer than the carrier's limit (refusal 5 of section 15).",
    "device": "The device's token is one of the carrier (refusal 6 of section 15).",
    "proof": "The recipient has a proof, if the sender requires proofs (refusal 7 of section 15).",
}
CODES = {
    "type": "not-sealable", "collapse-id": "invalid-header", "exposed": "invalid-payload",
    "placeholder": "invalid-placeholder", "length": "payload-too-large", "device": "wrong-carrier",
    "proof": "unproved-recipient",
}
NOW = 1_767_225_600_000
TOKEN = "0a1b" * 16
REGISTRATION = {"created": 1_767_225_600, "generation": 1, "key": ALICE.public_jwk, "lifetime": 604_800}
DEFAULT = {"body": "(Encrypted)"}
# The keys of the body, for the carriers whose body isn't the payload itself.
TAKEN = {
    "firebase-android": (),
    "expo": ("category", "sound", "badge", "interruption-level", "content-available"),
    "onesignal": tuple(key for key in sealing.EXPOSED if key != "filter-criteria"),
}
APS = {"alert": {"title": "Bank"}, "category": "A", "thread-id": "t", "sound": "ping.caf", "badge": 0,
       "interruption-level": "active", "relevance-score": 0.25, "target-content-id": "inbox", "filter-criteria": "f",
       "content-available": 1}
LOUD = {"aps": {"alert": "x", "sound": {"critical": 1, "name": "a", "volume": 0.5}}}
TEXT = {"aps": {"alert": "x"}}
PAYLOADS = {"alert": TEXT, "background": {"aps": {"content-available": 1}}, "voip": {}, "location": {}, "pushtotalk": {}}


def refusals(push):
    """The rules that a push breaks, in the order of section 15."""
    carrier, payload, is_alert = push["carrier"], json.loads(push["payload"]), push["type"] == "alert"
    row = json.loads(push["row"]) if push.get("row") else {}
    if push["type"] not in TYPES.get(carrier, ("alert", "background")):
        yield "type"
        return
    if carrier == "expo" and "collapse_id" in push:
        yield "collapse-id"
    sound = payload.get("aps", {}).get("sound")
    if is_alert and set(push["expose"]) - {"alert"} - set(TAKEN.get(carrier, sealing.EXPOSED)):
        yield "exposed"
    elif is_alert and carrier == "onesignal" and "sound" in push["expose"] and isinstance(sound, dict):
        yield "exposed"
    has_keys = any(name.endswith("loc-key") for name in push["placeholder"])
    if is_alert and (carrier in ("expo", "onesignal") and has_keys
                     or carrier == "onesignal" and not push["placeholder"].get("body")):
        yield "placeholder"
    if 32 + len(push["payload"].encode()) > longest(carrier, push["type"], len(readable(push).encode())):
        yield "length"
    if row and row.get("carrier", "apns") != carrier:
        yield "device"
    if row and "proofs_since_ms" in push and "proved" not in row:
        yield "proof"


def readable(push):
    """The sealed payload with an empty text."""
    if push["carrier"] == "firebase-android":
        return '{"ENCRYPTED_DATA":""}'
    return "".join(sealing.frame(push["type"], push["payload"], push["placeholder"], push["expose"]).texts)


def vector(name, carrier, push_type="alert", payload=None, **settings):
    push = {"name": f"{carrier}: {name}", "carrier": carrier, "type": push_type,
            "payload": compact(PAYLOADS[push_type] if payload is None else payload),
            "placeholder": DEFAULT, "expose": []} | settings
    broken = next(refusals(push), None)
    if broken:
        return push | {"fails": CODES[broken], "rule": broken}
    return push | {"readable": readable(push), "length": 32 + len(push["payload"].encode())}


def row(carrier, **members):
    values = {"account": "anna", "deviceToken": TOKEN, "registered": NOW, "registration": REGISTRATION} | members
    return json.dumps(values | ({} if carrier == "apns" else {"carrier": carrier}))


def fitting(carrier, more):
    """A payload that is longer than the longest one by a number of bytes."""
    frame = 21 if carrier == "firebase-android" else 80
    rest = longest(carrier, "alert", frame) - 32 - len(compact({"aps": {"alert": ""}}))
    return {"aps": {"alert": "x" * (rest + more)}}


def settings(carrier):
    for push_type in PAYLOADS:
        yield vector(f"the type {push_type}", carrier, push_type)
    yield vector("a collapse ID", carrier, collapse_id="chat-7")
    yield vector("a collapse ID of a background push", carrier, "background", collapse_id="chat-7")
    yield vector("a withdrawal of one collapse ID", carrier, payload={"collapse-ids": ["chat-7"]})
    for key in sealing.EXPOSED:
        yield vector(f"exposed: {key}", carrier, payload={"aps": APS}, expose=[key])
        yield vector(f"exposed: {key}, which the original doesn't have", carrier, payload={"aps": {"alert": "x"}}, expose=[key])
    yield vector("exposed: alert", carrier, payload={"aps": APS}, expose=["alert"])
    yield vector("an exposed sound with a volume", carrier, payload=LOUD, expose=["sound"])
    yield vector("a hidden sound with a volume", carrier, payload=LOUD)
    yield vector("an exposed key of a background push", carrier, "background", expose=["filter-criteria"])
    for name, other in (("title-loc-key", "body"), ("subtitle-loc-key", "body"), ("loc-key", "title")):
        yield vector(f"a placeholder with {name}", carrier, placeholder={other: "b", name: "K"})
    yield vector("a placeholder of three lines", carrier, placeholder={"title": "T", "subtitle": "S", "body": "B"})
    yield vector("a placeholder without a body", carrier, placeholder={"title": "T"})
    yield vector("a placeholder of a background push", carrier, "background", placeholder={"title": "T"})
    for more in (0, 1):
        yield vector(f"the longest payload and {more} bytes", carrier, payload=fitting(carrier, more))


def recipients(carrier):
    for other in NAMES:
        yield vector(f"a row of {other}", carrier, row=row(other))
    yield vector("a row without a proof", carrier, row=row(carrier), proofs_since_ms=1)
    yield vector("a row with a proof", carrier, row=row(carrier, proved=NOW), proofs_since_ms=1)


def several():
    """Pushes that break two rules: the first one gives the code."""
    other, keys = {"row": row("apns")}, {"placeholder": {"loc-key": "K"}}
    long = fitting("expo", 1)
    yield vector("a type and a collapse ID", "expo", "voip", collapse_id="a", **other)
    yield vector("a collapse ID and a key", "expo", collapse_id="a", expose=["thread-id"])
    yield vector("a key and a placeholder", "expo", expose=["thread-id"], **keys)
    yield vector("a placeholder and a length", "expo", payload=long, **keys)
    yield vector("a length and a row", "expo", payload=long, **other)
    yield vector("a row and a proof", "expo", proofs_since_ms=1, **other)


def pushes():
    for carrier in NAMES:
        yield from settings(carrier)
        yield from recipients(carrier)
    yield from several()
