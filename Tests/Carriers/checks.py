"""Random pushes through each carrier, and what a device gets of them."""

import collections
import json
import pathlib
import random
import subprocess
import tempfile

import clients
from clients import Difference, expect

LIMIT = 4096
TOKENS = {
    "firebase": "dPz-1:APA91bH_Zx", "firebase-android": "dPz-1:APA91bH_Zx", "onesignal": "1dd608f2-c6a1-11e3-851d-000c2940e62c",
    "expo": "ExponentPushToken[xxxxxxxxxxxxxxxxxxxxxx]",
}
# Keys of aps that can stay readable, and for which the carrier has a member.
EVERYWHERE = ("category", "sound", "badge", "interruption-level", "content-available")
EXPOSED = {
    "firebase": (*EVERYWHERE, "thread-id", "relevance-score", "target-content-id", "filter-criteria"),
    "firebase-android": (), "expo": EVERYWHERE,
    "onesignal": (*EVERYWHERE, "thread-id", "relevance-score", "target-content-id"),
}
# What projects see of each carrier's own members, the longest that its documentation allows or that are common.
ADDED = {
    "firebase": {"gcm.message_id": "1767225600123456", "google.c.fid": "c" * 22, "google.c.sender.id": "1" * 12, "google.c.a.e": "1",
                 "google.c.a.c_id": "1" * 19, "google.c.a.ts": "1767225600", "google.c.a.udt": "0"},
    "expo": {"experienceId": "@" + "o" * 39 + "/" + "s" * 100, "scopeKey": "@" + "o" * 39 + "/" + "s" * 100, "projectId": "p" * 36},
}

Push = collections.namedtuple("Push", "carrier token original lifetime options")


class Work:
    def __init__(self, tool, directory):
        self.command, self.path = tool, pathlib.Path(directory)
        self.device = self.path / "device.jwks"
        self.key = self.tool("keygen", "--new", "--keyring", self.device)
        (self.path / "server.jwk").write_bytes(self.tool("keygen", "--new", "--use", "sig", "--keyring", self.path / "server.jwks"))
        (self.path / "device.jwk").write_bytes(self.key)

    def tool(self, *arguments, data=b"", status=0):
        result = subprocess.run([self.command, *map(str, arguments)], input=data, capture_output=True)
        expect(result.returncode == status, f"{arguments}: {result.returncode}, {result.stderr.decode()[:300]}")
        return result.stdout if status == 0 else result.stderr

    def seal(self, push, status=0):
        """The body and the headers of a push, or the error."""
        output = self.tool(
            "seal", "--to", self.path / "device.jwk", "--sign-with", self.path / "server.jwks", "--carrier", push.carrier,
            "--device", push.token, "--envelope", "--lifetime", f"{push.lifetime}s", *push.options,
            data=json.dumps(push.original, ensure_ascii=False).encode(), status=status)
        if status:
            return output.decode()
        line = json.loads(output)
        return line["payload"], line["headers"]

    def open(self, value, kind):
        payload = json.dumps({"aps": {}, "ENCRYPTED_DATA": value}).encode()
        return json.loads(self.tool("open", "--keyring", self.device, "--signed-by", self.path / "server.jwk", "--type", kind, data=payload))


def random_push(carrier, token):
    """An original, and options of the sealer that the carrier takes."""
    aps = {"alert": {"title": random.choice(("Bank", "Größe \U0001f512")), "body": "x" * random.randrange(1, 900)}}
    values = {"badge": random.randrange(100), "sound": random.choice(("ping.caf", "default")), "category": "MESSAGE",
              "interruption-level": random.choice(("passive", "active", "time-sensitive")), "thread-id": "t\u00fc1",
              "relevance-score": random.choice((0, 0.25, 1)), "target-content-id": "inbox", "filter-criteria": "work",
              "content-available": 1}
    aps |= {name: value for name, value in values.items() if random.random() < 0.5}
    options = ["--priority", random.choice(("10", "5")), "--padding", random.choice(("buckets", "none", "maximum"))]
    exposed = [name for name in EXPOSED[carrier] if random.random() < 0.4]
    if exposed:
        options += ["--expose", ",".join(exposed)]
    if random.random() < 0.3:
        options += ["--placeholder-title", 'A "new" \\ message', "--placeholder-body", "\U0001f512 …"]
    if carrier != "expo" and random.random() < 0.5:
        options += ["--collapse-id", "chat-7"]
    if random.random() < 0.5:
        options += ["--topic", "com.example.app"]
    return Push(carrier, token, {"aps": aps, "n": random.randrange(1 << 53)}, random.choice((1, 60, 604_800, 2_592_000)), options)


