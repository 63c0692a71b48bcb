"""All sealers and openers against each other for a time: random messages, and mutated payloads."""

import itertools
import time

import fuzzing
import messages
import randomness
from implementations import OPENERS, SEALERS

MESSAGES = 300
MUTATED = 1_000
COLUMNS = ("lines", randomness.COLUMN, "same shape", *OPENERS, "tool")


def run(seconds, seed, sealers, crossed, mutated):
    """Repeats rounds with new seeds until the time has passed, and returns their number."""
    tool, libraries = sealers
    end, rounds = time.monotonic() + seconds, 0
    while rounds == 0 or time.monotonic() < end:
        messages.cross(tool, libraries, messages.generate(MESSAGES, seed + rounds), crossed)
        fuzzing.run(MUTATED, seed + rounds, tool, mutated)
        rounds += 1
    for row, column in itertools.product((*SEALERS, "tool"), COLUMNS):
        crossed.expect_count(row, column, rounds * MESSAGES)
    for opener in OPENERS:
        mutated.expect_count(opener, "fuzzing", rounds * MUTATED)
    print(f"{rounds} rounds")
    crossed.table("Messages, sealed by the row and opened by the column", (*SEALERS, "tool"), COLUMNS)
    mutated.table("Mutated payloads, all compared with Python's results", (*OPENERS, "tool"), ("fuzzing",))
    return rounds
