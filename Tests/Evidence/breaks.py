"""The broken lines of promises, in a copy of the sources."""

import pathlib
import sys

import workplace

# What the tests of the promises need. Other targets would only take time.
TARGETS = [
    "Clibsodium", "PushCryptFoundation", "PushCryptCore", "PushCryptSystem", "PushCryptKeyring", "PushCryptPayload",
    "PushCryptAttachments", "PushCryptSender", "PushCryptReceiver", "PushCryptTesting", "TestSupport",
    "PushCryptCoreTests", "PushCryptSenderTests", "PushCryptReceiverTests", "PushCryptAttachmentsTests",
]


def numbers(promises):
    """The number of each promise that has a line to break."""
    return {promise["name"]: number for number, promise in enumerate(promises, 1) if "file" in promise}


def changed(promise, number):
    """The code of a promise, and the code with its broken variant."""
    if "statement" in promise:
        return promise["statement"], f"if !isMutant({number}) {{ {promise['statement']} }}"
    if "text" in promise:
        return promise["code"], promise["text"].replace("NUMBER", str(number))
    return promise["code"], f"(isMutant({number}) ? ({promise['instead']}) : ({promise['code']}))"


def located(source, promise):
    """The offset of the promise's code in its file, and an error if it isn't there once."""
    start = source.find(promise.get("within", ""))
    code = promise.get("statement") or promise["code"]
    offset = source.find(code, max(start, 0))
    unique = start >= 0 and offset >= 0 and ("within" in promise or source.find(code, offset + 1) < 0)
    return offset, None if unique else f"{promise['file']} doesn't have the code of {promise['name']} once: {code}"


def line(promise):
    """The number of the promise's line."""
    source = (workplace.ROOT / promise["file"]).read_text()
    offset, error = located(source, promise)
    if error:
        sys.exit(f"{error}. Correct promises.json.")
    return source.count("\n", 0, offset) + 1


def apply(promises, numbers, directory):
    """Adds the broken variants to the files of a directory, and leaves the other targets out of its package."""
    for promise in promises:
        if promise["name"] not in numbers:
            continue
        file = directory / promise["file"]
        source = file.read_text()
        offset, error = located(source, promise)
        if error:
            sys.exit(f"{error}. Correct promises.json.")
        code, variant = changed(promise, numbers[promise["name"]])
        file.write_text(source[:offset] + variant + source[offset + len(code):])
        module = directory / pathlib.Path(*pathlib.PurePath(promise["file"]).parts[:2])
        (module / "MutantSwitch.swift").write_bytes(workplace.switch())
    manifest = directory / "Package.swift"
    names = ", ".join(f'"{name}"' for name in TARGETS)
    text = manifest.read_text()
    # The dependency of a trait, which no build without the trait fetches.
    crypto = next(line.strip().rstrip(",") for line in text.splitlines() if "apple/swift-crypto.git" in line)
    manifest.write_text(
        f"{text}\nlet kept: Set<String> = [{names}]\npackage.targets.removeAll {{ !kept.contains($0.name) }}\n"
        f"package.products = []\npackage.dependencies = [{crypto}]\n")
