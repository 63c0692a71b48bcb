"""Checks of the bill of materials and of the provenance: their schema, and what they say about the files."""

import copy
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import venv

from root import Failure, expect

PROJECT = pathlib.Path(__file__).resolve().parents[2]
INPUTS = PROJECT / ".build-packages/inputs.json"
# The library of CycloneDX has the official schemas. It is installed for the time of the check.
VALIDATOR = "cyclonedx-python-lib[json-validation]==11.12.0"
VALIDATE = """
import json, sys
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
validator = JsonStrictValidator(SchemaVersion.V1_6)
print(json.dumps([str(validator.validate_str(text) or "")[:500] for text in json.load(sys.stdin)]))
"""
# Changes that make a bill invalid.
MUTANTS = {
    "another format": lambda bill: bill.update(bomFormat="SPDX"),
    "no version of the format": lambda bill: bill.pop("specVersion"),
    "a serial number without an UUID": lambda bill: bill.update(serialNumber="1"),
    "a component without a name": lambda bill: bill["components"][0].pop("name"),
    "a hash that is too short": lambda bill: bill["metadata"]["component"]["hashes"][0].update(content="00"),
    "an unknown hash function": lambda bill: bill["metadata"]["component"]["hashes"][0].update(alg="SHA-0"),
    "an unknown member": lambda bill: bill.update(colour="red"),
    "two expressions of licences": lambda bill: bill["components"][0]["licenses"].append({"expression": "MIT"}),
    "a component twice": lambda bill: bill["components"].append(bill["components"][0]),
    "a time without a date": lambda bill: bill["metadata"].update(timestamp="12:00"),
}


def sha256(data):
    return hashlib.sha256(data).hexdigest()


def bill_fits_the_schema(packages):
    """Validates the bill, and changed ones that must be rejected."""
    bills = [json.loads(packages.bill.read_text())]
    for change in MUTANTS.values():
        bills.append(copy.deepcopy(bills[0]))
        change(bills[-1])
    with tempfile.TemporaryDirectory() as directory:
        venv.create(directory, with_pip=True)
        python = pathlib.Path(directory) / "bin/python"
        subprocess.run([python, "-m", "pip", "install", "--quiet", VALIDATOR], check=True)
        process = subprocess.run([python, "-c", VALIDATE], input=json.dumps([json.dumps(bill) for bill in bills]),
                                 check=True, capture_output=True, text=True)
    first, *others = json.loads(process.stdout)
    expect(not first, f"the bill isn't valid: {first}")
    accepted = [name for name, error in zip(MUTANTS, others, strict=True) if not error]
    expect(not accepted, f"these bills are accepted: {accepted}")


def bill_names_what_is_inside(packages, binary):
    bill = json.loads(packages.bill.read_text())
    tool, components = bill["metadata"]["component"], {each["name"]: each for each in bill["components"]}
    data = binary.read_bytes()
    expect(tool["hashes"] == [{"alg": "SHA-256", "content": sha256(data)}], f"the bill has {tool['hashes']}")
    version = subprocess.run([binary, "--version"], check=True, capture_output=True, text=True).stdout
    number, sodium = re.match(r"(\S+) \(libsodium ([\d.]+),", version).groups()
    expect(tool["version"] == number, f"the bill has the version {tool['version']}")
    expect(components["libsodium"]["version"] == sodium, f"the bill has {components['libsodium']}")
    of_debian = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", "libsodium-dev"], check=True,
                               capture_output=True, text=True).stdout.replace("+", "%2B")
    expect(f"/libsodium-dev@{of_debian}?" in components["libsodium"]["purl"], f"{components['libsodium']}")
    icu = values(components["swift-foundation-icu"])["icu"].partition(".")[0]
    expect(f"icudt{icu}l".encode() in data, f"the binary doesn't have the data of ICU {icu}")
    wanted = {"glibc", "libcurl", "libgcc", "libsodium", "libstdc++", "swift", "swift-argument-parser",
              "swift-corelibs-foundation", "swift-corelibs-libdispatch", "swift-foundation", "swift-foundation-icu"}
    expect(wanted <= set(components), f"the bill lacks {wanted - set(components)}")
    control = subprocess.run(["dpkg-deb", "--field", packages.debian, "Depends"], check=True, capture_output=True,
                             text=True).stdout.strip()
    expect(values(components["glibc"])["needs"] == control, f"the bill has {components['glibc']}")
    graph_is_complete(bill)


