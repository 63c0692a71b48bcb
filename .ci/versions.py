#!/usr/bin/env python3
"""Compares the version of the tool with all other places that have it: languages, templates, pages, tests.

    .ci/versions.py              fails if a place has another version, or a new place has the version
    .ci/versions.py --list       prints the places
    .ci/versions.py --set 0.2.0  writes another version into all places, except for the change logs

A change log gets a new first section by hand, because it keeps the sections of earlier versions.
"""

import argparse
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
VERSION = r"\d+\.\d+\.\d+"
SOURCE = ("Sources/PushCryptCLI/Version/ToolVersion.swift", 'static let number = "(@)"')

# The places, each with an expression. The group is the version, in all matches.
PLACES = (
    SOURCE,
    ("README.md", r"\*\*Status:\*\* version (@)"),
    ("Docs/Compliance.md", r"Version (@) isn't \[released\]|# (@) \(libsodium|PushCrypt (@) isn't released|Their version is (@)"),
    ("Docs/Contributing.md", r"(?m)^(@)$|from: \"(@)\""),
    ("Docs/Operating.md", r"pushcrypt --version    # (@) \(|from: \"(@)\""),
    ("Docs/OtherLanguages.md", r'"version": "(@)"'),
    ("Sources/Languages/go/README.md", r"pushcrypt@v(@)"),
    ("Sources/Languages/go/example/go.mod", r"pushcrypt v(@)"),
    ("Sources/Languages/go/version.go", r'const Version = "(@)"'),
    ("Sources/Languages/java/README.md", r"pushcrypt-(@)\.jar|pushcrypt:(@) "),
    ("Sources/Languages/java/example/pom.xml", r"<artifactId>pushcrypt</artifactId>\s*<version>(@)<"),
    ("Sources/Languages/java/pom.xml", r"(?m)^  <version>(@)<"),
    ("Sources/Languages/java/src/pushcrypt/Version.java", r'VERSION = "(@)"'),
    ("Sources/Languages/node/package.json", r'(?m)^  "version": "(@)"'),
    ("Sources/Languages/php/composer.json", r'(?m)^    "version": "(@)"'),
    ("Sources/Languages/php/src/Version.php", r"const VERSION = '(@)'"),
    ("Sources/Languages/python/pushcrypt/__init__.py", r'__version__ = "(@)"'),
    ("Sources/Languages/ruby/lib/pushcrypt/version.rb", r'VERSION = "(@)"'),
    ("Sources/Languages/rust/Cargo.lock", r'name = "pushcrypt"\nversion = "(@)"'),
    ("Sources/Languages/rust/Cargo.toml", r'name = "pushcrypt"\nversion = "(@)"'),
    ("Sources/Languages/rust/example/Cargo.lock", r'name = "pushcrypt"\nversion = "(@)"'),
    ("Sources/PushCryptCLI/Templates/Expo/expo.podspec", r's\.version = "(@)"'),
    ("Sources/PushCryptCLI/Templates/Expo/with-pushcrypt.js", r'"version": "(@)"|version: \{ example: "(@)"'),
    ("Sources/PushCryptCLI/Templates/Flutter/pubspec.yaml", r"(?m)^version: (@)"),
    ("Sources/PushCryptCLI/Templates/ReactNative/react-native-package.json", r'"version": "(@)"'),
    ("Sources/PushCryptCLI/Templates/ReactNative/react-native.podspec", r's\.version = "(@)"'),
    ("Tests/Languages/installs.py", r"pushcrypt@v(@)"),
    ("Tests/PushCryptCLITests/ToolTests.swift", r'hasPrefix\("(@) \(libsodium'),
)
# The first section of each is the version.
LOGS = ("Docs/CHANGELOG.md", *(f"Sources/Languages/{name}/CHANGES.md" for name in
                               ("go", "java", "node", "php", "python", "ruby", "rust")))
SECTION = rf"(?m)^## ({VERSION})"
# These have versions of their own, as examples, for tests of an option, or in a history.
OTHERS = re.compile(r"Tests/Expo/|Tests/Interop/implementations\.py$|Sources/Languages/rust/example/Cargo\.toml$|"
                    r"\.ci/versions\.py$|.*/CHANGES\.md$|Docs/CHANGELOG\.md$")


def matches(path, expression):
    """Returns the spans of the versions in a file."""
    text = (ROOT / path).read_text()
    found = re.finditer(expression.replace("(@)", f"({VERSION})"), text)
    return text, [next(match.span(index) for index, group in enumerate(match.groups(), 1) if group) for match in found]


def versions():
    """Yields each place with its version. A place without a match has an empty one."""
    for path, expression in PLACES:
        text, spans = matches(path, expression)
        for start, end in spans or [(0, 0)]:
            yield path, text[:start].count("\n") + 1, text[start:end]
    for path in LOGS:
        text = (ROOT / path).read_text()
        match = re.search(SECTION, text)
        yield path, text[:match.start()].count("\n") + 1, match[1]


def new_places(version):
    """Returns files that have the version, and aren't in the list."""
    process = subprocess.run(["git", "grep", "-lwF", version], cwd=ROOT, capture_output=True, text=True)
    known = {path for path, _ in PLACES}
    return [path for path in process.stdout.split() if path not in known and not OTHERS.match(path)]


def write(version):
    for path, expression in PLACES:
        text, spans = matches(path, expression)
        for start, end in reversed(spans):
            text = text[:start] + version + text[end:]
        (ROOT / path).write_text(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--set", metavar="VERSION")
    options = parser.parse_args()
    if options.set:
        if not re.fullmatch(VERSION, options.set):
            sys.exit(f"{options.set} isn't a version. Write it as in 0.2.0.")
        write(options.set)
    _, _, wanted = next(versions())
    errors = []
    for path, line, version in versions():
        if options.list:
            print(f"{path}:{line}: {version}")
        if version != wanted:
            errors.append(f"{path}:{line}: the version is {version or 'missing'} instead of {wanted}. Correct it.")
    errors += [f"{path}: the version {wanted} is in a new place. Add it to .ci/versions.py."
               for path in new_places(wanted)]
    print("\n".join(errors), end="\n" if errors else "")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