def delivered(carrier, body):
    """The dictionary that a device gets, and the sealed value in it."""
    added = ADDED.get(carrier, {})
    if carrier == "firebase":
        info = body["message"]["apns"]["payload"] | added
    elif carrier == "firebase-android":
        info = body["message"]["android"]["data"]
    elif carrier == "expo":
        info = {"aps": expo_aps(body), "body": body["data"]} | added
        return info, info["body"]["ENCRYPTED_DATA"]
    else:
        info = {"aps": onesignal_aps(body), "custom": {"i": "n" * 36, "a": body["data"]}}
        return info, info["custom"]["a"]["ENCRYPTED_DATA"]
    return info, info["ENCRYPTED_DATA"]


def expo_aps(body):
    alert = {name: body[name] for name in ("title", "subtitle", "body") if name in body}
    names = {"badge": "badge", "sound": "sound", "categoryId": "category", "interruptionLevel": "interruption-level"}
    return {"alert": alert, "mutable-content": 1} | {key: body[name] for name, key in names.items() if name in body}


def onesignal_aps(body):
    names = {"contents": "body", "headings": "title", "subtitle": "subtitle"}
    alert = {key: body[name]["en"] for name, key in names.items() if name in body}
    names = {"ios_badgeCount": "badge", "ios_sound": "sound", "ios_category": "category", "thread_id": "thread-id",
             "ios_relevance_score": "relevance-score", "target_content_identifier": "target-content-id"}
    return {"alert": alert, "mutable-content": 1} | {key: body[name] for name, key in names.items() if name in body}


def length(value):
    return len(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode())


def random_pushes(work, carrier, token, check, count):
    for _ in range(count):
        push = random_push(carrier, token)
        body, headers = work.seal(push)
        check(body, headers, push)
        info, value = delivered(carrier, body)
        expect(length(info) <= LIMIT, f"the device gets {length(info)} bytes")
        expect(work.open(value, "alert") == push.original, "the device opens another payload")
    return f"{count} random alerts"


def background(work, carrier, token, check):
    original = {"aps": {"content-available": 1}, "sync": 7}
    push = Push(carrier, token, original, 60, ["--type", "background"])
    body, headers = work.seal(push)
    check(body, headers, push)
    expect(work.open(delivered(carrier, body)[1], "background") == original, "the device opens another payload")
    return "a background push"


def longest(work, carrier, token, check):
    """Finds the longest text, and has the carrier's members beside it."""
    def push(count):
        return Push(carrier, token, {"aps": {"alert": "x" * count}}, 60, ["--padding", "none"])

    low, high = 1, LIMIT
    while high - low > 1:
        middle = (low + high) // 2
        try:
            work.seal(push(middle))
            low = middle
        except Difference:
            high = middle
    error = work.seal(push(high), status=65)
    expect("payload-too-large" in error and "at least 1 bytes" in error, error)
    body, headers = work.seal(push(low))
    check(body, headers, push(low))
    info, value = delivered(carrier, body)
    expect(length(info) <= LIMIT, f"the device gets {length(info)} bytes")
    expect(work.open(value, "alert") == push(low).original, "the longest payload doesn't open")
    return f"the longest text has {low} bytes, and the device gets {length(info)} of {LIMIT}"


def run(tool, count):
    failed = 0
    with tempfile.TemporaryDirectory() as directory:
        work = Work(tool, directory)
        checks = {"firebase": clients.firebase, "firebase-android": clients.firebase_android, "expo": clients.expo,
                  "onesignal": clients.onesignal_notification}
        for carrier, check in checks.items():
            token = TOKENS[carrier]
            work_tool = work.tool
            if carrier == "onesignal":
                work.tool = lambda *arguments, **options: work_tool(
                    *arguments, *(["--app-id", "app"] if arguments[0] == "seal" else []), **options)
            try:
                results = [random_pushes(work, carrier, token, check, count), background(work, carrier, token, check),
                           longest(work, carrier, token, check)]
                print(f"{carrier}: {'; '.join(results)}", flush=True)
            except Difference as difference:
                failed += 1
                print(f"{carrier}: FAILED: {difference}", flush=True)
            work.tool = work_tool
    return failed
