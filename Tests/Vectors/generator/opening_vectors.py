"""The vectors of opening.json. Each of those that fail breaks one rule and keeps all the others."""

from . import sodium, wire
from .challenge_opening_vectors import add_challenges
from .commitment import box_that_opens_twice
from .corpus import (
    ANYONE,
    BY_ACME,
    CARRIER,
    CHECKS,
    EXTENSION,
    ORIGINAL,
    Corpus,
    account,
    anonymous_push,
    checked,
    envelope,
    flipped,
    message,
    push,
    sealed,
    signed_push,
)
from .names import (
    ACME,
    ALICE,
    BOB,
    EPHEMERAL_SECRET,
    KEYS,
    MALLORY,
    MESSAGE_ID,
    MOST_AHEAD,
    NOW,
    OTHER_MESSAGE_ID,
    oldest,
)
from .original_vectors import add_malformed_originals, add_originals_that_open
from .wire import Carrier, base64url

# The order of Ed25519's main subgroup (RFC 8032 section 5.1).
# The encoding of Ed25519's neutral element.
NEUTRAL = b"\x01" + bytes(31)


# The checks of section 7.
RULES = {f"check-{number}": rule for number, rule in enumerate((
    "The sealed payload is strict JSON.", "It has ENCRYPTED_DATA.", "That is a string.", "It is base64url without padding.",
    "The envelope isn't empty.", "Byte 0 is 01.", "It has at least 57 bytes.",
    "The receiver has the private key with this id.", "The box opens.", "The message has at least 32 bytes.",
    "The authentication byte is 00 or 01.", "The kind is 1 to 9.", "The lifetime is 1 to 2,592,000 seconds.",
    "32 + n, plus 72 if signed, is at most m.", "All padding is zero.", "It is signed.",
    "The account of the key accepts the signer.", "The signature is valid.", "The receiver opens this kind.",
    "It isn't too late.", "It isn't too far in the future.", "The payload is strict JSON."), 1)}


# MARK: What opens


def add_what_opens(corpus):
    corpus.opens("anonymous", "The smallest ordinary case: no signature and no padding.", anonymous_push())
    corpus.opens("signed", "The ordinary case of a service.", signed_push(), accept=BY_ACME, signer="acme")
    corpus.opens(
        "signed, signature not asked for",
        "A receiver of anyone's messages does not look at signatures, and so must not name a signer.",
        signed_push())
    corpus.opens(
        "signed, the second of two accepted signers",
        "While a signing key is being replaced, both are accepted.",
        signed_push(signer=MALLORY), accept={"signed_by": ["acme", "mallory"]}, signer="mallory")
    corpus.opens(
        "second key of the store", "The envelope's key id says which of the keys opens it.",
        CARRIER.around(sealed(message().encoded(), BOB)), keys=("alice", "bob"))
    corpus.opens(
        "another message id", "The id comes out as it was sent.",
        anonymous_push(message_id=OTHER_MESSAGE_ID), message_id=OTHER_MESSAGE_ID)
    for padding in (1, 7, 256):
        corpus.opens(
            f"anonymous, padding {padding}", "Any number of zero bytes may follow the payload.",
            anonymous_push(padding=bytes(padding)))
        corpus.opens(
            f"signed, padding {padding}", "The padding stands between the payload and the signer's key id.",
            signed_push(padding=bytes(padding)), accept=BY_ACME, signer="acme")
    to_256 = 256 - len(message().before_signature(ACME.key_id)) - 64
    corpus.opens(
        "signed, message of 256 bytes", "The smallest length that senders round up to by default.",
        signed_push(padding=bytes(to_256)), accept=BY_ACME, signer="acme")
    for name, carrier, limit in (
        ("alert", Carrier('{"aps":{"alert":{"body":"(Encrypted)"},"mutable-content":1}'), 4096),
        ("VoIP", Carrier('{"aps":{}'), 5120),
    ):
        original = largest_original(carrier, limit)
        encoded = wire.signed(message(original), ACME, ALICE)
        payload = carrier.around(sealed(encoded))
        # Three bytes make four characters, so that up to two characters may stay unused.
        assert limit - 2 <= len(payload) <= limit
        corpus.opens(
            f"largest {name} payload", f"Nothing longer fits into the {limit} bytes that APNs takes.",
            payload, original, accept=BY_ACME, signer="acme")


def largest_original(carrier, limit):
    """A payload that fills the room that envelope, box, message header and signature leave."""
    room = carrier.room(limit) - len(envelope(b"")) - len(wire.signed(message(""), ACME, ALICE))
    frame = '{"aps":{"alert":{"body":"%s"}}}'
    return frame % ("x" * (room - len(frame) + 2))


# MARK: The payload that travels


