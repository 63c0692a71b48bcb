"""The vectors of registrations.json: registrations as text, and the server's updates of a row."""

from .key_vectors import jwk
from .names import ACME, ALICE, BOB
from .wire import base64url

CREATED = 1767225600
WEEK = 604800
TOKEN = "0a" * 32
FIRST_LIMIT = 2**52
GROWTH = 2**32
LARGEST = 2**53 - 1


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

    def refuses(code, name, text):
        return {"name": name, "text": text, "fails": code}

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
    yield refuses(malformed, "a lifetime twice", registration()[:-1] + f',"lifetime":{WEEK}}}')
    yield refuses(malformed, "a trailing comma", registration()[:-1] + ",}")
    yield refuses(malformed, "an array", "[" + registration() + "]")
    yield refuses(malformed, "text behind the object", registration() + "x")
    yield refuses(malformed, "no text", "")
    yield refuses(malformed, "a key alone", jwk("X25519", ALICE.public))
    yield refuses(malformed, "a key that is a string", registration(f'"{base64url(ALICE.public)}"'))
    yield refuses(malformed, "a private key", registration(jwk("X25519", ALICE.public, ALICE.secret)))
    yield refuses("wrong-key-type", "a signing key", registration(jwk("Ed25519", ACME.public)))
    yield refuses("malformed-jwk", "an empty key", registration("{}"))
    yield refuses("malformed-jwk", "a key of 31 bytes", registration(jwk("X25519", ALICE.public[:31])))
    yield refuses("invalid-key", "a key of small order", registration(jwk("X25519", bytes(32))))


def update(row, new):
    """The server's rule: the generation that it answers as stale, or None if it accepts."""
    known = row["generation"] if row else 0
    if new["generation"] < known:
        return known
    if new["generation"] > (known + GROWTH if row else FIRST_LIMIT):
        return known
    if row and new["generation"] == known and (new["key"], new["lifetime"]) != (row["key"], row["lifetime"]):
        return known
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
    ]:
        vector = {"name": name, "row": text(row) if row else None, "text": text(new)}
        stale = update(row, new)
        yield vector if stale is None else vector | {"stale": stale}


def document():
    vectors = {"token": TOKEN, "registrations": list(texts()), "updates": list(updates())}
    for kind in ("registrations", "updates"):
        names = [vector["name"] for vector in vectors[kind]]
        assert len(set(names)) == len(names), names
    return vectors
