"""The vectors of registrations.json: registrations as text, and the server's updates of a row."""

import hashlib
import json

from .corpus import checked
from .key_vectors import jwk
from .names import ACME, ALICE, BOB, MALLORY
from .signer_lists import SIGNERS
from .wire import base64url

CREATED = 1767225600
WEEK = 604800
TOKEN = "0a" * 32
FIRST_LIMIT = 2**52
GROWTH = 2**32
LARGEST = 2**53 - 1
LAST_ANSWER = 2**53 - 2**33 - 1
ACCOUNT = "anna"
NOW = 1767225600123
FORMER_PERIOD = 60 * 24 * 3600 * 1000
FORMER_LIMIT = 64
TWO = [base64url(key.thumbprint) for key in (ACME, MALLORY)]
ONE = TWO[:1]
MANY = [base64url(key.thumbprint) for key in SIGNERS]
# The alphabet of base64url. The last of 43 characters has two bits that belong to no byte.
LAST = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
RULES = {
    "json": "A registration is one strict JSON object (section 10).",
    "members": "created, generation, key and lifetime are there, with digits only and in their ranges (section 10).",
    "public": "The key has no d (section 10).",
    "key": "The key is a valid JWK of the curve X25519 (section 8).",
    "update-1": "A malformed registration changes no row (section 10).",
    "update-newer": "A row with another version or an unknown member isn't replaced (section 10).",
    "update-2": "A first generation is at most 2^52 (section 10).",
    "update-3": "A generation doesn't shrink, and grows by at most 2^32 (section 10).",
    "signers": "signers has 1 to 64 different strings of 43 characters of strict base64url (section 10).",
    "update-4": "A key, a lifetime and signers don't change without a new generation (section 10).",
    "update-5": "A former key of the account doesn't come back for 60 days (section 10).",
    "token": "A device token has 16 to 200 bytes in hexadecimal digits (section 10).",
    "answer": "A device doesn't follow a stale answer of 2^53 - 2^33 or more (section 10).",
}


def registration(key="", **members):
    """A registration; None leaves a member out, and texts are inserted as they are."""
    key = jwk("X25519", ALICE.public) if key == "" else key
    values = {"created": str(CREATED), "generation": "3", "key": key, "lifetime": str(WEEK)}
    values |= members
    return "{" + ",".join(f'"{name}":{value}' for name, value in values.items() if value is not None) + "}"


