"""The picture of a page in Docs. It carries the hash of the page that it shows, so that an old picture is noticed."""

import base64
import hashlib
import json
import pathlib
import re
import shlex
import struct
import zlib

import pushes

DOCS = pathlib.Path(__file__).resolve().parent.parent.parent / "Docs"
PICTURE, ARTICLE = DOCS / "preview.png", DOCS / "Payloads.md"
WIDTH, LONGEST = 1100, 150_000
SIGNATURE, KEYWORD = b"\x89PNG\r\n\x1a\n", b"PushCrypt page\0"


def written(shop):
    """Runs the article's commands that write pages, and returns the page of the preview."""
    commands = re.findall(r"(?m)^pushcrypt ((?:preview|inspect) --html .*)$", ARTICLE.read_text())
    if [each.split()[0] for each in commands] != ["preview", "inspect"]:
        raise RuntimeError(f"{ARTICLE} doesn't have both commands")
    (shop.path / "payload.json").write_text(json.dumps(pushes.PAYMENT, ensure_ascii=False))
    (shop.path / "sealed.json").write_bytes(shop.seal(pushes.PAYMENT))
    paths = []
    for words in map(shlex.split, commands):
        at = words.index("-o")
        paths.append(shop.path / words[at + 1])
        shop.write(paths[-1], *words[:at], *words[at + 2:], data=b"")
    return paths[0]


def chunks(data):
    """The kind and the contents of each chunk of a PNG file (https://www.w3.org/TR/png-3/)."""
    at = len(SIGNATURE)
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        yield kind, data[at + 8:at + 8 + length]
        at += length + 12


def encoded(kind, contents):
    return struct.pack(">I", len(contents)) + kind + contents + struct.pack(">I", zlib.crc32(kind + contents))


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest().encode()


def write(page, shop):
    path = written(shop)
    page.prefer("light")
    page.resize(WIDTH)
    page.open(path)
    page.resize(WIDTH, page.evaluate("Math.ceil(document.body.getBoundingClientRect().bottom)"))
    parts = list(chunks(base64.b64decode(page.picture())))
    parts.insert(1, (b"tEXt", KEYWORD + digest(path)))
    PICTURE.write_bytes(SIGNATURE + b"".join(encoded(*part) for part in parts))
    print(f"{PICTURE}: {PICTURE.stat().st_size} bytes")


def check(shop):
    """What is wrong with the picture."""
    path, wrong = written(shop), []
    data = PICTURE.read_bytes()
    if len(data) > LONGEST:
        wrong.append(f"the picture has {len(data)} bytes instead of at most {LONGEST}")
    if not is_of(data, path):
        wrong.append("the page has changed since the picture was taken. Run 'Tests/Pages/run --screenshot'.")
    return wrong


def is_of(data, path):
    return (b"tEXt", KEYWORD + digest(path)) in chunks(data)
