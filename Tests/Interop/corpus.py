"""The test vectors. A corpus that is missing, short or doubled is an error."""

import json
import pathlib

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
VECTORS = ROOT / "Tests" / "Vectors"

# At least so many. README.md of the vectors has the same numbers.
MINIMUM = {
    "opening": {"vectors": 420}, "sealing": {"vectors": 493}, "padding": {"vectors": 672},
    "apns-ids": {"vectors": 16}, "keys": {"vectors": 153},
    "registrations": {"registrations": 78, "updates": 102, "answers": 15, "tokens": 15},
    "signer-lists": {"lists": 371, "accepted_keys": 24, "choices": 22},
    "challenges": {"challenges": 67, "proofs": 155, "answers": 279, "rows": 140, "refusals": 58},
    "carriers": {"requests": 150, "limits": 125, "pushes": 231},
}


class CorpusError(Exception):
    pass


def load(name, directory=VECTORS):
    """Returns the members of a file of vectors."""
    try:
        file = json.loads((directory / f"{name}.json").read_text("ascii"))
    except (OSError, ValueError) as error:
        raise CorpusError(f"{name}.json can't be read: {error}") from None
    if file.get("version") != 1:
        raise CorpusError(f"{name}.json doesn't have version 1.")
    for array, minimum in MINIMUM[name].items():
        vectors = file.get(array, [])
        if len(vectors) < minimum or len(vectors) != file["counts"].get(array):
            raise CorpusError(f"{name}.json has {len(vectors)} {array}, not {file['counts'].get(array)}, at least {minimum}.")
        if len({vector["name"] for vector in vectors}) != len(vectors):
            raise CorpusError(f"{name}.json has two {array} with one name.")
        if any("fails" in vector and "rule" not in vector for vector in vectors):
            raise CorpusError(f"{name}.json has a vector without its rule.")
    return file
