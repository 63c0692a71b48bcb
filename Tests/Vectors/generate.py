#!/usr/bin/env python3
"""Writes the files of test vectors beside this file.

With --check, it writes no file. It exits 1 if a file differs from what it would write, or doesn't fit its JSON Schema, if a
rule has no vector, or if a refusal of Format.md has no rule.

Needs Python 3.10 and libsodium 1.0.18 (libsodium.so.23) or newer, and for --check the module jsonschema (Debian's
python3-jsonschema).
"""

import argparse
import json
import sys
from pathlib import Path

# The directory belongs to the repository, so no caches are written to it.
sys.dont_write_bytecode = True

from generator import (  # noqa: E402
    apns_id_vectors, attachment_vectors, carrier_vectors, challenge_vectors, coverage, key_vectors, kit, opening_vectors, padding_vectors,
    registration_vectors, sealing_vectors, signer_list_vectors)

DIRECTORY = Path(__file__).resolve().parent
DOCUMENTS = {
    "opening": opening_vectors.document,
    "sealing": sealing_vectors.document,
    "padding": padding_vectors.document,
    "apns-ids": apns_id_vectors.document,
    "keys": key_vectors.document,
    "registrations": registration_vectors.document,
    "signer-lists": signer_list_vectors.document,
    "challenges": challenge_vectors.document,
    "carriers": carrier_vectors.document,
    "attachments": attachment_vectors.document,
}


def encoded(document):
    # ASCII, because some vectors have characters that editors and mailers change or do not show.
    return (json.dumps(document, ensure_ascii=True, indent=2) + "\n").encode()


def schema_errors(name):
    """The first errors of a file by its JSON Schema."""
    try:
        from jsonschema import Draft202012Validator
    except ImportError:
        sys.exit("The Python module jsonschema is missing. Install python3-jsonschema, and use /usr/bin/python3.")
    schema = json.loads((DIRECTORY / "schema" / f"{name}.schema.json").read_bytes())
    Draft202012Validator.check_schema(schema)
    document = json.loads((DIRECTORY / f"{name}.json").read_bytes())
    for error in list(Draft202012Validator(schema).iter_errors(document))[:5]:
        yield f"{name}.json doesn't fit its schema at {error.json_path}: {error.message[:200]}"


def readme_errors(name):
    """The arrays of a file whose numbers differ from those in the table of README.md."""
    document = json.loads((DIRECTORY / f"{name}.json").read_bytes())
    rows = [line.split("|")[1:-1] for line in (DIRECTORY / "README.md").read_text().splitlines() if line.startswith("|")]
    for array in document["counts"]:
        label = f"`{name}.json`" + ("" if array == "vectors" else f": `{array}`")
        expected = [len(document[array]), sum("rule" in vector for vector in document[array])]
        if expected not in [[int(cell) for cell in row[-2:]] for row in rows if row[0].strip() == label]:
            yield f"README.md doesn't have {expected} for {label}."


def coverage_errors():
    """The rules without a vector, and the refusals of Format.md without a rule."""
    documents = {name: json.loads((DIRECTORY / f"{name}.json").read_bytes()) for name in DOCUMENTS}
    pages = DIRECTORY.parents[1] / "Docs"
    return coverage.problems(documents, (pages / "Format.md").read_text(), (pages / "Diagnosis.md").read_text())


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write no file; exit 1 if a file differs or is invalid")
    check = parser.parse_args().check
    problems = []
    for name, document in DOCUMENTS.items():
        path = DIRECTORY / f"{name}.json"
        contents = encoded(document())
        if not path.exists() or path.read_bytes() != contents:
            if check:
                problems.append(f"{path.name} differs from what generate.py writes.")
            else:
                path.write_bytes(contents)
                print(f"wrote {path.name}", file=sys.stderr)
        if check and path.exists():
            problems += [*schema_errors(name), *readme_errors(name)]
    if check and not problems:
        problems += [*coverage_errors(), *kit.version_problems(DIRECTORY)]
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
