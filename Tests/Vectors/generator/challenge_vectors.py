"""The vectors of challenges.json: challenges, a device's proofs, a server's checks, rows, and refused recipients."""

from . import challenges
from .challenge_answer_vectors import ANSWER_RULES, answers
from .challenge_row_vectors import ROW_RULES, refusals, rows
from .challenges import APS, EXPIRES, LARGEST, REGISTRATION, Inputs, Refused
from .corpus import checked
from .names import ALICE, BOB
from .registration_vectors import MANY, NOW, TWO, jwk, registration
from .wire import base64url

RULES = {
    "json": "The payload is one strict JSON object (section 6).",
    "members": "The payload has challenge and expires, perhaps aps, and no other members (section 14).",
    "nonce": "The nonce has 32 bytes in strict base64url (section 14).",
    "expires": "The expiry is 0 to 2^53 - 1, digits only (section 14).",
    "aps": "aps is an object (section 14).",
} | ANSWER_RULES | ROW_RULES
COMPOSED, DECOMPOSED = "caf\u00e9", "cafe\u0301"
MIXED = "0aB1" * 16
FCM = "dPz-1:APA91bH_Zx"


def registrations():
    """Texts of registrations, each with another digest."""
    own = jwk("X25519", ALICE.public)
    return {
        "another key": registration(jwk("X25519", BOB.public)),
        "the members in another order": f'{{"key":{own},"generation":3,"created":1767225600,"lifetime":604800}}',
        "white space": REGISTRATION.replace(",", " ,\n\t"), "a line break at the end": REGISTRATION + "\n",
        "an escape": REGISTRATION.replace('"created"', r'"cr\u0065ated"'),
        "an unknown member": registration(own, name='"caf\u00e9"'),
        "an escaped unknown member": registration(own, name=r'"caf\u00e9"'),
        "signers": registration(own, signers=f'["{TWO[0]}"]'),
        "a character outside of the first plane": registration(own, name='"\U0001f600"'),
        "64 signers": registration(own, signers="[" + ",".join(f'"{kid}"' for kid in MANY[:64]) + "]"),
        "the largest numbers": registration(own, generation=str(LARGEST), created=str(LARGEST), lifetime="2592000"),
        "more than 4096 bytes": registration(own, padding=f'"{"x" * 5000}"'),
    }


def inputs():
    """The inputs of challenges with a name and a reason."""
    usual = Inputs()
    yield "a challenge", "The usual challenge.", usual
    for secret, name in {challenges.PREVIOUS: "another secret", bytes(32): "a secret of zeros",
                         b"\xff" * 32: "a secret of ones"}.items():
        yield name, "The secret is the key of BLAKE2b.", usual.with_(secret=secret)
    for name, account in {"an empty account": "", "an account in capitals": "Anna", "an account with a space": "anna ",
                          "a composed account": COMPOSED, "a decomposed account": DECOMPOSED,
                          "an account of a zero byte": "\0",
                          "an account outside of the first plane": "\U0001f468\u200d\U0001f469",
                          "an account of quotation marks": '"\\\n',
                          "an account of 300 bytes": "a" * 300, "an account that is a number": "7"}.items():
        yield name, "An account is any string, in UTF-8.", usual.with_(account=account)
    for name, token in {"in capitals": usual.token.upper(), "in both cases": MIXED, "of 16 bytes": "aF" * 16,
                        "of 200 bytes": "Fa" * 200,
                        "of digits": "01" * 32}.items():
        yield f"a token of APNs {name}", "Tokens of APNs are in lowercase.", usual.with_(token=token)
    for name, token in {"in capitals": usual.token.upper(), "in both cases": MIXED, "that isn't hexadecimal": FCM,
                        "that is short": "A",
                        "outside of ASCII": "\u0130\u00dfA", "with white space": " A\n",
                        "in lowercase": usual.token}.items():
        yield f"a token of another carrier {name}", "Others stay unchanged.", usual.with_(carrier="fcm", token=token)
    for carrier in ("APNS", "apns2", "apns-sandbox", "", "webpush\u00e9"):
        yield f"the carrier {carrier!r}", "Only apns itself changes tokens.", usual.with_(carrier=carrier, token=MIXED)
    for topic in ("com.example.App", "com.example.app.voip", "c", "", "\u00fcber.app"):
        yield f"the topic {topic!r}", "The topic is the app's bundle ID.", usual.with_(topic=topic)
    for name, text in registrations().items():
        yield f"a registration with {name}", "The digest is of the text.", usual.with_(registration=text)
    for name, expires in {"0": 0, "1": 1, "255": 255, "256": 256, "2^32 - 1": 2**32 - 1, "2^32": 2**32,
                          "2^53 - 2": LARGEST - 1,
                          "2^53 - 1": LARGEST}.items():
        yield f"the expiry {name}", "The expiry has 8 bytes, the first one the highest.", usual.with_(expires=expires)
    yield from boundaries()


