"""Lists of accepted keys from Python and the tool, read by other languages, and messages for devices that know an older key."""

import json
import time

import corpus
from generator import signer_lists, wire
from generator.names import ACME, ALICE, MALLORY
from implementations import FILTERS, OPENERS, SEALERS, command, filtered
from messages import library_request
from vectors import device_request, public

COLUMN = "lists of keys"
REFUSED = 10  # lists that Python doesn't issue
SEALED = 20  # answers of a sealer: one for each device, and two of the tool for each message
YEAR = 365 * 24 * 3600
AUDIENCES = (None, "production", "caf\u00e9 \U0001f512 \"\\\n", "")
PENDING, FOREIGN = signer_lists.SIGNERS[:2]
PAYLOAD = {"aps": {"alert": "Hello"}}


def request(action, audience, roots=("first", "second"), **members):
    """Returns the request of a device to a driver."""
    file = corpus.load("signer-lists")
    return device_request(file, action, {"roots": roots, "audience": audience}) | members


def issued_by_python(driver, now):
    """Returns lists of the first root with their audiences and keys, issued by Python."""
    cases = [(audience, keys) for audience in AUDIENCES for keys in ([ACME], [MALLORY, PENDING, ACME], signer_lists.SIGNERS[:64])]
    requests = [{"do": "issue", "keys": [key.public_jwk for key in keys], "number": number, "iat": now - 60, "exp": now + YEAR,
                 "audience": audience, "root": signer_lists.FIRST.private_jwk} for number, (audience, keys) in enumerate(cases, 1)]
    answers = [json.loads(answer) for answer in filtered(driver, requests)]
    return [(answer.get("text"), *case) for answer, case in zip(answers, cases, strict=True)]


def refused_by_python(driver, now):
    """Returns the answers for lists that no device would take."""
    base = {"do": "issue", "keys": [ACME.public_jwk], "number": 1, "iat": now, "exp": now + 1, "audience": None,
            "root": signer_lists.FIRST.private_jwk}
    many = [key.public_jwk for key in signer_lists.SIGNERS]
    cases = [{"keys": []}, {"keys": many}, {"keys": [ACME.public_jwk] * 2}, {"number": 0}, {"number": 2 ** 53}, {"exp": now},
             {"iat": -1}, {"audience": 7}, {"audience": "x" * 60_000}, {"number": 1.5}]
    return [json.loads(answer) for answer in filtered(driver, [base | case for case in cases])]


def announced(tool, ring):
    """Returns lists of both roots with their audiences and keys, announced by the tool."""
    results = []
    for root in (signer_lists.FIRST, signer_lists.SECOND):
        for audience in (None, "production", "caf\u00e9 \U0001f512"):
            file = tool.keyring([root.private_jwk])
            # The root's key is years old, and has signed no list.
            options = ["--valid", "365d", "--clock-is-right"] + (["--audience", audience] if audience is not None else [])
            text, code = tool.run("keys", "announce", "--root", file, "--keyring", ring, *options)
            results.append((code or text.decode().removesuffix("\n"), audience, [ACME, PENDING, MALLORY]))
    return results


def verify(language, driver, texts, report):
    """Compares the keys of each list with those that were announced, in both orders of the roots."""
    now = int(time.time() * 1000)
    for roots in (("first", "second"), ("second", "first")):
        requests = [request("signer-list", audience, roots, stored=None, now_ms=now, text=text) for text, audience, _ in texts]
        requests += [request("signer-list", "another", roots, stored=None, now_ms=now, text=text) for text, *_ in texts]
        answers = [json.loads(answer) for answer in filtered(driver, requests)]
        for (text, audience, keys), answer in zip(texts, answers, strict=False):
            found = {"outcome": answer.get("outcome", answer.get("fails")), "kids": answer.get("kids")}
            wanted = {"outcome": "accepted", "kids": [signer_lists.kid(key) for key in keys]}
            report.compare(language, COLUMN, f"{roots[0]} {audience!r}: {text}", wanted, found)
        for (text, *_), answer in zip(texts, answers[len(texts):], strict=True):
            report.compare(language, COLUMN, f"another audience: {text}", {"fails": "wrong-audience"}, answer)


# The signers of a device, and the key that signs for it.
DEVICES = {
    "the retired key alone": ([MALLORY], MALLORY), "the retired and the pending key": ([PENDING, MALLORY], MALLORY),
    "both keys": ([MALLORY, ACME], ACME), "the primary key": ([ACME], ACME), "no signers": (None, ACME),
    "the pending key": ([PENDING], None), "a foreign key": ([FOREIGN], None),
}


def keyring(tool):
    """Returns the keyring file of a server: acme is primary, mallory retired."""
    def entry(key, **members):
        return key.private_jwk | {"created": 1_700_000_000} | members

    keys = [entry(ACME, state="primary"), entry(PENDING, state="pending"), entry(MALLORY, state="retired", retired=1_760_000_000)]
    return tool.file(json.dumps({"generation": 3, "keys": keys}))


