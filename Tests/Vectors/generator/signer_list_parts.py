"""Lists of accepted keys with invalid parts, headers and signatures."""

import hashlib
import hmac

from . import sodium, wire
from .corpus import flipped
from .names import ACME, ALICE
from .signer_lists import FIRST, FOREIGN, SECOND, content, encoded, header, kid, public, signed, signer_list
from .wire import base64url

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"


def with_spare_bit(part):
    """The same bytes for a lenient decoder: the last character has bits that belong to no byte."""
    assert len(part) % 4
    return part[:-1] + ALPHABET[ALPHABET.index(part[-1]) | 1]


def padded_json(text, remainder):
    """The text with spaces behind it, so that its length has a remainder modulo 3."""
    return text + " " * ((remainder - len(text)) % 3)


def part_cases(corpus):
    def case(name, text, why="Three texts in strict base64url are joined by dots."):
        corpus.refuses("malformed-signer-list", "parts", f"parts: {name}", why, text)

    whole = signer_list()
    head, body, signature = whole.split(".")
    case("empty", "")
    case("dots alone", "..")
    case("one", body)
    case("no signature", f"{head}.{body}")
    case("no dot behind the header", f"{head}{body}.{signature}")
    case("a dot at the end", whole + ".")
    case("a dot at the start", "." + whole)
    case("two dots behind the header", f"{head}..{body}.{signature}")
    case("four", f"{whole}.{signature}")
    case("five, as in JWE", f"{head}.{body}.{signature}.{body}.{signature}")
    for name, space in {"a space": " ", "a line feed": "\n", "a tab": "\t", "a no-break space": "\u00a0", "a zero byte": "\0"}.items():
        case(f"{name} at the end", whole + space, "Text around a list isn't ignored.")
    case("a space at the start", " " + whole, "Text around a list isn't ignored.")
    case("a byte order mark", "\ufeff" + whole, "Text around a list isn't ignored.")
    case("quotation marks", f'"{whole}"', "Text around a list isn't ignored.")
    case("a line break in the content", f"{head}.{body[:76]}\r\n{body[76:]}.{signature}")
    case("a space behind a dot", f"{head}. {body}.{signature}")
    case("the JSON serialization", f'{{"protected":"{head}","payload":"{body}","signature":"{signature}"}}')
    one, two = padded_json(header(), 1), padded_json(content(), 2)
    case("a header with padding", signed(encoded(one) + "==", encoded(two)))
    case("content with padding", signed(encoded(one), encoded(two) + "="))
    case("a signature with padding", whole + "==")
    case("a header with spare bits", signed(with_spare_bit(encoded(one)), encoded(two)), "Two texts would be one list.")
    case("content with spare bits", signed(encoded(one), with_spare_bit(encoded(two))), "Two texts would be one list.")
    case("a signature with spare bits", f"{head}.{body}.{with_spare_bit(signature)}", "Two texts would be one list.")
    other = encoded(content(note='"???>>>???>>>"'))
    assert "-" in other or "_" in other
    case("content in the other alphabet", signed(head, other.replace("-", "+").replace("_", "/")))
    number = next(number for number in range(9) if {"-", "_"} & set(signer_list(number=f"{number + 1}")[-86:]))
    text = signer_list(number=f"{number + 1}")
    case("a signature in the other alphabet", text[:-86] + text[-86:].replace("-", "+").replace("_", "/"))
    case("a signature of 1 modulo 4 characters", whole[:-1])
    case("a header of 1 modulo 4 characters", signed(encoded(padded_json(header(), 0)) + "A", body))
    case("content of 1 modulo 4 characters", signed(head, encoded(padded_json(content(), 0)) + "A"))
    case("an asterisk in the signature", whole[:-4] + "*" + whole[-3:])
    case("a full-width character in the signature", whole[:-4] + "\uff21" + whole[-3:])
    case("a header that isn't encoded", signed(header(), body))


