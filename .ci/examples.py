#!/usr/bin/env python3
"""Type-checks each Swift example in doc comments of Sources and in articles of DocC catalogues.

    swift build --traits APNs,FastX25519 --scratch-path .build-traits
    .ci/examples.py

An example is a block between "```swift" and "```". Each is checked alone, as a file of its own, with these imports:
Foundation, the product that it belongs to (sender and receiver for modules that both re-export) unless it imports a
PushCrypt module itself, the system's frameworks for PushCryptApple, and the names in examples-preamble.swift.
An error shows the example's own file and line.
"""

import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import symbols

# Raise this when you add examples.
MINIMUM = 30
PREAMBLE = pathlib.Path(__file__).with_name("examples-preamble.swift")
IMPORTS = {
    "PushCryptSender": ["PushCryptSender"],
    "PushCryptLint": ["PushCryptLint"],
    "PushCryptReceiver": ["PushCryptReceiver"],
    "PushCryptApple": ["PushCryptApple", "UserNotifications", "UserNotificationsUI", "PushKit", "CallKit", "UIKit"],
    "PushCryptDownloads": ["PushCryptApple"],
    "PushCryptTesting": ["PushCryptTesting"],
    "PushCryptAPNs": ["PushCryptAPNs"],
    "PushCryptAPNsTesting": ["PushCryptAPNsTesting"],
}
# The modules of apps and extensions.
APP = {"PushCryptApple", "PushCryptReceiver", "PushCryptDownloads", "PushCryptAttachments"}
INTERNAL = ["PushCryptSender", "PushCryptReceiver"]
# On Linux, Foundation has its network requests in a module of their own.
FOUNDATION = ["Foundation", "FoundationNetworking"] if sys.platform == "linux" else ["Foundation"]


def examples():
    """The examples, each as its file, the number of its first line, and its lines."""
    swift, articles = symbols.ROOT.glob("Sources/**/*.swift"), symbols.ROOT.glob("Sources/*/*.docc/**/*.md")
    for file in sorted([*swift, *articles]):
        block = None
        for number, line in enumerate(file.read_text().split("\n"), 1):
            if file.suffix == ".swift":
                comment = re.match(r"\s*/// ?(.*)", line)
                if not comment:
                    block = None
                    continue
                line = comment[1]
            if block is None and re.fullmatch(r"\s*```swift", line):
                block, start = [], number + 1
            elif block is not None and line.strip() == "```":
                yield file, start, block
                block = None
            elif block is not None:
                block.append(line)


def check(number, example, directory, options):
    """The compiler's errors for an example, alone and, in an app, with the isolation of a new Xcode project."""
    isolations = [[], ["-default-isolation", "MainActor"]] if example[0].relative_to(symbols.ROOT).parts[1] in APP else [[]]
    for isolation in isolations:
        if errors := compile_alone(f"{number}{len(isolation)}", example, directory, [*options, *isolation]):
            return errors
    return ""


def compile_alone(number, example, directory, options):
    file, start, lines = example
    modules = [*FOUNDATION, "ExamplesPreamble"]
    if not any(re.match(r"\s*import PushCrypt", line) for line in lines):
        modules += IMPORTS.get(file.relative_to(symbols.ROOT).parts[1], INTERNAL)
    code = directory / f"example{number}" / "main.swift"
    code.parent.mkdir()
    code.write_text("".join(f"import {module}\n" for module in modules)
                    + f'#sourceLocation(file: "{file.relative_to(symbols.ROOT)}", line: {start})\n'
                    + "\n".join(lines) + "\n")
    result = subprocess.run(["swiftc", "-typecheck", *options, "-suppress-warnings", "-module-name", "Example", code],
                            cwd=symbols.ROOT, capture_output=True, text=True)
    return result.stderr if result.returncode else ""


def newer_stand_ins(parent, options):
    """The option for stand-ins with the annotations of current SDKs, which older ones don't have."""
    directory = parent / "Newer"
    directory.mkdir(exist_ok=True)
    for module, old, new in [
            ("UserNotifications", "completionHandler: @escaping (", "completionHandler: @escaping @Sendable ("),
            ("UserNotificationsUI", "    func didReceive(_ notification", "    @MainActor func didReceive(_ notification")]:
        files = []
        for file in sorted((symbols.ROOT / "Tests/Shims" / module).glob("*.swift")):
            files.append(directory / file.name)
            files[-1].write_text(file.read_text().replace(old, new))
        if not any(new in file.read_text() for file in files):
            sys.exit(f"No stand-in of {module} has the older annotations.")
        symbols.run("swiftc", "-emit-module", "-parse-as-library", "-I", directory, *options, "-package-name", "pushcrypt",
                    "-module-name", module, "-emit-module-path", directory / f"{module}.swiftmodule", *files)
    return ["-I", directory]


def main():
    symbols.libraries()
    found = list(examples())
    with tempfile.TemporaryDirectory() as name, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        directory = pathlib.Path(name)
        options = ["-swift-version", "6", "-enable-upcoming-feature", "MemberImportVisibility", "-I", symbols.MODULES,
                   "-I", directory, *symbols.c_module_maps()]
        symbols.run("swiftc", "-emit-module", "-parse-as-library", *options, "-module-name", "ExamplesPreamble",
                    "-emit-module-path", directory / "ExamplesPreamble.swiftmodule", PREAMBLE)
        # The package compiles the example app as a new Xcode project does. Other projects don't isolate by default.
        app = ["-typecheck", "-warnings-as-errors", "-parse-as-library", "-module-name", "App",
               # Server and FirstServer are packages of their own.
               *sorted(file for file in symbols.ROOT.glob("Docs/Examples/**/*.swift") if "Server/" not in str(file))]
        for isolation in [], ["-default-isolation", "MainActor"]:
            symbols.run("swiftc", *app, *options, *isolation)
            symbols.run("swiftc", *app, *newer_stand_ins(directory, options), *options, *isolation)
        errors = [error for error in pool.map(
            lambda item: check(*item, directory, options), enumerate(found)) if error]
    if errors:
        sys.exit("".join(errors) + f"{len(errors)} of {len(found)} examples do not compile.")
    print(f"{len(found)} examples compile; at least {MINIMUM} are required.")
    if len(found) < MINIMUM:
        sys.exit("Examples are missing from doc comments.")


main()
