"""The machine and the programs of a measurement."""

import ctypes
import pathlib
import platform
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
BENCHMARKS = ROOT / "Tests" / "Benchmarks"


def run(*command, **options):
    """Returns the standard output of a command, or ends with its error."""
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True, **options)
    if result.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{result.stdout[-2000:]}{result.stderr[-2000:]}")
    return result.stdout


def processor():
    text = pathlib.Path("/proc/cpuinfo").read_text()
    values = dict(re.findall(r"^(model name|cpu family|model)\s*: (.*)$", text, flags=re.MULTILINE))
    if "model name" not in values:
        return platform.machine()
    return f"{values['model name']}, family {values['cpu family']}, model {values['model']}"


def system():
    text = pathlib.Path("/etc/os-release").read_text()
    return re.search(r'^PRETTY_NAME="?([^"\n]*)', text, flags=re.MULTILINE)[1]


def libsodium():
    library = ctypes.CDLL("libsodium.so.23")
    library.sodium_version_string.restype = ctypes.c_char_p
    return library.sodium_version_string().decode()


def swift():
    return re.search(r"Swift version (\S+)", run("swift", "--version"))[1]


def commit():
    changed = run("git", "-C", ROOT, "status", "--porcelain", "--", "Sources", "Package.swift")
    return run("git", "-C", ROOT, "rev-parse", "--short=10", "HEAD").strip() + ("+" if changed else "")


def origin():
    """Returns the columns that say where and from what a row comes."""
    return {"commit": commit(), "processor": processor(), "system": system(), "libsodium": libsodium(), "swift": swift()}