def texts():
    def accepts(name, **members):
        return {"name": name, "text": registration(**members), "lifetime": int(members.get("lifetime", WEEK)),
                "generation": int(members.get("generation", 3)), "signers": json.loads(members.get("signers", "null"))}

    def refuses(code, name, text, rule="members"):
        return {"name": name, "text": text, "fails": code, "rule": rule}

    malformed = "malformed-registration"
    yield accepts("a registration")
    yield accepts("the shortest lifetime", lifetime="1")
    yield accepts("the longest lifetime", lifetime="2592000")
    yield accepts("the first generation", generation="1")
    yield accepts("the largest generation", generation=str(LARGEST))
    yield accepts("a device with a clock at 1970", created="0")
    yield accepts("an unknown member", account='"anna"')
    for what, value in [
        ("of 0", "0"), ("of 30 days and a second", "2592001"), ("with a fraction", "604800.5"),
        ("with a decimal point", "604800.0"), ("with an exponent", "6e5"), ("that is a string", '"604800"'),
        ("that is negative", "-604800"), ("that is null", "null"), ("that is an array", "[604800]"),
        ("beyond 64 bits", "18446744073709551617"),
    ]:
        yield refuses(malformed, f"a lifetime {what}", registration(lifetime=value))
    for name in ["created", "generation", "key", "lifetime"]:
        yield refuses(malformed, f"a missing {name}", registration(**{name: None}))
    for what, value in [
        ("of 0", "0"), ("of 2^53", str(2**53)), ("with a fraction", "3.5"), ("with a decimal point", "3.0"),
        ("that is a string", '"3"'), ("that is negative", "-3"), ("that is null", "null"),
    ]:
        yield refuses(malformed, f"a generation {what}", registration(generation=value))
    for what, value in [("of 2^53", str(2**53)), ("that is a string", '"1"'), ("that is negative", "-1")]:
        yield refuses(malformed, f"a creation {what}", registration(created=value))
    yield refuses(malformed, "a lifetime twice", registration()[:-1] + f',"lifetime":{WEEK}}}', "json")
    yield refuses(malformed, "a trailing comma", registration()[:-1] + ",}", "json")
    yield refuses(malformed, "an array", "[" + registration() + "]", "json")
    yield refuses(malformed, "text behind the object", registration() + "x", "json")
    yield refuses(malformed, "no text", "", "json")
    yield refuses(malformed, "a key alone", jwk("X25519", ALICE.public))
    yield refuses(malformed, "a key that is a string", registration(f'"{base64url(ALICE.public)}"'))
    yield refuses(malformed, "a private key", registration(jwk("X25519", ALICE.public, ALICE.secret)), "public")
    yield refuses(malformed, "the private key of another", registration(jwk("X25519", ALICE.public, BOB.secret)), "public")
    yield refuses(malformed, "a private key of small order", registration(jwk("X25519", bytes(32), ALICE.secret)), "public")
    private = jwk("X25519", ALICE.public, ALICE.secret)
    null = private.replace(f'"{base64url(ALICE.secret)}"', "null")
    yield refuses("malformed-jwk", "a private key that is null", registration(null), "key")
    yield refuses("malformed-jwk", "a private key of 31 bytes", registration(jwk("X25519", ALICE.public, ALICE.secret[:31])), "key")
    yield refuses("wrong-key-type", "a private key with use sig",
                  registration(jwk("X25519", ALICE.public, ALICE.secret, use="sig")), "key")
    yield refuses("wrong-key-type", "a signing key", registration(jwk("Ed25519", ACME.public)), "key")
    yield refuses("malformed-jwk", "an empty key", registration("{}"), "key")
    yield refuses("malformed-jwk", "a key of 31 bytes", registration(jwk("X25519", ALICE.public[:31])), "key")
    yield refuses("invalid-key", "a key of small order", registration(jwk("X25519", bytes(32))), "key")
    yield accepts("one signer", signers=json.dumps(ONE))
    yield accepts("two signers", signers=json.dumps(TWO))
    yield accepts("two signers in the other order", signers=json.dumps(TWO[::-1]))
    yield accepts("signers with white space", signers=json.dumps(TWO, indent=1))
    yield accepts("64 signers", signers=json.dumps(MANY[:64]))
    yield accepts("a signer of zeros", signers=json.dumps(["A" * 43]))
    for what, value in invalid_signers():
        yield refuses(malformed, f"signers: {what}", registration(signers=value), "signers")
    yield refuses(malformed, "signers twice", registration(signers=json.dumps(ONE))[:-1] + f',"signers":{json.dumps(ONE)}}}', "json")


def invalid_signers():
    """Texts of the member that aren't 1 to 64 different thumbprints."""
    first, second = TWO
    lists = {
        "empty": [], "65": MANY, "one twice": ONE * 2, "one twice, not in a row": [first, second, first], "42 characters": [first[:42]],
        "44 characters": [first + "A"], "an empty string": [""], "padding": [first + "="], "a space": [first[:42] + " "],
        "the other alphabet": [first[:20] + "+" + first[21:]], "spare bits": [first[:42] + LAST[LAST.index(first[42]) + 1]],
        "a full-width character": [first[:42] + "\uff21"], "a key id": [first[:11]], "a number": [1], "null in the array": [first, None],
        "an object in the array": [{"kid": first}], "an array in the array": [ONE], "a string": first, "a JSON null": None,
        "an object": {"0": first}, "true": True, "an invalid one behind a valid one": [first, second[:42]],
    }
    for what, value in lists.items():
        yield what, json.dumps(value)
    yield "an escape", f'["\\u{ord(first[0]):04x}{first[1:]}"]'