def header_cases(corpus):
    def whole(name, head, why="The header is strict JSON with exactly three members.", by=FIRST):
        corpus.refuses("malformed-signer-list", "header", f"header: {name}", why, signer_list(head=head, by=by))

    def change(name, why="Each member has one value.", **changes):
        whole(name, header(**changes), why)

    algorithm = "The text can't choose another algorithm."
    for value in ("EdDSA", "none", "None", "HS256", "ES256", "ed25519", "Ed448", "Ed25519ph", ""):
        change(f"alg {value or 'empty'}", algorithm, alg=f'"{value}"')
    change("alg null", algorithm, alg="null")
    change("alg as an array", algorithm, alg='["Ed25519"]')
    before = ".".join(map(encoded, (header(alg='"HS256"'), content())))
    forged = base64url(hmac.new(FIRST.public, before.encode(), hashlib.sha256).digest())
    corpus.refuses("malformed-signer-list", "header", "header: HS256 with the root's public key as the secret", algorithm,
                   f"{before}.{forged}")
    before = ".".join(map(encoded, (header(alg='"none"'), content())))
    corpus.refuses("malformed-signer-list", "header", "header: none with an empty signature", algorithm, before + ".")
    for name in ("alg", "kid", "typ"):
        change(f"no {name}", "All three are required.", **{name: None})
    for value in ("Pushcrypt-Signers", "pushcrypt-signers ", "JWT", "JOSE", "application/pushcrypt-signers", "pushcrypt-signer", ""):
        change(f"typ {value or 'empty'}" if value.strip() == value else "typ with a space", typ=f'"{value}"')
    change("typ null", typ="null")
    name = kid(FIRST)
    thumbprint = "The name of a root is the whole thumbprint, in strict base64url."
    for case, value in {
        "of 42 characters": name[:42], "of 44 characters": name + "A", "that is a key id": name[:11], "with padding": name + "=",
        "with spare bits": with_spare_bit(name), "in hexadecimal": FIRST.thumbprint.hex(), "that is empty": "",
        "with a space": name + " ", "with a character outside of the alphabet": name[:20] + "+" + name[21:],
    }.items():
        change(f"kid {case}", thumbprint, kid=f'"{value}"')
    change("kid that is a number", thumbprint, kid="1")
    change("kid null", thumbprint, kid="null")
    change("kid as an array", thumbprint, kid=f'["{name}"]')
    fourth = "A fourth member could change the meaning."
    for member, value in {"crit": '["b64"]', "b64": "false", "jwk": public(FIRST)[1:-1], "cty": '"json"', "x": "null",
                          "jku": '"https://example.com"', "Alg": '"none"'}.items():
        change(f"a fourth member, {member}", fourth, **{member: value})
    twice = "One reader takes the first of two, another the last."
    for member in ("alg", "kid", "typ"):
        value = header().split(f'"{member}":')[1].split(",")[0].rstrip("}")
        whole(f"{member} twice", header()[:-1] + f',"{member}":{value}}}', twice)
    whole("alg twice, once escaped", header()[:-1] + ',"\\u0061lg":"none"}', twice)
    whole("ALG instead of alg", header().replace('"alg"', '"ALG"'))
    whole("an array", f"[{header()}]")
    whole("a string", f'"{name}"')
    whole("empty", "")
    whole("an empty object", "{}")
    whole("null", "null")
    whole("a byte order mark", "\ufeff" + header())
    whole("a trailing comma", header()[:-1] + ",}")
    whole("text behind the object", header() + "{}")
    whole("a comment", "/**/" + header())
    whole("single quotation marks", header().replace('"', "'"))
    whole("a byte that isn't UTF-8", header().encode()[:-1] + b',"\xff":1}')


