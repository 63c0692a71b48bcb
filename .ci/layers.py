#!/usr/bin/env python3
"""Checks that a directory of a module uses only the directories that .ci/layers lists before it.

    swift build --build-tests --traits APNs,FastX25519 --scratch-path .build-traits
    .ci/layers.py

The uses are those of the compiler's index. Code that only Apple's compilers see isn't in it.
"""

import collections
import re
import sys

sys.dont_write_bytecode = True

import index_store  # noqa: E402
import symbols  # noqa: E402

TOP = "(root)"
Use = collections.namedtuple("Use", "module directory path other line name")


class Layers:
    """The list: the directories of each module, and the files that use one above theirs, with their lines."""

    def __init__(self, text):
        self.orders, self.lines, self.plugs, self.problems = {}, {}, {}, []
        text = re.sub(r"#.*", "", text)
        # A list may go on in the next line.
        for match in re.finditer(r"^\S.*(?:\n +<.*)*", text, re.M):
            self.read(" ".join(match[0].split()), text[:match.start()].count("\n") + 1)

    def read(self, line, number):
        if match := re.fullmatch(r"plug (\w+) (\S+\.swift) -> (\S+): .+", line):
            self.plugs[match.groups()] = number
        elif match := re.fullmatch(r"(PushCrypt\w*): (.+)", line):
            self.orders[match[1]], self.lines[match[1]] = match[2].split(" < "), number
        else:
            self.problems.append(f".ci/layers:{number}: this line isn't readable: {line}")

    def height(self, module, directory):
        """The place of a directory in its module. Files outside of directories are the lowest, unless they are listed."""
        order = self.orders.get(module, [])
        return order.index(directory) if directory in order else -1

    def unlisted(self, files):
        """Yields the directories that the list lacks, and those that it has in vain."""
        directories = {(module, directory) for module, directory, _ in files}
        listed = {(module, directory) for module, order in self.orders.items() for directory in order}
        for module, directory in sorted(directories - listed):
            if directory != TOP:
                yield (f"Sources/{module}/{directory}: the directory isn't in .ci/layers. Add it after the directories that "
                       "it uses.")
        for module, directory in sorted(listed - directories):
            yield f".ci/layers:{self.lines[module]}: {module} has no directory {directory}. Remove it."

    def broken(self, uses):
        """Yields the uses upwards without a plug, and the plugs that no use needs."""
        for use in uses:
            if (use.module, use.path, use.other) not in self.plugs:
                yield (f"Sources/{use.module}/{use.path}:{use.line}: {use.directory} uses {use.name} of {use.other}, which is "
                       f"above it in .ci/layers. Move one of them, let {use.other} pass in what {use.directory} needs, or "
                       "add a plug with a reason.")
        for module, path, other in self.plugs.keys() - {(use.module, use.path, use.other) for use in uses}:
            yield f".ci/layers:{self.plugs[module, path, other]}: {path} of {module} uses no {other} above it. Remove the plug."


def uses_upwards(layers, files):
    """The uses of symbols that only directories above the user's declare, one for each file and name."""
    declared, found = collections.defaultdict(set), {}
    for (module, directory, _), occurrences in files.items():
        for each in occurrences:
            if each.is_declared:
                declared[module, each.symbol].add((layers.height(module, directory), directory))
    for (module, directory, path), occurrences in files.items():
        for each in occurrences:
            height, other = min(declared.get((module, each.symbol), {(-1, "")}))
            if each.is_used and height > layers.height(module, directory):
                found.setdefault((module, path, each.name), Use(module, directory, path, other, each.line, each.name))
    return sorted(found.values())


def place(file):
    """The module of a file, its directory there, and its path in the module."""
    module, *parts = file.relative_to(symbols.ROOT / "Sources").parts
    return module, parts[0] if len(parts) > 1 else TOP, "/".join(parts)


def main():
    layers = Layers((symbols.ROOT / ".ci/layers").read_text())
    index = index_store.Index(symbols.MODULES.parent).files(symbols.ROOT / "Sources")
    # Templates are compiled in modules of other frameworks.
    files = {place(file): found for file, found in index if "Templates" not in file.parts}
    sources = {place(file) for file in symbols.ROOT.glob("Sources/PushCrypt*/**/*.swift") if "Templates" not in file.parts}
    if missing := sorted("/".join((module, path)) for module, _, path in sources - files.keys()):
        sys.exit(f"The index lacks {', '.join(missing[:5])}. Build all traits and tests first.")
    if problems := [*layers.problems, *layers.unlisted(sources), *layers.broken(uses_upwards(layers, files))]:
        sys.exit("\n".join(problems))
    print(f"{len(files)} files use nothing above them, but for {len(layers.plugs)} plugs of .ci/layers.")


main()
