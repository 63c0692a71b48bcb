"""The vectors of signer-lists.json: lists of accepted keys, the keys that a device accepts, and the choice of a signing key."""

from . import signer_lists
from .corpus import checked
from .names import ACME, KEYS, MALLORY, NOW
from .signer_choice_vectors import CHOICE_RULES, choices
from .signer_list_content import content_cases
from .signer_list_parts import header_cases, part_cases, signature_cases
from .signer_lists import EXPIRES, FIRST, FOREIGN, ISSUED, LARGEST, NUMBER, ROOTS, SECOND, SIGNERS, kid, public, signer_list

RULES = {
    "length": "A list has at most 65536 characters (check 1 of section 13).",
    "parts": "A list is three texts in strict base64url, joined by dots (check 1 of section 13).",
    "header": "The header is strict JSON with exactly alg, kid and typ, and their values (check 1 of section 13).",
    "root": "The root is pinned (check 2 of section 13).",
    "signature": "The signature of the text before the second dot fits the root (check 3 of section 13).",
    "content": "The content is one strict JSON object with keys, number, iat and exp (check 4 of section 13).",
    "keys": "The keys are 1 to 64 different, valid, public Ed25519 keys (check 4 of section 13).",
    "number": "The number is 1 to 2^53 - 1, in digits (check 4 of section 13).",
    "times": "iat and exp are 0 to 2^53 - 1, in digits, and iat < exp (check 4 of section 13).",
    "audience-type": "The audience is a string (check 4 of section 13).",
    "audience": "The audience has the bytes of the pinned one, and is missing if none is pinned (check 5 of section 13).",
    "stale": "The number isn't lower than that of the root's stored list (check 7 of section 13).",
    "conflict": "Two lists of a root with one number have the same bytes (check 8 of section 13).",
    "expired": "A list comes before its expiration (check 9 of section 13).",
    "stored": "A stored list of a pinned root is intact (section 13).",
} | CHOICE_RULES
COMPOSED, DECOMPOSED = "caf\u00e9", "cafe\u0301"


class Corpus:
    """Collects lists, and compares each expectation with the generator's own reader."""

    def __init__(self):
        self.vectors = []

    def takes(self, name, why, text, outcome="accepted", **state):
        roots, vector = self._vector(name, why, text, **state)
        found = signer_lists.read(text, roots)
        self._add(vector, outcome, {"outcome": outcome, "number": found["number"], "kids": found["kids"]})

    def refuses(self, code, rule, name, why, text, is_checked=True, **state):
        self._add(self._vector(name, why, text, **state)[1], code if is_checked else None, {"fails": code, "rule": rule})

    def _vector(self, name, why, text, roots=("first", "second"), audience=None, stored=None, now=NOW):
        vector = {"name": name, "why": why, "roots": list(roots), "audience": audience, "stored": stored, "now_ms": now}
        return [ROOTS[root] for root in roots], vector | {"text": text}

    def _add(self, vector, expected, result):
        roots = [ROOTS[root] for root in vector["roots"]]
        names = ("audience", "stored", "now_ms")
        found = signer_lists.outcome(vector["text"], roots, *(vector[name] for name in names))
        assert expected in (None, found), (vector["name"], expected, found)
        self.vectors.append(vector | result)


