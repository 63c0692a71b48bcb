"""The vectors of challenges.json about a server's checks of answers. Each one that fails breaks one rule, if it can."""

import json

from .challenge_answers import COMPOSED, DECOMPOSED, MIXED, OTHER, USUAL, accepts, body, refuses
from .challenge_proof_vectors import nonces, proofs, requests, secrets, texts
from .challenges import EXPIRES, FOREIGN, LARGEST, PREVIOUS, REGISTRATION, SECRET
from .names import ACME, ALICE, BOB, NOW
from .registration_vectors import MANY, TWO, jwk, registration
from .wire import base64url

ANSWER_RULES = {
    "answer": "An answer is one strict JSON object with registration, expires and proof (check 1 of section 14).",
    "answer-proof": "The proof has 32 bytes in strict base64url (check 1 of section 14).",
    "answer-expires": "The expiry is digits only, up to 2^53 - 1 (check 1 of section 14).",
    "registration": "The registration is valid (check 2 of section 14).",
    "token": "A device token of APNs has 16 to 200 bytes in hexadecimal digits (section 10).",
    "expired": "The answer comes before the expiry (check 3 of section 14).",
    "secret": "The secret is the current or the previous one (check 4 of section 14).",
    "topic": "The challenge was for this topic (check 4 of section 14).",
    "carrier": "The challenge was for this carrier (check 4 of section 14).",
    "account": "The challenge was for this account (check 4 of section 14).",
    "same-token": "The challenge was for this token (check 4 of section 14).",
    "digest": "The challenge was for this text of the registration (check 4 of section 14).",
    "expiry": "The challenge had this expiry (check 4 of section 14).",
    "proof": "The proof is BLAKE2b with 32 bytes under the nonce of its inputs (check 4 of section 14).",
    "challenge": "The nonce is BLAKE2b with 32 bytes under the secret of its inputs (check 4 of section 14).",
}


def answers():
    for part in (accepted, accepted_texts, malformed, malformed_members, registrations, expired, requests, texts,
                 secrets, proofs,
                 nonces, orders):
        yield from part()


def accepted():
    why = "The server accepts answers to challenges of both secrets."
    yield accepts("an answer", "The usual answer.")
    yield accepts("an answer to the previous secret", why, USUAL.with_(secret=PREVIOUS))
    yield accepts("an answer to the only secret", why, secrets=(SECRET,))
    yield accepts("an answer beside a foreign secret", why, secrets=(SECRET, FOREIGN))
    yield accepts("an answer beside the same secret", why, secrets=(SECRET, SECRET))
    for name, token in {"in capitals": USUAL.token.upper(), "in both cases": MIXED, "of 200 bytes": "Fa" * 200}.items():
        yield accepts(f"a token {name}", "The server takes the token of APNs in lowercase.", USUAL.with_(token=token))
    yield accepts("a token in capitals, of a challenge in lowercase",
                  "The server takes the token of APNs in lowercase.",
                  request=USUAL.with_(token=USUAL.token.upper()))
    for name, token in {"in both cases": MIXED, "that isn't hexadecimal": OTHER.token,
                        "outside of ASCII": "\u0130A"}.items():
        yield accepts(f"a token of another carrier {name}", "It stays unchanged.", OTHER.with_(token=token))
    for name, account in {"empty": "", "composed": COMPOSED, "decomposed": DECOMPOSED,
                          "outside of the first plane": "\U0001f600"}.items():
        yield accepts(f"an account, {name}", "An account is any string.", USUAL.with_(account=account))
    yield accepts("the last millisecond", "now < expires.", now=EXPIRES * 1000 - 1)
    yield accepts("the largest expiry", "2^53 - 1 is the largest.", USUAL.with_(expires=LARGEST))
    yield accepts("a second after 1970", "now < expires.", USUAL.with_(expires=1), now=999)


def accepted_texts():
    text, why = body(), "Others are ignored."
    escaped = json.dumps(REGISTRATION).replace("c", r"\u0063")
    proof = base64url(USUAL.proof())
    for name, changed in {
        "in another order": f'{{"proof":"{proof}",{text[1:-1].rpartition(",")[0]}}}',
        "with white space": text.replace(':"', ' :\n"', 1) + "\n",
        "with unknown members": text[:-1] + ',"token":"0b","now":-1.5,"x":[{}]}',
        "with an escaped name": text.replace('"proof"', r'"pr\u006fof"'),
        "with an escaped proof": body().replace(proof, f"\\u{ord(proof[0]):04x}{proof[1:]}"),
        "with an escaped registration": body(registration=escaped),
    }.items():
        yield accepts(f"an answer {name}", why, text=changed)
    own = jwk("X25519", ALICE.public)
    for name, changed in {
        "white space": REGISTRATION.replace(",", " ,\n\t"), "a line break at the end": REGISTRATION + "\n",
        "its members in another order": f'{{"key":{own},"generation":3,"created":1767225600,"lifetime":604800}}',
        "an unknown member": registration(own, name='"caf\u00e9"'), "an escaped unknown member": registration(own,
            name=r'"caf\u00e9"'),
        "an escape": REGISTRATION.replace('"created"', r'"cr\u0065ated"'),
        "64 signers": registration(own, signers=json.dumps(MANY[:64])),
    }.items():
        yield accepts(f"a registration with {name}", "The digest is of the text that the device has sent.",
                      USUAL.with_(registration=changed))
    yield accepts("a registration of another key", "The key comes from the registration.",
                  USUAL.with_(registration=registration(jwk("X25519", BOB.public))), kid=base64url(BOB.thumbprint))
    yield accepts("a registration of the largest generation", "The generation comes from the registration.",
                  USUAL.with_(registration=registration(own, generation=str(LARGEST))), generation=LARGEST)


