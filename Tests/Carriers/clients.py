"""Checks of requests with the carriers' own descriptions and clients."""

import json
import pathlib
import warnings

import exponent_server_sdk
import googleapiclient
import onesignal
from firebase_admin import _messaging_encoder, messaging
from onesignal.model.notification import Notification

DISCOVERY = pathlib.Path(googleapiclient.__file__).parent / "discovery_cache" / "documents" / "fcm.v1.json"
SCHEMAS = json.loads(DISCOVERY.read_text())["schemas"]


class Difference(Exception):
    pass


def expect(condition, message):
    if not condition:
        raise Difference(message)


# MARK: Firebase

def fits(value, schema, place):
    """Checks a value by Firebase's discovery file: no unknown member, and each value of its type."""
    if "$ref" in schema:
        return fits(value, SCHEMAS[schema["$ref"]], place)
    kinds = {"object": dict, "string": str, "boolean": bool, "array": list, "integer": int}
    kind = schema["type"]
    expect(kind == "any" or type(value) is kinds[kind], f"{place} isn't of type {kind}")
    if "enum" in schema:
        expect(value.upper() in schema["enum"], f"{place} isn't one of {schema['enum']}")
    if kind == "object":
        members = schema.get("properties", {})
        for name, member in value.items():
            inner = members.get(name) or schema.get("additionalProperties")
            expect(inner, f"{place} has no member {name}")
            fits(member, inner, f"{place}.{name}")


def encoded(message):
    """Firebase's own encoding of a message."""
    return json.loads(json.dumps(message, cls=_messaging_encoder.MessageEncoder))


def firebase(body, headers, push):
    fits(body, SCHEMAS["SendMessageRequest"], "body")
    apns, aps = body["message"]["apns"], body["message"]["apns"]["payload"]["aps"]
    custom = {name: value for name, value in apns["payload"].items() if name != "aps"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        message = messaging.Message(token=body["message"]["token"], apns=messaging.APNSConfig(
            headers=apns["headers"], payload=messaging.APNSPayload(admin_aps(aps), **custom)))
    expect(encoded(message) == body["message"], f"firebase-admin writes {encoded(message)}")


def admin_aps(aps):
    """The library's object for an aps; it takes keys that it has no parameter for as custom data."""
    names = {"alert", "badge", "sound", "category", "thread-id", "mutable-content", "content-available"}
    sound = aps.get("sound")
    if isinstance(sound, dict):
        sound = messaging.CriticalSound(sound["name"], critical=bool(sound.get("critical")), volume=sound.get("volume"))
    alert = messaging.ApsAlert(**aps["alert"]) if "alert" in aps else None
    return messaging.Aps(
        alert=alert, badge=aps.get("badge"), sound=sound, category=aps.get("category"), thread_id=aps.get("thread-id"),
        mutable_content="mutable-content" in aps, content_available="content-available" in aps,
        custom_data={name: value for name, value in aps.items() if name not in names} or None)


def firebase_android(body, headers, push):
    fits(body, SCHEMAS["SendMessageRequest"], "body")
    android = body["message"]["android"]
    expect("notification" not in android and set(android["data"]) == {"ENCRYPTED_DATA"}, "the system would display it")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        message = messaging.Message(token=body["message"]["token"], android=messaging.AndroidConfig(
            collapse_key=android.get("collapseKey"), priority=android["priority"], ttl=int(android["ttl"][:-1]),
            data=android["data"]))
    other = encoded(message)
    if "collapse_key" in other["android"]:
        other["android"]["collapseKey"] = other["android"].pop("collapse_key")
    expect(other == body["message"], f"firebase-admin writes {other}")


# MARK: Expo and OneSignal

def expo(body, headers, push):
    # Members of the service that the client doesn't know yet.
    known = {name: value for name, value in body.items() if name not in ("_contentAvailable", "interruptionLevel")}
    names = {"categoryId": "category", "mutableContent": "mutable_content"}
    message = exponent_server_sdk.PushMessage(**{names.get(name, name): value for name, value in known.items()})
    expect(exponent_server_sdk.PushClient.is_exponent_push_token(body["to"]), "it isn't an Expo token")
    expect(message.get_payload() == known, f"exponent-server-sdk writes {message.get_payload()}")


class Answer:
    """The form in which OneSignal's client reads JSON."""

    def __init__(self, data):
        self.data = data


def onesignal_notification(body, headers, push):
    client = onesignal.ApiClient()
    notification = client.deserialize(Answer(json.dumps(body)), (Notification,), True)
    unknown = set(body) - set(Notification.attribute_map.values())
    expect(not unknown, f"OneSignal's client doesn't know {unknown}")
    expect(client.sanitize_for_serialization(notification) == body, "OneSignal's client writes another body")
    expect(len(json.dumps(body["data"], separators=(",", ":"))) <= 2048, "the data has more than 2048 bytes")
