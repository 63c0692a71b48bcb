"""Lists of accepted keys whose signed content isn't valid."""

from .key_vectors import ED25519_ORDER_8, PRIME, jwk
from .names import ACME, ALICE, MALLORY
from .signer_lists import EXPIRES, ISSUED, SIGNERS, content, kid, public, signer_list
from .sodium import ed25519_add
from .wire import base64url, compact_json

NUMBERS = {"a fraction": "7.5", "a decimal point": "7.0", "an exponent": "7e0", "a string": '"7"', "a negative number": "-7",
           "null": "null", "an array": "[7]", "true": "true", "2^64 + 7": str(2**64 + 7), "2^53": str(2**53)}


def content_cases(corpus):
    def case(rule, name, why, is_checked=True, **changes):
        corpus.refuses("malformed-signer-list", rule, f"{rule}: {name}", why, signer_list(**changes), is_checked)

    _strictness(case)
    _members(case)
    _keys(case)
    _elements(case)


def _strictness(case):
    def body(name, text):
        case("content", name, "The content is one strict JSON object.", body=text)

    whole = content()
    for name, text in {
        "empty": "", "an array": f"[{whole}]", "an array of keys": public(ACME), "a number": "1", "a string": '"keys"', "null": "null",
        "an empty object": "{}", "a byte order mark": "\ufeff" + whole, "a trailing comma": whole[:-1] + ",}",
        "text behind the object": whole + "x", "two objects": whole + whole, "a comment": whole[:-1] + "//\n}",
        "cut short": whole[:-1], "a line break in a string": whole[:-1] + ',"note":"\n"}', "half of a surrogate pair":
        whole[:-1] + ',"note":"\\ud83d"}', "NaN": whole[:-1] + ',"note":NaN}', "a number with a zero at the start":
        whole[:-1] + ',"note":07}', "a duplicate name in an unknown member": whole[:-1] + ',"note":{"a":1,"\\u0061":2}}',
        "65 levels": whole[:-1] + ',"note":' + "[" * 64 + "]" * 64 + "}",
    }.items():
        body(name, text)
    body("a byte that isn't UTF-8", whole.encode()[:-1] + b',"note":"\xff"}')
    body("an overlong form", whole.encode()[:-1] + b',"note":"\xc0\xaf"}')
    for name in ("keys", "number", "iat", "exp"):
        value = whole.split(f'"{name}":')[1].split("]" if name == "keys" else ",")[0].rstrip("}") + ("]" if name == "keys" else "")
        body(f"{name} twice", whole[:-1] + f',"{name}":{value}}}')
        case("content", f"no {name}", "It is required.", **{name: None})
    body("aud twice", content(aud='"a"')[:-1] + ',"aud":"a"}')


def _members(case):
    case("number", "0", "Numbers begin with 1.", number="0")
    for name, value in NUMBERS.items():
        case("number", name, "A number is 1 to 2^53 - 1, in digits.", number=value)
        case("times", f"iat as {name}", "Times are 0 to 2^53 - 1, in digits.", iat=value)
        case("times", f"exp as {name}", "Times are 0 to 2^53 - 1, in digits.",
             exp=value.replace("7", str(EXPIRES)) if "7" in value and value.count("7") == 1 else value)
    for name, value in {"-0": "-0", "a large exponent": "1E1", "a string with a sign": '"+7"', "an object": "{}"}.items():
        case("number", name, "A number is 1 to 2^53 - 1, in digits.", number=value)
    case("times", "iat equal to exp", "iat < exp.", iat=str(EXPIRES))
    case("times", "iat a second after exp", "iat < exp.", iat=str(EXPIRES + 1))
    case("times", "exp 0", "iat < exp.", iat="0", exp="0")
    case("times", "both exchanged", "iat < exp.", iat=str(EXPIRES), exp=str(ISSUED))
    case("times", "both in milliseconds beyond the limit", "Times are 0 to 2^53 - 1.", iat=str(2**53), exp=str(2**53 + 1000))
    for name, value in {"a number": "1", "null": "null", "an array": '["production"]', "an object": "{}", "true": "true"}.items():
        case("audience-type", name, "It is a string or missing.", aud=value)