def add_carriers(corpus):
    text = sealed(message().encoded())
    corpus.opens(
        "carrier: white space", "White space between the tokens of the payload that travels is legal.",
        f'\n{{ "aps" : {{ }} ,\t"ENCRYPTED_DATA" :\r\n "{text}" }} ')
    corpus.opens(
        "carrier: sealed value first, no aps", "The order of members and what else there is say nothing.",
        f'{{"ENCRYPTED_DATA":"{text}","other":[1,{{"ENCRYPTED_DATA":2}}]}}')
    corpus.opens(
        "carrier: escapes in the value", "An escape in a JSON string is another spelling of the same string.",
        CARRIER.around("".join(f"\\u{ord(character):04x}" for character in text)))
    corpus.opens(
        "carrier: escape in the name", "The same holds for names.",
        CARRIER.around(text).replace("ENCRYPTED_DATA", r"ENCRYPTED\u005FDATA"))
    corpus.fails(
        "not-sealed", "carrier: no ENCRYPTED_DATA", "Such a payload wasn't sealed, or an attacker removed the key.",
        CARRIER.visible + "}")
    corpus.fails("not-sealed", "carrier: empty object", "The same without anything else.", "{}")
    corpus.fails(
        "not-sealed", "carrier: name in lower case", "Names are case-sensitive.",
        CARRIER.around(text).replace("ENCRYPTED_DATA", "encrypted_data"))
    corpus.fails(
        "not-sealed", "carrier: ENCRYPTED_DATA inside of aps", "Only a member of the payload itself counts.",
        f'{{"aps":{{"alert":{{"body":"x"}},"ENCRYPTED_DATA":"{text}"}}}}')
    for name, value in {
        "null": "null",
        "a number": "1",
        "a Boolean": "true",
        "an object": f'{{"ENCRYPTED_DATA":"{text}"}}',
        "an array": f'["{text}"]',
    }.items():
        corpus.fails(
            "malformed-envelope", f"carrier: ENCRYPTED_DATA is {name}", "It is a string or nothing.",
            CARRIER.around_json(value), check=3)
    values = {"null": None, "a number": 1, "a Boolean": True, "an object": {"a": text}, "an array": [text]}
    for name, value in values.items():
        corpus.fails(
            "malformed-envelope", f"userInfo: ENCRYPTED_DATA is {name}",
            "What the system hands over is not JSON any more, and is checked all the same.",
            None, user_info_value=value, check=3)
    corpus.opens("userInfo: a string", "The same value without JSON around it.", None, user_info_value=text)
    corpus.fails(
        "malformed-base64", "userInfo: white space around the value", "Nothing trims it.",
        None, user_info_value=f" {text}\n")


def add_malformed_carriers(corpus):
    whole = CARRIER.around(sealed(message().encoded()))
    twice = whole[:-1] + ',"ENCRYPTED_DATA":'
    add = corpus.malformed_carrier
    add("carrier: ENCRYPTED_DATA twice, the same value", "One reader takes the first of two, another the last.",
        twice + f'"{sealed(message().encoded())}"}}')
    add("carrier: ENCRYPTED_DATA twice, then null", "The same, and one of the two can't be opened.", twice + "null}")
    add("carrier: ENCRYPTED_DATA twice, once escaped", "Two spellings of one name are one name.",
        whole[:-1] + r',"ENCRYPTED\u005fDATA":"x"}')
    add("carrier: duplicate name beside the value", "The whole payload is strict JSON, not only what is needed of it.",
        whole[:-1] + ',"a":1,"a":1}')
    add("carrier: duplicate name inside of aps", "At any depth.",
        whole.replace('"mutable-content":1', '"mutable-content":1,"mutable-content":1'))
    add("carrier: empty", "No JSON at all.", "")
    add("carrier: array", "A payload is an object.", f"[{whole}]")
    add("carrier: string", "A sealed value alone is not a payload.", f'"{sealed(message().encoded())}"')
    add("carrier: byte order mark", "RFC 8259 section 8.1: JSON between systems has none.", "\ufeff" + whole)
    add("carrier: trailing comma", "RFC 8259 has no such comma.", whole[:-1] + ",}")
    add("carrier: something behind the object", "The payload is one object and nothing else.", whole + "{}")
    add("carrier: cut short", "The last brace is missing.", whole[:-1])
    add("carrier: lone surrogate", "Such a string is not Unicode.", whole[:-1] + r',"a":"\ud800"}')
    add("carrier: control character in a string", "RFC 8259 section 7: it has to be escaped.",
        whole[:-1] + ',"a":"\n"}')
    add("carrier: 65 levels", "At most 64 are allowed.", whole[:-1] + ',"a":' + "[" * 64 + "]" * 64 + "}")


# MARK: Base64url


def text_of_length(remainder):
    """A sealed value whose number of bytes leaves this remainder when divided by 3."""
    length = len(envelope()) % 3
    return sealed(message(padding=bytes((remainder - length) % 3)).encoded())


