"""Breaks one line of the code of each target in a copy, and has the target find an input that shows it."""

import json
import pathlib
import shutil
import sys

import libfuzzer
import seeds

sys.path.insert(0, str(libfuzzer.HERE.parent / "Mutants"))
import broken  # noqa: E402
import workplace  # noqa: E402

LINES = libfuzzer.HERE / "breaks.json"
PRODUCTS = libfuzzer.BUILD / "broken"
SECONDS = 120


def build(entries, numbers):
    """Builds the fuzzers of a copy with the broken variants."""
    workplace.build_instrumenter()
    copy = workplace.Copy(PRODUCTS)
    copy.write(lambda directory: broken.apply(entries, numbers, directory))
    return libfuzzer.build(copy.directory / "Tests/Fuzzing", PRODUCTS / "products")


def found(target, binary, number):
    """Fuzzes a target with a broken variant. Returns the broken invariant, or None, and the executions."""
    work = PRODUCTS / target
    shutil.rmtree(work, ignore_errors=True)
    (work / "corpus").mkdir(parents=True)
    seeds.write(target, work / "seeds")
    status, text = libfuzzer.run(
        target, f"-max_total_time={SECONDS}", "-seed=1", f"-artifact_prefix={work}/", work / "corpus", work / "seeds",
        libfuzzer.FINDINGS / target, binary=binary, PUSHCRYPT_MUTANT=str(number))
    invariant = libfuzzer.problem(text) if status != 0 and "Broken invariant: " in text else None
    return invariant, libfuzzer.executions(text)


def check(targets):
    """Returns the number of targets that don't notice their broken line, and prints each."""
    entries = [entry for entry in json.loads(LINES.read_text()) if entry["name"] in targets]
    numbers = {entry["name"]: number for number, entry in enumerate(entries, 1)}
    missing = sorted(set(targets) - set(numbers))
    for target in missing:
        print(f"{target}: no line in {LINES.name}")
    binary = build(entries, numbers)
    failures = len(missing)
    for entry in entries:
        invariant, count = found(entry["name"], binary, numbers[entry["name"]])
        failures += invariant is None
        place = f"{pathlib.PurePath(entry['file']).name}:{broken.line(entry)}"
        result = invariant or f"NOT FOUND in {SECONDS} s"
        # libFuzzer begins to count after the seeds and findings.
        effort = f"after {count} executions" if count else "by a seed or finding"
        print(f"{entry['name']}: {place}: {result} ({effort})", flush=True)
    return failures