def accepted_lists(corpus):
    add = corpus.takes
    add("a list of the first root", "The usual list.", signer_list())
    add("a list of the second root", "Each pinned root can sign one.", signer_list(root=SECOND))
    for name, roots in {"the other order": ("second", "first"), "one root": ("first",)}.items():
        add(f"a list of the first root, {name}", "Any pinned root will do.", signer_list(), roots=roots)
    add("a list of the second root, the other order", "Any pinned root will do.", signer_list(root=SECOND),
        roots=("second", "first"))
    add("a list with one key", "At least one key.", signer_list(ACME))
    add("a list with 64 keys", "At most 64 keys.", signer_list(*SIGNERS[:64]))
    add("a list with its own root", "A root can sign messages, too.", signer_list(FIRST, ACME))
    add("the members of the content in another order", "JSON doesn't order them.",
        signer_list(body=f'{{"exp":{EXPIRES},"iat":{ISSUED},"number":7,"keys":{public(ACME)}}}'))
    add("the members of the header in another order", "JSON doesn't order them.",
        signer_list(head=f'{{"typ":"pushcrypt-signers","alg":"Ed25519","kid":"{kid(FIRST)}"}}'))
    add("white space in the header", "JSON allows it.", signer_list(head=" { " + signer_lists.header()[1:] + "\n"))
    add("white space in the content", "JSON allows it.", signer_list(body="\n" + signer_lists.content().replace(",", " ,\t")))
    add("escapes in the header", "Escapes are resolved.",
        signer_list(head=signer_lists.header().replace('"alg":"Ed', '"\\u0061lg":"\\u0045d')))
    add("unknown members of the content", "They are ignored.", signer_list(nbf="5e-1", note='{"keys":[]}'))
    keys = public(ACME).replace(kid(ACME), kid(MALLORY))
    add("a key with the kid of another", "The kid of a single JWK is ignored.", signer_list(keys=keys))
    add("a key without kid and use", "Both are optional.", signer_list(keys=public(ACME).replace(
        f'"use":"sig","kid":"{kid(ACME)}",', "")))
    add("a key with unknown members", "They are ignored.", signer_list(keys=public(ACME).replace("{", '{"alg":"EdDSA","D":1,')))
    add("number 1", "The smallest number.", signer_list(number="1"))
    add("number 2^53 - 1", "The largest number.", signer_list(number=str(LARGEST)))
    add("iat 0", "The smallest time.", signer_list(iat="0"))
    add("exp 2^53 - 1", "The largest time.", signer_list(exp=str(LARGEST)))
    add("iat a second before exp", "iat < exp.", signer_list(iat=str(EXPIRES - 1)))
    add("iat in the future", "Only the expiration is compared with the time.", signer_list(iat=str(ISSUED + 10_000_000)))
    add("the last millisecond", "now < exp.", signer_list(), now=EXPIRES * 1000 - 1)
    add("65536 characters", "The longest list.", filled(signer_lists.LONGEST))


def filled(length, root=FIRST):
    """A valid list with so many characters."""
    for spaces in range(3):
        head = signer_lists.header(root) + " " * spaces
        size = (length - len(signer_list(head=head, body="", by=root))) * 3 // 4
        filler = "x" * (size - len(signer_lists.content(note='""')))
        body = signer_lists.content(note=f'"{filler}"')
        text = signer_list(head=head, body=body, by=root)
        if len(text) == length:
            return text
    raise AssertionError(length)


def length_cases(corpus):
    for length in (65_537, 80_000):
        why = "A list has at most 65536 characters."
        corpus.refuses("malformed-signer-list", "length", f"{length} characters", why, filled(length))


def audience_cases(corpus):
    def case(name, written, pinned, why="The bytes differ."):
        changes = {} if written is None else {"aud": written}
        corpus.refuses("wrong-audience", "audience", f"audience: {name}", why, signer_list(**changes), audience=pinned)

    case("missing", None, "production", "A list of another environment doesn't count.")
    case("none is pinned", '"production"', None, "A list of another environment doesn't count.")
    case("another one", '"staging"', "production")
    case("another case", '"Production"', "production")
    case("with a space", '"production "', "production")
    case("a part of it", '"prod"', "production")
    case("longer", '"production2"', "production")
    case("with a zero byte", '"production\\u0000"', "production")
    case("empty, and none is pinned", '""', None, "An empty string isn't a missing one.")
    case("missing, and the empty string is pinned", None, "", "An empty string isn't a missing one.")
    case("decomposed, and the composed one is pinned", f'"{DECOMPOSED}"', COMPOSED, "Unicode's forms are different bytes.")
    case("composed, and the decomposed one is pinned", f'"{COMPOSED}"', DECOMPOSED, "Unicode's forms are different bytes.")
    case("the compatible ligature", '"\ufb01rst"', "first", "Unicode's forms are different bytes.")
    case("another alphabet", '"pr\u043eduction"', "production", "The letter is Cyrillic.")
    for name, written, pinned in [
        ("the pinned one", '"production"', "production"), ("with escapes", '"pr\\u006fduction"', "production"),
        ("empty", '""', ""), ("outside of the first plane", '"\\ud83d\\ude00"', "\U0001f600"),
        ("composed", f'"{COMPOSED}"', COMPOSED), ("decomposed", f'"{DECOMPOSED}"', DECOMPOSED),
    ]:
        corpus.takes(f"audience: {name}, as pinned", "The bytes are equal.", signer_list(aud=written), audience=pinned)