def public(key):
    """The public JWK of a device, as PushCrypt writes it."""
    return json.loads(jwk("X25519", key, kid=kid(key), use="enc"))


def kid(key):
    """The thumbprint of a device's public key (RFC 7638)."""
    text = f'{{"crv":"X25519","kty":"OKP","x":"{base64url(key)}"}}'
    return base64url(hashlib.sha256(text.encode()).digest())


def former(key, age=0):
    """An entry of a key that was replaced some milliseconds ago."""
    return {"kid": kid(key), "replaced": NOW - age}


def state(generation, key=ALICE.public, lifetime=WEEK, signers=None):
    members = {"created": CREATED, "generation": generation, "key": public(key), "lifetime": lifetime}
    return members | ({"signers": signers} if signers else {})


def row_of(registration, formers=(), token=TOKEN, registered=NOW - 1000):
    members = {"account": ACCOUNT, "deviceToken": token, "registered": registered, "registration": registration}
    return members | ({"formerKeys": list(formers)} if formers else {})


def current(formers):
    """The entries of the last 60 days, the newest of each key, and at most 64."""
    kept, kids = [], set()
    for entry in sorted(formers, key=lambda entry: (-entry["replaced"], entry["kid"])):
        if entry["replaced"] + FORMER_PERIOD > NOW and entry["kid"] not in kids:
            kept.append(entry)
            kids.add(entry["kid"])
    return kept[:FORMER_LIMIT]


def update(row, others, new):
    """The generation that the server answers as stale and the rule, or None if it accepts."""
    fresh, known = new["generation"], row["registration"] if row else None
    if not known and fresh > FIRST_LIMIT:
        return 0, "update-2"
    if known and not known["generation"] <= fresh <= known["generation"] + GROWTH:
        return known["generation"], "update-3"
    if known and fresh == known["generation"] and any(new.get(name) != known.get(name) for name in ("key", "lifetime", "signers")):
        return fresh, "update-4"
    entries = [entry for each in [row or {}, *others] for entry in each.get("formerKeys", [])]
    if new["key"]["kid"] in [entry["kid"] for entry in entries if entry["replaced"] + FORMER_PERIOD > NOW]:
        return fresh, "update-5"
    return None


def stored(row, others, new):
    """The row after an accepted registration."""
    formers = row.get("formerKeys", []) if row else [entry for each in others for entry in each.get("formerKeys", [])]
    if row and row["registration"]["key"]["kid"] != new["key"]["kid"]:
        formers = [{"kid": row["registration"]["key"]["kid"], "replaced": NOW}, *formers]
    return row_of(new, current(formers), registered=NOW)


def generation_cases():
    """Rows without former keys."""
    bob = BOB.public
    for name, known, new in [
        ("a first registration", None, state(1)),
        ("the largest first generation", None, state(FIRST_LIMIT)),
        ("a first generation that is too large", None, state(FIRST_LIMIT + 1)),
        ("the largest generation as the first", None, state(LARGEST)),
        ("the same registration again", state(3), state(3)),
        ("the next generation with another key", state(3), state(4, bob)),
        ("the next generation with the same key", state(3), state(4)),
        ("the next generation with another lifetime", state(3), state(4, lifetime=60)),
        ("an older generation", state(3), state(2)),
        ("an older generation with another key", state(3), state(2, bob)),
        ("another key under the same generation", state(3), state(3, bob)),
        ("another lifetime under the same generation", state(3), state(3, lifetime=60)),
        ("the largest growth", state(3), state(3 + GROWTH, bob)),
        ("growth that is too large", state(3), state(4 + GROWTH, bob)),
        ("growth beyond 2^52", state(FIRST_LIMIT), state(FIRST_LIMIT + GROWTH, bob)),
        ("growth to the largest generation", state(LARGEST - GROWTH), state(LARGEST, bob)),
        ("the largest generation after a small one", state(3), state(LARGEST, bob)),
        ("the owner after a forged registration", state(FIRST_LIMIT + 5), state(1)),
        ("generation 2 after generation 1", state(1), state(2, bob)),
        ("the largest growth after the first generation", state(1), state(1 + GROWTH, bob)),
        ("growth by one too many after the first generation", state(1), state(2 + GROWTH, bob)),
        ("growth from the largest first generation by one too many", state(FIRST_LIMIT), state(FIRST_LIMIT + GROWTH + 1, bob)),
        ("the largest generation again", state(LARGEST), state(LARGEST)),
        ("the largest generation with another key", state(LARGEST), state(LARGEST, bob)),
        ("a row above the largest first generation", state(FIRST_LIMIT + 5), state(FIRST_LIMIT + 6, bob)),
    ]:
        yield name, known and row_of(known), [], new


