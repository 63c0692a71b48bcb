"""The vectors of challenges.json: challenges, proofs, and the server's checks of answers."""

import json

from . import challenges as rules_of
from .challenge_rows import ROW_RULES, refusals, rows
from .corpus import checked
from .names import ALICE, BOB
from .registration_vectors import TOKEN, registration
from .key_vectors import jwk
from .wire import base64url

SECRET = b"pushcrypt test challenge secret:"
OTHER_SECRET = b"pushcrypt test challenge secret2"
THIRD_SECRET = b"pushcrypt test challenge secret3"
TOPIC = "com.example.app"
NOW = 1767225600
EXPIRES = NOW + 3600
TEXT = registration()
OTHER_TEXT = registration(jwk("X25519", BOB.public), generation="4")
LARGEST = rules_of.LARGEST
RULES = {
    "payload": "A challenge has exactly challenge, expires and optionally aps (section 14).",
    "payload-json": "A payload is one strict JSON object (section 6).",
    "answer": "An answer has registration, expires and proof (section 14).",
    "registration": "The registration of an answer is valid (section 10).",
    "expiry": "The answer comes before the end of its challenge (section 14).",
    "proof": "The proof fits topic, carrier, account, token, registration, expiry and a secret (section 14).",
} | ROW_RULES


def challenges():
    base = {"secret": SECRET, "topic": TOPIC, "carrier": "apns", "account": "anna", "token": TOKEN, "registration": TEXT,
            "expires": EXPIRES}
    for name, changes in [
        ("a challenge", {}),
        ("another secret", {"secret": OTHER_SECRET}),
        ("a secret of zeros", {"secret": bytes(32)}),
        ("another topic", {"topic": "com.example.other"}),
        ("an account without a name", {"account": ""}),
        ("an account in Unicode", {"account": "Zoë 🦊"}),
        ("an account in another normalization", {"account": "Zoe\u0308"}),
        ("an account in capitals", {"account": "ANNA"}),
        ("an account with a zero byte", {"account": "a\u0000b"}),
        ("a token in capitals", {"token": TOKEN.upper()}),
        ("a long token", {"token": "0a" * 200}),
        ("another carrier", {"carrier": "expo", "token": "ExponentPushToken[aBcD]"}),
        ("a hexadecimal token of another carrier", {"carrier": "other", "token": TOKEN.upper()}),
        ("another registration", {"registration": OTHER_TEXT}),
        ("a registration with white space", {"registration": TEXT.replace(":", ": ")}),
        ("a registration with a line break", {"registration": TEXT + "\n"}),
        ("a registration in Unicode", {"registration": TEXT[:-1] + ',"name":"Zoë"}'}),
        ("the first expiry", {"expires": 0}),
        ("the last expiry", {"expires": LARGEST}),
        ("an expiry of 32 bits", {"expires": 2**32}),
        ("a boundary between topic and carrier", {"topic": TOPIC + "a", "carrier": "pns"}),
        ("a boundary between account and token", {"account": "anna0a", "token": TOKEN[2:]}),
        ("a boundary between topic and account", {"topic": TOPIC + "apns", "carrier": "anna", "account": ""}),
    ]:
        values = base | changes
        nonce = rules_of.nonce(**values)
        proof = rules_of.proof(nonce, values["registration"], values["carrier"], values["token"], values["account"])
        yield {"name": name} | values | {
            "secret": base64url(values["secret"]), "nonce": base64url(nonce),
            "payload": rules_of.payload(nonce, values["expires"]), "proof": base64url(proof)}


