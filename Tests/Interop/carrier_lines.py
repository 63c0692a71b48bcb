"""The option --carrier of each `seal`: the requests for lines with tokens, and the lines that are refused."""

import json
import re

import carriers
from carriers import reference
from generator import sodium, wire
from generator.names import ALICE
from implementations import FILTERS, command, filtered
from messages import raw_members

COLUMN = "carrier lines"
SHARED = {"aps": {"alert": "shared"}}
VALUE = re.compile(r'ENCRYPTED_DATA[\\":]+([A-Za-z0-9_-]+)')
APP = "app-1"
OPTIONS = ("type", "lifetime", "collapse-id", "topic", "priority")


def cases(carrier):
    """Returns the name, the members of a line, and the code of its error or None."""
    token = carriers.TOKEN
    needs_token = carrier != "apns"
    own = {"payload": {"aps": {"alert": "own"}}, "token": token}
    yield "the shared payload", {"token": token}, None
    yield "an own payload", own, None
    yield "headers", own | {"topic": "com.example.app", "priority": 5, "lifetime": "90s"}, None
    yield "a collapse id", own | {"collapse-id": "a"}, "invalid-header" if carrier == "expo" else None
    yield "a withdrawal", {"payload": {"collapse-ids": ["a"]}, "token": token}, None
    yield "no token", {}, "missing-value" if needs_token else None
    yield "a token that is a number", own | {"token": 1}, "type-mismatch" if needs_token else None
    yield "a token that is null", own | {"token": None}, "type-mismatch" if needs_token else None
    yield "a token with a space", own | {"token": "a b"}, "invalid-header" if needs_token else None
    yield "a call", {"type": "voip", "payload": {}, "token": token}, None if carrier == "apns" else "not-sealable"


def frame(carrier, push_type, value):
    """Returns a sealed payload with the default placeholder."""
    if carrier == "firebase-android":
        return {"ENCRYPTED_DATA": value}
    aps = {"alert": {"body": "(Encrypted)"}, "mutable-content": 1} if push_type == "alert" else {}
    return {"aps": aps, "ENCRYPTED_DATA": value}


def expected(carrier, line, body):
    """Returns the original, the body and the headers for the message in a body."""
    value = VALUE.search(body)[1]
    envelope = wire.base64.urlsafe_b64decode(value + "=" * (-len(value) % 4))
    message = sodium.open_sealed_box(envelope[9:], ALICE.public, ALICE.secret)
    length, lifetime, issued_at = (int.from_bytes(message[slice(*part)], "big") for part in ((2, 4), (4, 8), (8, 16)))
    payload = line.get("payload", SHARED)
    push_type = line.get("type", "alert")
    fields = {"apns-expiration": str(issued_at // 1000 + lifetime), "apns-id": wire.apns_id(message[16:32]),
              "apns-priority": str(line.get("priority", 10)), "apns-push-type": push_type}
    ids = payload.get("collapse-ids", [None]) if carrier != "expo" else [None]
    more = {"apns-collapse-id": line.get("collapse-id", ids[0]), "apns-topic": line.get("topic")}
    fields |= {name: text for name, text in more.items() if text is not None}
    push = reference.Push(frame(carrier, push_type, value), dict(sorted(fields.items())), issued_at)
    text, headers = reference.request(carrier, push, line.get("token"), APP) if carrier != "apns" else (
        reference.compact(push.payload), push.headers)
    return {"original": message[32:32 + length].decode(), "body": text, "headers": headers}


def found(carrier, line, answer, code):
    """Returns the wanted and the actual parts of an answer."""
    members = raw_members(answer.decode())
    own = sorted({*line, "id"} - ({"payload", *OPTIONS} if code else set()))
    if "error" in members:
        names = sorted(set(members) - {"line", "error"})
        return {"code": code, "members": own}, {"code": json.loads(members["error"])["code"], "members": names}
    wanted = expected(carrier, line, members["payload"]) | {"code": code, "members": sorted({*own, "payload", "headers"})}
    actual = {"original": reference.compact(line.get("payload", SHARED)), "body": members["payload"],
              "headers": json.loads(members["headers"]), "code": None, "members": sorted(members)}
    return wanted, actual


def run(language, payload, report):
    for carrier in reference.NAMES:
        named = list(cases(carrier))
        options = ["--anonymous", "--padding", "none", "--carrier", carrier, "--payload", payload]
        options += ["--app-id", APP] if carrier == "onesignal" else []
        lines = [{"id": number, "to": ALICE.public_jwk} | members for number, (_, members, _) in enumerate(named)]
        answers = filtered(command(language, "seal") + options, lines, (65,) if carrier != "apns" else (0,))
        for (name, members, code), answer in zip(named, answers, strict=True):
            wanted, actual = found(carrier, members, answer, code)
            report.compare(language, COLUMN, f"{carrier}: {name}", wanted, actual)


def run_all(tool, report):
    """Seals lines for each carrier by each language."""
    payload = tool.file(json.dumps(SHARED))
    tool.map(lambda language: run(language, payload, report), FILTERS)
    count = sum(len(list(cases(carrier))) for carrier in reference.NAMES)
    for language in FILTERS:
        report.expect_count(language, COLUMN, count)
