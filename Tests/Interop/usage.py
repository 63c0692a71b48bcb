"""The grammar of the arguments of each `seal`: the exit status, and no message after an error."""

import json
import subprocess

import corpus
from implementations import ENVIRONMENT, FILTERS, TIMEOUT, command
from vectors import public

RING = "KEYRING"  # stands for a file
VALUED = ("payload", "type", "lifetime", "padding", "placeholder-body", "topic", "carrier", "app-id")
TRACES = (b"Traceback", b"Stack trace", b"goroutine", b"\tat ", b"    at ", b":in `")


def unclear():
    """Returns arguments that don't say clearly whether to sign."""
    yield from ([], ["--sign-with", ""], ["--sign-with="], ["--sign-with"], ["--sign-with", "--anonymous"])
    yield from ([f"--anonymous={value}"] for value in ("false", "true", "0", ""))
    yield from (["--anonymous", "false"], ["--no-anonymous"], ["-anonymous"], ["--anon"], ["--anonymous=false", "--anonymous"])
    yield from (["--anonymous", "--sign-with", ""], ["--anonymous", "--sign-with", RING], ["--sign-with", "", "--sign-with", RING])


def invalid():
    """Returns wrong options beside `--anonymous`."""
    yield from ([f"--{name}="] for name in VALUED)
    yield from ([f"--{name}", ""] for name in ("payload", "topic", "placeholder-body", "carrier"))
    yield from ([f"--{name}", "--type", "alert"] for name in ("payload", "topic", "expose", "placeholder-body"))
    for name, *values in (
        ("type", "widgets", "Alert"), ("lifetime", "60", "0s", "31d", "1w", "12h\n"), ("padding", "bucket"),
        ("expose", "Alert", "category,x", "category, badge"), ("topic", "a b", "é", "a\n"),
        ("carrier", "fax", "Expo", "expo,apns", "onesignal", "__proto__"), ("app-id", "a"),
    ):
        yield from ([f"--{name}={value}"] for value in values)
    yield from (["--type", "bad", "--type", "alert"], ["--lifetime", "1w", "--lifetime", "1d"], ["--topic", "", "--topic", "a"])
    yield from (["--carrier", "fax", "--carrier", "apns"], ["--carrier", "expo", "--app-id", "a"])
    yield from (["--carrier", "onesignal", f"--app-id={text}"] for text in ("", "a b", "é", "a\n"))
    yield from (["--lifetime"], ["--to", "x"], ["line.json"], ["--"], ["-type", "alert"], ["--typ", "alert"])


def valid():
    yield from (["--expose", ""], ["--expose="], ["--expose", "category,", "--expose", "badge"], ["--lifetime=12h"])
    yield from (["--expose=alert"], ["--expose", "sound,alert"])
    yield from (["--anonymous"], ["--type", "voip", "--type", "alert"], ["--placeholder-body=-x"], ["--topic=a=b"])
    yield from (["--carrier", "apns"], ["--carrier=expo", "--carrier=apns"])


def cases():
    """Returns the arguments with the exit status, and the number of sealed lines."""
    yield from ((arguments, 64, 0) for arguments in unclear())
    yield from ((["--anonymous", *arguments], 64, 0) for arguments in invalid())
    yield from ((["--anonymous", *arguments], 0, 1) for arguments in valid())
    yield from (([argument], 0, 0) for argument in ("--help", "-h"))


def run(language, ring, report):
    alice = public(corpus.load("opening")["keys"]["alice"])
    line = json.dumps({"to": alice, "payload": {"aps": {"alert": "x"}}}).encode() + b"\n"

    def test(name, arguments, status, sealed, shell="", hidden=()):
        parts = [str(part) for part in (*command(language, "seal"), *arguments)]
        result = subprocess.run(
            ["/bin/sh", "-c", f'exec "$0" "$@" {shell}', *parts], input=line, capture_output=True, timeout=TIMEOUT,
            env={key: value for key, value in ENVIRONMENT.items() if key not in hidden})
        found = {"status": result.returncode, "sealed": result.stdout.count(b'"headers":'),
                 "rejected": result.stdout.count(b'"error":'), "trace": any(trace in result.stderr for trace in TRACES)}
        wanted = {"status": status, "sealed": sealed, "rejected": 0, "trace": False}
        report.compare(language, "usage", name, wanted, found)

    for arguments, status, sealed in cases():
        arguments = [ring if argument is RING else argument for argument in arguments]
        test(" ".join(map(repr, map(str, arguments))), arguments, status, sealed)
    test("a closed input", ["--anonymous"], 1, 0, shell="<&-")
    test("without HOME", ["--anonymous"], 0, 1, hidden=("HOME",))


def run_all(tool, report):
    ring = tool.keyring([corpus.load("opening")["keys"]["acme"]])
    tool.map(lambda language: run(language, ring, report), FILTERS)