def payloads():
    """Payloads as a device opens them, and the device's proof."""
    nonce = rules_of.nonce(SECRET, TOPIC, "apns", "anna", TOKEN, TEXT, EXPIRES)
    text = base64url(nonce)

    def accepts(name, payload, expires=EXPIRES, account="anna", token=TOKEN):
        proof = rules_of.proof(nonce, TEXT, "apns", token, account)
        return {"name": name, "payload": payload, "registration": TEXT, "token": token, "account": account,
                "expires": expires, "proof": base64url(proof)}

    def refuses(name, payload, code="invalid-payload", rule="payload"):
        return {"name": name, "payload": payload, "fails": code, "rule": rule}

    challenge = f'"challenge":"{text}"'
    yield accepts("a silent challenge", rules_of.payload(nonce, EXPIRES))
    yield accepts("a visible challenge", rules_of.payload(nonce, EXPIRES, '{"alert":{"title":"Almost done","body":"Open the app."}}'))
    yield accepts("an empty aps", rules_of.payload(nonce, EXPIRES, "{}"))
    yield accepts("the members in another order", f'{{"aps":{{}},"expires":{EXPIRES},{challenge}}}')
    yield accepts("white space between tokens", f'{{ {challenge} , "expires" : {EXPIRES} }}')
    yield accepts("an escaped letter", f'{{"\\u0063hallenge":"{text}","expires":{EXPIRES}}}')
    yield accepts("the largest expiry", rules_of.payload(nonce, LARGEST), expires=LARGEST)
    yield accepts("an expiry of 0", rules_of.payload(nonce, 0), expires=0)
    yield accepts("an account without a name", rules_of.payload(nonce, EXPIRES), account="")
    yield accepts("an account in Unicode", rules_of.payload(nonce, EXPIRES), account="Zoë 🦊")
    yield accepts("a token in capitals", rules_of.payload(nonce, EXPIRES), token=TOKEN.upper())
    for what, members in {
        "no members": "", "no challenge": f'"expires":{EXPIRES}', "no expires": challenge,
        "another member": f'{challenge},"expires":{EXPIRES},"k":1',
        "a challenge that is null": f'"challenge":null,"expires":{EXPIRES}',
        "a challenge that is a number": f'"challenge":1,"expires":{EXPIRES}',
        "an empty challenge": f'"challenge":"","expires":{EXPIRES}',
        "a challenge of 31 bytes": f'"challenge":"{base64url(nonce[:31])}","expires":{EXPIRES}',
        "a challenge of 33 bytes": f'"challenge":"{base64url(nonce + bytes(1))}","expires":{EXPIRES}',
        "a challenge with padding": f'"challenge":"{text}=","expires":{EXPIRES}',
        "a challenge with trailing bits": f'"challenge":"{"A" * 42}B","expires":{EXPIRES}',
        "a challenge in the other alphabet": f'"challenge":"{"+" * 42}A","expires":{EXPIRES}',
        "an expiry that is a string": f'{challenge},"expires":"{EXPIRES}"',
        "an expiry that is null": f'{challenge},"expires":null',
        "an expiry with a fraction": f'{challenge},"expires":{EXPIRES}.0',
        "an expiry with an exponent": f'{challenge},"expires":1e9',
        "a negative expiry": f'{challenge},"expires":-1',
        "an expiry of 2^53": f'{challenge},"expires":{2**53}',
        "an expiry beyond 64 bits": f'{challenge},"expires":18446744073709551617',
        "an aps that is null": f'{challenge},"expires":{EXPIRES},"aps":null',
        "an aps that is a string": f'{challenge},"expires":{EXPIRES},"aps":"x"',
        "an aps that is an array": f'{challenge},"expires":{EXPIRES},"aps":[]',
    }.items():
        yield refuses(what, f"{{{members}}}")
    for what, payload in {
        "an array": "[]", "a doubled name": f'{{{challenge},{challenge},"expires":{EXPIRES}}}',
        "a trailing comma": f'{{{challenge},"expires":{EXPIRES},}}', "nothing": "",
        "an expiry with a leading zero": f'{{{challenge},"expires":01}}',
    }.items():
        yield refuses(what, payload, "malformed-json", "payload-json")


