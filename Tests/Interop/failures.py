"""Lines that no sealer accepts: the codes, the exit status, and no content in the output."""

import json

import corpus
from implementations import FILTERS, command, filtered
from messages import library_request
from vectors import public

SECRET = "geheim-4711"


OPTIONS = ("type", "lifetime", "collapse-id", "topic", "priority")


def own_members(line):
    """Returns the names of the members that an answer keeps: none of a line that is a private key by mistake."""
    try:
        members = json.loads(line)
        texts = {name for name, value in members.items() if isinstance(value, str)}
        if "d" in texts and texts & {"kty", "crv"}:
            return []
        return sorted({*members} - {"to", "payload", "headers", "line", "error", *OPTIONS})
    except ValueError:
        return []


def lines():
    """Returns each line with its code."""
    keys = corpus.load("opening")["keys"]
    alice, small = public(keys["alice"]), "A" * 43
    alert = {"aps": {"alert": SECRET}}
    good = {"to": alice["x"], "payload": alert}
    cases = [
        (b"", "malformed-json"), (b"[]", "malformed-json"), (b"{", "malformed-json"), (b"\xff", "malformed-json"),
        (f'{{"to":"{alice["x"]}","payload":{{"a":"{SECRET}","a":1}}}}', "malformed-json"),
        (f'{{"to":1,"to":1,"payload":{{"a":"{SECRET}"}}}}', "malformed-json"),
        (b'{"id":7,"text":"' + SECRET.encode() + b'"}x', "malformed-json"),
        (b'{"payload":"' + SECRET.encode() * 6000 + b'"}', "line-too-long"),
        ({"payload": alert}, "missing-value"), ({"to": alice["x"]}, "missing-value"),
        (good | {"to": alice["x"][:-1]}, "malformed-jwk"), (good | {"to": small}, "invalid-key"),
        (good | {"to": public(keys["acme"])}, "wrong-key-type"),
        (good | {"to": {"key": alice, "generation": 1, "created": 1, "lifetime": 0}}, "malformed-registration"),
        (good | {"payload": [SECRET]}, "malformed-json"), (good | {"payload": SECRET}, "malformed-json"),
        (good | {"payload": {"aps": {"alert": {"action": SECRET}}}}, "no-alert-text"),
        (good | {"payload": {"text": SECRET}}, "invalid-payload"),
        (good | {"payload": alert | {"ENCRYPTED_DATA": SECRET}}, "already-sealed"),
        (good | {"payload": {"aps": {"alert": SECRET * 500}}}, "payload-too-large"),
        (good | {"payload": {"collapse-ids": [SECRET + " ä"]}}, "invalid-payload"),
        (good | {"payload": {"collapse-ids": ["a"], "aps": {"alert": [SECRET]}}}, "invalid-payload"),
        (good | {"payload": {"thread-ids": ["a"], "aps": {"alert": {"title": 1, "body": SECRET}}}}, "invalid-payload"),
        (good | {"payload": {"thread-ids": ["a"], "aps": []}}, "invalid-payload"),
        (good | {"type": "background"}, "invalid-payload"), (good | {"type": "widgets"}, "not-sealable"),
        (good | {"type": 1}, "type-mismatch"), (good | {"lifetime": "31d"}, "invalid-lifetime"),
        (good | {"lifetime": 0}, "invalid-lifetime"), (good | {"lifetime": -5}, "invalid-lifetime"),
        (good | {"lifetime": 1.5}, "invalid-lifetime"), (good | {"lifetime": "7 d"}, "invalid-lifetime"),
        (good | {"priority": 3}, "invalid-header"), (good | {"topic": "a\nb"}, "invalid-header"),
        (good | {"collapse-id": "x" * 65}, "invalid-header"), (good | {"topic": ""}, "invalid-header"),
        (good | {"lifetime": 0, "line": SECRET, "error": SECRET}, "invalid-lifetime"),
        (good | {"lifetime": 0, "to": alice, "d": 1}, "invalid-lifetime"),
        (good | {"lifetime": 0, "key": alice, "d": "own", "kty": 1}, "invalid-lifetime"),
        ({"kty": "OKP", "crv": "Ed25519", "x": small, "d": SECRET}, "missing-value"),
        (good | {"lifetime": 0, "crv": "X25519", "d": SECRET, "own": SECRET}, "invalid-lifetime"),
        (good | {"payload": {"collapse-ids": ["a"], "0": 1}}, "invalid-payload"),
        (b"[]".ljust(65_536), "malformed-json"), (b"[]".ljust(65_537), "line-too-long"),
        (good | {"lifetime": 1e3}, "invalid-lifetime"), (good | {"lifetime": 2 ** 32 + 60}, "invalid-lifetime"),
        (good | {"to": {"generation": 1}}, "malformed-jwk"), (good | {"to": alice | {"key": 1}}, "malformed-registration"),
        (good | {"to": json.dumps({"key": alice, "generation": 1, "created": 1, "lifetime": 9}) + "\u00a0"}, "malformed-jwk"),
        (good | {"to": {"keys": [alice | {"state": "primary"}, 1]}}, "malformed-jwk"),
        (good | {"to": {"keys": [alice | {"state": "primary"}, {}]}}, "malformed-jwk"),
        (good | {"to": {"keys": [alice | {"state": 1}]}}, "malformed-jwk"),
        (good | {"to": {"keys": [alice | {"state": "primary"}] * 2}}, "multiple-primary-keys"),
    ]
    cases += [(case.replace("|", separator), "malformed-json") for separator in ("\u2028", "\u2029", "\x85", "\x0b", "\xa0")
              for case in ('{|"id":1,"to":1}', '{"id"|:1,"to":1}', '{"id":1,|"to":1}', '{"id":1,"to":1}|')]
    return [(case if isinstance(case, bytes) else case.encode() if isinstance(case, str)
             else json.dumps(case | {"id": at}).encode(), code) for at, (case, code) in enumerate(cases)]


