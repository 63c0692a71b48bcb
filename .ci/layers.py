#!/usr/bin/env python3
"""Checks that a folder of a module uses only the folders that .ci/layers lists before it.

    .ci/layers.py               prints each use upwards, and each line of the list that isn't needed
    .ci/layers.py --edges       prints the uses upwards of all modules as lines of the list
    .ci/layers.py --examples    only checks that this script finds each kind of fault

A folder uses the names that it can't declare itself: types, top-level functions, and members that an extension in another
folder adds. The script knows names, but no types. It skips a name that a lower folder declares, too. Comments and string
literals aren't uses.
"""

import argparse
import collections
import pathlib
import re
import sys

sys.dont_write_bytecode = True

import layers_examples  # noqa: E402
import swift_names  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent
TOP = "(root)"
# Swift files in here belong to other modules.
FOREIGN = {"Templates"}
# These modules have no use upwards, except where a folder is plugged in.
STRICT = {"PushCryptReceiver", "PushCryptApple"}
# Names that the standard library and Foundation declare, too.
COMMON = set("""
    append bytes capacity clear contains copy count data date dates decode description encode end filter first firstIndex
    floor hash id index init insert isEmpty json key keys last length lines map max members min name names next number path prefix
    random range rawValue read remove removed replace reserve result reversed size sort sorted split start state string
    suffix sum text time title trim type update url value values wait with write
    """.split()) | {"Element", "Index", "Iterator", "Result", "Failure", "Output", "Value", "Key", "ID", "RawValue", "Code"}

MODULE = re.compile(r"(PushCrypt\w*): *(.+)")
PLUG = re.compile(r"plug (PushCrypt\w*) (\S+\.swift) -> (\S+): *(.*)")
ALLOWED = re.compile(r"allow (PushCrypt\w*) (\S+) -> (\S+)")

Use = collections.namedtuple("Use", "module folder file line name other")


class Layers:
    """The list: the folders of each module, the plugs with their reasons, and the allowed edges, each with its line."""

    def __init__(self, text):
        self.orders, self.plugs, self.allowed, self.problems = {}, {}, {}, []
        self.lines = {}
        module = None
        for number, line in enumerate(text.splitlines(), 1):
            line = line.split("#")[0].rstrip()
            if line.lstrip().startswith("<") and module:
                self.orders[module] += self.folders(line)
            elif line:
                module = self.read(line, number)

    @staticmethod
    def folders(text):
        return [name.strip() for name in text.split("<") if name.strip()]

    def fail(self, number, text):
        self.problems.append(f".ci/layers:{number}: {text}")

    def read(self, line, number):
        """Reads a line, and returns the module whose list may go on in the next one."""
        if match := PLUG.fullmatch(line):
            if not match[4]:
                self.fail(number, "a plug needs a reason after the colon.")
            self.plugs[match[1], match[2], match[3]] = number
        elif match := ALLOWED.fullmatch(line):
            if match[1] in STRICT:
                self.fail(number, f"{match[1]} may not use a folder upwards. Move the code, or plug the folder in.")
            self.allowed[match[1], match[2], match[3]] = number
        elif match := MODULE.fullmatch(line):
            self.orders[match[1]], self.lines[match[1]] = self.folders(match[2]), number
            return match[1]
        else:
            self.fail(number, f"this line isn't readable: {line}")
        return None

    def height(self, module, folder):
        """The place of a folder in its module. Files outside of folders are the lowest, unless they are listed."""
        order = self.orders.get(module, [])
        return order.index(folder) if folder in order else -1


class Module:
    """The files of a module, by folder, and the folders that declare each name."""

    def __init__(self, directory):
        self.name, self.files = directory.name, {}
        for path in sorted(directory.rglob("*.swift")):
            parts = path.relative_to(directory).parts
            if not FOREIGN & set(parts):
                self.files["/".join(parts)] = swift_names.SwiftFile(path.read_text())
        self.types, self.nested, self.functions, self.declared = (collections.defaultdict(set) for _ in range(4))
        self.members = collections.defaultdict(set)
        for path, file in self.files.items():
            self.add(folder_of(path), file)

    def add(self, folder, file):
        for kind in ("types", "nested", "functions", "declared"):
            for name in getattr(file, kind):
                getattr(self, kind)[name].add(folder)
        for owner, names in file.members.items():
            for name in names:
                self.members[name].add((folder, owner))

    def folders(self):
        return {folder_of(path) for path in self.files}


def folder_of(path):
    return path.split("/")[0] if "/" in path else TOP


def modules(root):
    return [Module(path) for path in sorted((root / "Sources").glob("PushCrypt*")) if any(path.rglob("*.swift"))]


def known_elsewhere(all_modules):
    """The types that more than one module declares: the name doesn't say which one is used."""
    count = collections.Counter(name for module in all_modules for name in set(module.types) | set(module.nested))
    return {name for name, number in count.items() if number > 1}


