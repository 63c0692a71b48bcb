"""The command seal: arguments, keyring files, failing input and output, slow input, and hostile white space."""

import json
import os
import pathlib
import select
import subprocess
import time

import corpus
from implementations import ENVIRONMENT, FILTERS, SEALERS, TIMEOUT, command, filtered
from vectors import WITHOUT_ACTIVITIES, public

SECONDS = 15  # A line of 64 KiB takes far less, if the time doesn't grow with the square of its length.


def keyrings(tool, keys):
    """Returns the argument --sign-with and the exit status, by name. No case has another output than an error."""
    acme = keys["acme"] | {"created": 1, "state": "primary"}
    other = keys["mallory"] | {"created": 1, "state": "pending"}

    def file(members, mode=0o600):
        path = tool.file(json.dumps(members) if isinstance(members, dict) else members)
        path.chmod(mode)
        return path

    def ring(*items, generation=1):
        return file({"generation": generation, "keys": list(items)})

    link, pipe = tool.file(""), tool.file("")
    for path in (link, pipe):
        path.unlink()
    link.symlink_to(ring(acme))
    os.mkfifo(pipe, 0o600)
    good = {"a keyring": ring(acme), "two keys": ring(other, acme)}
    bad = {
        "a missing file": "/missing", "a directory": pathlib.Path("/"), "a device": "/dev/zero",
        "a link": link, "a pipe": pipe, "an empty file": file(""), "readable by others": file({"generation": 1, "keys": [acme]}, 0o644),
        "readable by the group": file({"generation": 1, "keys": [acme]}, 0o640), "a passphrase": file({"protection": {}, "keyring": ""}),
        "generation 0": ring(acme, generation=0), "generation 2^53": ring(acme, generation=2 ** 53), "no keys": ring(),
        "an object of keys": file({"generation": 1, "keys": {"0": acme}}), "no primary key": ring(other),
        "two primary keys": ring(acme, other | {"state": "primary"}), "a key twice": ring(acme, acme | {"state": "pending"}),
        "an unknown state": ring(acme, other | {"state": "destroyed"}), "another kid": ring(acme | {"kid": other["kid"]}),
        "no kid": ring({name: value for name, value in acme.items() if name != "kid"}),
        "a negative date": ring(acme | {"created": -1}), "a retired key without a date": ring(acme, other | {"state": "retired"}),
        "a lifetime of 0": ring(acme | {"lifetime": 0}), "another pair": ring(acme | {"d": other["d"]}),
        "a public key": ring(public(acme) | {"created": 1}), "a device's key": ring(keys["alice"] | {"created": 1, "state": "primary"}),
    }
    return {name: (path, 0) for name, path in good.items()} | {name: (path, 1) for name, path in bad.items()}


ARGUMENTS = [  # behind --anonymous
    ([], 0), (["--type=alert"], 0), (["--lifetime=000000060s"], 0), (["--expose", "badge,,sound,"], 0), (["--topic", "x" * 300], 0),
    (["--padding", "buckets|maximum"], 64), (["--padding", "max"], 64), (["--type", "al"], 64), (["--type", "__proto__"], 64),
    (["--expose", "category thread-id"], 64), (["--lifetime", "31d"], 64), (["--lifetime", "+7d"], 64), (["--lifetime", "7"], 64),
    (["--topic", ""], 64), (["--topic", "a\nb"], 64), (["--placeholder-body", ""], 64), (["--sign-with", "x"], 64),
    (["--sign-with", ""], 64), (["--nope"], 64), (["x"], 64), (["--type"], 64), (["--type", b"\xff"], 64), ([b"--\xff"], 64),
    (["--payload", "/"], 1), (["--payload", "/missing"], 1), (["--payload", "/dev/zero"], 1),
]


