"""Carriers: the vectors of carriers.json, and pushes that are sealed for each carrier or refused."""

import json
import re
import sys

import corpus
from implementations import FILTERS, SEALERS, command, filtered

sys.path.insert(0, str(corpus.VECTORS))
from generator import carriers as reference  # noqa: E402
from generator.names import ACME, ALICE  # noqa: E402

COLUMN = "carriers"
RELAY = "relay"  # A carrier that no library knows has the rules of APNs, and no request.
KEYS = {"category": "A", "thread-id": "t", "sound": "ping.caf", "badge": 0, "interruption-level": "time-sensitive",
        "relevance-score": 0.25, "target-content-id": "inbox", "filter-criteria": "f", "content-available": 1}
EXPOSABLE = {"firebase-android": (), "onesignal": tuple(key for key in KEYS if key != "filter-criteria"),
             "expo": ("category", "sound", "badge", "interruption-level", "content-available")}
# The length of the longest text of a signed alert without padding, from Docs/Sending.md.
LONGEST = {"apns": 2831, "firebase": 2639, "firebase-android": 2875, "expo": 2447, "onesignal": 1339}
PAYLOADS = {"alert": {"aps": {"alert": "x"}}, "background": {"aps": {"content-available": 1}}, "voip": {},
            "location": {}, "pushtotalk": {}}
TOKEN = "0a1b" * 16
LIFETIME = 604_800
REGISTRATION = {"created": 1, "generation": 1, "key": ALICE.public_jwk, "lifetime": LIFETIME}


def cases(file):
    """Returns the request, the expected answer and the vector of all driver tests, by array."""
    names = ("carrier", "payload", "apns_headers", "issued_at_ms", "token", "app_id")
    requests = [({"do": "request"} | {name: vector[name] for name in names if name in vector},
                 {name: vector[name] for name in ("body", "headers", "fails") if name in vector}, vector)
                for vector in file["requests"]]
    limits = [({"do": "limit"} | {name: vector[name] for name in ("carrier", "type", "frame")},
               {name: vector[name] for name in ("longest", "fails") if name in vector}, vector)
              for vector in file["limits"]]
    return {"requests": requests, "limits": limits}


def push_cases(file):
    """Returns the same for the pushes, which the drivers alone seal: a package's check has no request for them."""
    settings = ("carrier", "type", "payload", "placeholder", "expose", "collapse_id", "proofs_since_ms")
    return [({"do": "carrier-seal", "to": file["recipient"], "sender": None, "padding": "none", "row": vector.get("row"),
              "token": TOKEN, "app_id": "app"}
             | {name: vector[name] for name in settings if name in vector},
             {name: vector[name] for name in ("readable", "length", "fails") if name in vector}, vector)
            for vector in file["pushes"]]