def text_with_both_special_characters():
    for count in range(100):
        text = sealed(message(f'{{"aps":{{"alert":"{count}"}}}}').encoded())
        if "-" in text[12:] and "_" in text[12:]:
            return text
    raise AssertionError("no text with both")


def with_last_character_changed(text, bit):
    """The same bytes for a lenient decoder: only bits that belong to no byte differ."""
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    return text[:-1] + alphabet[alphabet.index(text[-1]) ^ bit]


def add_base64(corpus):
    whole, one_left, two_left = text_of_length(0), text_of_length(1), text_of_length(2)
    for count, text in enumerate((whole, one_left, two_left)):
        corpus.opens(
            f"base64: {count} bytes in the last group", "A text ends in a whole group, two characters or three.",
            CARRIER.around(text))
    special = text_with_both_special_characters()

    def refused(name, why, text):
        corpus.fails("malformed-base64", f"base64: {name}", why, CARRIER.around(text))

    unpadded = "The format has no padding, and one spelling for every byte string."
    refused("one padding character", unpadded, two_left + "=")
    refused("two padding characters", unpadded, one_left + "==")
    refused("padding of a whole group", unpadded, whole + "====")
    refused("needless padding character", unpadded, whole + "=")
    space = "White space is no part of the text."
    refused("space at the end", space, whole + " ")
    refused("space at the start", space, " " + whole)
    refused("space in the middle", space, whole[:40] + " " + whole[40:])
    refused("newline at the end", space, whole + r"\n")
    refused("newline in the middle", "Lines are not broken as MIME breaks them.", whole[:76] + r"\r\n" + whole[76:])
    refused("tab in the middle", space, whole[:40] + r"\t" + whole[40:])
    other = "The alphabet is that of RFC 4648 section 5."
    refused("plus sign", other, special[:12] + special[12:].replace("-", "+", 1))
    refused("slash", other, special[:12] + special[12:].replace("_", "/", 1))
    refused("escaped slash", other, special[:12] + special[12:].replace("_", r"\/", 1))
    refused("the other alphabet throughout", other, special.replace("-", "+").replace("_", "/"))
    refused("full stop", "A character of no alphabet is not skipped.", whole[:40] + "." + whole[40:])
    refused("NUL at the end", "A text is not a C string.", whole + r"\u0000")
    refused("letter that is not ASCII", "Only ASCII is in the alphabet.", whole[:40] + "\u00e9" + whole[42:])
    refused("full-width letter", "A letter that looks the same is another.", "\uff21" + whole[1:])
    bits = "Two texts would decode to the same bytes."
    refused("lowest bit after one byte", bits, with_last_character_changed(one_left, 1))
    refused("highest spare bit after one byte", bits, with_last_character_changed(one_left, 8))
    refused("lowest bit after two bytes", bits, with_last_character_changed(two_left, 1))
    refused("highest spare bit after two bytes", bits, with_last_character_changed(two_left, 2))
    refused("one character too many", "No number of bytes has such a length; a lenient decoder drops it.", whole + "A")
    refused("one character alone", "Six bits are no byte.", "A")


# MARK: Envelopes


def add_envelopes(corpus):
    plain = envelope()
    corpus.fails("malformed-envelope", "envelope: empty", "Not even a version is there.", push(b""),
                 check=5)
    for length in (1, 8, 9, 56):
        corpus.fails(
            "malformed-envelope", f"envelope: cut to {length} bytes",
            "Version, key id and the overhead of a sealed box are 57 bytes.", push(plain[:length]), check=7)
    for length in (57, 58):
        corpus.fails(
            "decryption-failed", f"envelope: cut to {length} bytes",
            "It is long enough to be an envelope, and its box is not authentic.", push(plain[:length]))
    corpus.fails("decryption-failed", "envelope: last byte missing", "Nothing may be cut off.", push(plain[:-1]))
    corpus.fails("decryption-failed", "envelope: byte appended", "Nothing may be added.", push(plain + b"\0"))
    for version in (0, 2, 255):
        corpus.fails(
            "unsupported-version", f"envelope: version {version}", "Only version 1 is known.",
            push(bytes([version]) + plain[1:]))
    corpus.fails(
        "unsupported-version", "envelope: version 2, 1 byte long",
        "What another version's envelope looks like is not known, so its length is not judged.", push(b"\x02"))
    not_here = "A receiver opens with the key that is named, and never tries another."
    corpus.fails(
        "unknown-key", "envelope: id of a key that is not here", not_here, push(b"\x01" + BOB.key_id + plain[9:]))
    for bit, index in ((7, 1), (0, 8)):
        corpus.fails(
            "unknown-key", f"envelope: bit {bit} of byte {index} flipped in the key id", not_here,
            push(flipped(plain, index, bit)))
    corpus.fails("unknown-key", "envelope: key id of zeros", "It is no wildcard.", push(b"\x01" + bytes(8) + plain[9:]))
    corpus.fails(
        "unknown-key", "envelope: start of the key for its id", "The id is of the thumbprint, not of the key.",
        push(b"\x01" + ALICE.public[:8] + plain[9:]))
    corpus.fails(
        "unknown-key", "envelope: end of the thumbprint for the id", "The id is the thumbprint's first 8 bytes.",
        push(b"\x01" + ALICE.thumbprint[-8:] + plain[9:]))
    corpus.fails(
        "decryption-failed", "envelope: id of another key that is here",
        "The key that would open it is in the store, and is not the one that is named.",
        push(b"\x01" + BOB.key_id + plain[9:]), keys=("alice", "bob"))