def run(language, tool, report):
    keys = corpus.load("opening")["keys"]
    seal, line = [str(part) for part in command(language, "seal")], json.dumps(
        {"to": public(keys["alice"]), "payload": {"aps": {"alert": "x"}}}).encode() + b"\n"

    def check(name, arguments, status, text=line, sealed=None, seconds=SECONDS):
        try:
            result = subprocess.run(seal + list(arguments), input=text, capture_output=True, env=ENVIRONMENT, timeout=seconds)
            found = {"status": result.returncode, "lines": result.stdout.count(b"\n"), "silent": not result.stderr.strip()}
        except subprocess.TimeoutExpired:
            found = {"status": "timeout"}
        report.compare(language, "commands", name, {
            "status": status, "lines": (status == 0) if sealed is None else sealed, "silent": status in (0, 65)}, found)

    for name, (path, status) in keyrings(tool, keys).items():
        check(f"keyring: {name}", ["--sign-with", path], status)
        if name == "a keyring":
            check(f"keyring with =: {name}", [f"--sign-with={path}"], status)
    for arguments, status in ARGUMENTS:
        check(f"arguments: {arguments}", ["--anonymous", *arguments], status)
    check("no sender", [], 64)
    spaces = b"".join(json.dumps({"to": f"{text}{' ' * 60_000}x", "payload": {}}).encode() + b"\n" for text in ("x", " {", "{"))
    check("white space in a key", ["--anonymous"], 65, spaces, 3)
    check("a line of 100 MB", ["--anonymous"], 65, b"x" * 100_000_000 + b"\n" + line.rstrip(), 2, TIMEOUT)
    for name, redirection in {"a full disk": ">/dev/full", "a closed output": ">&-", "a directory": "</"}.items():
        shell = subprocess.run(["sh", "-c", f'exec "$@" {redirection}', "sh", *seal, "--anonymous"], input=line,
                               capture_output=True, env=ENVIRONMENT, timeout=TIMEOUT)
        report.compare(language, "commands", name, (1, b""), (shell.returncode, shell.stdout))
    answers(seal, line, language, report)
    if language not in WITHOUT_ACTIVITIES:
        activity(seal, keys, language, report)


def answers(seal, line, language, report):
    """Checks that each line is answered before the next, and that thousands of lines are."""
    with subprocess.Popen([*seal, "--anonymous"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=ENVIRONMENT) as process:
        for _ in range(2):
            process.stdin.write(line)
            process.stdin.flush()
            ready = select.select([process.stdout], [], [], SECONDS)[0]
            report.compare(language, "commands", "a pause", True, bool(ready) and process.stdout.readline().endswith(b"}\n"))
            if not ready:
                process.kill()
                return
    # Node's key objects have blocked after thousands of lines.
    start, count = time.monotonic(), 10_000 if language == "node" else 1_000
    try:
        result = subprocess.run([*seal, "--anonymous"], input=line * count, capture_output=True, env=ENVIRONMENT, timeout=TIMEOUT)
        found = result.returncode, result.stdout.count(b"\n")
    except subprocess.TimeoutExpired:
        found = "timeout", time.monotonic() - start
    report.compare(language, "commands", f"{count} lines", (0, count), found)


def activity(seal, keys, language, report):
    """Checks that the placeholder replaces an alert, and that members with the names of inherited properties stay visible."""
    alert = {"title": "Anna", "toString": "a", "sound": "b"}
    aps = {"event": "update", "content-state": {"a": 1}, "constructor": {"b": 2}, "toString": 3, "__proto__": {"c": 4},
           "alert": alert}
    line = {"to": public(keys["alice"]), "type": "liveactivity", "payload": {"aps": aps}}
    for arguments, visible in (
        ((), {"body": "(Encrypted)", "sound": "b"}), (("--expose", "sound"), {"body": "(Encrypted)", "sound": "b"}),
        (("--placeholder-body", "News"), {"body": "News", "sound": "b"}), (("--expose", "sound,alert"), alert),
    ):
        result = subprocess.run([*seal, "--anonymous", *arguments], input=json.dumps(line).encode(), capture_output=True,
                                env=ENVIRONMENT, timeout=TIMEOUT)
        found = json.loads(result.stdout).get("payload", {}).get("aps", {})
        wanted = aps | {"alert": visible}
        report.compare(language, "commands", f"a Live Activity: {arguments}",
                       sorted((wanted | {"content-state": 0}).items(), key=str),
                       sorted((found | {"content-state": 0}).items(), key=str))


def read_keyrings(language, driver, tool, report):
    """Reads the files by a library. A missing file can be an error of its language."""
    keys = corpus.load("opening")["keys"]
    files = {name: file for name, file in keyrings(tool, keys).items() if name != "a missing file"}
    answers = filtered(driver, [{"do": "keyring", "text": str(path)} for path, _ in files.values()])
    for (name, (_, status)), answer in zip(files.items(), answers, strict=True):
        found = json.loads(answer)
        wanted = (None, True) if status else (keys["acme"]["kid"], False)
        report.compare(language, "commands", f"reading a keyring: {name}", wanted, (found.get("thumbprint"), "fails" in found))
    report.expect_count(language, "commands", len(files))


def run_all(tool, drivers, report):
    libraries = [language for language in SEALERS if language not in FILTERS]
    tool.map(lambda language: read_keyrings(language, drivers[language], tool, report), libraries)
    tool.map(lambda language: run(language, tool, report), FILTERS)
