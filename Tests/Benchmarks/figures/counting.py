"""Counts instructions by valgrind's callgrind: other load on a machine doesn't change them.

Valgrind shows a program its own processor, the same on each machine with AVX2, and without AVX-512. So libsodium chooses the same
code on all of them.
"""

import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import tempfile

from .machine import BENCHMARKS, ROOT, run

LENGTHS = (256, 1024, 2800)
# Modules of the library that the program needs.
MODULES = ("Foundation", "Core", "System", "Keyring", "Payload", "Attachments", "Sender", "Receiver")
LINES = (10, 60)
# The order of Swift's dictionaries is random otherwise.
ENVIRONMENT = os.environ | {"SWIFT_DETERMINISTIC_HASHING": "1", "LC_ALL": "C.UTF-8"}
# The libsodium calls to which each count is compared. `handle` is an extension's work for a signed message.
BASES = {"seal": "raw-seal", "seal-parsing": "raw-seal", "seal-signed": "raw-seal-signed", "open": "raw-open",
         "open-signed": "raw-open-signed", "handle": "raw-open-signed", "handle-with-receipt": "raw-open-signed",
         "line": "raw-seal", "line-signed": "raw-seal-signed"}
SIGNED_LINES = (1024,)
PUSH_LENGTH = 1024


def build(directory, release):
    """Links the program with the modules of an optimised build, and returns its path."""
    maps = [directory / "module.modulemap", BENCHMARKS / "RawSodium/module.modulemap", ROOT / "Sources/Clibsodium/module.modulemap"]
    header = BENCHMARKS / "AllocationCounter/include/AllocationCounter.h"
    maps[0].write_text(f'module AllocationCounter {{ header "{header}" export * }}\n')
    objects = [path for name in MODULES for path in sorted((release / f"PushCrypt{name}.build").glob("*.o"))]
    if not objects:
        raise SystemExit(f"{release} has no modules. Run: swift build -c release --product pushcrypt")
    common = ["swiftc", "-O", "-wmo", "-swift-version", "6", "-parse-as-library", "-I", directory, "-I", release / "Modules"]
    for path in maps:
        common += ["-Xcc", f"-fmodule-map-file={path}"]
    counters = [directory / f"{path.stem}.o" for path in sorted((BENCHMARKS / "AllocationCounter").glob("*.c"))]
    for target in counters:
        run("cc", "-O2", "-c", BENCHMARKS / f"AllocationCounter/{target.stem}.c", "-I", header.parent, "-o", target)
    run(*common, "-module-name", "RawBoxes", "-emit-module", "-emit-module-path", directory / "RawBoxes.swiftmodule",
        "-c", "-o", directory / "RawBoxes.o", *sorted((BENCHMARKS / "RawBoxes").glob("*.swift")))
    program = directory / "InstructionsBenchmark"
    run(*common, "-module-name", "InstructionsBenchmark", "-o", program,
        *sorted((BENCHMARKS / "Benchmarks/InstructionsBenchmark").glob("*.swift")), *counters,
        directory / "RawBoxes.o", *objects, "-lsodium")
    return program


def callgrind(directory, *command, text=None):
    """Runs a command, and returns its output and the instructions before each mark, and after the last one."""
    target = pathlib.Path(tempfile.mkdtemp(dir=directory))
    output = run("valgrind", "--tool=callgrind", "-q", f"--callgrind-out-file={target}/out",
                 "--dump-before=instructions_mark", *command, env=ENVIRONMENT, input=text)
    # The dumps are out.1, out.2 and so on, and the last one is out.
    count = len(list(target.iterdir()))
    paths = [*(target / f"out.{number}" for number in range(1, count)), target / "out"]
    totals = [int(re.search(r"^totals: (\d+)$", path.read_text(), flags=re.MULTILINE)[1]) for path in paths]
    shutil.rmtree(target)
    return output, totals


def library_counts(program, directory):
    """Returns libsodium's version, its features, and the instructions of one call by name and length."""
    output, totals = callgrind(directory, program)
    version, features, *cases = (line.split(" ") for line in output.splitlines())
    if len(totals) != 2 * len(cases) + 1:
        raise SystemExit(f"Callgrind wrote {len(totals)} counts for {len(cases)} cases. Use another version of valgrind.")
    # Each case is between two marks.
    counts = {(name, int(length)): totals[2 * index + 1] / int(calls) for index, (name, length, calls) in enumerate(cases)}
    return version[1], features[1], counts


def allocations(program):
    """Returns the allocations of one call by name and length."""
    lines = (line.split(" ") for line in run(program, "--allocations", env=ENVIRONMENT).splitlines()[2:])
    return {(name, int(length)): int(count) for name, length, count in lines}


def payload(length):
    """Returns a chat message of an exact length, the same as the program's."""
    value = {"aps": {"alert": {"title": "Löwen Apotheke", "body": ""}, "badge": 3, "thread-id": "account-4421"},
             "link": "bank://payments/8842", "amount": 1249.1}
    room = length - len(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode())
    value["aps"]["alert"]["body"] = "x" * room
    return value


def line_count(tool, directory, sender, line):
    """Returns the instructions of one line of 'seal --lines' on one thread: of many lines without those of a few."""
    few, many = (sum(callgrind(directory, tool, "seal", "--lines", "--threads", "1", "--padding", "none", *sender,
                               text=line * count)[1]) for count in LINES)
    return (many - few) / (LINES[1] - LINES[0])


def line_counts(tool, directory, pool):
    """Returns the instructions of a line by name and length, as values that are computed meanwhile."""
    keyring, ring = directory / "device.jwks", directory / "server.jwks"
    key = json.loads(run(tool, "keygen", "--new", "--keyring", keyring))["x"]
    run(tool, "keygen", "--new", "--keyring", ring, "--use", "sig")
    counts = {}
    for length in LENGTHS:
        line = json.dumps({"id": 7, "to": key, "token": "0a" * 32, "payload": payload(length)},
                          ensure_ascii=False, separators=(",", ":")) + "\n"
        counts["line", length] = pool.submit(line_count, tool, directory, ["--anonymous"], line)
        if length in SIGNED_LINES:
            counts["line-signed", length] = pool.submit(line_count, tool, directory, ["--sign-with", ring], line)
    return counts


def measure_push(release, tool, push):
    """Returns the same as measure(), for one push that a tool with the trait APNs sends. `push` counts it."""
    with tempfile.TemporaryDirectory() as name:
        directory = pathlib.Path(name)
        version, features, counts = library_counts(build(directory, release), directory)
    length = PUSH_LENGTH
    row = {"name": "send", "bytes": length, "instructions": round(push(tool, payload(length))),
           "libsodium_instructions": round(counts["raw-seal", length]), "allocations": ""}
    return {"libsodium": version, "features": features}, [row]


def measure(release):
    """Returns libsodium's version and features, and rows: name, length, instructions, libsodium's, and allocations."""
    with tempfile.TemporaryDirectory() as name, concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 2) as pool:
        directory = pathlib.Path(name)
        program = build(directory, release)
        library = pool.submit(library_counts, program, directory)
        lines = line_counts(release / "pushcrypt", directory, pool)
        version, features, counts = library.result()
        counts |= {key: value.result() for key, value in lines.items()}
        found = allocations(program)
    rows = [{"name": name, "bytes": length, "instructions": round(counts[name, length]),
             "libsodium_instructions": round(counts[base, length]), "allocations": found.get((name, length), "")}
            for length in LENGTHS for name, base in BASES.items() if (name, length) in counts]
    return {"libsodium": version, "features": features}, rows