# MARK: Boxes


def add_boxes(corpus):
    plain = envelope()
    places = {
        "first bit of the ephemeral key": (9, 0),
        "top bit of the ephemeral key": (40, 7),
        "first bit of the authenticator": (41, 0),
        "last bit of the authenticator": (56, 7),
        "first bit of the ciphertext": (57, 0),
        "last bit of the ciphertext": (len(plain) - 1, 7),
    }
    for name, (index, bit) in places.items():
        corpus.fails(
            "decryption-failed", f"box: {name} flipped", "Every bit of a sealed box is authenticated.",
            push(flipped(plain, index, bit)))
    corpus.fails(
        "decryption-failed", "box: for another recipient", "The envelope names alice, the box is bob's.",
        push(wire.envelope_header(ALICE) + envelope(recipient=BOB)[9:]))
    corpus.fails(
        "decryption-failed", "box: nonce of zeros",
        "The nonce is BLAKE2b-192 over ephemeral and recipient key.",
        push(plain[:41] + sodium.box(message().encoded(), bytes(24), ALICE.public, EPHEMERAL_SECRET)))
    corpus.fails(
        "decryption-failed", "box: ephemeral key of zeros",
        "With a key of small order, the shared secret is known; libsodium refuses it.",
        push(wire.envelope_header(ALICE) + box_with_ephemeral_key_of_zeros(message().encoded(), ALICE)))
    name = "box: opens under two keys"
    box = box_that_opens_twice(message(), owner=BOB, other=ALICE)
    corpus.opens(
        f"{name}, the owner's named", "XSalsa20-Poly1305 does not commit to its key: this box is authentic for both.",
        push(wire.envelope_header(BOB) + box), keys=("alice", "bob"))
    corpus.fails(
        "unsupported-authentication", f"{name}, the other's named",
        "Under alice's key it is authentic too, but no message; a receiver that tried bob's as well would show one.",
        push(wire.envelope_header(ALICE) + box), keys=("alice", "bob"))


def box_with_ephemeral_key_of_zeros(encoded, recipient):
    """The box of an attacker without a key: X25519 of a point of small order is always zero."""
    ephemeral = bytes(32)
    key = sodium.hsalsa20(bytes(32), bytes(16))
    return ephemeral + sodium.box_with_shared_key(encoded, wire.seal_nonce(ephemeral, recipient.public), key)


# MARK: Messages


def message_check(encoded):
    """The number of the check that refuses an encoded message."""
    if len(encoded) < 32:
        return 10
    padding = 32 + int.from_bytes(encoded[2:4], "big")
    end = len(encoded) - (72 if encoded[0] == wire.ED25519 else 0)
    assert padding > end or any(encoded[padding:end])
    return 14 if padding > end else 15


