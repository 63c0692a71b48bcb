"""The vectors of apns-ids.json: message ids and the header apns-id of their pushes."""

import hashlib

from .corpus import checked
from .names import MESSAGE_ID, OTHER_MESSAGE_ID
from .wire import APNS_ID_DOMAIN, apns_id, base64url


def digest(message_id):
    return hashlib.blake2b(APNS_ID_DOMAIN + message_id, digest_size=16).digest()


def with_digest(condition):
    """The first message id whose digest has a property."""
    return next(message_id for message_id in (number.to_bytes(16, "big") for number in range(2, 1 << 16))
                if condition(digest(message_id)))


def vectors():
    for name, why, message_id in (
        ("zeros", "No byte is missing from the input.", bytes(16)),
        ("ones", "Bytes have no sign.", b"\xff" * 16),
        ("the worked example", "Format.md has it in section 9.", bytes(range(16))),
        ("descending bytes", "The order of the bytes counts.", bytes(range(15, -1, -1))),
        ("the first message id of the corpus", "Most vectors of sealing.json have it.", MESSAGE_ID),
        ("the second message id of the corpus", "A Live Activity has it if its state is the second message.",
         OTHER_MESSAGE_ID),
        ("one bit in the last byte", "The last byte belongs to the input.", bytes(15) + b"\1"),
        ("one bit in the first byte", "The first byte belongs to the input.", b"\x80" + bytes(15)),
        ("a digest with the version", "The version stays.", with_digest(lambda each: each[6] >> 4 == 8)),
        ("a digest with the version 4", "The version is replaced.", with_digest(lambda each: each[6] >> 4 == 4)),
        ("a digest with all bits of the version", "The version is replaced, not added.",
         with_digest(lambda each: each[6] >> 4 == 15)),
        *((f"a digest with the variant {bits:02b}", "The variant is 10.",
           with_digest(lambda each, bits=bits: each[8] >> 6 == bits)) for bits in range(4)),
        ("a digest with zeros in front", "A UUID keeps its leading zeros.", with_digest(lambda each: each[0] == 0)),
    ):
        yield {"name": name, "why": why, "message_id": base64url(message_id), "apns_id": apns_id(message_id)}


def document():
    return checked({
        "description": "Vectors of the header apns-id, wire format version 1. README.md explains the members.",
        "vectors": list(vectors()),
    })
