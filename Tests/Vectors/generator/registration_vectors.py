"""The vectors of registrations.json: registrations as text, and the server's updates of a row."""

from .corpus import checked
from .key_vectors import jwk
from .names import ACME, ALICE, BOB
from .wire import base64url

CREATED = 1767225600
WEEK = 604800
TOKEN = "0a" * 32
FIRST_LIMIT = 2**52
GROWTH = 2**32
LARGEST = 2**53 - 1
LAST_ANSWER = 2**53 - 2**33 - 1
RULES = {
    "json": "A registration is one strict JSON object (section 10).",
    "members": "created, generation, key and lifetime are there, with digits only and in their ranges (section 10).",
    "public": "The key has no d (section 10).",
    "key": "The key is a valid JWK of the curve X25519 (section 8).",
    "update-3": "A first generation is at most 2^52 (section 10).",
    "update-4": "A generation doesn't shrink, and grows by at most 2^32 (section 10).",
    "update-5": "A key and a lifetime don't change without a new generation (section 10).",
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
                "generation": int(members.get("generation", 3))}

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


def update(row, new):
    """The generation that the server answers as stale and the rule, or None if it accepts."""
    known = row["generation"] if row else 0
    if not row:
        return None if new["generation"] <= FIRST_LIMIT else (0, "update-3")
    if not known <= new["generation"] <= known + GROWTH:
        return known, "update-4"
    if new["generation"] == known and (new["key"], new["lifetime"]) != (row["key"], row["lifetime"]):
        return known, "update-5"
    return None


def updates():
    alice, bob = (jwk("X25519", key.public) for key in (ALICE, BOB))

    def state(generation, key=alice, lifetime=WEEK):
        return {"generation": generation, "key": key, "lifetime": lifetime}

    def text(members):
        return registration(members["key"], generation=str(members["generation"]), lifetime=str(members["lifetime"]))

    for name, row, new in [
        ("a first registration", None, state(1)),
        ("the largest first generation", None, state(FIRST_LIMIT)),
        ("a first generation that is too large", None, state(FIRST_LIMIT + 1)),
        ("the largest generation as the first", None, state(LARGEST)),
        ("the same registration again", state(3), state(3)),
        ("the next generation with another key", state(3), state(4, bob)),
        ("the next generation with the same key", state(3), state(4)),
        ("the next generation with another lifetime", state(3), state(4, alice, 60)),
        ("an older generation", state(3), state(2)),
        ("an older generation with another key", state(3), state(2, bob)),
        ("another key under the same generation", state(3), state(3, bob)),
        ("another lifetime under the same generation", state(3), state(3, alice, 60)),
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
        vector = {"name": name, "row": text(row) if row else None, "text": text(new)}
        stale = update(row, new)
        yield vector if stale is None else vector | {"stale": stale[0], "rule": stale[1]}


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
            yield vector | {"next": answer + 1}
        else:
            yield vector | {"next": generation}


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
        "rules": RULES,
        "registrations": list(texts()),
        "updates": list(updates()),
        "answers": list(answers()),
        "tokens": list(tokens()),
    }, "registrations", "updates", "answers", "tokens")
