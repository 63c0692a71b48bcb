"""Mutated payloads, envelopes and messages through all openers: each gives the same message or the same code."""

import json
import random
import sys

import corpus
from implementations import OPENERS, command, filtered
from tool import KINDS
from vectors import opening_line, public

from generator import names, wire

BATCH = 2_000
TOOL_SHARE = 100
INTERESTING = (0, 1, 2, 7, 8, 9, 0x7F, 0x80, 0xFF)
TEXTS = (
    *'"\\{}[],:01-+.eE=A/_é👋', " ", "\t", "\n", "\r", "\x00", "\x1f", "\x7f", "\u00a0", "\ufeff", "\u2028", "null", "true",
    "\\u0041", "\\ud83d", "\\ude00", "\\uD83D\\uDE00", '"ENCRYPTED_DATA":', '"a":1,', "//", "/*", "\ud800", "\udfff",
)


def mutated_bytes(choice, data, most=3):
    data = bytearray(data)
    for _ in range(choice.randint(1, most)):
        at = choice.randrange(len(data)) if data else 0
        form = choice.randrange(7)
        if form < 3 and data:
            data[at] ^= 1 << choice.randrange(8)
        elif form == 3 and data:
            data[at] = choice.choice(INTERESTING)
        elif form == 4:
            data[at:at] = choice.randbytes(choice.choice((1, 1, 2, 16)))
        elif form == 5:
            del data[at:at + choice.choice((1, 1, 2, 8, 72))]
        else:
            del data[choice.randint(0, len(data)):]
    return bytes(data)


def mutated_text(choice, text):
    for _ in range(choice.randint(1, 2)):
        at, form = choice.randint(0, len(text)), choice.randrange(5)
        if form < 2:
            text = text[:at] + choice.choice(TEXTS) + text[at:]
        elif form == 2:
            text = text[:at] + choice.choice(TEXTS) + text[at + 1:]
        elif form == 3:
            text = text[:at] + text[at + choice.choice((1, 1, 2, 5)):]
        else:
            end = choice.randint(at, min(len(text), at + 30))
            text = text[:end] + text[at:end] + text[end:]
    return text


class Fuzzer:
    def __init__(self, seed):
        self.choice = random.Random(seed)
        self.file = corpus.load("opening")
        self.lines = [opening_line(self.file, vector) for vector in self.file["vectors"]]
        self.good = [opening_line(self.file, vector) for vector in self.file["vectors"]
                     if "opens" in vector and len(vector.get("payload", "")) in range(1, 1500)]
        self.originals = [vector["opens"]["original"] for vector in self.file["vectors"]
                          if "opens" in vector and len(vector["opens"]["original"]) < 600]

    def payload(self):
        """Returns a valid line with a mutated payload, mostly outside of the sealed text."""
        line = dict(self.choice.choice(self.lines))
        if "payload" not in line:
            return line
        text = line["payload"]
        at = text.find('"ENCRYPTED_DATA"')
        if 0 < at and self.choice.random() < 0.7:
            text = mutated_text(self.choice, text[:at + 20]) + text[at + 20:]
        else:
            text = mutated_text(self.choice, text)
        return line | {"payload": text}

    def envelope(self):
        """Returns a valid line with a mutated envelope."""
        line = dict(self.choice.choice(self.good))
        value = json.loads(line["payload"])["ENCRYPTED_DATA"]
        data = wire.base64.urlsafe_b64decode(value + "=" * (-len(value) % 4))
        form = self.choice.randrange(4)
        if form < 2:
            data = mutated_bytes(self.choice, data[:57]) + data[57:]
        elif form == 2:
            data = mutated_bytes(self.choice, data)
        text = wire.base64url(data)
        if form == 3 and text:
            text = mutated_text(self.choice, text[-4:]).join((text[:-4], "")) if self.choice.random() < 0.5 else (
                mutated_text(self.choice, text))
        return line | {"payload": json.dumps({"ENCRYPTED_DATA": text})}

    def message(self):
        """Returns a line with a sealed message that is mutated before or after it is signed."""
        choice = self.choice
        line = dict(choice.choice(self.good))
        original = choice.choice(self.originals).encode()
        if choice.random() < 0.35:
            original = mutated_bytes(choice, original)
        elif choice.random() < 0.4:
            original = mutated_text(choice, original.decode()).encode("utf-8", "surrogatepass")
        lifetime = choice.choice((1, 60, 300, 604_800, 172_800, 2_592_000, 0, 2_592_001, choice.getrandbits(32)))
        edge = choice.choice((names.oldest(min(lifetime, 2_592_000)), -names.MOST_AHEAD, 0, 0))
        issued = max(0, line["now_ms"] - edge + choice.choice((-1, 0, 1, 0)))
        issued = issued if choice.random() < 0.95 else choice.getrandbits(64)
        message = wire.Message(original[:65_535], choice.randbytes(16), issued, bytes(choice.choice((0, 0, 1, 100))), None,
                               choice.choice((1,) * 12 + (8, 8, 9, 9, 2, 3, 4, 5, 6, 7, 0, 10)), lifetime)
        recipient = choice.choice((names.ALICE, names.ALICE, names.ALICE, names.BOB))
        signer = choice.choice((names.ACME, names.ACME, names.MALLORY, None))
        if signer is None:
            data = message.encoded()
            data = mutated_bytes(choice, data[:32], 1) + data[32:] if choice.random() < 0.3 else data
        else:
            before = message.before_signature(signer.key_id)
            if choice.random() < 0.3:
                before = mutated_bytes(choice, before[:32], 1) + before[32:]
            elif choice.random() < 0.1:
                before = mutated_bytes(choice, before, 1)
            data = before + signer.sign(wire.signature_context(recipient) + before)
            if choice.random() < 0.3:
                data = data[:-72] + mutated_bytes(choice, data[-72:], 1)
        box = wire.sealed_box(data, recipient, choice.randbytes(32))
        envelope = wire.envelope_header(recipient) + box
        text = wire.base64url(envelope)
        if choice.random() < 0.05:
            return {name: part for name, part in line.items() if name != "payload"} | {"userInfo-value": text}
        return line | {"payload": json.dumps({"ENCRYPTED_DATA": text})}

    def original(self):
        """Returns a line with a change in the sealed original only."""
        choice, line = self.choice, dict(self.choice.choice(self.good))
        text = choice.choice(self.originals)
        original = mutated_bytes(choice, text.encode()) if choice.random() < 0.4 else (
            mutated_text(choice, text).encode("utf-8", "surrogatepass"))
        message = wire.Message(original[:65_535], choice.randbytes(16), line["now_ms"])
        data = wire.signed(message, names.ACME, names.ALICE)
        value = wire.base64url(wire.envelope_header(names.ALICE) + wire.sealed_box(data, names.ALICE, choice.randbytes(32)))
        return line | {"payload": json.dumps({"ENCRYPTED_DATA": value}), "kinds": ["notification"]}

    def next(self):
        line = self.choice.choice((self.payload, self.envelope, self.message, self.message, self.original))()
        # JSON can't carry half of a pair from one program to another.
        return {name: part.encode("utf-8", "replace").decode() if isinstance(part, str) else part
                for name, part in line.items()}


