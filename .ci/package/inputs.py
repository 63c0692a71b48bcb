#!/usr/bin/env python3
"""Prints what a binary was built from, as JSON: packages, linked files, tools. The bill and the provenance need it.

    inputs.py --binary FILE --map FILE --build DIR --source DIR

--map is the map of the linker, and --build the directory of the compiler's own products. --source has the sources and
Package.resolved. No path, user or time is printed, so that two builds of the same sources print the same.
"""

import argparse
import hashlib
import json
import pathlib
import re
import subprocess

# An archive of the map is followed by its member. Objects stand behind the section that they contribute.
LINKED = re.compile(r"(?:^|\s)(/[^()\n]+?\.(?:a(?=\()|o(?=$)))", re.M)
TOOLS = ("swift", "clang", "binutils", "libsodium-dev", "libstdc++-12-dev", "libgcc-12-dev", "libc6-dev", "dpkg", "git",
         "python3")


def run(*command):
    process = subprocess.run(command, capture_output=True, text=True)
    return process.stdout if process.returncode == 0 else ""


def digest(path):
    return hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest()


def debian(path):
    """Returns the Debian package of a file and its version, or two empty strings."""
    name = run("dpkg", "-S", str(path)).partition(": ")[0].partition(":")[0].split(",")[0]
    return name, run("dpkg-query", "-W", "-f", "${Version}", name) if name else ""


def linked(linker_map, build):
    """Returns the linked files that aren't products of the compiler, by their names."""
    found = {}
    for name in sorted(set(LINKED.findall(linker_map.read_text(errors="replace")))):
        path = pathlib.Path(name)
        # A temporary object of the compiler is gone.
        if path.is_relative_to(build) or (path.suffix == ".o" and not path.exists()):
            continue
        package, version = debian(path.resolve())
        found[path.name] = {"sha256": digest(path), "package": package, "version": version}
    return dict(sorted(found.items()))


def first_line(*command):
    return run(*command).partition("\n")[0].strip()


def tools():
    found = {name: run("dpkg-query", "-W", "-f", "${Version}", name) for name in TOOLS}
    found["swift"] = first_line("swift", "--version")
    found["clang"] = first_line("clang", "--version")
    return {name: version for name, version in sorted(found.items()) if version}


def swift(version):
    """Returns the release of the compiler, and the version of ICU in its Foundation."""
    resources = pathlib.Path(json.loads(run("swift", "-print-target-info"))["paths"]["runtimeResourcePath"])
    header = resources.with_name("swift_static") / "_foundation_unicode/uvernum.h"
    return {"release": re.search(r"Swift version ([\d.]+)", version)[1],
            "icu": re.search(r'#define U_ICU_VERSION "([\d.]+)"', header.read_text())[1]}


def system():
    lines = pathlib.Path("/etc/os-release").read_text().splitlines()
    values = dict(line.split("=", 1) for line in lines if "=" in line)
    return {"id": values["ID"].strip('"'), "version": values.get("VERSION_ID", "").strip('"'),
            "name": values["PRETTY_NAME"].strip('"')}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("--binary", "--map", "--build", "--source"):
        parser.add_argument(name, type=pathlib.Path, required=True)
    options = parser.parse_args()
    description = run(str(options.binary.resolve()), "--version").strip()
    number, properties = re.fullmatch(r"(\S+) \((.*)\)", description).groups()
    properties = dict(re.match(r"(\w+):? (.*)", each).groups() for each in properties.split(", "))
    found = tools()
    print(json.dumps({
        "name": "pushcrypt", "version": number, "commit": properties["commit"], "binary": digest(options.binary),
        "machine": run("uname", "-m").strip(), "libsodium": properties["libsodium"], "x25519": properties["X25519"],
        "traits": [] if properties["traits"] == "none" else properties["traits"].split(" and "),
        "packages": json.loads((options.source / ".ci/package/packages.json").read_text()),
        "resolved": {pin["identity"]: pin["state"]["revision"]
                     for pin in json.loads((options.source / "Package.resolved").read_text())["pins"]},
        "linked": linked(options.map, options.build.resolve()),
        "swift": swift(found["swift"]), "tools": found, "system": system(),
    }, indent=2))


if __name__ == "__main__":
    main()
