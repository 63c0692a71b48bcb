"""An empty project with a package of a language, in which commands run without a network."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
INTEROP = ROOT / "Tests" / "Interop"
sys.path.insert(0, str(INTEROP))

import corpus  # noqa: E402
import implementations  # noqa: E402
import packaged  # noqa: E402
import recipes  # noqa: E402
from implementations import ENVIRONMENT, LANGUAGES, TOOL, Failure  # noqa: E402
from vectors import public  # noqa: E402

TIMEOUT = 1800  # seconds of one command, which end a hung one
# Go's cache has the compiled standard library, and nothing from a network.
CACHE = {"GOCACHE": os.environ.get("GOCACHE", f"{pathlib.Path.home()}/.cache/go-build")}
TOKEN = "0a1b" * 16
SOURCE_OF_VERSION = ROOT / "Sources" / "PushCryptCLI" / "Version" / "ToolVersion.swift"


def version():
    """Returns the version of the tool, by its source, and by itself if it is built."""
    written = re.search(r'static let number = "([0-9.]+)"', SOURCE_OF_VERSION.read_text())[1]
    if TOOL.exists():
        printed = implementations.run([TOOL, "--version"]).decode().split()[0]
        expect("the tool's version", written, printed)
    return written


def expect(subject, wanted, found):
    if wanted != found:
        raise Failure(f"{subject} is {str(found)[:500]!r} instead of {str(wanted)[:500]!r}.")


def keys():
    return corpus.load("opening")["keys"]


def registration(generation=1, **members):
    key = public(keys()["alice"])
    return json.dumps({"created": 1_767_225_600, "generation": generation, "key": key, "lifetime": 604_800} | members)


def keyring():
    """Returns the text of the server's keyring."""
    key = keys()["acme"] | {"created": 1_700_000_000, "state": "primary"}
    return json.dumps({"generation": 1, "keys": [key]})


def opening_line(sealed):
    """Returns the line of the filter open for a payload that was sealed now."""
    account = {"name": "main", "keys": [keys()["alice"]], "accept": {"signed_by": [public(keys()["acme"])]}}
    return {"payload": sealed, "kinds": ["notification"], "now_ms": time.time_ns() // 1_000_000, "accounts": [account]}


def original(sealed):
    """Returns the text that a device opens. The opener is Python's."""
    answer = json.loads(implementations.filtered(implementations.command("python", "open"), [opening_line(sealed)])[0])
    return answer.get("opens", answer).get("original", answer)


class Project:
    """The package of a language and an empty directory beside it."""

    def __init__(self, language, work):
        self.language, self.package, self.directory = language, work / "pushcrypt", work / "project"
        self.home = work / "home"
        self.directory.mkdir()
        self.home.mkdir()
        self.count = len(packaged.lines(language)) - 1
        for name, text in (("server.jwks", keyring()), ("registration.json", registration())):
            (self.directory / name).write_text(text)
            (self.directory / name).chmod(0o600)

    def write(self, name, text):
        path = self.directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def run(self, *command, text=b"", environment=None, directory=None, statuses=(0,)):
        """Returns the standard output of a command that has no network and no files of its user."""
        result = subprocess.run(
            ["unshare", "--net", *map(str, command)], input=text, capture_output=True, timeout=TIMEOUT,
            cwd=directory or self.directory, env=ENVIRONMENT | {"HOME": str(self.home)} | CACHE | (environment or {}))
        if result.returncode not in statuses:
            output = (result.stdout + result.stderr).decode(errors="replace")
            raise Failure(f"{' '.join(map(str, command))} ended with {result.returncode}:\n{output[-3000:]}")
        return result.stdout

    def recipe(self, name):
        """Writes the recipe of the README into the project."""
        text = (self.package / "README.md").read_text()
        return self.write(name, re.search(r"```\w+\n(.*?)```", text, re.S)[1])

    def expect_check(self, output):
        """Compares the last line of a check."""
        found = output.decode().splitlines()[-1:]
        expect("the result of the check", [f"pushcrypt {version()}: {self.count} vectors passed, 0 failed"], found)

    def expect_sealed(self, sealed):
        """Opens the output of a recipe."""
        expect("the original", recipes.PAYLOAD.decode(), original(sealed.decode()))

    def expect_changes(self):
        """Compares the version of the change list's first section."""
        sections = re.findall(r"(?m)^## (\S+)", (self.package / "CHANGES.md").read_text())
        expect("the newest section of CHANGES.md", version(), sections[0])

    def expect_filter(self):
        """Seals a line by the package's filter if there is one, and opens it by the package's other filter."""
        if self.language not in implementations.FILTERS:
            return
        line = {"to": public(keys()["alice"]), "payload": json.loads(recipes.PAYLOAD)}
        ring = self.directory / "server.jwks"
        text = json.dumps(line, ensure_ascii=False).encode() + b"\n"
        output = self.run(self.package / "seal", "--sign-with", ring, text=text)
        sealed = json.dumps(json.loads(output)["payload"])
        self.expect_sealed(sealed.encode())
        if self.language in implementations.OPENERS:
            opened = self.run(self.package / "open", text=json.dumps(opening_line(sealed)).encode() + b"\n")
            expect("what open finds", recipes.PAYLOAD.decode(), json.loads(opened)["opens"]["original"])


def write_package(language, directory):
    implementations.run([implementations.PYTHON, LANGUAGES / "package", language, directory])


def remove(path):
    shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
