#!/usr/bin/env python3
"""Holds the build to the Swift packages of packages.json.

    packages.py --resolved FILE                  writes Package.resolved with their versions
    packages.py --resolved FILE --checkouts DIR  fails if the sources are others

SwiftPM names a package by the commit of its repository. A mirror can have the same files in a commit of its own. So the
revision comes from the tag of the repository that git reaches. The files are compared with the IDs of packages.json:
"tree" and "manifest" are Git's IDs of Sources and Package.swift. "revision" is the commit in the authors' repository.
"""

import argparse
import json
import pathlib
import subprocess
import sys

PACKAGES = json.loads(pathlib.Path(__file__).with_name("packages.json").read_text())


def git(*arguments):
    return subprocess.run(["git", *arguments], check=True, capture_output=True, text=True).stdout


def revision(url, tag):
    """Returns the commit of a tag. An annotated tag has a second line, with the commit."""
    lines = git("ls-remote", "--tags", url, f"refs/tags/{tag}", f"refs/tags/{tag}^{{}}").splitlines()
    if not lines:
        sys.exit(f"{url} has no tag {tag}. Correct packages.json.")
    return lines[-1].split()[0]


def resolved():
    """Returns the content of Package.resolved."""
    pins = []
    for name, package in sorted(PACKAGES.items()):
        state = {"revision": revision(package["url"], package["version"]), "version": package["version"]}
        pins.append({"identity": name, "kind": "remoteSourceControl", "location": package["url"], "state": state})
    return {"originHash": "", "pins": pins, "version": 3}


def compare(checkouts):
    """Ends the build if a package isn't pinned, or if its sources are others."""
    for directory in sorted(checkouts.iterdir()):
        if directory.name not in PACKAGES:
            sys.exit(f"packages.json lacks {directory.name}. Add its version and IDs.")
        if git("-C", str(directory), "status", "--porcelain"):
            sys.exit(f"{directory} has changes. Delete it.")
        for member, path in (("tree", "HEAD:Sources"), ("manifest", "HEAD:Package.swift")):
            found = git("-C", str(directory), "rev-parse", path).strip()
            if found != PACKAGES[directory.name][member]:
                sys.exit(f"{directory.name}: {path} is {found}, which isn't the {member} of packages.json. "
                         "Read the change, then correct packages.json.")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--resolved", type=pathlib.Path, required=True, metavar="FILE")
    parser.add_argument("--checkouts", type=pathlib.Path, metavar="DIR")
    options = parser.parse_args()
    if not options.checkouts:
        options.resolved.write_text(json.dumps(resolved(), indent=2) + "\n")
        return
    compare(options.checkouts)
    pins = json.loads(options.resolved.read_text())["pins"]
    found = {pin["identity"]: pin["state"]["version"] for pin in pins}
    if found != {name: package["version"] for name, package in PACKAGES.items()}:
        sys.exit(f"The build resolved {found}, which packages.json doesn't have. Correct packages.json.")


if __name__ == "__main__":
    main()
