"""The steps of a run, the commands that they call, and the report."""

import datetime
import os
import platform
import re
import subprocess
import time


class Failed(Exception):
    """The step has found a fault."""


class Skipped(Exception):
    """The step can't be run here."""


class Step:
    def __init__(self, name, action, *needs):
        self.name, self.action, self.needs = name, action, needs
        self.result, self.seconds, self.note = "SKIPPED", 0, ""

    def run(self, done, log):
        missing = [name for name in self.needs if done.get(name) != "PASS"]
        begin = time.monotonic()
        try:
            if missing:
                raise Skipped(f"needs {missing[0]}")
            self.note = self.action() or ""
            self.result = "PASS"
        except Skipped as error:
            self.result, self.note = "SKIPPED", str(error)
        except Exception as error:  # pylint: disable=broad-except
            # A fault in one step must not take the report away.
            self.result, self.note = "FAIL", str(error) or type(error).__name__
            log(f"{type(error).__name__}: {error}")
        self.seconds = time.monotonic() - begin


class Session:
    """The steps and commands of a run, with a log for each step."""

    def __init__(self, root, output, hidden):
        self.root, self.output = root, output
        self.hidden = hidden
        self.environment = dict(os.environ, PUSHCRYPT_WARNINGS_ARE_ERRORS="1")
        self.steps = []
        self.log_path = None
        os.makedirs(os.path.join(output, "logs"))

    def log(self, text):
        if self.log_path:
            with open(self.log_path, "a", encoding="utf-8") as file:
                file.write(text.rstrip("\n") + "\n")

    def call(self, *command, cwd=None, limit=1800):
        """Runs a command, and returns what it prints; its output goes to the step's log."""
        self.log("$ " + " ".join(command))
        try:
            done = subprocess.run(command, cwd=cwd or self.root, env=self.environment, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=limit, check=False)
        except subprocess.TimeoutExpired:
            raise Failed(f"{command[0]} hasn't ended after {limit} s") from None
        output, errors = (text.decode("utf-8", "replace") for text in (done.stdout, done.stderr))
        self.log(output + errors)
        if done.returncode != 0:
            # Replaced before it's cut, so that no part of a value remains.
            raise Failed(f"{command[0]} ended with {done.returncode}: {reason(self.safe(output + errors))}")
        return output

    def run(self, steps):
        done = {}
        for number, step in enumerate(steps, 1):
            self.log_path = os.path.join(self.output, "logs", f"{number:02}.txt")
            print(f"{number:2} of {len(steps)}: {step.name} …", flush=True)
            self.log(f"# {step.name}")
            step.run(done, self.log)
            done[step.name] = step.result
            print(f"         {step.result} {round(step.seconds)} s {self.safe(step.note)}", flush=True)
        self.log_path = None
        self.steps = steps

    def lines(self, *command):
        """The lines that a command prints; one empty line if it fails."""
        try:
            return self.call(*command).strip().split("\n")
        except (Failed, OSError):
            return [""]

    def first(self, *command):
        return self.lines(*command)[0]

    def safe(self, text):
        """A text without the account's values, the user's directory and device tokens."""
        for value in self.hidden:
            text = text.replace(value, "…")
        text = text.replace(os.path.expanduser("~"), "~")
        return re.sub(r"\b[0-9A-Fa-f]{64,}\b", "TOKEN", text)

    def report(self):
        counts = [sum(step.result == result for step in self.steps) for result in ("PASS", "FAIL", "SKIPPED")]
        changes = "" if self.first("git", "status", "--porcelain") == "" else ", with changes"
        system = " ".join(line.split(":", 1)[-1].strip() for line in self.lines("sw_vers"))
        facts = [
            ("commit", self.first("git", "rev-parse", "--short=12", "HEAD") + changes),
            ("date", datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M UTC")),
            ("system", f"{system}, {platform.machine()}"),
            ("Xcode", self.first("xcodebuild", "-version")),
            ("Swift", self.first("swift", "--version")),
        ]
        lines = ["PushCrypt on a Mac: {} passed, {} failed, {} skipped".format(*counts), ""]
        lines += [f"- {name}: {value}" for name, value in facts]
        lines += ["", "|step|result|seconds|note|", "|---|---|---|---|"]
        for number, step in enumerate(self.steps, 1):
            note = self.safe(step.note).replace("|", "/").replace("\n", " ")
            lines.append(f"|{number} {step.name}|{step.result}|{round(step.seconds)}|{note}|")
        return "\n".join(lines) + "\n"


def reason(text):
    """The first error of an output, otherwise its last line."""
    lines = [line.strip() for line in text.strip().split("\n")]
    found = [line for line in lines if re.search(r"\berror: |✘", line)]
    return (found or lines[-1:])[0][:300]
