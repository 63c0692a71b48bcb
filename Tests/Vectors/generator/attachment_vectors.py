"""The vectors of attachments.json: sealed files, and changes of them that a receiver must refuse."""

import hashlib
import json

from . import sodium
from .corpus import checked
from .wire import base64url

CHUNK = 65536
FINAL = 3
PNG = b"\x89PNG\r\n\x1a\n"


RULES = {
    "version": "The version is 01.",
    "digest": "The digest is that of the file.",
    "length": "The file has the length that follows from the description.",
    "authentic": "Each chunk is authentic, and the last one alone has the tag 3.",
    "padding": "The text is the file and the right number of zeros.",
    "description": "The description has its members.",
    "media": "The first bytes agree with the type.",
}


def rule(code, name):
    """The rule that a vector breaks."""
    if code != "damaged-attachment":
        return {"malformed-attachment": "description", "unsupported-media": "media"}[code]
    if name in ("another version", "another digest"):
        return name.removeprefix("another ")
    if name in ("padding that isn't zero", "a shorter length"):
        return "padding"
    lengths = ("one byte less", "one byte more", "nothing", "the start alone", "the chunk twice", "no padding", "a longer length of the same padding",
               "the padding of a longer file", "a length of another padding", "a missing first chunk",
               "a missing last chunk", "the first chunk twice")
    return "length" if name in lengths else "authentic"


def random_bytes(name, length):
    return hashlib.shake_256(b"pushcrypt attachment vectors: " + name.encode()).digest(length)


def padded_length(length):
    length = max(length, 1024)
    exponent = length.bit_length() - 1
    significant = exponent.bit_length()
    mask = (1 << (exponent - significant)) - 1
    return (length + mask) & ~mask


def parts(name, text, tags=None, version=1):
    """The version and header, and each chunk."""
    header = random_bytes(name + " header", 24)
    texts = [text[start:start + CHUNK] for start in range(0, len(text), CHUNK)]
    tags = tags or [0] * (len(texts) - 1) + [FINAL]
    return [bytes([version]) + header] + sodium.secretstream(header, random_bytes(name + " key", 32), texts, tags)


def file(name, length):
    return PNG + random_bytes(name + " file", length - len(PNG))


def padded(contents):
    return contents + bytes(padded_length(len(contents)) - len(contents))


def description(key_of, contents, sealed, **members):
    values = {
        "url": "https://media.example.com/" + key_of, "type": "image/png",
        "key": base64url(random_bytes(key_of + " key", 32)), "length": len(contents),
        "digest": base64url(hashlib.blake2b(sealed, digest_size=32).digest()),
    } | members
    return {key: value for key, value in values.items() if value is not None}


