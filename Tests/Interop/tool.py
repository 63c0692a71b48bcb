"""The Swift tool without --lines: a process for each message, in two threads. faketime gives it the time of a vector."""

import concurrent.futures
import datetime
import itertools
import json
import os
import re
import subprocess
import sys

import corpus
from implementations import TIMEOUT, TOOL, Failure
from vectors import public

sys.path.insert(0, str(corpus.VECTORS))
from generator import sodium, wire  # noqa: E402

KINDS = {
    ("notification", "withdrawal", "challenge"): "alert", ("background", "challenge"): "background",
    ("background",): "background", ("voip",): "voip", ("location",): "location",
    ("pushtotalk",): "pushtotalk",
}
# --to reads keys too, and so it has other codes for texts that aren't registrations.
NO_REGISTRATIONS = ("a missing key", "a lifetime twice", "signers twice", "an array", "a trailing comma", "no text",
                    "text behind the object", "a key alone")
# A wrong option is an error of usage, without a code.
OPTIONS = ("lifetime", "type", "placeholder")
PLACEHOLDERS = {"title": "title", "body": "body", "title-loc-key": "title-loc-key", "loc-key": "loc-key"}
# faketime names a semaphore after its process. If a killed process left one with the same number, it runs nothing.
STALE_SEMAPHORE, ATTEMPTS = b"faketime: sem_open: File exists", 20
CODE = re.compile(rb"\[([a-z0-9-]+)\]\s*\Z")


