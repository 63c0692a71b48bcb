#!/usr/bin/env python3
"""Prints the provenance of packages: SLSA's provenance v1 in a statement of in-toto v1, without a signature.

    provenance.py INPUTS FILE...

INPUTS is the output of inputs.py. The same inputs, files and SOURCE_DATE_EPOCH give the same bytes.
"""

import argparse
import json
import os
import pathlib
import sys

sys.dont_write_bytecode = True
from inputs import digest  # noqa: E402

NOTE = "This statement isn't signed, so it proves nothing about its author. Only the owner of the project can sign it."


def materials(inputs):
    """The sources, the packages and the linked files of the system."""
    yield {"name": "pushcrypt", "digest": {"gitCommit": inputs["commit"]}}
    for name, revision in sorted(inputs["resolved"].items()):
        package = inputs["packages"][name]
        yield {"name": f"{name} {package['version']}", "uri": f"git+{package['url']}@{package['version']}",
               "digest": {"gitCommit": revision},
               "annotations": {"revisionOfTheAuthors": package["revision"], "sourcesTree": package["tree"]}}
    for name, file in sorted(inputs["linked"].items()):
        of_debian = f"{file['package']} {file['version']}"
        package = of_debian if file["package"] else "the toolchain, or a file of the project"
        yield {"name": name, "digest": {"sha256": file["sha256"]}, "annotations": {"package": package}}


def statement(inputs, files):
    return {
        "_type": "https://in-toto.io/Statement/v1",
        "subject": [{"name": name, "digest": {"sha256": digest(file)}}
                    for name, file in sorted((file.name, file) for file in files)],
        "predicateType": "https://slsa.dev/provenance/v1",
        "predicate": {
            "buildDefinition": {
                "buildType": "urn:pushcrypt:build:package:1",
                "externalParameters": {"commit": inputs["commit"], "command": ".ci/package/build"},
                "internalParameters": {
                    "SOURCE_DATE_EPOCH": os.environ["SOURCE_DATE_EPOCH"], "traits": inputs["traits"],
                    "machine": inputs["machine"], "system": inputs["system"]["name"],
                },
                "resolvedDependencies": list(materials(inputs)),
            },
            "runDetails": {"builder": {"id": "urn:pushcrypt:builder:local", "version": inputs["tools"]}},
            "pushcrypt_note": NOTE,
        },
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("inputs", type=pathlib.Path)
    parser.add_argument("files", type=pathlib.Path, nargs="+", metavar="FILE")
    options = parser.parse_args()
    print(json.dumps(statement(json.loads(options.inputs.read_text()), options.files), indent=2))


if __name__ == "__main__":
    main()
