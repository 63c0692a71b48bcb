"""Finds the places in which two binaries differ, and names their sections and functions."""

import bisect
import re
import subprocess
import sys

CHUNK = 64
SECTION = re.compile(r"^ *\[ *\d+\] (\S+) +(\S+) +([0-9a-f]+) ([0-9a-f]+) ([0-9a-f]+) ", re.M)


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True, errors="replace").stdout


class Section:
    def __init__(self, data, name, kind, address, offset, size):
        self.name, self.address = name, int(address, 16)
        start = int(offset, 16)
        # A section without bytes in the file.
        self.data = b"" if kind == "NOBITS" else data[start:start + int(size, 16)]


def sections(path):
    """Returns the sections of a binary. A second section of a name gets a number."""
    data, found = path.read_bytes(), {}
    for values in SECTION.findall(output("readelf", "-SW", path)):
        name, count = values[0], 2
        while name in found:
            name, count = f"{values[0]} ({count})", count + 1
        found[name] = Section(data, *values)
    return found


class Symbols:
    """The functions and constants of a binary that still has its symbols."""

    def __init__(self, path):
        lines = (line.split(" ", 2) for line in output("nm", "-n", "--defined-only", path).splitlines())
        self.symbols = [(int(address, 16), name) for address, _, name in lines]

    def name(self, address):
        index = bisect.bisect_right(self.symbols, (address, "~")) - 1
        if index < 0:
            return ""
        return subprocess.run(["c++filt"], input=self.symbols[index][1], capture_output=True, text=True).stdout.strip()


def text(data, place):
    """The printable characters before and after a place, or its bytes."""
    near = data[max(0, place - 60):place + 60]
    runs = [run.decode() for run in re.findall(rb"[ -~]{6,}", near)]
    return " … ".join(runs) if runs else data[place:place + 16].hex(" ")


def different_chunks(first, second):
    for place in range(0, min(len(first), len(second)), CHUNK):
        if first[place:place + CHUNK] != second[place:place + CHUNK]:
            yield place


def first_difference(first, second, chunk):
    return next(place for place in range(chunk, chunk + CHUNK) if first[place:place + 1] != second[place:place + 1])


def describe(first, second, symbols):
    """Returns lines about a section that differs."""
    lines = [f"{first.name}: {len(first.data)} and {len(second.data)} bytes"]
    chunks = list(different_chunks(first.data, second.data))
    lines[0] += f", {len(chunks)} different pieces of {CHUNK} bytes"
    for chunk in chunks[:3]:
        place = first_difference(first.data, second.data, chunk)
        symbol = symbols.name(first.address + place) if symbols and first.address else ""
        lines.append(f"   at {place:#x} {symbol}".rstrip())
        lines += [f"      {text(each.data, place)}" for each in (first, second)]
    return lines


def differences(first, second, with_symbols=None):
    """Returns lines about each section that differs, or is in one of the binaries only."""
    parts = sections(first), sections(second)
    symbols = Symbols(with_symbols) if with_symbols else None
    lines = [f"{name}: only one of the binaries has it" for name in sorted(parts[0].keys() ^ parts[1].keys())]
    for name in parts[0]:
        if name in parts[1] and parts[0][name].data != parts[1][name].data:
            lines += describe(parts[0][name], parts[1][name], symbols)
    if not lines and first.read_bytes() != second.read_bytes():
        lines.append("the headers differ: compare the output of readelf -hlSW")
    return lines


if __name__ == "__main__":
    sys.exit("Run Tests/Reproducible/run.")