def signature_cases(corpus):
    def case(name, text, why="Only the root can sign.", rule="signature", code="invalid-signature", **state):
        corpus.refuses(code, rule, f"{rule}: {name}", why, text, **state)

    def root(name, text, why="Only pinned roots sign lists.", **state):
        case(name, text, why, "root", "unknown-root", **state)

    root("a root that isn't pinned", signer_list(root=FOREIGN))
    root("the second root, and only the first is pinned", signer_list(root=SECOND), roots=("first",))
    root("the first root, and only the second is pinned", signer_list(), roots=("second",))
    root("a listed key", signer_list(head=header(ACME), by=ACME), stored=signer_list())
    root("a foreign root's name and a pinned root's signature", signer_list(head=header(FOREIGN), by=FIRST))
    root("one character of the name differs", signer_list(head=header(kid=f'"{"B" if kid(FIRST)[0] == "A" else "A"}{kid(FIRST)[1:]}"')))
    root("the raw key instead of its thumbprint", signer_list(head=header(kid=f'"{base64url(FIRST.public)}"')))
    root("the thumbprint of the key on the other curve",
         signer_list(head=header(kid=f'"{base64url(wire.thumbprint("X25519", FIRST.public))}"')))
    root("the thumbprint of a device's key", signer_list(head=header(ALICE)))

    whole = signer_list()
    head, body, text = whole.split(".")
    before = f"{head}.{body}"
    valid = FIRST.sign(before.encode())

    def signature(name, data, why="Only the root can sign.", **state):
        case(name, f"{before}.{base64url(data)}", why, **state)

    for order in (("first", "second"), ("second", "first")):
        case(f"the first root's name and the second root's signature, {order[0]} first", signer_list(by=SECOND),
             "Only the named root is tried.", roots=order)
        case(f"the second root's name and the first root's signature, {order[0]} first", signer_list(root=SECOND, by=FIRST),
             "Only the named root is tried.", roots=order)
    case("the signature of a listed key", signer_list(by=ACME))
    for name, index, bit in [("the first bit", 0, 0), ("the last bit of R", 31, 7), ("the first bit of S", 32, 0),
                             ("the last bit of S", 63, 4), ("the top bit", 63, 7)]:
        signature(f"{name} flipped", flipped(valid, index, bit))
    case("the content of another list", f"{head}.{signer_list(number='8').split('.')[1]}.{text}")
    case("a bit of a number flipped", f"{head}.{encoded(content(number='6'))}.{text}")
    case("another encoding of the header", f"{encoded(header() + ' ')}.{body}.{text}")
    case("another encoding of the content", f"{head}.{encoded(content() + ' ')}.{text}")
    signature("of the header only", FIRST.sign(head.encode()))
    signature("of the content only", FIRST.sign(body.encode()))
    signature("of the content's JSON", FIRST.sign(content().encode()))
    signature("of both as JSON", FIRST.sign(f"{header()}.{content()}".encode()))
    signature("of both without the dot", FIRST.sign((head + body).encode()))
    signature("of both with another dot", FIRST.sign((before + ".").encode()))
    signature("of both with a line feed", FIRST.sign((before + "\n").encode()))
    signature("of their SHA-512", FIRST.sign(hashlib.sha512(before.encode()).digest()))
    signature("with the domain of messages", FIRST.sign(wire.SIGNATURE_DOMAIN + before.encode()))
    signature("by Ed25519ph", sodium.ed25519ph_sign(before.encode(), sodium.ed25519_key_pair(FIRST.secret)[1]))
    second_half = int.from_bytes(valid[32:], "little") + wire.GROUP_ORDER
    signature("not canonical", valid[:32] + second_half.to_bytes(32, "little"), "S + L satisfies the same equation as S.")
    neutral = (1).to_bytes(32, "little")
    small = "The equation holds for any text, but R is of small order."
    signature("with the neutral element as R", wire.signature_without_nonce(FIRST, before.encode(), neutral), small)
    signature("of zeros", bytes(64))
    signature("empty", b"")
    signature("of 63 bytes", valid[:63])
    signature("of 65 bytes", valid + b"\0")
    signature("of 32 bytes", valid[:32])
    signature("twice", valid * 2)
    signature("with its halves exchanged", valid[32:] + valid[:32])
    signature("in the other order of bytes", valid[::-1])
    case("in hexadecimal", f"{before}.{valid.hex()}")