def signer_cases():
    """Rows with signers."""
    for name, known, new in [
        ("a first registration with signers", None, state(1, signers=TWO)),
        ("the same registration with signers again", state(3, signers=TWO), state(3, signers=TWO)),
        ("other signers under the same generation", state(3, signers=ONE), state(3, signers=TWO[1:])),
        ("more signers under the same generation", state(3, signers=ONE), state(3, signers=TWO)),
        ("fewer signers under the same generation", state(3, signers=TWO), state(3, signers=ONE)),
        ("the signers in another order under the same generation", state(3, signers=TWO), state(3, signers=TWO[::-1])),
        ("signers for the first time under the same generation", state(3), state(3, signers=ONE)),
        ("no signers any more under the same generation", state(3, signers=ONE), state(3)),
        ("other signers under the next generation", state(3, signers=ONE), state(4, signers=TWO[::-1])),
        ("signers for the first time under the next generation", state(3), state(4, signers=TWO)),
        ("no signers any more under the next generation", state(3, signers=TWO), state(4)),
        ("another key with the same signers", state(3, signers=TWO), state(4, BOB.public, signers=TWO)),
        ("an older generation with other signers", state(3, signers=ONE), state(2, signers=TWO)),
        ("64 signers", state(3, signers=MANY[:64]), state(4, signers=MANY[1:])),
    ]:
        yield name, known and row_of(known), [], new
    others = [row_of(state(7, bytes([9]) + bytes(31), signers=ONE), [former(BOB.public, 1000)], token="01" * 32)]
    yield "signers beside another row with others", None, others, state(1, signers=TWO)
    yield "a former key of another row, with new signers", row_of(state(3, signers=ONE)), others, state(4, BOB.public, signers=TWO)