def add_messages(corpus):
    plain = message().encoded()
    whole = wire.signed(message(), ACME, ALICE)

    def refused(name, why, encoded, code="malformed-message", accept=ANYONE):
        check = message_check(encoded) if code == "malformed-message" else CHECKS[code]
        corpus.fails(code, f"message: {name}", why, CARRIER.around(sealed(encoded)), accept, check)

    for length in (0, 1, 31):
        refused(f"{length} bytes", "The header alone has 32 bytes.", plain[:length])
    for authentication in (2, 255):
        refused(
            f"authentication {authentication}", "Only 0 and 1 are known.", bytes([authentication]) + plain[1:],
            "unsupported-authentication")
        refused(
            f"authentication {authentication}, signed", "An unknown way is not taken for a signature.",
            bytes([authentication]) + whole[1:], "unsupported-authentication")
    refused("authentication 1, too short for a signature", "72 bytes must follow payload and padding.",
            b"\x01" + plain[1:])
    refused("authentication 1, header alone", "72 bytes must follow the header.",
            b"\x01" + message("").encoded()[1:])
    refused("signed, one byte too short", "The last byte of the signature is missing.", whole[:-1])
    refused("signed, authentication 0", "The signature becomes padding, which is not zero.", b"\x00" + whole[1:])
    refused("signed, zeros behind the signature", "The signature comes last, so that padding stands before it.",
            wire.signed(message(padding=b""), ACME, ALICE) + bytes(72))

    length = len(ORIGINAL.encode())
    refused("n too large by one", "The payload would end behind the message.", message(length=length + 1).encoded())
    refused("n is 65535", "The same at its most.", message(length=65535).encoded())
    refused("n too large by one, signed", "The payload would reach into the signer's key id.",
            wire.signed(message(length=length + 1), ACME, ALICE), accept=BY_ACME)
    refused("n too small by one", "The payload's last byte becomes padding, which is not zero.",
            message(length=length - 1).encoded())
    refused("n is 0", "All of the payload becomes padding, which is not zero.", message(length=0).encoded())
    refused("n little-endian", "The length is big-endian.", message(length=length << 8).encoded())
    refused("n too large by one, into the padding", "A NUL follows the payload's object.",
            message(length=length + 1, padding=bytes(8)).encoded(), "malformed-json")

    for name, index in {"first": 0, "middle": 16, "last": 31}.items():
        padding = flipped(bytes(32), index, index % 8)
        refused(f"{name} byte of the padding not zero", "Padding hides a length and carries nothing.",
                message(padding=padding).encoded())
        refused(f"{name} byte of the padding not zero, signed", "That it is signed does not make it padding.",
                wire.signed(message(padding=padding), ACME, ALICE), accept=BY_ACME)
    refused("padding of spaces", "White space is no padding.", message(padding=b" " * 8).encoded())


# MARK: Signatures


def add_signatures(corpus):
    plain = message(padding=bytes(5))
    whole = wire.signed(plain, ACME, ALICE)
    trailer = len(whole) - 72
    signature = len(whole) - 64

    def refused(name, why, encoded, code="invalid-signature", accept=BY_ACME):
        corpus.fails(code, f"signature: {name}", why, CARRIER.around(sealed(encoded)), accept)

    def signed_over(context):
        return wire.signed(plain, ACME, ALICE, context=context)

    refused("none", "A sealed box says nothing about its sender.", plain.encoded(), "unsigned")
    refused("by a key that is not accepted", "Mallory signs as herself.",
            wire.signed(plain, MALLORY, ALICE), "unknown-signer")
    refused("right signature, id of another key", "The id says which key to check with, and that one is not accepted.",
            wire.signed(plain, ACME, ALICE, signer_id=MALLORY.key_id), "unknown-signer")
    refused("bit flipped in the signer's id", "The id is of no key that is accepted.",
            flipped(whole, trailer, 3), "unknown-signer")
    refused("no sender is accepted", "An empty list accepts no sender. It differs from accepting anyone.",
            whole, "unknown-signer", {"signed_by": []})
    refused("by another key under acme's id", "Mallory signs as acme.",
            wire.signed(plain, MALLORY, ALICE, signer_id=ACME.key_id))
    refused("by an accepted key under another's id", "The named key is checked, and no other tried.",
            wire.signed(plain, MALLORY, ALICE, signer_id=ACME.key_id), accept={"signed_by": ["mallory", "acme"]})

    flips = {
        "the signature's first half": signature,
        "the signature's second half": signature + 32,
        "the lifetime": 7,
        "the time": 15,
        "the message id": 16,
        # Inside of the title, so that the payload stays JSON.
        "the payload": whole.index(b"Original title"),
    }
    refused("kind replaced", "The kind is signed, so that a background push can't become a notification.",
            wire.signed(message(kind=2, padding=bytes(5)), ACME, ALICE).replace(b"\x01\x02", b"\x01\x01", 1))
    for name, index in flips.items():
        refused(f"bit flipped in {name}", "What is signed is the message up to its signature.", flipped(whole, index))
    length = int.from_bytes(whole[2:4], "big") + 1
    refused("length increased", "The length is signed too.", whole[:2] + length.to_bytes(2, "big") + whole[4:])
    refused("one byte of padding taken out", "The padding is signed too.", whole[: trailer - 1] + whole[trailer:])
    refused("one byte of padding put in", "The padding is signed too.", whole[:trailer] + b"\0" + whole[trailer:])

    header = wire.envelope_header(ALICE)
    domain = wire.SIGNATURE_DOMAIN
    contexts = {
        "for another recipient": (
            wire.signature_context(BOB),
            "Bob has sealed to alice what was signed for him: the recipient's key is signed."),
        "with another recipient's key": (
            domain + header + BOB.public, "The key is signed as well as its id."),
        "with another recipient's id": (
            domain + wire.envelope_header(BOB) + ALICE.public, "The envelope's header is signed."),
        "with another version in the header": (
            wire.signature_context(ALICE, header=wire.envelope_header(ALICE, version=2)),
            "The version is signed, so that none can be passed off for another."),
        "without the domain": (
            header + ALICE.public, "Whatever else the key signs must not fit here."),
        "with another domain version": (
            wire.signature_context(ALICE, domain=b"pushcrypt/v2/signature\x00"),
            "A later version's must not fit here."),
        "without the domain's zero byte": (
            wire.signature_context(ALICE, domain=domain[:-1]), "The domain has 23 bytes."),
        "without the header": (domain + ALICE.public, "The envelope's header is signed."),
        "without the recipient's key": (
            domain + header, "An id of 8 bytes can be met by another key; the key itself is signed."),
        "over the message alone": (b"", "What the message is for is signed too."),
    }
    for name, (context, why) in contexts.items():
        refused(name, why, signed_over(context))

    before = whole[:signature]
    context = wire.signature_context(ALICE)
    acme = sodium.ed25519_key_pair(ACME.secret)[1]
    refused("over the message without the signer's id", "The signer's id is signed too.",
            before + ACME.sign(context + whole[:trailer]))
    refused("prehashed", "Ed25519ph is another algorithm.", before + sodium.ed25519ph_sign(context + before, acme))
    second_half = int.from_bytes(whole[-32:], "little") + wire.GROUP_ORDER
    refused("not canonical", "S + L satisfies the same equation as S, so that there would be two signatures.",
            whole[:-32] + second_half.to_bytes(32, "little"))
    small = "The equation holds for any message, but R is of small order."
    refused("with the neutral element as R", small,
            before + wire.signature_without_nonce(ACME, context + before, NEUTRAL))
    refused("with the neutral element as R, its sign bit set", small,
            before + wire.signature_without_nonce(ACME, context + before, NEUTRAL[:-1] + b"\x80"))
    refused("of zeros", "No signature is not a signature.", before + bytes(64))
    refused("of ones", "Nor is anything else.", before + b"\xff" * 64)


