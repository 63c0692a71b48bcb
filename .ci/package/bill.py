#!/usr/bin/env python3
"""Prints the bill of materials of the tool, in CycloneDX 1.6 as JSON.

    bill.py INPUTS --needs 'libc6 (>= 2.34)'

INPUTS is the output of inputs.py. Each file that was linked belongs to a component of this script, or the script fails.
The same inputs and SOURCE_DATE_EPOCH give the same bytes.
"""

import argparse
import datetime
import hashlib
import json
import os
import pathlib
import re
import sys
import urllib.parse
import uuid

NAMESPACE = uuid.uuid5(uuid.NAMESPACE_URL, "urn:pushcrypt:bill")
SWIFT = "Apache-2.0 WITH Swift-exception"
GCC = "GPL-3.0-or-later WITH GCC-exception-3.1"

# Components that are linked into the binary: name, licence, the names of their files, the components that they need.
SWIFT_COMPONENTS = (
    ("swift", SWIFT, r"libswift(?!Dispatch)\w+\.a|swiftrt\.o", ("libstdc++", "libgcc", "glibc")),
    ("swift-corelibs-libdispatch", SWIFT, r"lib(dispatch|swiftDispatch|BlocksRuntime)\.a", ("swift", "glibc")),
    ("swift-foundation-icu", f"{SWIFT} AND Unicode-3.0", r"lib_FoundationICU\.a", ("libstdc++", "glibc")),
    ("swift-foundation", SWIFT,
     r"libFoundation(Essentials|Internationalization)\.a|lib_Foundation(CShims|Collections)\.a",
     ("swift", "swift-foundation-icu", "glibc")),
    ("swift-corelibs-foundation", SWIFT,
     r"libFoundation(Networking)?\.a|libCoreFoundation\.a|lib_CFURLSessionInterface\.a",
     ("swift", "swift-foundation", "swift-corelibs-libdispatch", "libcurl", "glibc")),
)
DEBIAN_COMPONENTS = (
    ("libsodium", "ISC", r"libsodium\.a", ("glibc",)),
    ("libstdc++", GCC, r"libstdc\+\+\.a", ("libgcc", "glibc")),
    ("libgcc", GCC, r"libgcc(_s|_eh)?\.a|crt(begin|end)\w*\.o", ("glibc",)),
    ("glibc-startup", "LGPL-2.1-or-later", r"S?crt[1in]\.o|lib(c_nonshared|dl|pthread|m|rt|util)\.a", ("glibc",)),
)
# The project's own file, in place of libcurl.
STAND_IN = "libcurl.a"


def reference(name):
    return f"pushcrypt:{name}"


def properties(**values):
    return [{"name": f"pushcrypt:{name}", "value": value} for name, value in sorted(values.items()) if value]


def component(name, version, licence, **members):
    return {"type": "library", "bom-ref": reference(name), "name": name, "version": version, "scope": "required",
            "licenses": [{"expression": licence}], **members}


def debian_url(package, version, inputs):
    name, number = urllib.parse.quote(package, safe=""), urllib.parse.quote(version, safe="")
    system, release = inputs["system"]["id"], inputs["system"]["version"]
    architecture = {"x86_64": "amd64", "aarch64": "arm64"}.get(inputs["machine"], inputs["machine"])
    return f"pkg:deb/{system}/{name}@{number}?arch={architecture}&distro={system}-{release}"


def upstream(version):
    """Returns the version of the authors in Debian's: 1.0.18 in 1.0.18-1+deb12u1, and 12.2.0 in 12.2.0-14."""
    return re.sub(r"^\d+:", "", version).rsplit("-", 1)[0].partition("+")[0]


class Linked:
    """The linked files, until a component takes them."""

    def __init__(self, inputs):
        self.files = {name: file for name, file in inputs["linked"].items() if name != STAND_IN}

    def take(self, pattern):
        return {name: self.files.pop(name) for name in list(self.files) if re.fullmatch(pattern, name)}

    def expect_none(self):
        if self.files:
            sys.exit(f"{', '.join(self.files)}: no component has them. Add them to .ci/package/bill.py.")


def listed(files):
    """The files of a component, each with its hash."""
    return [{"type": "file", "name": name, "hashes": [{"alg": "SHA-256", "content": file["sha256"]}]}
            for name, file in sorted(files.items())]


def of_the_toolchain(inputs, linked):
    release = inputs["swift"]["release"]
    for name, licence, pattern, _ in SWIFT_COMPONENTS:
        files = linked.take(pattern)
        if files:
            icu = inputs["swift"]["icu"] if "icu" in name else ""
            yield component(name, release, licence, components=listed(files),
                            properties=properties(linkage="static", toolchain=inputs["tools"]["swift"], icu=icu))