def comparable_push(answer):
    """Returns the readable part of a sealed payload, and the length of its message."""
    if "fails" in answer:
        return answer
    value = json.loads(answer["payload"])["ENCRYPTED_DATA"]
    return {"readable": answer["payload"].replace(value, ""), "length": len(value) * 3 // 4 - 57}


def sealing(carrier, push_type="alert", payload=None, **settings):
    """Returns the request to seal a payload for a carrier, and to return the carrier's request."""
    defaults = {"padding": "none", "expose": [], "placeholder": {"body": "(Encrypted)"}, "sender": ACME.private_jwk,
                "row": None}
    return {"do": "carrier-seal", "carrier": carrier, "type": push_type, "to": json.dumps(REGISTRATION),
            "payload": json.dumps(PAYLOADS[push_type] if payload is None else payload, ensure_ascii=False),
            "token": TOKEN} | (
                {"app_id": "app"} if carrier == "onesignal" else {}) | defaults | settings


def row(carrier):
    members = {"account": "anna", "deviceToken": TOKEN, "registered": 1, "registration": REGISTRATION}
    return json.dumps(members | ({"carrier": carrier} if carrier != "apns" else {}))


def types():
    for carrier in reference.NAMES:
        for push_type in PAYLOADS:
            takes = push_type in reference.TYPES.get(carrier, ("alert", "background"))
            yield f"{carrier}: {push_type}", sealing(carrier, push_type), None if takes else "not-sealable"
    yield "a carrier that isn't known", sealing(RELAY), "not-sealable"


def exposed_keys():
    aps = {"alert": {"title": "x"}} | KEYS
    for carrier in reference.NAMES:
        for key in KEYS:
            takes = key in EXPOSABLE.get(carrier, KEYS)
            for payload in ({"aps": aps}, PAYLOADS["alert"]):  # A setting is refused, whatever the payload has.
                yield (f"{carrier}: exposed {key} of {payload}", sealing(carrier, payload=payload, expose=[key]),
                       None if takes else "invalid-payload")
        # The alert stays readable in Live Activities alone.
        yield f"{carrier}: exposed alert", sealing(carrier, payload={"aps": aps}, expose=["alert"]), None
        yield f"{carrier}: hidden keys", sealing(carrier, payload={"aps": aps}), None
        keys = list(EXPOSABLE.get(carrier, KEYS))
        yield f"{carrier}: all keys", sealing(carrier, payload={"aps": aps}, expose=keys), None
        sound = {"aps": {"alert": "x", "sound": {"name": "a", "critical": 1, "volume": 0.5}}}
        code = "invalid-payload" if carrier in ("firebase-android", "onesignal") else None
        yield f"{carrier}: a sound with a volume", sealing(carrier, payload=sound, expose=["sound"]), code
        yield f"{carrier}: a hidden sound with a volume", sealing(carrier, payload=sound), None
        # The settings are for alerts.
        yield f"{carrier}: a background push", sealing(carrier, "background", expose=["filter-criteria"]), None


def placeholders():
    text = {"title": "T \u00e4\u2028\"\\", "subtitle": "S", "body": "\U0001f512\n/"}
    for carrier in reference.NAMES:
        yield f"{carrier}: three lines", sealing(carrier, placeholder=text), None
        code = "invalid-placeholder" if carrier in ("expo", "onesignal") else None
        for name in ("title-loc-key", "subtitle-loc-key", "loc-key"):
            yield f"{carrier}: {name}", sealing(carrier, placeholder={"body": "b", "title": "t"} | {name: "K"}), code
        code = "invalid-placeholder" if carrier == "onesignal" else None
        yield f"{carrier}: no body", sealing(carrier, placeholder={"title": "t"}), code
        yield f"{carrier}: an empty body", sealing(carrier, placeholder={"title": "t", "body": ""}), code
        background = sealing(carrier, "background", placeholder={"title": "t"})
        yield f"{carrier}: a background push without a body", background, None


def headers():
    ids = {"collapse-ids": ["chat-7"]}
    for carrier in reference.NAMES:
        code = "invalid-header" if carrier == "expo" else None
        yield f"{carrier}: a collapse id", sealing(carrier, collapse_id="a/\"\\7"), code
        yield f"{carrier}: a collapse id of a background push", sealing(carrier, "background", collapse_id="a"), code
        yield f"{carrier}: a withdrawal", sealing(carrier, payload=ids), None
        yield f"{carrier}: a withdrawal beside a thread", sealing(carrier, payload=ids | {"thread-ids": ["t"]}), None
        yield f"{carrier}: a withdrawal with a collapse id", sealing(carrier, payload=ids, collapse_id="a"), code
        yield f"{carrier}: a withdrawal of two", sealing(carrier, payload={"collapse-ids": ["a", "b"]}), None
        yield f"{carrier}: a priority and a topic", sealing(carrier, priority=5, topic="com.example.app"), None


def devices():
    for carrier in (*reference.NAMES, RELAY):
        for other in (*reference.NAMES, RELAY):
            code = None if carrier == other else "wrong-carrier"
            yield (f"{carrier}: a row of {other}", sealing(carrier, row=row(other)),
                   "not-sealable" if carrier == other == RELAY else code)


def order():
    """The first refusal that applies gives the code."""
    other = {"row": row("apns")}
    text = {"placeholder": {"loc-key": "K"}}
    exposed = {"expose": ["filter-criteria"]}
    yield "a type and an id", sealing("expo", "voip", collapse_id="a", **other), "not-sealable"
    yield "an id and a key", sealing("expo", collapse_id="a", **exposed, **text, **other), "invalid-header"
    yield "a key and a placeholder", sealing("expo", **exposed, **text, **other), "invalid-payload"
    long = {"payload": {"aps": {"alert": "x" * (LONGEST["expo"] + 1)}}, "reason": True}
    proofs = {"proofs_since_ms": 1}
    yield "a placeholder and a length", sealing("expo", **text, **long, **other), "invalid-placeholder"
    yield "a placeholder and a row", sealing("expo", **text, **other), "invalid-placeholder"
    yield "a length and a row", sealing("expo", **long, **other, **proofs), 1
    yield "a length and a proof", sealing("expo", row=row("expo"), **long, **proofs), 1
    yield "a row and a proof", sealing("expo", **other, **proofs), "wrong-carrier"
    yield "a proof", sealing("expo", row=row("expo"), **proofs), "unproved-recipient"


def lengths():
    """Texts around the longest one: the refusal has the number of bytes."""
    for carrier in (*reference.NAMES, RELAY):
        longest = LONGEST.get(carrier, LONGEST["apns"])
        for more in (-1, 0, 1, 2, 1000):
            request = sealing(carrier, payload={"aps": {"alert": "x" * (longest + more)}}, reason=True)
            code = "not-sealable" if carrier == RELAY else None
            yield f"{carrier}: {more} bytes more than the longest text", request, more if more > 0 else code
        for padding in ("buckets", "maximum"):
            request = sealing(carrier, payload={"aps": {"alert": "x" * (longest - 400)}}, padding=padding)
            yield f"{carrier}: padding {padding}", request, "not-sealable" if carrier == RELAY else None


def all_cases(language):
    """Returns the cases of a language. One that only seals knows no proofs."""
    cases = [case for part in (types, exposed_keys, placeholders, headers, devices, order, lengths) for case in part()]
    return [case for case in cases if language in FILTERS or "proofs_since_ms" not in case[1]]


def result(request, outcome):
    """Returns what a driver answers."""
    if isinstance(outcome, int):
        return {"fails": "payload-too-large", "excess": outcome}
    return {"fails": outcome} if outcome else {"seals": True}


def collapse_id(request):
    """Returns the header that a push has: the caller's, or the only id of a withdrawal if the carrier takes one."""
    ids = json.loads(request["payload"]).get("collapse-ids", ())
    default = ids[0] if len(ids) == 1 and request["carrier"] != "expo" else None
    return request.get("collapse_id", default)


def problem(request, answer):
    """Returns what is wrong with an answer, or None."""
    try:
        return difference(request, answer)
    except reference.Refused as error:
        return f"a push that the rule {error.rule} forbids"


def difference(request, answer):
    """Returns what differs from the reference, or None."""
    carrier = request["carrier"]
    payload, fields = json.loads(answer["payload"]), answer["apns_headers"]
    value = payload["ENCRYPTED_DATA"]
    if carrier == "firebase-android" and list(payload) != ["ENCRYPTED_DATA"]:
        return "a payload with aps"
    expected = reference.longest(carrier, request["type"], len(answer["payload"].encode()) - len(value))
    length = len(value) * 3 // 4 - 57
    if length > expected or request["padding"] == "maximum" and length != expected:
        return f"a message of {length} bytes instead of {expected}"
    if fields.get("apns-collapse-id") != collapse_id(request):
        return f"the collapse id {fields.get('apns-collapse-id')}"
    lifetime = 0 if request["type"] == "pushtotalk" else int(fields["apns-expiration"]) - answer["issued_at_ms"] // 1000
    if lifetime not in (0, LIFETIME):
        return f"{lifetime} seconds between the time of issue and the expiration"
    sorted_fields = dict(sorted(fields.items()))
    push = reference.Push(payload, sorted_fields, answer["issued_at_ms"])
    body, own = reference.request(carrier, push, request["token"], request.get("app_id"))
    is_same = (answer["body"], answer["headers"]) == (body, own)
    return None if is_same else f"{answer['headers']} {answer['body']}, not {own} {body}"


def sealed_excess(carrier, excess):
    """Returns the number of characters by which the sealed value is too long, for a message that is too long."""
    frame = 21 if carrier == "firebase-android" else 80
    room = 4096 - reference.RESERVE.get(carrier, 0) - frame
    room = min(room, 2027) if carrier == "onesignal" else room
    length = reference.longest(carrier, "alert", frame) + excess
    return -(-(57 + length) * 4 // 3) - room


def found(request, answer, outcome):
    """Returns an answer as result() does. The number of bytes is that of the text, or of the sealed payload."""
    if "fails" not in answer:
        return {"seals": problem(request, answer) or True}
    numbers = [int(digits) for digits in re.findall("[0-9]+", answer.pop("reason", ""))]
    if answer["fails"] == "payload-too-large":
        is_right = isinstance(outcome, int) and numbers in ([outcome], [sealed_excess(request["carrier"], outcome)])
        answer["excess"] = outcome if is_right else numbers
    return answer


def opened(answers):
    """Returns the originals that a device finds in sealed payloads."""
    account = {"name": "main", "keys": [ALICE.private_jwk], "accept": {"signed_by": [ACME.public_jwk]}}
    kinds = ["notification", "background", "voip", "location", "pushtotalk", "withdrawal"]
    lines = [{"accounts": [account], "payload": answer["payload"], "now_ms": answer["issued_at_ms"], "kinds": kinds}
             for answer in answers]
    output = filtered(command("python", "open"), lines)
    return [json.loads(answer).get("opens", {}).get("original") for answer in output]


def run(language, driver, report):
    wanted = all_cases(language)
    answers = [json.loads(answer) for answer in filtered(driver, [request for _, request, _ in wanted])]
    sealed = [at for at, answer in enumerate(answers) if "payload" in answer]
    originals = [reference.compact(json.loads(wanted[at][1]["payload"])) for at in sealed]
    report.compare(language, COLUMN, "the originals", originals, opened([answers[at] for at in sealed]))
    for (name, request, outcome), answer in zip(wanted, answers, strict=True):
        report.compare(language, COLUMN, name, result(request, outcome), found(request, answer, outcome))


def run_all(tool, drivers, report):
    """Seals for each carrier by each language."""
    tool.map(lambda language: run(language, drivers[language], report), SEALERS)
    for language in SEALERS:
        report.expect_count(language, COLUMN, len(all_cases(language)) + 1)