def suits_tool(line):
    """Returns a Boolean value that indicates whether the tool has options for a line."""
    accounts = line["accounts"]
    is_push = tuple(line["kinds"]) in KINDS and line["kinds"] != ["background"]  # A background push opens challenges, too.
    return is_push and len(accounts) == 1 and accounts[0]["accept"].get("signed_by") != []


def tool_result(tool, line, rings, signers):
    push_type, accounts = KINDS[tuple(line["kinds"])], line["accounts"]
    thumbprints = tuple(key["kid"] for key in accounts[0]["keys"])
    if thumbprints not in rings:
        rings[thumbprints] = tool.keyring(accounts[0]["keys"])
    payload = line["payload"] if "payload" in line else json.dumps({"ENCRYPTED_DATA": line["userInfo-value"]})
    senders = [signers[key["kid"]] for key in accounts[0]["accept"].get("signed_by", [])]
    text, code = tool.open(payload, rings[thumbprints], senders, push_type, line["now_ms"])
    return {"fails": code} if code else {"original": text.decode()}


def run(count, seed, tool, report):
    """Returns how often each code occurred."""
    fuzzer, codes, rings = Fuzzer(seed), {}, {}
    keys = fuzzer.file["keys"]
    signers = {keys[name]["kid"]: tool.file(json.dumps(public(keys[name]))) for name in ("acme", "mallory")}
    for start in range(0, count, BATCH):
        lines = [fuzzer.next() for _ in range(min(BATCH, count - start))]
        results = dict(zip(OPENERS, tool.map(
            lambda opener, lines=lines: [json.loads(text) for text in filtered(command(opener, "open"), lines)], OPENERS),
            strict=True))
        for line, *answers in zip(lines, *results.values(), strict=True):
            code = answers[0].get("fails", "opens")
            codes[code] = codes.get(code, 0) + 1
            for opener, answer in zip(OPENERS[1:], answers[1:], strict=True):
                report.compare(opener, "fuzzing", json.dumps(line), answers[0], answer)
            report.passed["python", "fuzzing"] = report.passed.get(("python", "fuzzing"), 0) + 1
        suitable = [pair for pair in zip(lines, results["python"], strict=True) if suits_tool(pair[0])]
        sample = suitable[:max(1, len(lines) // TOOL_SHARE)]

        def test(pair):
            line, wanted = pair
            answer = tool_result(tool, line, rings, signers)
            wanted = {"original": wanted["opens"]["original"]} if "opens" in wanted else wanted
            report.compare("tool", "fuzzing", json.dumps(line), wanted, answer)

        tool.map(test, sample)
        if sys.stderr.isatty():
            print(f"\r{start + len(lines)} of {count}, {len(report.differences)} differences", end="", file=sys.stderr)
    return codes