# MARK: Kinds


def add_kinds(corpus):
    for name, kind in wire.KINDS.items():
        payload = signed_push(kind=kind)
        corpus.opens(f"kind: {name}", "The receiver accepts this kind.", payload, accept=BY_ACME, signer="acme", kind=name,
                     kinds=(name,))
        for other in wire.KINDS:
            if other != name:
                corpus.fails("wrong-kind", f"kind: {name} as {other}", "A message has one purpose, which is signed.",
                             payload, BY_ACME, kinds=(other,))
    corpus.opens("kind: withdrawal in the extension", "The extension accepts notifications and withdrawals.",
                 signed_push(kind=8), accept=BY_ACME, signer="acme", kind="withdrawal")
    corpus.fails("wrong-kind", "kind: anonymous background push in the extension", "The kind counts for everyone.",
                 anonymous_push(kind=2))
    late, ahead = NOW - oldest(3600) - 1, NOW + MOST_AHEAD + 1
    for name in ("activity-state", "activity-attributes"):
        payload = signed_push(kind=wire.KINDS[name], issued_at=late, lifetime=3600)
        corpus.opens(f"kind: {name}, late", "A widget opens Live Activities long after the push.", payload, accept=BY_ACME,
                     signer="acme", kind=name, kinds=(name,), issued_at=late, lifetime=3600)
    corpus.fails("issued-in-future", "kind: activity-state, from the future", "A widget checks this limit, too.",
                 signed_push(kind=4, issued_at=ahead), BY_ACME, kinds=("activity-state",))
    for kind in (0, 10, 128, 255):
        corpus.fails("unsupported-kind", f"kind: {kind}", "Only kinds 1 to 9 are known.", signed_push(kind=kind), BY_ACME)
        corpus.fails("unsupported-kind", f"kind: {kind}, anonymous", "Only kinds 1 to 9 are known.",
                     anonymous_push(kind=kind))


# MARK: Accounts


def add_accounts(corpus):
    shop = account("shop", ["alice"], {"signed_by": ["acme"]})
    bank = account("bank", ["bob"], {"signed_by": ["mallory"]})
    to_bob = wire.signed(message(), MALLORY, BOB)
    both = {"accounts": [shop, bank]}
    corpus.opens("accounts: the first account's key and sender", "Each account has its own keys and senders.",
                 signed_push(), signer="acme", account="shop", **both)
    corpus.opens("accounts: the second account's key and sender", "Each account has its own keys and senders.",
                 CARRIER.around(sealed(to_bob, BOB)), signer="mallory", account="bank", **both)
    other = "Each account has its own keys and senders. Another account's sender isn't accepted."
    corpus.fails("wrong-account", "accounts: the first account's key, the second account's sender", other,
                 signed_push(signer=MALLORY), **both)
    corpus.fails("wrong-account", "accounts: the second account's key, the first account's sender", other,
                 CARRIER.around(sealed(wire.signed(message(), ACME, BOB), BOB)), **both)
    corpus.fails("unsigned", "accounts: anonymous to the first account", "Both accounts require a signature.",
                 anonymous_push(), **both)
    open_bank = {"accounts": [shop, account("bank", ["bob"], ANYONE)]}
    corpus.opens("accounts: anonymous to an account that accepts anyone", "The policy is that of the key's account.",
                 CARRIER.around(sealed(message().encoded(), BOB)), account="bank", **open_bank)
    corpus.fails("unsigned", "accounts: anonymous to the account that doesn't accept anyone",
                 "The policy is that of the key's account.", anonymous_push(), **open_bank)
    corpus.fails("unknown-signer", "accounts: a sender that no account accepts", "The sender is unknown to all accounts.",
                 signed_push(signer=MALLORY), **open_bank)
    corpus.fails("unknown-key", "accounts: a key that no account has", "No account has the named key.",
                 CARRIER.around(sealed(to_bob, BOB)), accounts=[shop, account("bank", [], {"signed_by": ["mallory"]})])


