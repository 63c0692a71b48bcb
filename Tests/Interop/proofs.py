"""The vectors of challenges.json as requests to the drivers, and their expected answers."""

import json

ARRAYS = ("challenges", "proofs", "answers", "rows", "refusals")
DEVICE = ("registration", "token", "carrier", "account")
REQUEST = ("topic", "carrier", "account", "token")
# A secret that doesn't issue challenges.
PREVIOUS = "A" * 43
PAYLOAD = '{"aps":{"alert":"x"}}'
CHALLENGE = f'{{"challenge":"{"A" * 43}","expires":0}}'


def parsed(text):
    """Returns the value of JSON text. Numbers are compared as they are written."""
    return json.loads(text, parse_int=str, parse_float=str)


def selected(action, vector, *names):
    return {"do": action} | {name: vector[name] for name in names}


def challenge(vector):
    request = selected("challenge", vector, *DEVICE, "topic", "expires", "secret", "aps") | {"previous": PREVIOUS}
    return request, {name: parsed(vector[name]) for name in ("payload", "visible")}


def proof(vector):
    request = selected("proof", vector, *DEVICE, "payload")
    if "fails" in vector:
        return request, {"fails": vector["fails"]}
    answer = {"registration": vector["registration"], "expires": str(vector["expires"]), "proof": vector["proof"]}
    return request, {"answer": answer}


def answer(vector):
    request = selected("answer", vector, *REQUEST, "body", "secrets", "now_ms")
    return request, {name: vector[name] for name in ("fails", "generation", "kid") if name in vector}


def row(vector, now):
    names = ("row", "others", "text", "token", "account", "carrier", "proofs", "proved")
    request = selected("row", vector, *names) | {"now_ms": now}
    if "stale" in vector:
        return request, {"fails": "stale-generation", "generation": vector["stale"]}
    return request, {"row": vector["stored"]} if "stored" in vector else {"challenge": True}


def refusal(vector):
    kind = {"kind": vector["kind"], "payload": CHALLENGE} if "kind" in vector else {"payload": PAYLOAD}
    request = selected("refusal", vector, "row", "proofs_since_ms", "now_ms") | kind
    return request, {name: vector[name] for name in ("fails", "refused") if name in vector}


def cases(file):
    """Returns the request, the expected answer and the vector of all driver tests, by array."""
    functions = {"challenges": challenge, "proofs": proof, "answers": answer, "refusals": refusal,
                 "rows": lambda vector: row(vector, file["now_ms"])}
    return {name: [(*functions[name](vector), vector) for vector in file[name]] for name in ARRAYS}


def comparable(name, got):
    """Returns an answer whose JSON texts are values."""
    texts = {"challenges": ("payload", "visible"), "proofs": ("answer",)}.get(name, ())
    return got | {member: parsed(got[member]) for member in texts if member in got}
