#!/usr/bin/env python3
"""Rejects names that the deployment targets do not have. On Linux the compiler ignores @available for Apple's systems.

    swift build --build-tests --traits APNs,FastX25519 --scratch-path .build-traits
    .ci/availability.py

The index of the build has the symbol of each name in use, also in the tests. For the modules of the toolchain, the
compiler prints in which version each symbol was introduced. A symbol that is newer than the package's platforms is an
error. Symbols that only Apple's SDKs have (Objective-C), or only Linux (Glibc), cannot be checked here.
"""

import pathlib
import re
import sys
import tempfile

import index_store
import symbols

# The modules that no app links.
ON_THE_SERVER = {"PushCryptCLI", "PushCryptAPNs", "PushCryptAPNsTesting"}
TOOLCHAIN = ["Swift", "_Concurrency", "_StringProcessing", "Foundation", "FoundationEssentials", "Dispatch", "Glibc"]
# As in Package.swift. A symbol may be as new as the last update of that major version.
PLATFORMS = {"iOS": 15, "macOS": 13, "watchOS": 8}
# Symbols with an older overload of the same name, which the compiler uses if this one is unavailable.
WITH_OLDER_OVERLOAD = re.compile(
    r"(.*Iterator.*|AsyncIteratorProtocol)\.next\(isolation:\)|String\.data\(using:allowLossyConversion:\)|.*\.&\*\(_:_:\)")


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


def used_symbols():
    """The symbols that each file of the package uses, and the platforms that the file is for."""
    for file, occurrences in index_store.Index(symbols.MODULES.parent).files(symbols.ROOT):
        found = {each.symbol for each in occurrences}
        checked = dict(re.findall(r"(\w+) (\d+)", " ".join(re.findall(r"#available\((.*?)\)", file.read_text()))))
        file = file.relative_to(symbols.ROOT)
        if file.parts[0] == "Sources" and file.parts[1] not in ON_THE_SERVER:
            platforms = PLATFORMS
        elif file.parts[0] in ("Sources", "Tests"):
            platforms = {"macOS": PLATFORMS["macOS"]}
        else:
            continue
        # A file that checks for a version uses its symbols after that check, which the compiler on a Mac verifies.
        yield file, found, {key: max(version, int(checked.get(key, 0))) for key, version in platforms.items()}


def is_newer(needed, version):
    """Whether a platform's version doesn't have a symbol; None for a platform that the file isn't for."""
    return version is not None and (needed == "never" or needed > version)


def main():
    newer, count = newer_symbols()
    if count < 10_000 or not newer:
        sys.exit(f"The toolchain lists only {count} symbols, {len(newer)} of them too new: nothing can be checked.")
    errors, files, names = [], 0, 0
    for file, found, platforms in used_symbols():
        files += 1
        names += len(found)
        for name, versions in sorted((newer[symbol] for symbol in found & newer.keys()), key=lambda pair: pair[0]):
            needed = [f"{key} {versions[key]}" for key in sorted(versions) if is_newer(versions[key], platforms.get(key))]
            if needed and not WITH_OLDER_OVERLOAD.fullmatch(name):
                errors.append(f"{file}: {name} needs {', '.join(needed)}")
    if files < 500:
        sys.exit(f"The index has only {files} files of the package. Build with all traits and tests first.")
    if names < 5_000:
        sys.exit(f"The compiler lists only {names} symbols in use: nothing was checked.")
    if errors:
        sys.exit("\n".join(errors))
    print(f"{files} files use {names} symbols. All are available on " +
          ", ".join(f"{key} {value}" for key, value in PLATFORMS.items()) + ".")


main()