# MARK: Withdrawals and other pushes


def add_withdrawals(corpus):
    withdrawals = {
        "one collapse id": '{"collapse-ids":["m-1"]}',
        "several collapse ids": '{"collapse-ids":["m-1","m-2","%s"]}' % ("c" * 64),
        "a thread id": '{"thread-ids":["family"]}',
        "with aps": '{"aps":{"alert":{"body":"1 message read"}},"collapse-ids":["m-1"],"thread-ids":["family"]}',
    }
    why = "A withdrawal names notifications. The receiver returns its bytes."
    for name, payload in withdrawals.items():
        corpus.opens(f"withdrawal: {name}", why, signed_push(payload, kind=8), payload, accept=BY_ACME, signer="acme",
                     kind="withdrawal")
    first = withdrawals["one collapse id"]
    corpus.opens("withdrawal: anonymous", why, anonymous_push(first, kind=8), first, kind="withdrawal")
    corpus.opens("withdrawal: padded", why, signed_push(first, kind=8, padding=bytes(128)), first, accept=BY_ACME,
                 signer="acme", kind="withdrawal")
    corpus.opens("withdrawal: withdrawals alone", "A receiver can open this kind alone.", signed_push(first, kind=8), first,
                 accept=BY_ACME, signer="acme", kind="withdrawal", kinds=("withdrawal",))
    shop = account("shop", ["alice"], {"signed_by": ["acme"]})
    bank = account("bank", ["bob"], {"signed_by": ["mallory"]})
    both = {"accounts": [shop, bank]}
    to_bob = CARRIER.around(sealed(wire.signed(message(first, kind=8), MALLORY, BOB), BOB))
    corpus.opens("withdrawal: of the second account", "It acts on notifications of the same account.", to_bob, first,
                 signer="mallory", account="bank", kind="withdrawal", **both)
    corpus.fails("wrong-account", "withdrawal: by the other account's sender", "It acts on notifications of the same account.",
                 signed_push(first, signer=MALLORY, kind=8), **both)
    corpus.fails("unsigned", "withdrawal: anonymous, signature required", "A withdrawal is authenticated as other kinds are.",
                 anonymous_push(first, kind=8), BY_ACME)
    corpus.fails("invalid-signature", "withdrawal: made of a notification", "The kind is signed.",
                 CARRIER.around(sealed(wire.signed(message(first), ACME, ALICE).replace(b"\x01\x01", b"\x01\x08", 1))), BY_ACME)
    corpus.fails("wrong-kind", "withdrawal: a receiver of notifications", "The receiver doesn't open withdrawals.",
                 signed_push(first, kind=8), BY_ACME, kinds=("notification",))
    oldest_time = NOW - oldest(3600)
    corpus.opens("withdrawal: as old as it may be", "A withdrawal has a lifetime too.",
                 signed_push(first, kind=8, issued_at=oldest_time, lifetime=3600), first, accept=BY_ACME, signer="acme",
                 kind="withdrawal", issued_at=oldest_time, lifetime=3600)
    corpus.fails("expired", "withdrawal: one millisecond too old", "A withdrawal has a lifetime too.",
                 signed_push(first, kind=8, issued_at=oldest_time - 1, lifetime=3600), BY_ACME)