def answers():
    """Answers as a server gets them, with the server's own inputs."""
    base = {"secrets": [SECRET], "topic": TOPIC, "carrier": "apns", "account": "anna", "token": TOKEN, "now": NOW}

    def proof_of(text=TEXT, expires=EXPIRES, secret=SECRET, **inputs):
        values = {name: value for name, value in (base | inputs).items() if name not in ("secrets", "now")}
        nonce = rules_of.nonce(secret, values["topic"], values["carrier"], values["account"], values["token"], text, expires)
        return rules_of.proof(nonce, text, values["carrier"], values["token"], values["account"])

    def vector(name, answer, changes, result):
        values = base | changes
        return {"name": name, "answer": answer} | values | {"secrets": list(map(base64url, values["secrets"]))} | result

    def accepts(name, text=TEXT, expires=EXPIRES, secret=SECRET, others={}, generation=3, key=ALICE, **changes):
        proof = proof_of(text, expires, secret, **changes)
        return vector(name, rules_of.answer(text, expires, proof, **others), changes,
                      {"generation": generation, "kid": base64url(key.thumbprint)})

    def refuses(code, name, rule, answer, **changes):
        return vector(name, answer, changes, {"fails": code, "rule": rule})

    def wrong(name, proof, text=TEXT, expires=EXPIRES, **changes):
        return refuses("invalid-proof", f"proof for {name}", "proof", rules_of.answer(text, expires, proof), **changes)

    # Accepted answers.
    yield accepts("an answer")
    yield accepts("the last second", now=EXPIRES - 1)
    yield accepts("the largest expiry", expires=LARGEST)
    yield accepts("two secrets, the current one", secrets=[SECRET, OTHER_SECRET])
    yield accepts("two secrets, the previous one", secrets=[OTHER_SECRET, SECRET])
    yield accepts("a token in capitals", token=TOKEN.upper())
    yield accepts("another carrier", carrier="expo", token="ExponentPushToken[aBcD]")
    yield accepts("an account without a name", account="")
    yield accepts("an account in Unicode", account="Zoë 🦊")
    yield accepts("a registration with white space", text=TEXT.replace(":", ": "))
    yield accepts("another registration", text=OTHER_TEXT, generation=4, key=BOB)
    yield accepts("other members", others={"token": f'"{TOKEN}"', "id": "7"})
    lower = proof_of()
    yield vector("the proof of a token in lowercase, and a request in capitals", rules_of.answer(TEXT, EXPIRES, lower),
                 {"token": TOKEN.upper()}, {"generation": 3, "kid": base64url(ALICE.thumbprint)})
    # Malformed answers.
    honest = {"registration": json.dumps(TEXT), "expires": str(EXPIRES), "proof": f'"{base64url(lower)}"'}
    malformed = "malformed-registration"
    for name in honest:
        for what, value in [("missing", None), ("null", "null"), ("an array", "[]"), ("a boolean", "true")]:
            yield refuses(malformed, f"{name}: {what}", "answer", rules_of.answer(TEXT, EXPIRES, lower, **{name: value}))
    for what, value in {
        "a string": f'"{EXPIRES}"', "negative": "-1", "a fraction": f"{EXPIRES}.5", "a decimal point": f"{EXPIRES}.0",
        "an exponent": "1e12", "2^53": str(2**53), "beyond 64 bits": "18446744073709551617",
    }.items():
        yield refuses(malformed, f"expires: {what}", "answer", rules_of.answer(TEXT, EXPIRES, lower, expires=value))
    for what, value in {
        "a number": "1", "empty": '""', "31 bytes": f'"{base64url(lower[:31])}"', "33 bytes": f'"{base64url(lower + bytes(1))}"',
        "padding": f'"{base64url(lower)}="', "a line break": f'"{base64url(lower)}\\n"', "trailing bits": f'"{"A" * 42}B"',
        "the other alphabet": f'"{"/" * 42}A"', "hexadecimal digits": f'"{lower.hex()}"',
    }.items():
        yield refuses(malformed, f"proof: {what}", "answer", rules_of.answer(TEXT, EXPIRES, lower, proof=value))
    yield refuses(malformed, "registration: an object", "answer", rules_of.answer(TEXT, EXPIRES, lower, registration=TEXT))
    for what, text in {
        "an array": "[]", "nothing": "", "a doubled name": rules_of.answer(TEXT, EXPIRES, lower)[:-1] + ',"expires":1}',
        "a trailing comma": rules_of.answer(TEXT, EXPIRES, lower)[:-1] + ",}", "a byte order mark": "\ufeff{}",
    }.items():
        yield refuses(malformed, f"answer: {what}", "answer", text)
    for what, text in {
        "empty": "", "no key": registration(key=None), "a generation of 0": registration(generation="0"),
        "a lifetime of 0": registration(lifetime="0"), "an array": "[]", "a private key": registration(
            jwk("X25519", ALICE.public)[:-1] + f',"d":"{base64url(ALICE.secret)}"}}'),
    }.items():
        yield refuses(malformed, f"text of the registration: {what}", "registration", rules_of.answer(text, EXPIRES, proof_of(text)))
    # Late answers.
    for what, now in {"at its end": EXPIRES, "a second after its end": EXPIRES + 1, "30 days later": EXPIRES + 2592000}.items():
        yield refuses("expired-challenge", f"an answer {what}", "expiry", rules_of.answer(TEXT, EXPIRES, lower), now=now)
    yield refuses("expired-challenge", "an expiry of 0", "expiry", rules_of.answer(TEXT, 0, proof_of(expires=0)))
    # Proofs for something else.
    yield wrong("another account", lower, account="berta")
    yield wrong("the account in capitals", lower, account="Anna")
    yield wrong("an account without a name instead", lower, account="")
    yield wrong("an account with a space", lower, account="anna ")
    yield wrong("an account in another normalization", proof_of(account="Zoë"), account="Zoe\u0308")
    yield wrong("another token", lower, token="0b" + TOKEN[2:])
    yield wrong("a shorter token", lower, token=TOKEN[2:])
    yield wrong("a longer token", lower, token=TOKEN + "0a")
    yield wrong("another carrier", lower, carrier="expo")
    yield wrong("the carrier in capitals", lower, carrier="APNS")
    yield wrong("a token of another carrier in lowercase", proof_of(carrier="expo", token="ExponentPushToken[aB]"),
                carrier="expo", token="exponentpushtoken[ab]")
    yield wrong("another topic", lower, topic="com.example.other")
    yield wrong("the topic with a suffix", lower, topic=TOPIC + ".voip")
    yield wrong("the topic in capitals", lower, topic=TOPIC.upper())
    yield wrong("a later expiry", lower, expires=EXPIRES + 1)
    yield wrong("an earlier expiry", lower, expires=EXPIRES - 1)
    yield wrong("the largest expiry instead", lower, expires=LARGEST)
    yield wrong("another secret", lower, secrets=[OTHER_SECRET])
    yield wrong("two other secrets", lower, secrets=[OTHER_SECRET, THIRD_SECRET])
    yield wrong("a secret that was rotated out", proof_of(secret=THIRD_SECRET), secrets=[SECRET, OTHER_SECRET])
    yield wrong("another registration", lower, text=OTHER_TEXT)
    yield wrong("another generation", lower, text=registration(generation="4"))
    yield wrong("another lifetime", lower, text=registration(lifetime="60"))
    yield wrong("another creation", lower, text=registration(created="1767225601"))
    yield wrong("the registration with a space", lower, text=TEXT + " ")
    yield wrong("the registration with a line break", lower, text=TEXT + "\n")
    yield wrong("the registration with its members in another order", lower,
                text="{" + ",".join(TEXT[1:-1].split(",", 1)[::-1]) + "}")
    yield wrong("the registration with an escape", lower, text=TEXT.replace("kty", "\\u006bty"))
    for bit in (0, 7, 100, 255):
        flipped = bytearray(lower)
        flipped[bit // 8] ^= 1 << bit % 8
        yield wrong(f"an answer with bit {bit} changed", bytes(flipped))
    nonce = rules_of.nonce(SECRET, TOPIC, "apns", "anna", TOKEN, TEXT, EXPIRES)
    yield wrong("an answer with the nonce", nonce)
    yield wrong("an answer with zeros", bytes(32))
    yield wrong("an answer with its bytes backwards", lower[::-1])
    yield wrong("an answer with the digest", rules_of.digest(TEXT))
    other = rules_of.nonce(SECRET, TOPIC, "apns", "mallory", "0b" * 32, TEXT, EXPIRES)
    yield wrong("a challenge to another token", rules_of.proof(other, TEXT, "apns", TOKEN, "anna"))
    yield wrong("a challenge to this token for another account",
                rules_of.proof(rules_of.nonce(SECRET, TOPIC, "apns", "mallory", TOKEN, TEXT, EXPIRES), TEXT, "apns", TOKEN, "anna"))
    yield wrong("a challenge for another registration",
                rules_of.proof(rules_of.nonce(SECRET, TOPIC, "apns", "anna", TOKEN, OTHER_TEXT, EXPIRES), TEXT, "apns", TOKEN,
                               "anna"))
    yield wrong("a device with another token", rules_of.proof(nonce, TEXT, "apns", "0b" * 32, "anna"))
    yield wrong("a device with another account", rules_of.proof(nonce, TEXT, "apns", TOKEN, "mallory"))
    yield wrong("a device with another registration", rules_of.proof(nonce, OTHER_TEXT, "apns", TOKEN, "anna"))
    yield wrong("a boundary between account and token", proof_of(account="anna0a", token=TOKEN[2:]))
    yield wrong("a boundary between topic and carrier", proof_of(topic=TOPIC + "a", carrier="pns"))


def document():
    return checked({
        "description": "Vectors of PushCrypt's proofs of possession. README.md explains the members. "
        "Everybody has these secrets: they are for tests and protect nothing.",
        "rules": RULES,
        "challenges": list(challenges()),
        "payloads": list(payloads()),
        "answers": list(answers()),
        "rows": list(rows()),
        "refusals": list(refusals()),
    }, "challenges", "payloads", "answers", "rows", "refusals")