def former_cases():
    """Rows with former keys, and other rows of the account."""
    bob, carol, dave = BOB.public, bytes([9]) + bytes(31), bytes([8]) + bytes(31)

    def old(*entries):
        return row_of(state(3), list(entries))

    def other(*entries, key=carol):
        return row_of(state(7, key), list(entries), token=f"{len(entries):02x}" * 32)

    def many(count, offset=1000):
        return [former(bytes([number + 16]) + bytes(31), offset + number) for number in range(count)]

    last, gone = FORMER_PERIOD - 1, FORMER_PERIOD
    yield "a former key", old(former(bob, 1000)), [], state(4, bob)
    yield "a former key under a much greater generation", old(former(bob, 1000)), [], state(3 + GROWTH, bob)
    yield "a former key under the same generation", old(former(bob, 1000)), [], state(3, bob)
    yield "a former key under an older generation", old(former(bob, 1000)), [], state(2, bob)
    yield "a former key after growth that is too large", old(former(bob, 1000)), [], state(4 + GROWTH, bob)
    yield "a former key in its last millisecond", old(former(bob, last)), [], state(4, bob)
    yield "a former key after 60 days", old(former(bob, gone)), [], state(4, bob)
    yield "a former key with a date in the future", old(former(bob, -5000)), [], state(4, bob)
    yield "the oldest of 64 former keys", old(*many(64)), [], state(4, bytes([79]) + bytes(31))
    yield "a new key beside a former key", old(former(bob, 1000)), [], state(4, carol)
    yield "a new key beside 64 former keys", old(*many(64)), [], state(4, carol)
    yield "the key of the row beside a former key", old(former(bob, 1000)), [], state(4)
    yield "the same registration again beside a former key", old(former(bob, 1000)), [], state(3)
    yield "the same registration again beside an expired key", old(former(bob, 1000), former(carol, gone)), [], state(3)
    yield "a new key beside expired keys", old(former(bob, last), former(carol, gone), former(dave, gone + 1)), [], state(4, dave)
    yield "a new key with the time of a former key", old(former(dave, 0)), [], state(4, bob)
    yield "a former key of another row", old(), [other(former(bob, 1000))], state(4, bob)
    yield "a former key of another row, under a new token", None, [other(former(bob, 1000))], state(1, bob)
    yield "a former key of another row, as the row's own key", old(), [other(former(ALICE.public, 1000))], state(4)
    yield "an expired key of another row", old(), [other(former(bob, gone))], state(4, bob)
    yield "the key of another row", old(), [other()], state(4, carol)
    yield "the key of another row, under a new token", None, [other(former(bob, 1000))], state(7, carol)
    yield ("a first registration beside two rows", None,
           [other(former(bob, 1000), former(dave, 3000)), other(former(dave, 2000), former(ALICE.public, gone))], state(1, carol))
    yield "a new key beside another row with a former key", old(former(dave, 9)), [other(former(bob, 1000))], state(4, carol)
    rows = [other(*many(40)), other(*many(65)[40:])]
    yield "a first registration beside 65 former keys", None, rows, state(1, carol)
    yield "the oldest of 65 former keys of two rows", None, rows, state(1, bytes([80]) + bytes(31))


def updates():
    for name, row, others, new in [*generation_cases(), *signer_cases(), *former_cases()]:
        vector = {"name": name, "row": row and json.dumps(row), "others": list(map(json.dumps, others)), "text": json.dumps(new)}
        stale = update(row, others, new)
        yield vector | ({"stored": stored(row, others, new)} if stale is None else {"stale": stale[0], "rule": stale[1]})


def malformed_updates():
    """Registrations that aren't valid: the row stays, and the answer is an error."""
    small_order = jwk("X25519", bytes(32))
    for name, code, text in [
        ("a registration that isn't JSON", "malformed-registration", registration() + ","),
        ("a registration without a lifetime", "malformed-registration", registration(generation="4", lifetime=None)),
        ("a generation of zero", "malformed-registration", registration(generation="0")),
        ("a key of small order", "invalid-key", registration(small_order, generation="4")),
        ("signers that are empty", "malformed-registration", registration(generation="4", signers="[]")),
    ]:
        for row in (None, row_of(state(3))):
            yield {"name": f"{name}, {'a row' if row else 'no row'}", "row": row and json.dumps(row), "others": [],
                   "text": text, "fails": code, "rule": "update-1"}