def values(component):
    return {each["name"].partition(":")[2]: each["value"] for each in component["properties"]}


def graph_is_complete(bill):
    """Every component is in the graph, and needed by the tool."""
    root = bill["metadata"]["component"]["bom-ref"]
    names = {root, *(each["bom-ref"] for each in bill["components"])}
    edges = {each["ref"]: each["dependsOn"] for each in bill["dependencies"]}
    expect(set(edges) == names, f"components and graph differ: {set(edges) ^ names}")
    reached, waiting = {root}, [root]
    while waiting:
        for name in edges[waiting.pop()]:
            if name not in reached:
                reached.add(name)
                waiting.append(name)
    expect(reached == names, f"the tool doesn't need {names - reached}, or needs {reached - names}")


def unknown_files_are_noticed(_):
    """A linked file without a component, and a libsodium that isn't the tool's, end the build."""
    for name, change in {
        "libunknown.a": lambda inputs: inputs["linked"].update({"libunknown.a": inputs["linked"]["libsodium.a"]}),
        "Build again": lambda inputs: inputs.update(libsodium="1.0.17"),
    }.items():
        inputs = json.loads(INPUTS.read_text())
        change(inputs)
        process = subprocess.run(
            [PROJECT / ".ci/package/bill.py", "/dev/stdin", "--needs", "libc6"], input=json.dumps(inputs), text=True,
            capture_output=True, env={**os.environ, "SOURCE_DATE_EPOCH": "1"})
        expect(process.returncode == 1 and name in process.stderr, f"{process}")


def check_provenance(statement, files, commit):
    subjects = {each["name"]: each["digest"]["sha256"] for each in statement["subject"]}
    found = {name: sha256(data) for name, data in files.items()}
    expect(subjects == found, f"the provenance has {subjects}, and the files have {found}")
    predicate = statement["predicate"]
    definition = predicate["buildDefinition"]
    parameters = definition["externalParameters"]
    expect(parameters["commit"] == commit, f"the provenance has {parameters}")
    [source] = [each for each in definition["resolvedDependencies"] if each["name"] == "pushcrypt"]
    expect(source["digest"] == {"gitCommit": commit}, f"the provenance has {source}")
    expect("isn't signed" in predicate["pushcrypt_note"], "the provenance doesn't say that it isn't signed")
    expect("6.3" in predicate["runDetails"]["builder"]["version"]["swift"], "the provenance lacks Swift's version")


def provenance_is_the_one_of_the_files(packages, binary):
    """Also checks that another file, another commit and a missing note are noticed."""
    statement = json.loads(packages.provenance.read_text())
    expect(statement["_type"] == "https://in-toto.io/Statement/v1", f"the type is {statement['_type']}")
    expect(statement["predicateType"] == "https://slsa.dev/provenance/v1", f"it is {statement['predicateType']}")
    commit = subprocess.run(["git", "-C", PROJECT, "rev-parse", "HEAD"], check=True, capture_output=True,
                            text=True).stdout
    files = {file.name: file.read_bytes() for file in (packages.archive, packages.debian, packages.bill)}
    files["pushcrypt"] = binary.read_bytes()
    check_provenance(statement, files, commit.strip())
    unsigned = copy.deepcopy(statement)
    unsigned["predicate"]["pushcrypt_note"] = "Signed."
    for wrong in ((statement, {**files, packages.bill.name: b"{}"}, commit.strip()),
                  (statement, files, "0" * 40), (unsigned, files, commit.strip())):
        try:
            check_provenance(*wrong)
        except Failure:
            continue
        raise Failure("a wrong provenance is accepted")


if __name__ == "__main__":
    sys.exit("Run Tests/Packages/run.")