class Search:
    """Finds the uses upwards in a module."""

    def __init__(self, layers, module, elsewhere):
        self.layers, self.module, self.elsewhere = layers, module, elsewhere

    def height(self, folder):
        return self.layers.height(self.module.name, folder)

    def uses(self):
        listed = {TOP, *self.layers.orders.get(self.module.name, [])}
        for path, file in self.module.files.items():
            if folder_of(path) not in listed:
                continue
            for name, line in sorted((file.bare | file.after_period).items()):
                if owners := self.owners(name, folder_of(path), file):
                    lowest = min(owners, key=self.height)
                    yield Use(self.module.name, folder_of(path), path, line, name, lowest)

    def owners(self, name, folder, file):
        """The folders that declare a used name, if all of them are above the folder that uses it."""
        found = self.named(name, file) or self.added(name, folder, file)
        return found if all(self.height(other) > self.height(folder) for other in found) else set()

    def named(self, name, file):
        """The folders that declare a type or a function that a file names."""
        if name in file.declared:
            return set()
        if name in self.module.types:
            return self.module.types[name]
        if name in self.module.nested and name not in self.elsewhere | COMMON | file.bound:
            return self.module.nested[name]
        if name in self.module.functions and name in file.bare and name not in file.bound:
            return self.module.functions[name]
        return set()

    def added(self, name, folder, file):
        """The folders that declare a name which extensions of lower or foreign types add."""
        if name not in self.module.members or name in COMMON:
            return set()
        if name not in file.after_period and name in file.bound:
            return set()
        if not any(self.is_visible(owner, folder) for _, owner in self.module.members[name]):
            return set()
        return self.module.declared[name]

    def is_visible(self, owner, folder):
        """Whether a folder can have a value of an extended type without a use upwards."""
        places = self.module.types.get(owner) or self.module.nested.get(owner)
        return not places or any(self.height(place) <= self.height(folder) for place in places)


def unlisted(layers, module):
    """Yields the folders that the list doesn't have, and those that it has in vain."""
    listed = layers.orders.get(module.name, [])
    folders = module.folders()
    for folder in sorted(folders - set(listed) - {TOP}):
        yield (f"Sources/{module.name}/{folder}: the folder isn't in .ci/layers. Add it to the line of {module.name}, after "
               "the folders that it uses.")
    for folder in sorted(set(listed) - folders):
        yield f".ci/layers:{layers.lines[module.name]}: {module.name} has no folder {folder}. Remove it."
    for folder in sorted({name for name in listed if listed.count(name) > 1}):
        yield f".ci/layers:{layers.lines[module.name]}: {module.name} lists {folder} twice. Remove one."


def unneeded(layers, found, names):
    """Yields the lines of the list that permit what nothing does, or that name no module."""
    plugged = {(use.module, use.file, use.other) for use in found}
    edges = {(use.module, use.folder, use.other) for use in found
             if (use.module, use.file, use.other) not in layers.plugs}
    for (module, file, other), number in layers.plugs.items():
        if (module, file, other) not in plugged:
            yield f".ci/layers:{number}: {module}/{file} uses no {other} above it. Remove the plug."
    for (module, folder, other), number in layers.allowed.items():
        if (module, folder, other) not in edges:
            yield f".ci/layers:{number}: {folder} of {module} uses no {other} above it any more. Remove the line."
    for module, number in layers.lines.items():
        if module not in names:
            yield f".ci/layers:{number}: Sources has no module {module}. Remove the line."


def is_permitted(layers, use):
    return (use.module, use.file, use.other) in layers.plugs or (use.module, use.folder, use.other) in layers.allowed


def message(use):
    return (f"Sources/{use.module}/{use.file}:{use.line}: {use.folder} uses {use.name} of {use.other}, which is above it in "
            f".ci/layers. Move one of them, let {use.other} pass in what {use.folder} needs, or add a plug with a reason.")


def uses_upwards(layers, all_modules):
    elsewhere = known_elsewhere(all_modules)
    return [use for module in all_modules for use in Search(layers, module, elsewhere).uses()]


def problems(root):
    """Returns everything that breaks the list of a tree."""
    layers, all_modules = Layers((root / ".ci/layers").read_text()), modules(root)
    found = uses_upwards(layers, all_modules)
    result = layers.problems + [text for module in all_modules for text in unlisted(layers, module)]
    result += [message(use) for use in found if not is_permitted(layers, use)]
    return result + list(unneeded(layers, found, {module.name for module in all_modules}))


def edges(root):
    """Yields the uses upwards of a tree as lines of the list, with examples of their names."""
    layers, names = Layers((root / ".ci/layers").read_text()), collections.defaultdict(set)
    for use in uses_upwards(layers, modules(root)):
        if (use.module, use.file, use.other) not in layers.plugs:
            names[f"allow {use.module} {use.folder} -> {use.other}"].add(use.name)
    for line in sorted(names):
        yield f"{line}  # {', '.join(sorted(names[line])[:4])}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--edges", action="store_true")
    parser.add_argument("--examples", action="store_true")
    options = parser.parse_args()
    wrong = layers_examples.problems(problems)
    if not options.examples and not wrong:
        if options.edges:
            print("\n".join(edges(ROOT)))
            return 0
        wrong = problems(ROOT)
    print("\n".join(wrong), end="\n" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