def newer_updates():
    """Rows that a newer program has written: the row stays, and the answer is an error."""
    known, entry = row_of(state(3)), former(BOB.public, 1000)
    registration, key = known["registration"], known["registration"]["key"]
    for name, row in [
        ("another version", known | {"version": 2}),
        ("a version that is a string", known | {"version": "1"}),
        ("an unknown member", known | {"secret": "A" * 43}),
        ("an unknown member that is null", known | {"secret": None}),
        ("an unknown member of the registration", known | {"registration": registration | {"secret": "A" * 43}}),
        ("an unknown member of the key", known | {"registration": registration | {"key": key | {"secret": "A" * 43}}}),
        ("an unknown member of a former key", known | {"formerKeys": [entry | {"secret": "A" * 43}]}),
    ]:
        for new, what in ((state(4), "the next generation"), (state(3), "the same registration"), (state(2), "an older one")):
            yield {"name": f"{name}, {what}", "row": json.dumps(row), "others": [], "text": json.dumps(new),
                   "fails": "newer-format", "rule": "update-newer"}
    yield {"name": "an unknown member, a malformed registration", "row": json.dumps(known | {"secret": "A" * 43}),
           "others": [], "text": "{}", "fails": "malformed-registration", "rule": "update-1"}
    yield {"name": "the version of this format", "row": json.dumps(known | {"version": 1}), "others": [],
           "text": json.dumps(state(4)), "stored": stored(known, [], state(4))}
    newer = row_of(state(7, bytes([9]) + bytes(31)), [entry], token="01" * 32) | {"secret": "A" * 43}
    yield {"name": "an unknown member of another row", "row": json.dumps(known), "others": [json.dumps(newer)],
           "text": json.dumps(state(4)), "stored": stored(known, [newer], state(4))}
    yield {"name": "a former key of another row with an unknown member", "row": json.dumps(known),
           "others": [json.dumps(newer)], "text": json.dumps(state(4, BOB.public)), "stale": 4, "rule": "update-5"}


def answers():
    """A device's generation and the generation of a stale answer, and the device's next generation or its error."""
    for name, generation, answer in [
        ("a row that is missing", 1, 0),
        ("the same generation", 3, 3),
        ("the next generation", 3, 4),
        ("an older generation", 3, 2),
        ("a row after a reset", FIRST_LIMIT, 0),
        ("the largest growth", 3 + GROWTH, 3),
        ("growth that is too large", 4 + GROWTH, 3),
        ("a device that is far ahead", FIRST_LIMIT + GROWTH, 3),
        ("a forged row of the largest first generation", 3, FIRST_LIMIT),
        ("the last answer that a device follows", 3, LAST_ANSWER),
        ("the last answer to a device that is ahead of it", LAST_ANSWER + 2, LAST_ANSWER),
        ("the first answer that a device doesn't follow", 3, LAST_ANSWER + 1),
        ("the first answer that isn't followed, to a device that is ahead of it", LAST_ANSWER + 2, LAST_ANSWER + 1),
        ("the largest generation", 3, LARGEST),
        ("an answer of 2^53", 3, LARGEST + 1),
    ]:
        vector = {"name": name, "generation": generation, "answer": answer}
        if answer > LAST_ANSWER:
            yield vector | {"fails": "malformed-registration", "rule": "answer"}
        elif answer >= generation or generation - answer > GROWTH:
            yield vector | {"next": answer + 1, "new_key": answer >= generation}
        else:
            yield vector | {"next": generation, "new_key": False}


def tokens():
    """Device tokens as an app sends them, and as a server stores them."""
    mixed = "0aB1" * 16
    for name, token in {
        "in lowercase": TOKEN, "in uppercase": TOKEN.upper(), "in both": mixed, "of 16 bytes": "aF" * 16,
        "of 200 bytes": "Fa" * 200,
    }.items():
        yield {"name": f"a token {name}", "token": token, "stored": token.lower()}
    for name, token in {
        "that is empty": "", "of 15 bytes": "ab" * 15, "of 201 bytes": "ab" * 201, "of half a byte": "ab" * 16 + "a",
        "with another letter": "ag" * 16, "with white space": "0a" * 32 + "\n", "with spaces between bytes": "0a " * 32,
        "in full-width digits": "\uff10\uff11" * 32, "in base64": "CgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgo=",
        "with a prefix": "0x" + "0a" * 32,
    }.items():
        yield {"name": f"a token {name}", "token": token, "fails": "malformed-registration", "rule": "token"}


def document():
    return checked({
        "description": "Vectors of PushCrypt's registrations. README.md explains the members.",
        "token": TOKEN,
        "account": ACCOUNT,
        "now_ms": NOW,
        "rules": RULES,
        "registrations": list(texts()),
        "updates": [*updates(), *malformed_updates(), *newer_updates()],
        "answers": list(answers()),
        "tokens": list(tokens()),
    }, "registrations", "updates", "answers", "tokens")
