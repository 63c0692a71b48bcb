"""The lines to seal, and the check of the answers: each line once, and every ciphertext opens in another implementation."""

import collections
import concurrent.futures
import copy
import json
import os
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "Tests" / "Vectors"))
from generator import wire  # noqa: E402

OPENER = ROOT / "Sources" / "Languages" / "go" / "open"
CRASH = pathlib.Path(__file__).resolve().parent / "faults" / "crash.py"
KEYS = 100
# One line in so many has an invalid key, no payload of its own, a carriage return between tokens.
REJECTED, SHARED, SPACED = 97, 10, 7
SHARED_PAYLOAD = '{"aps":{"alert":{"title":"Sale","body":"Until Sunday."}}}'


class Failed(Exception):
    pass


def require(condition, text):
    if not condition:
        raise Failed(text)


def jwk(key):
    members = {"crv": key.curve, "kty": "OKP", "x": wire.base64url(key.public)}
    return members | {"kid": wire.base64url(wire.thumbprint(key.curve, key.public))}


class Corpus:
    """Lines with a unique `id`, written into a directory together with the keyring and the shared payload."""

    def __init__(self, count, work, command):
        self.count = count
        self.recipients = [wire.Key.recipient(os.urandom(32)) for _ in range(KEYS)]
        signer = wire.Key.signer(os.urandom(32))
        self.signer = jwk(signer)
        private = self.signer | {"d": wire.base64url(signer.secret), "use": "sig", "created": 1_700_000_000,
                                 "state": "primary"}
        self.keyring, self.payload = work / "server.jwks", work / "payload.json"
        self.keyring.write_text(json.dumps({"generation": 1, "keys": [private]}))
        self.keyring.chmod(0o600)
        self.payload.write_text(SHARED_PAYLOAD)
        self.path = work / "recipients.ndjson"
        self.path.write_bytes(b"".join(self.line(number) + b"\n" for number in range(count)))
        self.filter = [*command, "--sign-with", str(self.keyring), "--payload", str(self.payload)]

    def original(self, number):
        if number % SHARED == 0:
            return SHARED_PAYLOAD
        return f'{{"aps":{{"alert":{{"body":"Message {number}","title":"Grüße 👋"}}}},"n":{number}}}'

    def line(self, number):
        key = self.recipients[number % KEYS]
        space = "\r" if number % SPACED == 0 else ""
        to = "A" * 43 if number % REJECTED == 0 else wire.base64url(key.public)
        payload = "" if number % SHARED == 0 else f',"payload":{self.original(number)}'
        return f'{{"id":{number},{space}"to":"{to}"{payload}}}'.encode()

    def part(self, count):
        """Returns the same with the first lines only. The file keeps all."""
        result = copy.copy(self)
        result.count = count
        return result

    def tally(self, answers):
        """Returns how many ids are missing, and how many answers are too many."""
        ids = collections.Counter(json.loads(answer)["id"] for answer in answers)
        require(set(ids) <= set(range(self.count)), "An answer has an unknown id.")
        return self.count - len(ids), ids.total() - len(ids)

    def check(self, name, answers, start):
        """Fails unless each line is answered once and all ciphertexts open. Prints the figures."""
        seconds = time.monotonic() - start
        missing, doubled = self.tally(answers)
        require((missing, doubled) == (0, 0), f"{name}: {missing} lines are missing, and {doubled} are doubled.")
        answers = [json.loads(answer) for answer in answers]
        sealed = [answer for answer in answers if answer["id"] % REJECTED]
        for answer in answers:
            if answer["id"] % REJECTED == 0:
                require(set(answer) == {"id", "line", "error"}, f"{name}: an answer to an invalid line is wrong: {answer}")
        ids = self.open(name, sealed)
        require(len(ids) == len(sealed), f"{name}: two messages have the same id.")
        print(f"{name}: {len(answers)} answers, none missing, none doubled; {len(sealed)} sealed, and all opened; "
              f"{self.count / seconds:.0f} lines/s in {seconds:.1f} s", flush=True)

    def open(self, name, sealed):
        """Opens all, in as many processes as there are cores. Returns the ids of the messages."""
        cores = os.cpu_count() or 1
        accounts = [[{"name": "app", "keys": [jwk(key) | {"d": wire.base64url(key.secret)}],
                      "accept": {"signed_by": [self.signer]}}] for key in self.recipients]
        now = time.time_ns() // 1_000_000

        def part(answers):
            cases = "".join(json.dumps({
                "payload": json.dumps(answer["payload"]), "kinds": ["notification"], "now_ms": now,
                "accounts": accounts[answer["id"] % KEYS]}) + "\n" for answer in answers)
            result = subprocess.run([OPENER], input=cases.encode(), stdout=subprocess.PIPE, check=True)
            return list(zip(answers, map(json.loads, result.stdout.splitlines()), strict=True))

        ids = set()
        with concurrent.futures.ThreadPoolExecutor(cores) as threads:
            for answer, result in (pair for pairs in threads.map(part, (sealed[at::cores] for at in range(cores)))
                                   for pair in pairs):
                require("opens" in result, f"{name}: line {answer['id']} doesn't open: {result}")
                opened, wanted = result["opens"]["original"], self.original(answer["id"])
                require(json.loads(opened) == json.loads(wanted), f"{name}: line {answer['id']} has another text.")
                ids.add(result["opens"]["message_id"])
        return ids

    def crashing(self, marker, lines):
        """Returns a filter that is killed after some answers, the first time."""
        return ["/usr/bin/python3", str(CRASH), str(marker), str(lines), *self.filter]