def boundaries():
    """Pairs of inputs that are equal without their lengths."""
    usual, why = Inputs(carrier="fcm", token="bc"), "Each input stands after its length."
    for name, first, second in [
        ("topic and carrier", {"topic": "app.f", "carrier": "cm"}, {"topic": "app.", "carrier": "fcm"}),
        ("carrier and account", {"carrier": "fcmx", "account": "y"}, {"carrier": "fcm", "account": "xy"}),
        ("account and token", {"account": "a", "token": "bc"}, {"account": "ab", "token": "c"}),
        ("no account and a token", {"account": "", "token": "ab"}, {"account": "a", "token": "b"}),
        ("topic and account over the carrier", {"topic": "aa", "carrier": "a", "account": "b"},
         {"topic": "a", "carrier": "a", "account": "ab"}),
    ]:
        pair = [usual.with_(**first), usual.with_(**second)]
        assert len({challenges.plain(*each.parts.values()) for each in pair}) == 1 and len({each.nonce()
                                                                                            for each in pair}) == 2
        for at, each in enumerate(pair, 1):
            yield f"a boundary: {name}, {at}", why, each
    yield "the digest as an account", why, usual.with_(account=base64url(usual.digest))


def described(each):
    """The inputs of a challenge as members."""
    names = ("topic", "carrier", "account", "token", "registration", "expires")
    return {name: getattr(each, name) for name in names} | {"secret": base64url(each.secret)}


def issued():
    for name, why, each in inputs():
        yield {"name": name, "why": why} | described(each) | {
            "nonce": base64url(each.nonce()), "payload": each.payload(), "aps": APS, "visible": each.payload(APS)}


def device(each):
    return {name: getattr(each, name) for name in ("registration", "token", "carrier", "account")}


def proofs():
    """What a device answers."""
    for name, why, each in inputs():
        yield proof(name, why.replace("The secret is the key of BLAKE2b.", "The nonce is the key of BLAKE2b."), each,
                    each.payload())
    usual = Inputs()
    nonce = base64url(usual.nonce())
    for name, payload in {
        "with aps": usual.payload(APS), "with an empty aps": usual.payload("{}"),
        "with aps first": f'{{"aps":{APS},{usual.payload()[1:]}',
        "in another order": f'{{"expires":{EXPIRES},"challenge":"{nonce}"}}',
        "white space": usual.payload(APS).replace(":", " :\r\n\t"),
        "an escaped name": usual.payload().replace('"c', r'"\u0063', 1),
        "an expiry in the past": usual.payload(expires="1"),
        "an escaped nonce": usual.payload(challenge=f'"\\u{ord(nonce[0]):04x}{nonce[1:]}"'),
        "a number in aps that isn't one of digits": usual.payload('{"badge":-1.5e3}'),
    }.items():
        yield proof(f"a payload {name}", "The device can answer it.", usual, payload)
    for name, value in {"zeros": bytes(32), "ones": b"\xff" * 32, "the digest": usual.digest}.items():
        yield proof(f"a nonce of {name}", "A nonce is any 32 bytes.", usual, usual.payload(nonce=value), value)
    for name, (code, rule, payload) in invalid_payloads(usual, nonce).items():
        yield invalid_proof(name, code, rule, payload, usual)


def proof(name, why, each, payload, nonce=None):
    read = challenges.read_payload(payload)
    assert read[0] == (nonce or each.nonce()), name
    return {"name": name, "why": why, "payload": payload} | device(each) | {
        "expires": read[1], "proof": base64url(each.proof(read[0]))}


def invalid_proof(name, code, rule, payload, each):
    try:
        challenges.read_payload(payload)
    except Refused as refused:
        assert str(refused) == code, (name, refused)
    else:
        raise AssertionError(name)
    return {"name": name, "why": "The device doesn't answer a payload that isn't valid.",
            "payload": payload} | device(each) | {
        "fails": code, "rule": rule}