def stored_cases(corpus):
    def old(number=NUMBER, **changes):
        return signer_list(number=str(number), **changes)

    takes = corpus.takes
    takes("a number greater by one", "It grows.", old(8), stored=old(7))
    takes("number 10 after 9", "Numbers are compared, not texts.", old(10), stored=old(9))
    takes("the largest number after the smallest", "It may grow by any amount.", old(LARGEST), stored=old(1))
    takes("the largest number after the second largest", "Doubles have 53 bits.", old(LARGEST), stored=old(LARGEST - 1))
    takes("a new list after an expired one", "The stored list's times don't matter.", old(8), stored=old(7, exp=str(ISSUED + 1)))
    takes("a lower number of the other root", "Each root has its own numbers.", old(7, root=SECOND), stored=old(8))
    takes("the same number of the other root", "Each root has its own numbers.", old(7), stored=old(7, root=SECOND))
    takes("a lower number than that of a root that isn't pinned", "Its list doesn't count.", old(7), stored=old(8, root=FOREIGN))
    takes("the same list", "Nothing changes.", old(), "unchanged", stored=old())
    takes("the same list after its expiration", "Nothing changes.", old(), "unchanged", stored=old(), now=EXPIRES * 1000)
    takes("the same list of the second root", "Nothing changes.", old(root=SECOND), "unchanged", stored=old(root=SECOND))

    def stale(name, text, stored, **state):
        corpus.refuses("stale-signer-list", "stale", name, "An older list has keys that were revoked.", text, stored=stored, **state)

    stale("a number lower by one", old(6), old(7))
    stale("a number lower by one, of the second root", old(6, root=SECOND), old(7, root=SECOND))
    stale("number 9 after 10", old(9), old(10))
    stale("the smallest number after the largest", old(1), old(LARGEST))
    stale("the second largest number after the largest", old(LARGEST - 1), old(LARGEST))
    stale("a lower number with later times", old(6, iat=str(ISSUED + 5), exp=str(EXPIRES + 5)), old(7))
    stale("a lower number after an expired list", old(6), old(7, exp=str(ISSUED + 1)))
    stale("a lower number, expired", old(6), old(7), now=EXPIRES * 1000)
    stale("a lower number with the same audience", old(6, aud='"a"'), old(7, aud='"a"'), audience="a")

    def conflict(name, text, stored=old(), **state):
        why = "Two lists of one number would be in force on different devices."
        corpus.refuses("conflicting-signer-list", "conflict", name, why, text, stored=stored, **state)

    conflict("the same number with another key", signer_list(ACME))
    conflict("the same number with the keys in another order", signer_list(MALLORY, ACME))
    conflict("the same number with another expiration", old(exp=str(EXPIRES + 1)))
    conflict("the same number with white space in the content", signer_list(body=signer_lists.content() + " "))
    conflict("the same number with white space in the header", signer_list(head=signer_lists.header() + " "))
    conflict("the same number with an unknown member", old(note="1"))
    conflict("the largest number with another key", signer_list(ACME, number=str(LARGEST)), old(LARGEST))
    conflict("the same number with another key, expired", signer_list(ACME), now=EXPIRES * 1000)
    conflict("the same number with another key, of the second root", signer_list(ACME, root=SECOND), old(root=SECOND))


