"""The rows of measurements: a CSV file for each section, with the origin of each row."""

import csv
import sys

from .machine import BENCHMARKS

DIRECTORY = BENCHMARKS / "rows"
ORIGIN = ("commit", "processor", "system", "libsodium", "swift", "note")


def read(name):
    """Returns the rows of a section. A section without rows is an error."""
    path = BENCHMARKS / "scale.csv" if name == "scale" else DIRECTORY / f"{name}.csv"
    if not path.exists():
        sys.exit(f"{path} is missing. Run: Tests/Benchmarks/run {name}")
    with path.open(newline="") as file:
        found = list(csv.DictReader(file))
    if not found:
        sys.exit(f"{path} has no rows. Run: Tests/Benchmarks/run {name}")
    return found


def write(name, measured, origin):
    """Replaces rows by those of a measurement: a row is replaced by one with the same first column, and others stay."""
    first = next(iter(measured[0]))
    old = {row[first]: row for row in read(name)} if (DIRECTORY / f"{name}.csv").exists() else {}
    old |= {row[first]: row | origin | {"note": "measured"} for row in measured}
    with (DIRECTORY / f"{name}.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, [*measured[0], *ORIGIN], lineterminator="\n")
        writer.writeheader()
        writer.writerows(old.values())


def described(found):
    """Returns a sentence for each origin of rows, as the page has it below a table."""
    sentences = []
    for row in found:
        place = ", ".join(part for part in (row["processor"], row["system"], row["libsodium"] and f"libsodium {row['libsodium']}",
                                            row["swift"] and f"Swift {row['swift']}") if part)
        kept = "Measured at" if row["note"] == "measured" else "Taken over from the page of"
        sentence = f"{kept} commit {row['commit']}{': ' if place else ''}{place}."
        if sentence not in sentences:
            sentences.append(sentence)
    return sentences