CODE = "malformed-registration"


def malformed():
    def case(name, text, rule="answer", why="The answer is a strict JSON object with three members."):
        return refuses(CODE, rule, name, why, text)

    text = body()
    for name, changed in {
        "empty": "", "an array": f"[{text}]", "a string": json.dumps(text), "the registration alone": REGISTRATION,
        "cut short": text[:-1],
        "text behind it": text + "x", "a second object": text + text, "a trailing comma": text[:-1] + ",}",
        "a byte order mark": "\ufeff" + text,
        "the proof twice": text[:-1] + text[text.index(',"proof"'):],
        "the expiry twice": text[:-1] + f',"expires":{EXPIRES}}}',
        "the registration twice": text[:-1] + f',"registration":{json.dumps(REGISTRATION)}}}', "no members": "{}",
        "a name twice by an escape": text[:-1] + r',"expire\u0073":1}',
        "a name twice in an unknown member": text[:-1] + ',"x":{"a":1,"a":1}}',
        "a lone surrogate": text[:-1] + r',"x":"\udc00"}', "65 levels": text[:-1] + ',"x":' + "[" * 64 + "]" * 64 + "}",
        "a comment": text[:-1] + "/**/}", "a control character": text[:-1] + ',"x":"\t"}',
        "names in capitals": text.replace('"proof"', '"Proof"'),
    }.items():
        yield case(name, changed)
    for name in ("registration", "expires", "proof"):
        yield case(f"no {name}", body(**({name: None} if name != "proof" else {})) if name != "proof"
                   else text[: text.index(',"proof"')] + "}")
    for name, value in {"an object": REGISTRATION, "null": "null", "a number": "3",
                        "an array": f"[{json.dumps(REGISTRATION)}]", "true": "true",
                        "a lone surrogate": r'"\ud800"'}.items():
        yield case(f"a registration that is {name}", body(registration=value))


def malformed_members():
    def changed(member, value):
        text, old = body(), {"proof": f'"{base64url(USUAL.proof())}"', "expires": f":{EXPIRES}"}[member]
        assert text.count(old) == 1
        return text.replace(old, value if member == "proof" else f":{value}")

    proof = base64url(USUAL.proof())
    for name, value in {
        "null": "null", "a number": "1", "an array": f'["{proof}"]', "an object": "{}", "empty": '""',
        "42 characters": f'"{proof[:42]}"',
        "44 characters": f'"{proof}A"', "padding": f'"{proof}="',
        "spare bits": f'"{proof[:42]}{chr(ord(proof[42]) + 1)}"',
        "31 bytes": f'"{base64url(USUAL.proof()[:31])}"', "33 bytes": f'"{base64url(USUAL.proof() + bytes(1))}"',
        "the other alphabet": f'"+{proof[1:]}"', "a space in front": f'" {proof}"', "a line break": f'"{proof}\\n"',
        "a full-width character": f'"\uff21{proof[1:]}"', "hexadecimal": f'"{USUAL.proof().hex()}"',
        "64 bytes": f'"{base64url(USUAL.proof() * 2)}"',
        "a zero byte": f'"{proof}\\u0000"', "true": "true",
    }.items():
        yield refuses(CODE, "answer-proof", name, "The proof has 32 bytes in strict base64url.",
                      changed("proof", value))
    for name, value in {
        "null": "null", "a string": f'"{EXPIRES}"', "negative": f"-{EXPIRES}", "negative zero": "-0",
        "2^64 and more": str(2**64 + EXPIRES),
        "2^32 and a fraction": f"{2**32}.5", "a decimal": f"{EXPIRES}.0", "an exponent": f"{EXPIRES}e0",
        "a leading zero": f"0{EXPIRES}",
        "a plus sign": f"+{EXPIRES}", "true": "true", "an array": f"[{EXPIRES}]", "an object": "{}",
        "300 digits": "1" * 300,
    }.items():
        yield refuses(CODE, "answer-expires", name, "The expiry is digits only.", changed("expires", value))
    for name, value in {"2^53": 2**53, "2^53 + 1": 2**53 + 1, "2^63 - 1": 2**63 - 1, "2^64 - 1": 2**64 - 1}.items():
        yield refuses(CODE, "answer-expires", name, "The expiry is at most 2^53 - 1.", body(USUAL.with_(expires=value)))