def _keys(case):
    for name, value in {
        "an empty array": "[]", "an object": public(ACME)[1:-1], "null": "null", "a string": f'"{base64url(ACME.public)}"',
        "a JWK Set": f'{{"keys":{public(ACME)}}}',
    }.items():
        case("keys", name, "It is an array of 1 to 64 keys.", keys=value)
    case("keys", "65", "It is an array of 1 to 64 keys.", keys=public(*SIGNERS))
    same = "The keys are different."
    case("keys", "one twice", same, keys=public(ACME, ACME))
    case("keys", "one twice, not in a row", same, keys=public(ACME, MALLORY, ACME))
    case("keys", "one twice, once with another kid", same, keys=f"[{jwk('Ed25519', ACME.public)},{public(ACME)[1:-1]}]")
    case("keys", "one twice, once with unknown members", same,
         keys=f"[{jwk('Ed25519', ACME.public, note=1)},{jwk('Ed25519', ACME.public)}]")


def _elements(case):
    def element(name, why, value, is_checked=True):
        case("keys", name, why, is_checked, keys=f"[{public(MALLORY)[1:-1]},{value}]")

    acme, x = public(ACME)[1:-1], base64url(ACME.public)
    for name, value in {"the raw key": f'"{x}"', "a thumbprint": f'"{kid(ACME)}"', "null": "null", "a number": "1",
                        "an array": f"[{acme}]", "an object without members": "{}", "a set": f'{{"keys":[{acme}]}}'}.items():
        element(f"an element that is {name}", "Each element is a JWK.", value)
    private = "A private key in a list is public."
    element("a private key", private, compact_json(ACME.private_jwk))
    element("d of another key", private, jwk("Ed25519", ACME.public, MALLORY.secret))
    element("d null", private, acme[:-1] + ',"d":null}')
    element("d empty", private, acme[:-1] + ',"d":""}')
    element("a key of X25519", "Only Ed25519 keys check signatures.", compact_json(ALICE.public_jwk))
    element("an Ed25519 key with the curve X25519", "Only Ed25519 keys check signatures.", jwk("X25519", ACME.public))
    for name, changes in {
        "kty EC": {"kty": "EC"}, "no kty": {"kty": None}, "kty in lower case": {"kty": "okp"}, "no crv": {"crv": None},
        "crv Ed448": {"crv": "Ed448"}, "crv in lower case": {"crv": "ed25519"}, "use enc": {"use": "enc"}, "use as an array": {"use": ["sig"]},
        "no x": {"x": None}, "x of 31 bytes": {"x": base64url(ACME.public[:31])}, "x of 33 bytes": {"x": base64url(ACME.public + b"\0")},
        "x with padding": {"x": x + "="}, "x empty": {"x": ""}, "x that is a number": {"x": 1},
        "x with spare bits": {"x": x[:-1] + chr(ord(x[-1]) + 1)},
    }.items():
        element(name, "Each element is a valid JWK (section 8).", jwk("Ed25519", ACME.public, **changes))
    element("x with an escape", "x has no escapes (section 8).", jwk("Ed25519", ACME.public).replace(x, f"\\u{ord(x[0]):04x}{x[1:]}"), False)
    element("use null", "use is a string.", acme.replace('"use":"sig"', '"use":null'))
    element("x twice", "One reader takes the first of two, another the last.", acme[:-1] + f',"x":"{x}"}}')

    def point(name, number):
        element(name, "Anybody can make signatures for such a key, or it has two spellings.",
                jwk("Ed25519", number if isinstance(number, bytes) else number.to_bytes(32, "little")))

    point("a key of zeros", 0)
    point("the neutral element", 1)
    point("y = p - 1", PRIME - 1)
    for number, order_8 in enumerate(ED25519_ORDER_8, 1):
        point(f"point {number} of order 8", bytes.fromhex(order_8))
    point("y = p + 1", PRIME + 1)
    point("a key that isn't on the curve", 2)
    outside = ACME.public
    for multiple in range(1, 8):
        outside = ed25519_add(outside, bytes.fromhex(ED25519_ORDER_8[0]))
        point(f"a key outside of the main subgroup, {multiple}", outside)