def run(language, report):
    cases = lines()
    answers = filtered([*command(language, "seal"), "--anonymous"], [line for line, _ in cases], statuses=(65,))
    for number, ((line, code), answer) in enumerate(zip(cases, answers, strict=True), 1):
        found = json.loads(answer)
        error = found.pop("error", {})
        members = own_members(line) if code not in ("malformed-json", "line-too-long") or b"payload" in line else []
        wanted = {"code": code, "line": number, "members": members, "leaks": False, "reason": True}
        line_number = found.pop("line", None)
        report.compare(language, "refused", line.decode("latin-1"), wanted, {
            "code": error.get("code"), "line": line_number, "members": sorted(found),
            "leaks": SECRET in answer.decode() or sorted(error) != ["code", "reason"], "reason": bool(error.get("reason"))})


def library_cases():
    """Returns the request and the code of each line whose faults are in the recipient, the payload or the type."""
    for line, code in lines():
        members = json.loads(line) if line.startswith(b'{"to"') and code != "malformed-json" else {}
        members.pop("id", None)
        if {"to", "payload"} <= set(members) <= {"to", "payload", "type"} and isinstance(members.get("type", ""), str):
            to, payload = (value if isinstance(value, str) else json.dumps(value) for value in (members["to"], members["payload"]))
            yield library_request(to, payload, type=members.get("type", "alert")), code


def run_library(language, driver, report):
    cases = list(library_cases())
    answers = filtered(driver, [request for request, _ in cases])
    for (request, code), answer in zip(cases, answers, strict=True):
        found = json.loads(answer)
        is_clean = SECRET not in answer.decode() and bool(found.get("reason"))
        report.compare(language, "refused", json.dumps(request), (code, True), (found.get("fails"), is_clean))
    report.expect_count(language, "refused", len(cases))


def run_all(tool, libraries, report):
    tool.map(lambda language: run(language, report), (*FILTERS, "tool"))
    tool.map(lambda item: run_library(*item, report), libraries.items())
