"""Measures the sections with times. Each function returns rows, whose first column replaces earlier rows of the same value."""

import csv
import io
import re
import sys

from .machine import BENCHMARKS, ROOT, run

TOOL = ROOT / ".build/release/pushcrypt"
PYNACL = {"PyNaCl alone": "PyNaCl alone: `json`, `SealedBox`, `SigningKey`", "python/seal": "`Sources/Languages/python/seal`"}
CLIENTS = {
    "h2load": "h2load: one request without parsing, the limit", "library": "`APNsClient`, fed from memory",
    "send --lines": "`send --lines`, with all its checks",
    "Go": "Go, golang.org/x/net/http2, 500 goroutines, parses the same lines", "httpx": "httpx with HTTP/2",
}


def benchmarks(*traits):
    """Returns the medians of the ratios of the package's benchmarks by name."""
    output = run("swift", "package", "--package-path", BENCHMARKS, "-c", "release", "--disable-sandbox", *traits, "benchmark")
    found, name = {}, None
    for line in output.splitlines():
        cells = [cell.strip() for cell in re.split("[│|]", line)][1:-1]
        if not cells and line.strip() and not set(line.strip()) <= set("=-╒╤╕╞╪╡╘╧╛├┼┤"):
            name = line.strip()
        elif cells and cells[0].startswith("time, raw libsodium") and len(cells) > 3:
            found[name] = int(cells[3].replace(",", "")) / 1000
    if not found:
        sys.exit("The output of the benchmarks has no ratios. Compare figures/sections.py with it.")
    return found


def ratios():
    found = benchmarks()
    lengths = sorted({int(match[1]) for name in found if (match := re.fullmatch(r"open, (\d+) bytes", name))})
    return [{"payload": f"{length} bytes", "seal": found[f"seal, 1 recipient, {length} bytes"],
             "seal_each_of_32": found[f"seal, 32 recipients, each, {length} bytes"], "open": found[f"open, {length} bytes"]}
            for length in lengths]


def scale():
    """Writes scale.csv itself, whose rows are all replaced."""
    texts = [run("swift", "run", "--package-path", BENCHMARKS, "-c", "release", *traits, "ScaleBenchmark")
             for traits in ([], ["--traits", "FastX25519"])]
    first, second = (list(csv.reader(io.StringIO(text))) for text in texts)
    if first[0] != second[0]:
        sys.exit("Two runs of ScaleBenchmark have other columns.")
    with (BENCHMARKS / "scale.csv").open("w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([*first, *second[1:]])
    run(sys.executable, BENCHMARKS / "plot.py")


def pynacl():
    output = run(sys.executable, BENCHMARKS / "pynacl.py", TOOL)
    columns = {"200 bytes, anonymous": "anonymous_200", "200 bytes, signed": "signed_200", "1 KB, anonymous": "anonymous_1024",
               "1 KB, signed": "signed_1024"}
    found, column = {}, None
    for line in output.splitlines():
        if line in columns:
            column = columns[line]
        else:
            name, value = line.strip().rsplit(None, 1)
            name = PYNACL.get(name, "`seal --lines`, default build")
            found.setdefault(name, {"program": name})[column] = round(float(value))
    return list(found.values())


def sending():
    output = run(ROOT / "Tests/Sending/compare")
    found = []
    for line in output.splitlines()[1:]:
        match = re.match(r"(.{14}) +([\d.]+) +([\d.]+) of Go +(\d+) MB", line)
        name = match[1].strip()
        found.append({"client": CLIENTS.get(name, name), "microseconds": match[2], "to_go": match[3], "megabytes": match[4]})
    return found


MEASURES = {"ratios": ratios, "scale": scale, "pynacl": pynacl, "sending": sending}
