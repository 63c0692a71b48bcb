"""The broken lines of promises, in a copy of the sources with the targets that their tests need."""

import functools
import json
import re
import subprocess

import broken
import workplace


def numbers(promises):
    """The number of each promise that has a line to break."""
    return {promise["name"]: number for number, promise in enumerate(promises, 1) if "file" in promise}


@functools.cache
def suites():
    """The targets of all suites of tests."""
    found = {}
    for file in workplace.tracked():
        if file.parts[0] == "Tests" and file.parts[1].endswith("Tests") and file.suffix == ".swift":
            for name in re.findall(r"\bstruct (\w+)", (workplace.ROOT / file).read_text(encoding="utf-8")):
                found.setdefault(name, set()).add(file.parts[1])
    return found


def test_targets(promises):
    """The targets with the suites of promises."""
    return set().union(*(suites()[name] for promise in promises for name in promise["tests"]))


def needed(targets):
    """The targets of the package with their dependencies."""
    description = subprocess.run(
        ["swift", "package", "dump-package"], cwd=workplace.ROOT, check=True, stdout=subprocess.PIPE).stdout
    dependencies = {
        target["name"]: [next(iter(each.values()))[0] for each in target["dependencies"]]
        for target in json.loads(description)["targets"]}
    found, rest = set(), sorted(targets)
    while rest:
        name = rest.pop()
        if name in dependencies and name not in found:
            found.add(name)
            rest += dependencies[name]
    return found


def apply(promises, numbers, directory):
    """Adds the broken variants to the files of a directory, and leaves the other targets out of its package."""
    targets = needed(test_targets(promises))
    broken.apply(promises, numbers, directory)
    manifest = directory / "Package.swift"
    names = ", ".join(f'"{name}"' for name in sorted(targets))
    text = manifest.read_text()
    # The dependency of a trait, which no build without the trait fetches.
    crypto = next(line.strip().rstrip(",") for line in text.splitlines() if "apple/swift-crypto.git" in line)
    manifest.write_text(
        f"{text}\nlet kept: Set<String> = [{names}]\npackage.targets.removeAll {{ !kept.contains($0.name) }}\n"
        f"package.products = []\npackage.dependencies = [{crypto}]\n")
