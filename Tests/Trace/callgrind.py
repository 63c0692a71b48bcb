"""Reads files of callgrind: how often each function was called, and where it is declared.

Source: https://valgrind.org/docs/manual/cl-format.html
"""

import collections
import re

# A file or a function, as a number and, at its first use, its name.
POSITION = re.compile(r"(fl|fi|fe|fn|cfi|cfl|cfn)=\((\d+)\)(?: (.*))?$")
# Callgrind appends a number to a function that has called itself.
RECURSION = re.compile(r"'\d+$")
# A line of costs begins with a line of source, which may be relative to the one before.
COST = re.compile(r"([+-]?\d+|\*)(?: |$)")


class Trace:
    """The functions that a program has entered."""

    def __init__(self, text):
        self.calls = collections.Counter()
        # The file and the line of each function.
        self.places = {}
        self.names = {"file": {}, "function": {}}
        self.line, self.file, self.function, self.callee = 0, "", None, None
        self.waits = False
        for line in text.splitlines():
            self.read(line)

    def read(self, line):
        if position := POSITION.match(line):
            self.move(*position.groups())
        elif line.startswith("calls="):
            self.calls[self.callee] += int(line.removeprefix("calls=").split()[0])
            # The next line has the cost of the call. Its place is in the caller, too.
        elif cost := COST.match(line):
            self.count(cost[1])

    def move(self, key, number, name):
        """Reads a line that names a file or a function."""
        kind = "function" if key in ("fn", "cfn") else "file"
        known = self.names[kind]
        if name is not None:
            known[number] = RECURSION.sub("", name) if kind == "function" else name
        if key == "fl":
            self.file = known[number]
        elif key == "fn":
            self.function, self.waits = known[number], True
        elif key == "cfn":
            self.callee = known[number]

    def count(self, position):
        """Reads the line of source of a cost. The first one of a function is its declaration."""
        if position[0] in "+-":
            self.line += int(position)
        elif position != "*":
            self.line = int(position)
        if self.waits:
            self.places.setdefault(self.function, (self.file, self.line))
            self.waits = False


def difference(without, with_work):
    """Returns how often each function was called by the work that only the second trace has."""
    return {name: count - without.calls[name] for name, count in with_work.calls.items()
            if count != without.calls[name]}