def registrations():
    """Answers whose proof is right for the text of a registration that isn't valid."""
    key = jwk("X25519", ALICE.public)
    cases = {
        "empty": (CODE, ""), "not JSON": (CODE, "x"), "an array": (CODE, f"[{REGISTRATION}]"),
        "a trailing comma": (CODE, REGISTRATION[:-1] + ",}"),
        "a lifetime twice": (CODE, REGISTRATION[:-1] + ',"lifetime":604800}'), "no key": (CODE, registration(None)),
        "no generation": (CODE, registration(key, generation=None)), "generation 0": (CODE,
            registration(key, generation="0")),
        "generation 2^53": (CODE, registration(key, generation=str(2**53))),
        "a lifetime of 0": (CODE, registration(key, lifetime="0")),
        "a lifetime of 30 days and a second": (CODE, registration(key, lifetime="2592001")),
        "a creation of -1": (CODE, registration(key, created="-1")), "empty signers": (CODE,
                                                                                       registration(key, signers="[]")),
        "a signer twice": (CODE, registration(key, signers=json.dumps(TWO[:1] * 2))),
        "a private key": (CODE, registration(jwk("X25519", ALICE.public, ALICE.secret))),
        "a key that is a string": (CODE, registration(f'"{base64url(ALICE.public)}"')),
        "an empty key": ("malformed-jwk", registration("{}")),
        "a key of 31 bytes": ("malformed-jwk", registration(jwk("X25519", ALICE.public[:31]))),
        "a signing key": ("wrong-key-type", registration(jwk("Ed25519", ACME.public))),
        "a key of small order": ("invalid-key", registration(jwk("X25519", bytes(32)))),
    }
    for name, (code, text) in cases.items():
        yield refuses(code, "registration", name, "Section 10 has the rules.", body(USUAL.with_(registration=text)),
                      problem=code)
    for name, token in {"empty": "", "of 15 bytes": "ab" * 15, "of 201 bytes": "ab" * 201,
                        "of half a byte": "ab" * 16 + "a",
                        "with another letter": "ag" * 16, "with white space": "0a" * 32 + "\n",
                        "in full-width digits": "\uff10\uff11" * 32,
                        "of another carrier": OTHER.token}.items():
        each = USUAL.with_(token=token)
        yield refuses(CODE, "token", name, "A token of APNs is hexadecimal.", body(each), each)


def expired():
    for name, each, now in [
        ("at the expiry", USUAL, EXPIRES * 1000), ("a millisecond later", USUAL, EXPIRES * 1000 + 1),
        ("a second later", USUAL, EXPIRES * 1000 + 1000),
        ("a year later", USUAL, (EXPIRES + 31_536_000) * 1000), ("the expiry 0", USUAL.with_(expires=0), NOW),
        ("the expiry 0 at 1970", USUAL.with_(expires=0), 0),
        ("the second of the request", USUAL.with_(expires=NOW // 1000), NOW),
        ("a second before the request", USUAL.with_(expires=NOW // 1000 - 1), NOW),
        ("the previous secret", USUAL.with_(secret=PREVIOUS), EXPIRES * 1000),
        ("another carrier", OTHER, EXPIRES * 1000),
        ("the expiry in another unit", USUAL.with_(expires=NOW // 60_000), NOW),
    ]:
        yield refuses("expired-challenge", "expired", name, "now < expires.", body(each), each, now=now)


def orders():
    """Answers that break two rules have the code of the first one."""
    why, late = "The first rule that fails gives the code.", {"now": EXPIRES * 1000}
    bad = USUAL.with_(registration=registration(jwk("X25519", bytes(32))))
    yield refuses(CODE, "answer", "order: no proof, and expired", why, body().rpartition(",")[0] + "}", **late)
    yield refuses(CODE, "answer-expires", "order: an expiry of 0.5", why, body(expires="0.5"))
    yield refuses("invalid-key", "registration", "order: an invalid key, and expired", why, body(bad),
                  problem="invalid-key", **late)
    yield refuses("invalid-key", "registration", "order: an invalid key, and another proof", why, body(bad, bytes(32)),
                  problem="invalid-key")
    yield refuses("expired-challenge", "expired", "order: expired, and another proof", why, body(proof=bytes(32)),
                  **late)
    yield refuses("expired-challenge", "expired", "order: expired, and another account", why, body(),
                  USUAL.with_(account="bob"), **late)