def vectors():
    def vector(title, contents, sealed, fails=None, **members):
        return {"name": title, "description": description(members.pop("key_of", "small"), contents, sealed, **members),
                "sealed": base64url(sealed)} | (
                    {"fails": fails, "rule": rule(fails, title)} if fails else {"file": base64url(contents)})

    damaged, malformed = "damaged-attachment", "malformed-attachment"
    small = file("small", 1000)
    small_parts = parts("small", padded(small))
    sealed = b"".join(small_parts)
    yield vector("a small file", small, sealed)
    yield vector("a file with a name", small, sealed, name="Photo \u00fc.png")
    yield vector("an unknown member", small, sealed, width=640)
    for length in [8, 1024, 1025, 2049]:
        contents = file("small", length)
        yield vector(f"a file of {length} bytes", contents, b"".join(parts("small", padded(contents))))
    large = file("large", CHUNK + 1)
    large_parts = parts("large", padded(large))
    yield vector("a file of two chunks", large, b"".join(large_parts), key_of="large")
    exact = padded(file("exact", CHUNK))
    yield vector("a file of one whole chunk", exact, b"".join(parts("exact", exact)), key_of="exact")

    def refused(name, changed, contents=small, key_of="small", **members):
        # The digest fits, so that only one rule is broken.
        return vector(name, contents, changed, damaged, key_of=key_of, **members)

    yield refused("another version", b"".join(parts("small", padded(small), version=2)))
    yield refused("a bit of the header", sealed[:5] + bytes([sealed[5] ^ 1]) + sealed[6:])
    yield refused("a bit of the tag's byte", sealed[:25] + bytes([sealed[25] ^ 1]) + sealed[26:])
    yield refused("a bit of the text", sealed[:100] + bytes([sealed[100] ^ 1]) + sealed[101:])
    yield refused("a bit of the authenticator", sealed[:-1] + bytes([sealed[-1] ^ 1]))
    yield refused("one byte less", sealed[:-1])
    yield refused("one byte more", sealed + b"\0")
    yield refused("nothing", b"")
    yield refused("the start alone", small_parts[0])
    yield refused("the chunk twice", sealed + small_parts[1])
    yield refused("a last chunk without its tag", b"".join(parts("small", padded(small), tags=[0])))
    yield refused("a last chunk with the tag of a push", b"".join(parts("small", padded(small), tags=[1])))
    yield refused("a last chunk with the tag of a new key", b"".join(parts("small", padded(small), tags=[2])))
    yield refused("padding that isn't zero", b"".join(parts("small", small + b"\1" * 24)))
    yield refused("no padding", b"".join(parts("small", small)))
    yield refused("the padding of a longer file", b"".join(parts("small", small + bytes(2048 - 1000))))
    yield refused("another key", sealed, key=base64url(random_bytes("other key", 32)))
    yield refused("another digest", sealed, digest=base64url(random_bytes("other digest", 32)))
    yield refused("a shorter length", sealed, length=999)
    yield refused("a longer length of the same padding", sealed[:-1], length=1001)
    yield refused("a length of another padding", sealed, length=1025)
    start, first, last = large_parts
    for name, changed in [
        ("chunks in another order", start + last + first), ("a missing first chunk", start + last),
        ("a missing last chunk", start + first), ("the first chunk twice", start + first + first),
    ]:
        yield refused(name, changed, large, "large")
    tagged = b"".join(parts("large", padded(large), tags=[FINAL, FINAL]))
    yield refused("a first chunk with the tag of the last one", tagged, large, "large")
    pushed = b"".join(parts("large", padded(large), tags=[1, FINAL]))
    yield refused("a first chunk with the tag of a push", pushed, large, "large")

    def unreadable(name, **members):
        return vector(name, small, sealed, malformed, **members)

    for member in ["url", "type", "key", "length", "digest"]:
        yield unreadable(f"a missing {member}", **{member: None})
    for name, value in [("of 42 characters", "A" * 42), ("with padding", "A" * 43 + "="), ("that is a number", 5)]:
        yield unreadable(f"a key {name}", key=value)
        yield unreadable(f"a digest {name}", digest=value)
    yield unreadable("another type", type="image/heic")
    yield unreadable("a type with a parameter", type="image/png;q=1")
    for url in ["ftp://media.example.com/1", "file:///etc/passwd", "media.example.com/1", "https:///1", "",
                "https://user:pass@media.example.com/1", "https://user@media.example.com/1",
                "https://@media.example.com/1", "https://:@media.example.com"]:
        yield unreadable(f"the address {url!r}", url=url)
    yield unreadable("a key with nonzero trailing bits", key="A" * 42 + "B")
    yield unreadable("a digest with nonzero trailing bits", digest="A" * 42 + "B")
    yield vector("contents of another type", small, sealed, "unsupported-media", type="image/gif")
    other = b"<!DOCTYPE html>" + bytes(985)
    yield vector("contents that aren't media", other, b"".join(parts("small", padded(other))), "unsupported-media")
    for name, value in [("that is a Boolean", True), ("that is negative", -1), ("that is a string", "1000"), ("with a fraction", 10.5),
                        ("beyond 10 MB", 10_000_001)]:
        yield unreadable(f"a length {name}", length=value)


def document():
    return checked({
        "description": "Vectors for opening sealed files. README.md explains the members.",
        "rules": RULES,
        "vectors": list(vectors()),
    })
