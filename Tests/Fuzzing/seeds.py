"""Seeds of the fuzzers, from the test vectors and the payloads of the project."""

import base64
import json
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
VECTORS = ROOT / "Tests/Vectors"
MAXIMUM = 8192
ALERT = '{"aps":{"alert":{"title":"~secret~","subtitle":"s","body":"~secret~ Hello"},"mutable-content":1,"badge":1,"sound":"a"},"a":1}'
WITHDRAWAL = '{"collapse-ids":["a~secret~","b"],"thread-ids":["t"],"aps":{"alert":"~secret~"}}'
STRINGS = [
    '"a" = "b";', '/* c */ "a" = "%1$@ %@";\n// d\nword = \'x\';\n"key";', '"\\U00e9\\n" = "\\"~secret~\\"";',
    '\ufeff"a" = "b";\n"c" = "d";', '{"sourceLanguage":"en","strings":{"a":{"localizations":{"en":{"stringUnit":{"value":"b"}}}}}}',
    '{"sourceLanguage":"en","strings":{"a":{"localizations":{"en":{"variations":{"plural":{"other":{"stringUnit":{"value":"b"}}}}}}}}}',
]
PLIST = (
    '<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" '
    '"http://www.apple.com/DTDs/PropertyList-1.0.dtd"><plist version="1.0"><dict><key>a</key><integer>1</integer><key>b</key>'
    '<real>0.5</real><key>c</key><date>2026-01-01T00:00:00Z</date><key>d</key><data>AAEC</data><key>e</key><array><true/>'
    '<string>~secret~ &amp; &#233;</string></array><key>NSExtension</key><dict><key>NSExtensionPrincipalClass</key>'
    '<string>$(PRODUCT_MODULE_NAME).Mine</string></dict><key>UIBackgroundModes</key><array><string>audio</string></array>'
    '</dict></plist>')
PROTECTED = json.dumps({
    "protection": {"kdf": "argon2id", "operations": 3, "memory": 268435456, "salt": "AAECAwQFBgcICQoLDA0ODw",
                   "cipher": "xchacha20-poly1305", "nonce": "AAECAwQFBgcICQoLDA0ODxAREhMUFRYX"},
    "keyring": "A" * 60})
REQUEST = {"token": "0a" * 32, "carrier": "apns", "visible": True}
OPENERS = (b"\x00", b"\x01", b"\x00\x00\x00\x01", b"\x00\x00\x05\x80", b"\x01\x00\x20\x01", b"\x00\x00\x40\x00", b"\x01\x01\x00\x00")


def load(name):
    return json.loads((ROOT / name).read_text())


def vectors(name):
    return load(f"Tests/Vectors/{name}.json")


