#!/usr/bin/env python3
"""Rejects names that the deployment targets do not have. On Linux the compiler ignores @available for Apple's systems.

    swift build --traits APNs,FastX25519 --scratch-path .build-traits
    .ci/availability.py

For each file of the libraries the compiler prints its syntax tree, which has the symbol of each name in use. For the
modules of the toolchain it prints in which version each symbol was introduced. A symbol that is newer than the package's
platforms is an error. Symbols that only Apple's SDKs have (Objective-C) cannot be checked here.
"""

import json
import pathlib
import re
import sys
import tempfile

import symbols

TOOLCHAIN = ["Swift", "_Concurrency", "_StringProcessing", "Foundation", "FoundationEssentials", "Dispatch", "Glibc"]
# As in Package.swift. A symbol may be as new as the last update of that major version.
PLATFORMS = {"iOS": 15, "macOS": 13, "watchOS": 8}
# Symbols with an older overload of the same name, which the compiler uses if this one is unavailable.
WITH_OLDER_OVERLOAD = {"s:s17FixedWidthIntegerP2amoiyxx_xtFZ"}


def unavailable(symbol):
    """The platforms that do not have a symbol yet, each with the version that introduces it."""
    found = {}
    for entry in symbol.get("availability", []):
        platform = entry.get("domain")
        introduced = entry.get("introduced", {}).get("major", 0)
        if platform in PLATFORMS and (introduced > PLATFORMS[platform] or entry.get("isUnconditionallyUnavailable")):
            found[platform] = introduced or "never"
    return found


def newer_symbols():
    """The symbols of the toolchain that are too new, with their names and platforms, and the number of all symbols."""
    newer, count = {}, 0
    for module in TOOLCHAIN:
        with tempfile.TemporaryDirectory() as directory:
            for graph in symbols.extract(module, pathlib.Path(directory)):
                for symbol in graph["symbols"]:
                    count += 1
                    if platforms := unavailable(symbol):
                        newer[symbol["identifier"]["precise"]] = (".".join(symbol["pathComponents"]), platforms)
    return newer, count


def used_symbols(library):
    """The symbols that a library uses, by file."""
    settings = ["-swift-version", "6", "-strict-memory-safety", "-enable-experimental-feature", "Lifetimes"]
    for feature in ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility"]:
        settings += ["-enable-upcoming-feature", feature]
    files = sorted((symbols.ROOT / "Sources" / library).rglob("*.swift"))
    for file in files:
        tree = symbols.run(
            "swiftc", "-frontend", "-dump-ast", "-dump-ast-format", "json", "-module-name", library,
            "-package-name", symbols.ROOT.name, *settings, "-I", symbols.MODULES, *symbols.c_module_maps(),
            "-primary-file", file, *(other for other in files if other != file))
        yield file.relative_to(symbols.ROOT), set(re.findall(r'"((?:s|c):[^"]+)"', tree))


def main():
    newer, count = newer_symbols()
    if count < 10_000 or not newer:
        sys.exit(f"The toolchain lists only {count} symbols, {len(newer)} of them too new: nothing can be checked.")
    errors, files, names = [], 0, 0
    for library in symbols.libraries():
        for file, found in used_symbols(library):
            files += 1
            names += len(found)
            for symbol in sorted(found & newer.keys() - WITH_OLDER_OVERLOAD):
                name, platforms = newer[symbol]
                errors.append(f"{file}: {name} needs " + ", ".join(f"{key} {platforms[key]}" for key in sorted(platforms)))
    if names < 5_000:
        sys.exit(f"The compiler lists only {names} symbols in use: nothing was checked.")
    if errors:
        sys.exit("\n".join(errors))
    print(f"{files} files use {names} symbols. All are available on " +
          ", ".join(f"{key} {value}" for key, value in PLATFORMS.items()) + ".")


main()
