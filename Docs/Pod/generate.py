#!/usr/bin/env python3
"""Writes PushCryptApple as a pod: a directory with the sources, libsodium and a podspec, for CocoaPods' option 'path'.

    Docs/Pod/generate.py --sodium DIRECTORY --output DIRECTORY

--sodium is a checkout of https://github.com/jedisct1/swift-sodium, which has Clibsodium.xcframework. A pod is one module.
PushCrypt has several, which import each other. So these imports are removed. All lines keep their numbers.
"""

import argparse
import json
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
POD = "PushCryptApple"
FRAMEWORK = "Clibsodium.xcframework"
MANIFEST = "PrivacyInfo.xcprivacy"
# CocoaPods' names of the platforms.
PLATFORMS = {"ios": "ios", "macos": "osx", "watchos": "watchos"}
OPTIONS = {
    "strictMemorySafety": "-strict-memory-safety",
    "enableUpcomingFeature": "-enable-upcoming-feature",
    "enableExperimentalFeature": "-enable-experimental-feature",
}
SIBLING = re.compile(r"(?m)^([ \t]*(?:@_exported )?(?:\w+ )?import )(PushCrypt\w+)$")


def closure(targets, name, found):
    """Appends the names of the targets that the named one needs, in the order of their dependencies."""
    for dependency in targets[name]["dependencies"]:
        needed = dependency.get("byName", [""])[0]
        if needed.startswith("PushCrypt") and needed not in found:
            closure(targets, needed, found)
    return found.append(name) or found


def flags(targets):
    """The compiler's options for the settings of the targets, and the language mode."""
    found, modes = ["-package-name pushcrypt"], set()
    for kind in (setting["kind"] for target in targets for setting in target["settings"]):
        ((name, values),) = kind.items()
        if name == "swiftLanguageMode":
            modes.update(values.values())
        elif name in OPTIONS:
            found.append(" ".join([OPTIONS[name], *values.values()]))
        elif name != "treatAllWarnings":
            sys.exit(f"The pod can't have the setting {name} of Package.swift. Add it to OPTIONS in {__file__}.")
    (mode,) = modes
    return " ".join(dict.fromkeys(found)), mode


def copy(directory, output):
    """Copies a target's files without the imports of others. A file name that is taken gets the target's name in front."""
    for source in sorted(directory.rglob("*.swift")):
        text = SIBLING.sub(lambda m: m[1] + "Foundation" if m[2] == "PushCryptFoundation" else "", source.read_text())
        if not re.sub(r"(?m)^\s*//.*$", "", text).strip():
            continue  # It had re-exports only.
        taken = any(output.rglob(source.name))
        target = output / source.relative_to(directory.parent)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.with_name(f"{directory.name}-{source.name}" if taken else source.name).write_text(text)


def podspec(description, targets):
    options, mode = flags(targets)
    version = re.search(r"(?m)^## (\d+\.\d+\.\d+)", (ROOT / "Docs/CHANGELOG.md").read_text())[1]
    return {
        "name": POD, "version": version, "summary": "Opens sealed push notifications.",
        "homepage": "https://example.com", "license": "Proprietary", "authors": "PushCrypt",
        "source": {"git": ""},
        "platforms": {PLATFORMS[each["platformName"]]: each["version"] for each in description["platforms"]},
        "swift_versions": [f"{mode}.0"],
        "source_files": "Sources/**/*.swift",
        "resource_bundles": {f"{POD}_Privacy": [MANIFEST]},
        "vendored_frameworks": FRAMEWORK,
        "pod_target_xcconfig": {"OTHER_SWIFT_FLAGS": f"$(inherited) {options}"},
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sodium", type=pathlib.Path, required=True)
    parser.add_argument("--output", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    if not (arguments.sodium / FRAMEWORK).is_dir():
        sys.exit(f"{arguments.sodium} has no {FRAMEWORK}. Pass a checkout of swift-sodium.")
    if arguments.output.exists():
        sys.exit(f"{arguments.output} exists. Delete it, or pass another directory.")
    command = ["swift", "package", "--package-path", ROOT, "dump-package"]
    description = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
    targets = {target["name"]: target for target in description["targets"]}
    # PushCryptFoundation chooses between two modules on Linux. Apple's platforms have Foundation only.
    names = [name for name in closure(targets, POD, []) if name != "PushCryptFoundation"]
    for name in names:
        copy(ROOT / "Sources" / name, arguments.output / "Sources")
    shutil.copy(ROOT / "Sources/PushCryptKeyring" / MANIFEST, arguments.output)
    shutil.copytree(arguments.sodium / FRAMEWORK, arguments.output / FRAMEWORK, symlinks=True)
    spec = podspec(description, [targets[name] for name in names])
    (arguments.output / f"{POD}.podspec.json").write_text(json.dumps(spec, indent=2) + "\n")


if __name__ == "__main__":
    main()