def decoded(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def compact(value):
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def payloads():
    """Returns original and sealed payloads as text."""
    files = sorted((VECTORS / "payloads").glob("*/*.json"))
    texts = [file.read_text() for file in files] + [ALERT, WITHDRAWAL]
    texts += [vector["payload"] for vector in vectors("sealing")["vectors"]]
    return texts


def answers():
    for answer in load("Tests/PushCryptAPNsTests/Vectors/answers.json"):
        body = {"reason": answer["reason"], "timestamp": 1767225600000} if answer.get("reason") else {"a": "~secret~"}
        yield (answer["status"] - 100).to_bytes(2, "big") + b"30\n" + compact(body).encode()


def attachment():
    for vector in vectors("attachments")["vectors"]:
        yield compact({"aps": {}, "ATTACHMENTS": [vector["description"]]})
    yield from (bytes(2) + edits[1:] for edits in OPENERS)
    yield from (b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n", b"RIFF0000WAVE", b"RIFF0000AVI ", b"0000ftypM4A ", b"0000ftypisom", b"ID3",
                b"FORM0000AIFF", b"\x00\x00\x01\xba", b"\xff\xfb")


def carriers():
    for index, text in enumerate(payloads()):
        yield bytes((index % 7, index // 7 % 6 if index % 3 else 0, index % 16)) + text.encode("utf-8", "surrogatepass")
    names = ("body", "custom", "gcm.message_id", "google.c.a", "experienceId")
    members = {name: {"ENCRYPTED_DATA": "QQ", "a": {"ENCRYPTED_DATA": "QQ"}, "i": "x"} if index < 2 else "x"
               for index, name in enumerate(names)}
    yield from (bytes((index, 0, 0)) + compact(members | {"ENCRYPTED_DATA": "QQ", "aps": {}}).encode() for index in range(7))


def challenge():
    file = vectors("challenges")
    for vector in file["proofs"]:
        yield vector["payload"]
    for vector in file["answers"]:
        yield vector["body"]
        try:
            yield compact(json.loads(vector["body"]) | REQUEST)
        except (ValueError, TypeError):
            continue
    for vector in vectors("registrations")["registrations"]:
        yield compact(REQUEST | {"registration": vector["text"]})


def envelope():
    for vector in vectors("opening")["vectors"]:
        text = vector.get("payload", vector.get("userInfo-value"))
        if not isinstance(text, str):
            continue
        yield text
        try:
            value = json.loads(text)["ENCRYPTED_DATA"]
        except (ValueError, KeyError, TypeError):
            continue
        yield value if isinstance(value, str) else text
    yield from (key["public_jwk"]["x"] for key in vectors("keys")["keys"].values())


def json_texts():
    file = load("Tests/PushCryptCoreTests/JSON/Vectors/json.json")
    for case in [case for value in file.values() if isinstance(value, list) for case in value]:
        if "text" in case:
            yield case["text"]
    yield from payloads()


def keyring():
    file = vectors("keys")
    yield from (vector["text"] for vector in file["vectors"])
    jwks = [key["private_jwk"] for key in file["keys"].values() if "private_jwk" in key]
    for curve in ("X25519", "Ed25519"):
        keys = [dict(jwk, created=1767225600, state=state) for jwk, state in
                zip((jwk for jwk in jwks if jwk["crv"] == curve), ("primary", "retired", "pending"))]
        for key in keys[1:]:
            key["retired"] = 1767225700
        yield compact({"generation": 2, "keys": keys})
        yield compact({"generation": 1, "clock": 1, "estimated": 2, "owner": "a.b", "lists": ["a.b.c"], "keys": keys[:1]})
        yield compact({"generation": 1, "keys": [dict(keys[0], lifetime=86400, known=True, unneeded=1, note="~secret~")]})
        yield compact({"keys": [keys[0]]})
    yield PROTECTED


def lines():
    for index, vector in enumerate(vectors("sealing")["vectors"]):
        line = {"to": vector["to"], "id": 1, "token": "a"}
        line |= {name: vector[name] for name in ("type", "topic", "priority") if name in vector}
        text = compact(line).encode()[:-1] + b',"payload":' + vector["payload"].encode() + b"}\n"
        yield bytes((index % 2 * 2, index % 255)) + text
    for index, vector in enumerate(vectors("opening")["vectors"]):
        if "payload" in vector:
            yield bytes((1 + index % 2, 63)) + b'{"id" : 1 , "token":"0a", "payload":' + vector["payload"].encode() + b"}\r\n{}\n"
    yield bytes((0, 9)) + b'{"payload":"~secret~","a":[1, 2]}\n\n{"error":{},"x":\t1}\n' + b"a" * 2100 + b"\n{"
    key = vectors("keys")["keys"]["alice"]["private_jwk"]
    for line in (compact(key), compact({"id": key, "x": compact(key)}), compact({"payload": {}, "to": {"k": [key]}})):
        yield from (bytes((form, 200)) + line.encode() + b"\n" for form in range(3))
    unsent = {"token": "a", "payload": {}, "headers": {"apns-topic": "a"}, "line": 3, "error": {"may-be-accepted": True}}
    yield bytes((2, 200)) + compact(unsent).encode()


def accepted_keys():
    for vector in vectors("signer-lists")["lists"]:
        yield vector["text"]
        parts = vector["text"].split(".")
        try:
            yield decoded(parts[1])
        except (ValueError, IndexError):
            continue


def message():
    for vector in vectors("sealing")["vectors"]:
        for each in vector.get("seals", {}).get("messages", []):
            yield decoded(each["message"])


def plist():
    yield PLIST
    for pattern in ("Docs/Examples/**/*.plist", "Docs/Examples/**/*.entitlements", "Sources/**/*.xcprivacy"):
        yield from (file.read_bytes() for file in sorted(ROOT.glob(pattern)))


def receipt():
    yield from (b"\x00" + edits[1:] for edits in OPENERS)
    for state in range(6):
        yield base64.urlsafe_b64encode(bytes((1, state, state % 2)) + bytes(range(80))).rstrip(b"=")


def registration():
    file = vectors("registrations")
    for vector in file["registrations"] + file["updates"]:
        yield vector["text"]
        yield compact(REQUEST | {"registration": vector["text"], "~secret~": 1})
        if vector.get("row"):
            yield vector["row"]
    for vector in vectors("challenges")["rows"]:
        if vector.get("row"):
            yield vector["row"]


def strings():
    yield from STRINGS
    yield STRINGS[0].encode("utf-16")
    formats = load("Tests/PushCryptPayloadTests/Localization/Vectors/formats.json")["formats"]
    yield from (each["format"] for each in formats)


def withdrawal():
    yield WITHDRAWAL
    yield from (text for text in payloads() if "-ids" in text or len(text) < 300)


SEEDS = {
    "answers": answers, "attachment": attachment, "carriers": carriers, "challenge": challenge, "envelope": envelope,
    "json": json_texts, "keyring": keyring, "lines": lines, "list": accepted_keys, "message": message,
    "opening": lambda: OPENERS, "plist": plist, "receipt": receipt, "registration": registration, "strings": strings,
    "withdrawal": withdrawal,
}


def write(target, directory):
    """Writes the seeds of a target into a directory, and returns their number."""
    directory.mkdir(parents=True, exist_ok=True)
    count = 0
    for seed in SEEDS[target]():
        data = seed.encode("utf-8", "surrogatepass") if isinstance(seed, str) else seed
        if len(data) <= MAXIMUM:
            (directory / f"{count:04}").write_bytes(data)
            count += 1
    return count