def expired_cases(corpus):
    def case(name, text=signer_list(), now=NOW, **state):
        why = "A thief of an old list can't hand it out for ever."
        corpus.refuses("expired-signer-list", "expired", f"expired: {name}", why, text, now=now, **state)

    case("at its expiration", now=EXPIRES * 1000)
    case("a millisecond later", now=EXPIRES * 1000 + 1)
    case("a year later", now=(EXPIRES + 31_536_000) * 1000)
    case("the second root's", signer_list(root=SECOND), now=EXPIRES * 1000)
    case("a greater number", signer_list(number="8"), now=EXPIRES * 1000, stored=signer_list())
    case("a second after 1970", signer_list(iat="0", exp="1"))
    case("the exact second of the time", signer_list(exp=str(NOW // 1000)))


def order_cases(corpus):
    """Lists that break two rules have the code of the first one."""
    def case(code, rule, name, text, **state):
        corpus.refuses(code, rule, f"order: {name}", "The first rule that fails gives the code.", text, **state)

    malformed = "malformed-signer-list"
    wrong = {"audience": "production"}
    late = {"now": EXPIRES * 1000}
    case(malformed, "parts", "padding and a foreign root", signer_list(root=FOREIGN) + "=")
    case(malformed, "header", "another alg and a foreign root", signer_list(head=signer_lists.header(FOREIGN, alg='"EdDSA"'), by=FOREIGN))
    case(malformed, "header", "another typ and another signature", signer_list(head=signer_lists.header(typ='"JWT"'), by=SECOND))
    case(malformed, "length", "too long and a foreign root", filled(65_537, FOREIGN))
    case("unknown-root", "root", "a foreign root and another signature", signer_list(root=FOREIGN, by=FIRST))
    case("unknown-root", "root", "a foreign root and no content", signer_list(root=FOREIGN, body=""))
    case("unknown-root", "root", "a foreign root, expired", signer_list(root=FOREIGN), **late)
    case("unknown-root", "root", "the stored list of a root that isn't pinned", signer_list(root=FOREIGN),
         stored=signer_list(root=FOREIGN))
    case("invalid-signature", "signature", "another signature and no keys", signer_list(by=SECOND, keys="[]"))
    case("invalid-signature", "signature", "another signature and another audience", signer_list(by=SECOND), **wrong)
    case("invalid-signature", "signature", "another signature and a lower number", signer_list(by=SECOND), stored=signer_list(number="8"))
    case(malformed, "keys", "no keys and another audience", signer_list(keys="[]"), **wrong)
    case(malformed, "number", "number 0 and expired", signer_list(number="0"), **late)
    case(malformed, "times", "exp before iat, and expired", signer_list(iat="9", exp="8"))
    case(malformed, "keys", "a key twice under a lower number", signer_list(ACME, ACME, number="6"), stored=signer_list())
    case("wrong-audience", "audience", "another audience and expired", signer_list(), **wrong, **late)
    case("wrong-audience", "audience", "another audience and a lower number", signer_list(number="6", aud='"staging"'), **wrong,
         stored=signer_list(aud='"production"'))
    case("wrong-audience", "audience", "the stored list, after the audience has changed", signer_list(), **wrong, stored=signer_list())
    case("stale-signer-list", "stale", "a lower number and an older expiration", signer_list(number="6", exp=str(ISSUED + 1)),
         stored=signer_list())
    case("conflicting-signer-list", "conflict", "the same number and an older expiration", signer_list(exp=str(ISSUED + 1)),
         stored=signer_list())


def accepted_keys():
    """The keys that a device accepts with its stored lists."""
    first, second = signer_list(ACME), signer_list(MALLORY, root=SECOND, number="9")
    foreign, other = signer_list(SIGNERS[1], root=FOREIGN), signer_list(SIGNERS[2], aud='"staging"')
    forged = signer_list(by=SECOND)
    both, reverse = ("first", "second"), ("second", "first")
    for name, stored, roots, audience in [
        ("no list, one root", [], ("first",), None),
        ("no list, two roots", [], both, None),
        ("no list, the other order", [], reverse, None),
        ("no list, an audience", [], both, "production"),
        ("a list of the first root", [first], both, None),
        ("a list of the second root", [second], both, None),
        ("a list of each", [first, second], both, None),
        ("a list of each, stored in the other order", [second, first], both, None),
        ("a list of each, the other order of roots", [first, second], reverse, None),
        ("a list of each, one root", [second, first], ("second",), None),
        ("a list of a root that isn't pinned", [foreign], both, None),
        ("a list of a root that isn't pinned, beside another", [foreign, second], both, None),
        ("a list of another audience", [other], both, None),
        ("a list of another audience, beside one of the second root", [other, second], both, None),
        ("a list of no audience, and one is pinned", [first], both, "staging"),
        ("a list of the pinned audience", [other], both, "staging"),
        ("a list of the pinned audience, beside one without", [second, other], both, "staging"),
        ("a list of the decomposed audience", [signer_list(ACME, aud=f'"{DECOMPOSED}"')], both, COMPOSED),
        ("an expired list", [signer_list(ACME, exp=str(ISSUED + 1))], both, None),
        ("the order of the list", [signer_list(MALLORY, *SIGNERS[:3], ACME)], both, None),
        ("a damaged list", [first[:-9] + "AAAAAAAAA"], both, None),
        ("a damaged list of the second root", [first, forged.replace(".", "..")], both, None),
        ("a list with a root's name and another signature", [forged], both, None),
        ("a damaged list of a root that isn't pinned", [signer_list(root=FOREIGN, by=SECOND)], both, None),
    ]:
        vector = {"name": name, "roots": list(roots), "audience": audience, "stored": stored}
        try:
            kids = signer_lists.accepted_keys([ROOTS[root] for root in roots], audience, stored)
        except signer_lists.Refused as refused:
            yield vector | {"fails": str(refused), "rule": "stored"}
        else:
            yield vector | {"kids": kids}


def document():
    corpus = Corpus()
    for add in (accepted_lists, length_cases, part_cases, header_cases, signature_cases, content_cases, audience_cases,
                stored_cases, expired_cases, order_cases):
        add(corpus)
    keys = ROOTS | {name: KEYS[name] for name in ("acme", "mallory")}
    return checked({
        "description": "Vectors of PushCrypt's lists of accepted keys. README.md explains the members. "
        "Everybody has these keys: they are for tests and protect nothing.",
        "keys": {name: key.private_jwk for name, key in keys.items()},
        "rules": RULES,
        "lists": corpus.vectors,
        "accepted_keys": list(accepted_keys()),
        "choices": list(choices()),
    }, "lists", "accepted_keys", "choices")