class Tool:
    def __init__(self, work):
        self.work, self.counter = work, itertools.count()
        if not TOOL.exists():
            raise Failure(f"{TOOL} is missing. Build it with swift build, or set PUSHCRYPT.")
        self.threads = concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 2)

    def map(self, function, *values):
        return list(self.threads.map(function, *values))

    def file(self, text):
        """Returns a new file with a text."""
        path = self.work / f"tool-{next(self.counter)}"
        path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass"))
        path.chmod(0o600)
        return path

    def run(self, *arguments, text=b"", now_ms=None):
        """Returns the standard output, or the code of the error."""
        command, environment = [], dict(os.environ, TZ="UTC")
        if now_ms is not None:
            time = datetime.datetime.fromtimestamp(now_ms // 1000, datetime.timezone.utc)
            command = ["/usr/bin/faketime", "-f", f"{time:%Y-%m-%d %H:%M:%S}.{now_ms % 1000:03}"]
            environment["DONT_FAKE_MONOTONIC"] = "1"
        for _ in range(ATTEMPTS):
            result = subprocess.run([str(part) for part in (*command, TOOL, *arguments)], input=text,
                                    capture_output=True, env=environment, timeout=TIMEOUT)
            if not result.stderr.startswith(STALE_SEMAPHORE):
                break
        if result.returncode == 0:
            return result.stdout, None
        if result.returncode == 64:
            return b"", "usage"
        match = CODE.search(result.stderr)
        if result.stdout or not match:
            raise Failure(f"{arguments} ended with {result.returncode}: {result.stderr.decode()}")
        return b"", match[1].decode()

    def keyring(self, keys):
        """Returns a keyring file; the first key is the primary one."""
        keys = [key | {"created": 1_700_000_000, "state": "pending" if at else "primary"} for at, key in enumerate(keys)]
        return self.file(json.dumps({"generation": 1, "keys": keys}))

    def open(self, payload, keyring, senders, push_type="alert", now_ms=None):
        """Returns the original, or the code. Without senders, it accepts anyone."""
        accept = [f"--signed-by={sender}" for sender in senders] or ["--anyone"]
        text = payload if isinstance(payload, bytes) else payload.encode("utf-8", "surrogatepass")
        return self.run("open", "--keyring", keyring, *accept, "--type", push_type, text=text, now_ms=now_ms)


def opening_skip(vector, kinds):
    if vector["name"] == "kind: challenge as background":
        return "a background push opens challenges"
    if tuple(kinds) not in KINDS:
        return "kinds of no push type"
    if len(vector["accounts"]) != 1:
        return "several accounts"
    if vector["accounts"][0]["accept"].get("signed_by") == []:
        return "no accepted sender"
    return None


def run_opening(tool, report):
    file = corpus.load("opening")

    def test(vector):
        kinds = vector.get("kinds", file["kinds"])
        reason = opening_skip(vector, kinds)
        if reason:
            return report.skip("tool", "opening", reason)
        account = vector["accounts"][0]
        keyring = tool.keyring([file["keys"][name] for name in account["keys"]])
        senders = [tool.file(json.dumps(public(file["keys"][name]))) for name in account["accept"].get("signed_by", [])]
        payload = vector.get("payload")
        if payload is None:
            payload = json.dumps({"ENCRYPTED_DATA": vector["userInfo-value"]})
        text, code = tool.open(payload, keyring, senders, KINDS[tuple(kinds)], vector.get("now_ms", file["now"]))
        wanted = {"fails": vector["fails"]} if "fails" in vector else {"original": vector["opens"]["original"]}
        report.compare("tool", "opening", vector["name"], wanted, {"fails": code} if code else {"original": text.decode()})
        return None

    tool.map(test, file["vectors"])


def recipient(tool, text):
    """Returns the key id and the lifetime of a sealed payload for a recipient, or the code."""
    payload, code = tool.run("seal", "--anonymous", "--type", "voip", "--lifetime", "30d", "--padding", "none", "--to",
                             tool.file(text), text=b'{"aps":{}}')
    return {"fails": code} if code else {"key_id": wire.base64url(data_of(payload)[1:9])}


def data_of(payload):
    text = json.loads(payload)["ENCRYPTED_DATA"]
    return wire.base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def run_keys(tool, report):
    sealed = corpus.load("opening")
    vectors = corpus.load("keys")["vectors"]
    alice = tool.keyring([sealed["keys"]["alice"]])
    signed = next(vector["payload"] for vector in sealed["vectors"] if vector["name"] == "signed")

    def test(vector):
        if vector["kind"] == "recipient-public":
            answer = recipient(tool, vector["text"])
        elif vector["kind"] == "verification":
            # The key isn't the sender's, and so a valid key gives another error.
            code = tool.open(signed, alice, [tool.file(vector["text"])], now_ms=sealed["now"])[1]
            answer = {"key_id": vector.get("key_id")} if code in (None, "unknown-signer") else {"fails": code}
        else:
            return report.skip("tool", "keys", "private keys are in keyrings only")
        wanted = {"fails": vector["fails"]} if "fails" in vector else {"key_id": vector["key_id"]}
        return report.compare("tool", "keys", vector["name"], wanted, answer)

    tool.map(test, vectors)


def run_registrations(tool, report):
    file = corpus.load("registrations")

    def test(vector):
        if vector["name"] in NO_REGISTRATIONS:
            return report.skip("tool", "registrations", "--to reads keys too")
        answer = recipient(tool, vector["text"])
        return report.compare("tool", "registrations", vector["name"], vector.get("fails"), answer.get("fails"))

    tool.map(test, file["registrations"])
    for group in ("updates", "tokens"):
        for _ in file[group]:
            report.skip("tool", group, "no command")


def run_choices(tool, report):
    alice = corpus.load("opening")["keys"]["alice"]
    key = wire.Key("X25519", *(wire.base64.urlsafe_b64decode(alice[part] + "=") for part in "dx"))

    def test(vector):
        registration = {"created": 1_767_225_600, "generation": 3, "key": public(alice), "lifetime": 604_800}
        registration |= {"signers": vector["signers"]} if vector["signers"] else {}
        payload, code = tool.run("seal", "--sign-with", tool.file(vector["keyring"]), "--to", tool.file(json.dumps(registration)),
                                 text=b'{"aps":{"alert":"Hello"}}')
        found = code or wire.base64url(sodium.open_sealed_box(data_of(payload)[9:], key.public, key.secret)[-72:-64])
        wanted = vector.get("fails") or wire.base64url(wire.base64.urlsafe_b64decode(vector["kid"] + "=")[:8])
        return report.compare("tool", "choices", vector["name"], wanted, found)

    tool.map(test, corpus.load("signer-lists")["choices"])


def sealing_skip(vector):
    if "kind" in vector:
        return "kinds"
    if {"topic", "collapse_id", "priority"} & set(vector):
        return "headers"
    placeholder = vector.get("placeholder", {"body": "x"})
    if not set(placeholder) <= set(PLACEHOLDERS) or not placeholder or "" in placeholder.values():
        return "parts of the placeholder"
    visible = vector.get("seals", {}).get("payload", "")
    if not {"body", "loc-key"} & set(placeholder) and any(f'"{text}"' in visible for text in placeholder.values()):
        return "the tool adds a body"
    return None


def opened_parts(payload, keys, recipients):
    """Returns the visible text and all of each message but the random values."""
    parts = re.split(rb'"ENCRYPTED_DATA":"([A-Za-z0-9_-]+)"', payload)
    messages = []
    for text in parts[1::2]:
        envelope = wire.base64.urlsafe_b64decode(text + b"=" * (-len(text) % 4))
        key = recipients[envelope[1:9]]
        message = sodium.open_sealed_box(envelope[9:], key.public, key.secret)
        messages.append((message[:16], message[32:-64] if message[0] == 1 else message[32:]))
    return parts[::2], messages


def run_sealing(tool, report):
    file = corpus.load("sealing")
    keys = {name: wire.Key(key["crv"], *(data_of(json.dumps({"ENCRYPTED_DATA": key[part]})) for part in "dx"))
            for name, key in file["keys"].items()}
    recipients = {key.key_id: key for key in keys.values() if key.curve == "X25519"}
    rings = {name: tool.keyring([key]) for name, key in file["keys"].items() if key["crv"] == "Ed25519"}

    def test(vector):
        reason = sealing_skip(vector)
        if reason:
            return report.skip("tool", "sealing", reason)
        options = ["--sign-with", rings[vector["sender"]]] if vector["sender"] else ["--anonymous"]
        options += [f"--{name}={vector[name]}" for name in ("type", "padding") if name in vector]
        options += [f"--lifetime={vector['lifetime_s']}s"] if "lifetime_s" in vector else []
        options += [f"--expose={','.join(vector['expose'])}"] if vector.get("expose") else []
        options += [f"--placeholder-{PLACEHOLDERS[name]}={text}" for name, text in vector.get("placeholder", {}).items()]
        payload, code = tool.run("seal", "--to", tool.file(vector["to"]), *options, text=vector["payload"].encode(),
                                 now_ms=vector.get("now_ms", file["now_ms"]))
        if "fails" in vector or code:
            code = vector["fails"] if code == "usage" and vector.get("rule") in OPTIONS else code
            return report.compare("tool", "sealing", vector["name"], {"fails": vector.get("fails")}, {"fails": code})
        wanted = opened_parts(vector["seals"]["payload"].encode(), keys, recipients)
        return report.compare("tool", "sealing", vector["name"], wanted, opened_parts(payload, keys, recipients))

    tool.map(test, file["vectors"])


def run_vectors(tool, report):
    for part in (run_opening, run_keys, run_registrations, run_choices, run_sealing):
        part(tool, report)
    for name, arrays in {"padding": ["vectors"], "apns-ids": ["vectors"], "signer-lists": ["lists", "accepted_keys"],
                         "challenges": ["challenges", "proofs", "answers", "rows", "refusals"],
                         "carriers": ["requests", "limits", "pushes"]}.items():
        for array in arrays:
            for _ in corpus.load(name)[array]:
                report.skip("tool", name if array == "vectors" else array, "no command")
