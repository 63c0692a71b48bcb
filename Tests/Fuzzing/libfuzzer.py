"""Builds the fuzzers, and runs one of them."""

import json
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
BUILD = ROOT / ".build-fuzzing"
FINDINGS = HERE / "findings"


def build(package=HERE, products=BUILD):
    """Builds the fuzzers of a package, and returns their program."""
    information = json.loads(subprocess.run(["swiftc", "-print-target-info"], check=True, capture_output=True).stdout)
    library = pathlib.Path(information["paths"]["runtimeResourcePath"]) / "clang/lib/linux"
    library /= f"libclang_rt.fuzzer_no_main-{os.uname().machine}.a"
    command = ["swift", "build", "-c", "release", "--package-path", package, "--scratch-path", products,
               *(part for option in (library, "-lstdc++") for part in ("-Xlinker", option))]
    subprocess.run([str(part) for part in command], check=True, stdout=sys.stderr)
    (package / "Package.resolved").unlink(missing_ok=True)
    return program(products)


def program(products=BUILD):
    return products / "release/Fuzzing"


def run(target, *options, binary=None, **variables):
    """Runs the fuzzer of a target, and returns its exit status and its text."""
    environment = dict(
        os.environ, FUZZ_TARGET=target, SWIFT_BACKTRACE="enable=no", SWIFT_DETERMINISTIC_HASHING="1", **variables)
    command = [binary or program(), "-detect_leaks=0", "-timeout=300", "-rss_limit_mb=2048", *options]
    result = subprocess.run(
        [str(part) for part in command], env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT)
    return result.returncode, result.stdout.decode("utf-8", "replace")


def problem(text):
    """Returns the line that tells the problem."""
    for pattern in (r"Broken invariant: .*", r"Fatal error: .*", r"ERROR: libFuzzer: .*", r"SUMMARY: .*"):
        if match := re.search(pattern, text):
            return match[0]
    return text[-300:]


def executions(text):
    """Returns the number of inputs that a run has read."""
    return max([int(count) for count in re.findall(r"(?:^#|number_of_executed_units: +)(\d+)", text, re.M)], default=0)