def lines():
    """Returns a line for each device, and for each form of its key."""
    for at, (signers, _) in enumerate(DEVICES.values()):
        registration = {"created": 1_767_225_600, "generation": 3, "key": ALICE.public_jwk, "lifetime": 604_800}
        if signers is not None:
            registration["signers"] = [signer_lists.kid(key) for key in signers]
        yield {"id": at, "to": registration, "payload": PAYLOAD}
    yield {"id": len(DEVICES), "to": wire.base64url(ALICE.public), "payload": PAYLOAD}


def accounts(list_text):
    """Returns an account that pins both roots and has stored a list."""
    roots = [public(signer_lists.ROOTS[name].private_jwk) for name in ("second", "first")]
    return [{"name": "main", "keys": [ALICE.private_jwk], "accept": {"roots": roots, "audience": None, "lists": [list_text]}}]


def seal(sealer, libraries, ring, report):
    """Returns the sealed payloads by the name of the device."""
    if sealer in libraries:
        requests = [library_request(line["to"] if isinstance(line["to"], str) else json.dumps(line["to"]),
                                    json.dumps(line["payload"]), keyring=str(ring)) for line in lines()]
        answers = [json.loads(answer) for answer in filtered(libraries[sealer], requests)]
        answers = [{"error": {"code": each["fails"]}} if "fails" in each else {"payload": json.loads(each["payload"])}
                   for each in answers]
    else:
        output = filtered([*command(sealer, "seal"), "--sign-with", ring], [json.dumps(line).encode() for line in lines()], (65,))
        answers = [json.loads(answer) for answer in output]
    names = [*DEVICES, "a bare key"]
    for name, answer in zip(names, answers, strict=True):
        wanted = None if DEVICES.get(name, (None, ACME))[1] else "no-accepted-key"
        report.compare(sealer, COLUMN, f"sealing for {name}", wanted, answer.get("error", {}).get("code"))
    return {name: line["payload"] for name, line in zip(names, answers, strict=True) if "payload" in line}


def open_all(opener, sealed, texts, now):
    """Returns the signer, or the code, of each message for a device with each list."""
    requests = [{"payload": json.dumps(payload), "accounts": accounts(text), "now_ms": now, "kinds": ["notification"]}
                for payload in sealed.values() for text in texts]
    answers = [json.loads(answer) for answer in filtered(command(opener, "open"), requests)]
    return [answer["opens"]["signer"] if "opens" in answer else answer["fails"] for answer in answers]


def cross(tool, python, libraries, report):
    """Opens the messages of every sealer by every opener, on devices whose lists have different keys."""
    now = int(time.time())
    ring, alice = keyring(tool), tool.keyring([ALICE.private_jwk])
    lists = [[MALLORY], [ACME, MALLORY], [ACME], [FOREIGN]]
    requests = [{"do": "issue", "keys": [key.public_jwk for key in keys], "number": 1, "iat": now - 60, "exp": now + 60,
                 "audience": None, "root": signer_lists.FIRST.private_jwk} for keys in lists]
    texts = [json.loads(answer)["text"] for answer in filtered(python, requests)]
    senders = {key: tool.file(json.dumps(key.public_jwk)) for key in (ACME, MALLORY)}
    for sealer in (*SEALERS, "tool"):
        sealed = seal(sealer, libraries, ring, report)
        signers = {name: DEVICES.get(name, (None, ACME))[1] for name in sealed}
        wanted = [signer_lists.kid(signer) if signer in keys else "unknown-signer" for signer in signers.values() for keys in lists]
        for opener in OPENERS:
            report.compare(sealer, COLUMN, f"opened by {opener}", wanted, open_all(opener, sealed, texts, now * 1000))
        for name, payload in sealed.items():
            for key, sender in senders.items():
                text, code = tool.open(json.dumps(payload), alice, [sender])
                wanted = json.dumps(PAYLOAD, separators=(",", ":")).encode() if key is signers[name] else "unknown-signer"
                report.compare(sealer, COLUMN, f"{name}, opened by the tool", wanted, code or text)


def run_all(tool, drivers, libraries, report):
    now, python = int(time.time()), drivers["python"]
    texts = issued_by_python(python, now)
    for answer in refused_by_python(python, now):
        report.compare("python", COLUMN, "issuing", {"fails": "malformed-signer-list"}, answer)
    texts += announced(tool, keyring(tool))
    tool.map(lambda language: verify(language, drivers[language], texts, report), FILTERS)
    cross(tool, python, libraries, report)
    for row in (*SEALERS, "tool"):
        verified = 4 * len(texts) if row in FILTERS else 0
        issued = REFUSED if row == "python" else 0
        report.expect_count(row, COLUMN, verified + issued + SEALED + len(OPENERS))