def add_other_pushes(corpus):
    """Pushes without an alert, as senders write them."""
    for name, visible, original in (
        ("background", '{"aps":{"content-available":1}', '{"aps":{"content-available":1},"sync":"orders"}'),
        ("voip", '{"aps":{}', '{"aps":{},"caller":"Anna"}'),
        ("location", '{"aps":{}', '{"aps":{},"query":7}'),
        ("pushtotalk", '{"aps":{}', '{"aps":{},"speaker":"Anna"}'),
    ):
        kind = wire.KINDS[name]
        carrier = Carrier(visible)
        signed = carrier.around(sealed(wire.signed(message(original, kind=kind), ACME, ALICE)))
        corpus.opens(f"push: {name}", "The visible part is that of the push type.", signed, original, accept=BY_ACME,
                     signer="acme", kind=name, kinds=(name,))
        corpus.opens(f"push: {name}, anonymous", "The visible part is that of the push type.",
                     carrier.around(sealed(message(original, kind=kind).encoded())), original, kind=name, kinds=(name,))
        corpus.fails("wrong-kind", f"push: {name} in an alert push", "The visible part says nothing about the kind.",
                     CARRIER.around(sealed(wire.signed(message(original, kind=kind), ACME, ALICE))), BY_ACME)


# MARK: Time


def add_times(corpus):
    week = wire.DEFAULT_LIFETIME

    def opens(name, why, issued_at, now=NOW, lifetime=week):
        corpus.opens(f"time: {name}", why, signed_push(issued_at=issued_at, lifetime=lifetime), accept=BY_ACME,
                     signer="acme", issued_at=issued_at, now=now, lifetime=lifetime)

    def refused(code, name, why, issued_at, now=NOW, lifetime=week):
        check = 13 if code == "malformed-message" else CHECKS[code]
        corpus.fails(code, f"time: {name}", why, signed_push(issued_at=issued_at, lifetime=lifetime), BY_ACME, check, now=now)

    clocks = "Clocks may differ by 48 hours."
    late = "A message may be late by its lifetime and a tolerance: the lifetime, at least 5 minutes, at most 48 hours."
    lifetimes = {
        "1 second": 1, "5 minutes": 300, "1 hour": 3600, "2 days": 2 * 24 * 3600, "7 days": week,
        "30 days": wire.MAXIMUM_LIFETIME,
    }
    for name, lifetime in lifetimes.items():
        opens(f"as old as it may be, lifetime {name}", late, NOW - oldest(lifetime), lifetime=lifetime)
        refused("expired", f"one millisecond too old, lifetime {name}", late, NOW - oldest(lifetime) - 1,
                lifetime=lifetime)
    opens("as far ahead as it may be", clocks, NOW + MOST_AHEAD)
    refused("issued-in-future", "one millisecond too far ahead", clocks, NOW + MOST_AHEAD + 1)
    odd = NOW + 123
    opens("as old as it may be, at an odd millisecond", late, odd - oldest(week), odd)
    refused("expired", "one millisecond too old, at an odd millisecond", late, odd - oldest(week) - 1, odd)
    # On both sides of 2^31 seconds, binary floating point has fractions of different precision, so that a difference of
    # two times isn't exact.
    year_2038 = 2**31 * 1000 + 4
    exact = "The limit is exact, in 2038 too: times are integers of milliseconds, not floating-point seconds."
    opens("as old as it may be, in 2038", exact, year_2038 - oldest(week), year_2038)
    refused("expired", "one millisecond too old, in 2038", exact, year_2038 - oldest(week) - 1, year_2038)
    refused("expired", "issued at 0", "The format's earliest time.", 0)
    refused("expired", "in seconds", "The time is in milliseconds.", NOW // 1000)
    refused("issued-in-future", "little-endian", "The time is big-endian.",
            int.from_bytes(NOW.to_bytes(8, "big"), "little"))
    refused("issued-in-future", "issued at 2^63", "The time has no sign.", 2**63)
    refused("issued-in-future", "issued at 2^64 - 1", "The format's last time.", 2**64 - 1)
    for name, lifetime in {"0": 0, "30 days and 1 second": wire.MAXIMUM_LIFETIME + 1, "2^32 - 1": 2**32 - 1,
                           "little-endian": int.from_bytes(week.to_bytes(4, "big"), "little")}.items():
        refused("malformed-message", f"lifetime {name}", "A lifetime has 1 to 2,592,000 seconds.", NOW, lifetime=lifetime)


# MARK: The file


def document():
    corpus = Corpus()
    for add in (
        add_what_opens, add_originals_that_open, add_carriers, add_malformed_carriers, add_base64, add_envelopes,
        add_boxes, add_messages, add_signatures, add_kinds, add_withdrawals, add_challenges, add_other_pushes, add_accounts, add_times,
        add_malformed_originals,
    ):
        add(corpus)
    return checked({
        "description": "Vectors for opening PushCrypt payloads, wire format version 1. README.md explains the members. "
        "Everybody has these keys and the fixed randomness: they are for tests and protect nothing.",
        "keys": {name: key.private_jwk for name, key in KEYS.items()},
        "ephemeral_secret": base64url(EPHEMERAL_SECRET),
        "message_ids": [base64url(MESSAGE_ID), base64url(OTHER_MESSAGE_ID)],
        "now": NOW,
        "kinds": list(EXTENSION),
        "rules": RULES,
        "vectors": corpus.vectors,
    })
