#!/usr/bin/env python3
"""Refuses what the deployment targets do not have: on Linux, the compiler does not look at @available for Apple's systems.

For every file of the libraries the compiler prints its syntax tree, in which each name that is used stands by its symbol;
for the modules of the toolchain it prints since when each symbol is there. What is newer than the package's platforms is
an error. Run after `swift build`. What only Apple's SDKs have (Objective-C) cannot be seen here.
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
LIBRARIES = ["PushCryptCore", "PushCryptReceiver", "PushCryptSender", "PushCryptApple", "PushCryptTesting"]
TOOLCHAIN = ["Swift", "_Concurrency", "_StringProcessing", "Foundation", "FoundationEssentials", "Dispatch", "Glibc"]
# What Package.swift declares; a name may be as old as the last update of that system.
PLATFORMS = {"iOS": 15, "macOS": 13, "watchOS": 8}
# Symbols that have a twin of the same name, which the compiler takes where this one is not there.
WITH_OLDER_TWIN = {"s:s17FixedWidthIntegerP2amoiyxx_xtFZ"}


def run(*command):
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{result.stderr[-2000:]}")
    return result.stdout


def too_new(symbol):
    """The systems of PLATFORMS on which a symbol is not there yet."""
    found = {}
    for entry in symbol.get("availability", []):
        system = entry.get("domain")
        introduced = entry.get("introduced", {}).get("major", 0)
        if system in PLATFORMS and (introduced > PLATFORMS[system] or entry.get("isUnconditionallyUnavailable")):
            found[system] = introduced or "never"
    return found


def symbols(folder):
    """Every symbol of the toolchain: those that are too new, and how many there are at all."""
    target = json.loads(run("swiftc", "-print-target-info"))["target"]["triple"]
    new, count = {}, 0
    for module in TOOLCHAIN:
        run("swift", "symbolgraph-extract", "-module-name", module, "-target", target, "-output-dir", folder,
            "-minimum-access-level", "public")
    for path in pathlib.Path(folder).glob("*.symbols.json"):
        for symbol in json.loads(path.read_text())["symbols"]:
            count += 1
            systems = too_new(symbol)
            if systems:
                new[symbol["identifier"]["precise"]] = (".".join(symbol["pathComponents"]), systems)
    return new, count


def used(library):
    """The symbols that a library's files use, by file."""
    settings = ["-swift-version", "6", "-strict-memory-safety", "-enable-experimental-feature", "Lifetimes"]
    for feature in ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility"]:
        settings += ["-enable-upcoming-feature", feature]
    files = sorted((ROOT / "Sources" / library).rglob("*.swift"))
    for file in files:
        others = [str(other) for other in files if other != file]
        tree = run(
            "swiftc", "-frontend", "-dump-ast", "-dump-ast-format", "json", "-module-name", library,
            "-package-name", ROOT.name, *settings, "-I", ROOT / ".build/debug/Modules",
            "-Xcc", f"-fmodule-map-file={ROOT}/Sources/CSodium/module.modulemap", "-primary-file", str(file), *others)
        yield file.relative_to(ROOT), set(re.findall(r'"((?:s|c):[^"]+)"', tree))


def main():
    with tempfile.TemporaryDirectory() as folder:
        new, count = symbols(folder)
    if count < 10_000 or not new:
        sys.exit(f"The toolchain has told of {count} symbols only, {len(new)} of them too new: nothing can be checked.")
    errors, files, names = [], 0, 0
    for library in LIBRARIES:
        for file, found in used(library):
            files += 1
            names += len(found)
            for symbol in sorted(found & new.keys() - WITH_OLDER_TWIN):
                name, systems = new[symbol]
                errors.append(f"{file}: {name} needs " + ", ".join(f"{key} {systems[key]}" for key in sorted(systems)))
    if names < 5_000:
        sys.exit(f"The compiler has named {names} symbols only: nothing was checked.")
    if errors:
        sys.exit("\n".join(errors))
    print(f"{files} files use {names} names, and none of them is newer than {PLATFORMS}.")


main()
