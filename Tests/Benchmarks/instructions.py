#!/usr/bin/env python3
"""Counts instructions of sealing and opening as ratios to libsodium's, which other load on a machine doesn't change.

The receipt's column is what an extension spends on the receipt, relative to opening a signed message.

    apt-get install -y valgrind
    swift build -c release --package-path Tests/Benchmarks --product InstructionsBenchmark
    Tests/Benchmarks/instructions.py [PACKAGE]

PACKAGE is the directory of another build of the benchmarks, such as one of an older commit.
"""

import pathlib
import re
import subprocess
import sys

LENGTHS = [256, 1024, 2800]
PACKAGE = pathlib.Path(sys.argv[1] if sys.argv[1:] else pathlib.Path(__file__).resolve().parent)
PROGRAM = PACKAGE / ".build/release/InstructionsBenchmark"


def run(*command):
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{result.stdout}{result.stderr}")
    return result.stdout + result.stderr


def instructions(name, length):
    """The instructions of one call: of 60 calls without those of 10, so that the start doesn't count."""
    def count(times):
        output = run("valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null",
                     PROGRAM, name, times, length)
        return int(re.search(r"Collected : (\d+)", output).group(1))
    return (count(60) - count(10)) / 50


def main():
    print("| payload | seal | open | receipt | allocations of seal, open |\n|---|---|---|---|---|")
    for length in LENGTHS:
        seal = instructions("seal", length) / instructions("raw-seal", length)
        opening = instructions("open", length) / instructions("raw-open", length)
        receipt = instructions("handle-with-receipt", length) - instructions("handle", length)
        receipt /= instructions("open-signed", length)
        counts = [re.search(r": (\d+) alloc", run(PROGRAM, name, 1000, length)).group(1) for name in ("seal", "open")]
        print(f"| {length} bytes | {seal:.4f} | {opening:.4f} | {receipt:.1%} | {', '.join(counts)} |")


main()
