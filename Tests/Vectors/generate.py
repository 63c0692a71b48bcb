#!/usr/bin/env python3
"""Writes attachments.json, keys.json, opening.json and registrations.json beside this file. With --check, exits 1 if they differ from what it would write.

Needs Python 3.10 or newer and libsodium 1.0.18 or newer (libsodium.so.23).
"""

import argparse
import json
import sys
from pathlib import Path

# The directory belongs to the repository, so no caches are written to it.
sys.dont_write_bytecode = True

from generator import (  # noqa: E402
    attachment_vectors, key_vectors, opening_vectors, padding_vectors, registration_vectors, sealing_vectors)

FOLDER = Path(__file__).resolve().parent
DOCUMENTS = {
    "opening.json": opening_vectors.document,
    "keys.json": key_vectors.document,
    "attachments.json": attachment_vectors.document,
    "registrations.json": registration_vectors.document,
    "sealing.json": sealing_vectors.document,
    "padding.json": padding_vectors.document,
}


def encoded(document):
    # ASCII, because some vectors have characters that editors and mailers change or do not show.
    return (json.dumps(document, ensure_ascii=True, indent=2) + "\n").encode()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if a file differs")
    check = parser.parse_args().check
    differing = []
    for name, document in DOCUMENTS.items():
        path = FOLDER / name
        contents = encoded(document())
        if path.exists() and path.read_bytes() == contents:
            continue
        differing.append(name)
        if not check:
            path.write_bytes(contents)
    for name in differing:
        print(f"{name} differs from what generate.py writes" if check else f"wrote {name}", file=sys.stderr)
    return 1 if check and differing else 0


if __name__ == "__main__":
    sys.exit(main())
