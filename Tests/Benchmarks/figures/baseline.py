"""The baseline of instruction counts, and the comparison with it."""

import csv
import platform

from . import machine
from .machine import BENCHMARKS

PATH = BENCHMARKS / "instructions.csv"
# A push needs a build with the trait APNs, so that another command counts it.
PUSH_PATH = BENCHMARKS / "push.csv"
# What changes the number of instructions. Features are those by which libsodium chooses its code.
KEY = ("architecture", "features", "libsodium", "swift", "system")
COLUMNS = (*KEY, "name", "bytes", "instructions", "libsodium_instructions", "allocations", "ratio", "commit", "processor")
LIMIT = 0.02


def read(path=PATH):
    if not path.exists():
        return []
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def environment(measured):
    """Returns the key of this machine, with libsodium's version and features as the program has seen them."""
    return {"architecture": platform.machine(), "system": machine.system(), "swift": machine.swift()} | measured


def key(row):
    return tuple(row[name] for name in KEY)


def record(found, rows, path=PATH):
    """Replaces the rows of this environment in the baseline, and keeps all others."""
    mine = key(found)
    kept = [row for row in read(path) if key(row) != mine]
    origin = {"commit": machine.commit(), "processor": machine.processor()}
    added = [found | origin | row | {"ratio": f"{row['instructions'] / row['libsodium_instructions']:.4f}"} for row in rows]
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows([*kept, *added])


def nearest(found, baseline):
    """Returns the rows of the most similar environment of this architecture, which are those of this one if there are any."""
    def distance(other):
        values = dict(zip(KEY, other))
        features = set(values["features"].split("+")) ^ set(found["features"].split("+"))
        return (len(features), *(values[name] != found[name] for name in KEY[2:]))

    keys = {key(row) for row in baseline if row["architecture"] == found["architecture"]}
    if not keys:
        return None, []
    chosen = min(sorted(keys), key=distance)
    return chosen, [row for row in baseline if key(row) == chosen]


def normalized(row, base):
    """Returns the ratio as if libsodium took the baseline's number of instructions: only PushCrypt's own part is compared."""
    own = row["instructions"] - row["libsodium_instructions"]
    return (own + int(base["libsodium_instructions"])) / int(base["libsodium_instructions"])


def uncompared(found, rows):
    """Returns lines about rows of an architecture without a baseline."""
    return [f"No baseline for {found['architecture']}: nothing is compared. Record one: Tests/Benchmarks/run --record SECTION",
            *(f"{row['name']}, {row['bytes']} bytes: {row['instructions'] / row['libsodium_instructions']:.4f} of libsodium's "
              "instructions" for row in rows)]


def compare(found, rows, baseline):
    """Returns lines about the comparison, and the failures among them."""
    chosen, base = nearest(found, baseline)
    if chosen is None:
        return uncompared(found, rows), []
    is_same = chosen == key(found)
    lines = [] if is_same else [
        f"No baseline for {' '.join(key(found))}.", f"Compared with the nearest: {' '.join(chosen)}.",
        "Libsodium's own instructions count as the baseline's."]
    known = {(row["name"], row["bytes"]): row for row in base}
    failures = [f"{name}, {length} bytes: in the baseline, but not measured."
                for name, length in known.keys() - {(row["name"], str(row["bytes"])) for row in rows}]
    for row in rows:
        title = f"{row['name']}, {row['bytes']} bytes"
        old = known.get((row["name"], str(row["bytes"])))
        if old is None:
            failures.append(f"{title}: not in the baseline. Record it.")
            continue
        ratio = row["instructions"] / row["libsodium_instructions"] if is_same else normalized(row, old)
        before = int(old["instructions"]) / int(old["libsodium_instructions"])
        change = ratio / before - 1
        lines.append(f"{title}: {ratio:.4f} of libsodium's instructions, {change:+.2%} against {before:.4f}")
        if change > LIMIT:
            failures.append(f"{title}: {change:+.2%} is more than {LIMIT:.0%}. Find the cause, or record a new baseline.")
        elif change < -LIMIT:
            lines.append(f"{title}: {-change:.2%} less. Record a new baseline: Tests/Benchmarks/run --record SECTION")
    return lines, failures