def of_the_system(inputs, linked):
    for name, licence, pattern, _ in DEBIAN_COMPONENTS:
        files = linked.take(pattern)
        if not files:
            continue
        packages = sorted({(file["package"], file["version"]) for file in files.values()})
        if any(not package for package, _ in packages) or len({version for _, version in packages}) != 1:
            sys.exit(f"{name}: the files belong to {packages}. Install them from one version of Debian's packages.")
        package, version = packages[0]
        yield component(name, upstream(version), licence, purl=debian_url(package, version, inputs),
                        components=listed(files),
                        properties=properties(linkage="static", package=f"{package} {version}"))


def of_swiftpm(inputs):
    for name in sorted(inputs["resolved"]):
        package = inputs["packages"][name]
        location = package["url"].removeprefix("https://").removesuffix(".git")
        yield component(
            name, package["version"], package["licence"], purl=f"pkg:swift/{location}@{package['version']}",
            externalReferences=[{"type": "vcs", "url": package["url"]}],
            properties=properties(linkage="static", revision=package["revision"], sourcesTree=package["tree"]))


def outside(inputs, needs):
    """What the binary loads when it runs. The versions are those of the system on which it runs."""
    version = inputs["tools"]["libc6-dev"]
    yield component("glibc", upstream(version), "LGPL-2.1-or-later",
                    description="The C library of the system, which isn't in the package.",
                    purl=debian_url("libc6", version, inputs), properties=properties(linkage="dynamic", needs=needs))
    if STAND_IN in inputs["linked"]:
        yield {**component("libcurl", "4", "curl", description=(
            "libcurl.so.4 of the system, which isn't in the package. The binary has functions of the same names, from "
            ".ci/package/curl.c of this project. They load it for the first download of a preview.")),
            "scope": "optional", "properties": properties(linkage="dlopen")}


def tool(inputs):
    return {
        "type": "application", "bom-ref": reference("tool"), "name": inputs["name"], "version": inputs["version"],
        "description": "The command-line tool of PushCrypt.",
        "hashes": [{"alg": "SHA-256", "content": inputs["binary"]}],
        "properties": properties(
            commit=inputs["commit"], machine=inputs["machine"], traits=" ".join(inputs["traits"]) or "none",
            x25519=inputs["x25519"], licence="The owner hasn't chosen a licence."),
    }


def dependencies(components, inputs):
    """The edges of the graph. A package of SwiftPM needs Swift's own libraries, and the tool needs all."""
    present = {each["name"] for each in components}
    needs = {name: needed for name, _, _, needed in SWIFT_COMPONENTS + DEBIAN_COMPONENTS}
    needs.update({name: ("swift", "swift-corelibs-foundation", "swift-foundation") for name in inputs["resolved"]})
    edges = [{"ref": reference("tool"), "dependsOn": sorted(reference(name) for name in present)}]
    for name in sorted(present):
        edges.append({"ref": reference(name),
                      "dependsOn": sorted(reference(each) for each in needs.get(name, ()) if each in present)})
    return edges


def bill(inputs, needs):
    linked = Linked(inputs)
    components = [*of_swiftpm(inputs), *of_the_toolchain(inputs, linked), *of_the_system(inputs, linked),
                  *outside(inputs, needs)]
    linked.expect_none()
    [sodium] = [each for each in components if each["name"] == "libsodium"]
    if sodium["version"] != inputs["libsodium"]:
        sys.exit(f"The tool names libsodium {inputs['libsodium']}, and the linked file is {sodium['version']}. "
                 "Build again.")
    moment = datetime.datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), datetime.timezone.utc)
    script = {"type": "application", "name": ".ci/package/bill.py", "version": inputs["commit"]}
    content = {
        "bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1,
        "metadata": {
            "timestamp": moment.strftime("%Y-%m-%dT%H:%M:%SZ"), "lifecycles": [{"phase": "build"}],
            "tools": {"components": [script]}, "component": tool(inputs),
        },
        "components": sorted(components, key=lambda each: each["name"]),
        "dependencies": dependencies(components, inputs),
    }
    text = json.dumps(content, sort_keys=True)
    serial = uuid.uuid5(NAMESPACE, hashlib.sha256(text.encode()).hexdigest())
    return {"$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json", "bomFormat": content.pop("bomFormat"),
            "specVersion": content.pop("specVersion"), "serialNumber": f"urn:uuid:{serial}", **content}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("inputs", type=pathlib.Path)
    parser.add_argument("--needs", required=True, metavar="TEXT", help="the dependency of the Debian package")
    options = parser.parse_args()
    print(json.dumps(bill(json.loads(options.inputs.read_text()), options.needs), indent=2))


if __name__ == "__main__":
    main()
