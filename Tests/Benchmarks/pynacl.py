#!/usr/bin/env python3
"""Compares `pushcrypt seal --lines` on one thread with PyNaCl: JSON in, JSON out. Prints µs of processor time per line.

    pip install pynacl
    Tests/Benchmarks/pynacl.py TOOL... [--lines N] [--rounds N]

The rounds are interleaved, so that other load changes all alike. "PyNaCl alone" is json, SealedBox and SigningKey, without
a check. The other program is Sources/Languages/python/seal, which has the same rules as the tool.
"""

import argparse
import base64
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

SEAL = pathlib.Path(__file__).resolve().parents[2] / "Sources" / "Languages" / "python" / "seal"
SENTENCE = "You paid 1,249.00 in Berlin. "
SIZES = {"200 bytes": 5, "1 KB": 33}  # sentences


def seal_alone(signs):
    """Seals the lines of standard input without a check."""
    from nacl.public import PublicKey, SealedBox
    from nacl.signing import SigningKey
    key = SigningKey.generate() if signs else None
    for line in sys.stdin.buffer:
        members = json.loads(line)
        box = SealedBox(PublicKey(base64.urlsafe_b64decode(members.pop("to") + "=")))
        text = json.dumps(members["payload"], separators=(",", ":"), ensure_ascii=False).encode()
        sealed = base64.urlsafe_b64encode(box.encrypt(key.sign(text) if key else text)).rstrip(b"=").decode()
        aps = {"alert": {"title": "(Encrypted)"}, "mutable-content": 1}
        members["payload"] = {"aps": aps, "ENCRYPTED_DATA": sealed}
        members["headers"] = {"apns-priority": "10", "apns-push-type": "alert"}
        print(json.dumps(members, separators=(",", ":")))


def commands(tools, ring, signs):
    """Returns the command of each program by its name."""
    sender = ["--sign-with", str(ring)] if signs else ["--anonymous"]
    result = {"PyNaCl alone": [sys.executable, __file__, "--alone", str(int(signs))],
              "python/seal": [sys.executable, str(SEAL), *sender]}
    for tool in tools:
        version = subprocess.run([tool, "--version"], capture_output=True, text=True, check=True).stdout.strip()
        result[f"pushcrypt {version}"] = [tool, "seal", "--lines", "--threads", "1", *sender]
    return result


def processor_time(command, path):
    """Runs a command on the lines of a file, and returns its seconds of processor time."""
    with open(path) as lines:
        process = subprocess.Popen(command, stdin=lines, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{command[0]} failed with {process.returncode}.")
    return usage.ru_utime + usage.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tools", nargs="*")
    parser.add_argument("--lines", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--alone", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.alone is not None:
        return seal_alone(options.alone)
    if not options.tools:
        parser.error("A tool is missing. Name one.")
    with tempfile.TemporaryDirectory() as directory:
        measure(options, pathlib.Path(directory))


def measure(options, directory):
    def keygen(name, *arguments):
        command = [options.tools[0], "keygen", "--new", "--keyring", str(directory / name), *arguments]
        return json.loads(subprocess.run(command, capture_output=True, check=True).stdout)["x"]

    keys = [keygen(f"device-{number}.jwks") for number in range(50)]
    ring, path = directory / "server.jwks", directory / "lines"
    keygen(ring.name, "--use", "sig")
    for size, sentences in SIZES.items():
        payload = {"aps": {"alert": {"title": "Card payment", "body": SENTENCE * sentences}}}
        with open(path, "w") as lines:
            for number in range(options.lines):
                members = {"id": number, "to": keys[number % 50], "token": "0a" * 32, "payload": payload}
                lines.write(json.dumps(members, separators=(",", ":")) + "\n")
        for signs in (False, True):
            times = {}
            for _ in range(options.rounds):
                for name, command in commands(options.tools, ring, signs).items():
                    times.setdefault(name, []).append(processor_time(command, path) / options.lines * 1e6)
            print(f"{size}, {'signed' if signs else 'anonymous'}")
            for name, values in times.items():
                print(f"  {name:40} {statistics.median(values):6.1f}", flush=True)


main()