def invalid_payloads(usual, nonce):
    """Payloads by their names, with their code and rule."""
    payload, cases = usual.payload(), {}

    def add(rule, texts, code="invalid-payload"):
        cases.update({f"{rule}: {name}": (code, rule, text) for name, text in texts.items()})

    add("json", {
        "an empty text": "", "an array": f"[{payload}]", "a string": '"x"', "cut short": payload[:-1],
        "text behind it": payload + "x",
        "a trailing comma": payload[:-1] + ",}", "challenge twice": payload[:-1] + f',"challenge":"{nonce}"}}',
        "expires twice": payload[:-1] + f',"expires":{EXPIRES}}}',
        "expires twice by an escape": payload[:-1] + r',"expire\u0073":1}',
        "aps twice": usual.payload("{}")[:-1] + ',"aps":{}}', "a name twice in aps": usual.payload('{"a":1,"a":1}'),
        "a leading zero": usual.payload(expires="01767226500"), "a plus sign": usual.payload(expires=f"+{EXPIRES}"),
        "hexadecimal": usual.payload(expires="0x10"), "a byte order mark": "\ufeff" + payload,
        "a comment": payload[:-1] + "/**/}",
        "a lone surrogate": usual.payload(r'{"a":"\ud800"}'),
        "65 levels": usual.payload('{"a":' + "[" * 63 + "]" * 63 + "}"),
        "single quotation marks": payload.replace('"', "'"),
    }, "malformed-json")
    add("members", {
        "no members": "{}", "no challenge": usual.payload(challenge=None), "no expires": usual.payload(expires=None),
        "an unknown member": payload[:-1] + ',"k":1}',
        "an unknown member beside aps": usual.payload("{}")[:-1] + ',"k":null}',
        "an empty name": payload[:-1] + ',"":1}', "names in capitals": payload.replace("challenge", "Challenge"),
        "a withdrawal's member": payload[:-1] + ',"thread-ids":["t"]}',
        "a proof": payload[:-1] + f',"proof":"{nonce}"}}',
        "a name with a zero byte": payload[:-1] + r',"aps\u0000":{}}', "an alert": '{"aps":{"alert":"x"}}',
        "the payload in aps": f'{{"aps":{payload}}}', "a receipt": payload[:-1] + ',"pushcrypt.receipt":"x"}',
    })
    last = chr(ord(nonce[42]) + 1)
    add("nonce", {
        name: usual.payload(challenge=value) for name, value in {
            "null": "null", "a number": "1", "an array": f'["{nonce}"]', "an object": "{}", "empty": '""',
            "42 characters": f'"{nonce[:42]}"',
            "44 characters": f'"{nonce}A"', "padding": f'"{nonce}="', "spare bits": f'"{nonce[:42]}{last}"',
            "31 bytes": f'"{base64url(bytes(31))}"',
            "33 bytes": f'"{base64url(bytes(33))}"', "16 bytes": f'"{base64url(bytes(16))}"',
            "64 bytes": f'"{base64url(bytes(64))}"',
            "the other alphabet": f'"+{nonce[1:]}"', "a space in front": f'" {nonce}"', "a line break": f'"{nonce}\\n"',
            "a full-width character": f'"\uff21{nonce[1:]}"', "hexadecimal": f'"{usual.nonce().hex()}"', "true": "true",
        }.items()
    })
    add("expires", {
        name: usual.payload(expires=value) for name, value in {
            "null": "null", "a string": f'"{EXPIRES}"', "negative": f"-{EXPIRES}", "negative zero": "-0",
            "2^53": str(2**53),
            "2^53 + 1": str(2**53 + 1), "2^63": str(2**63), "2^64": str(2**64), "2^64 and more": str(2**64 + EXPIRES),
            "a fraction": "0.5", "a decimal": f"{EXPIRES}.0", "an exponent": "1767226500e0",
            "an exponent in capitals": "2E9",
            "true": "true", "an array": f"[{EXPIRES}]", "an object": "{}", "30 digits": "1" * 30,
            "300 digits": "1" * 300,
        }.items()
    })
    add("aps", {name: usual.payload(value) for name, value in {
        "null": "null", "an array": "[]", "a string": '"x"', "an empty string": '""', "a number": "0", "false": "false",
        "true": "true"}.items()})
    return cases


def document():
    arrays = {"challenges": list(issued()), "proofs": list(proofs()), "answers": list(answers()), "rows": list(rows()),
              "refusals": list(refusals())}
    return checked({
        "description": "Vectors of PushCrypt's proofs of possession. README.md explains the members. "
        "The secrets are public: they are for tests and protect nothing.",
        "now_ms": NOW,
        "rules": RULES,
        **arrays,
    }, *arrays)
