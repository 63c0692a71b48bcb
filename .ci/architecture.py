#!/usr/bin/env python3
"""Writes the module graph and the table of modules in Docs/Contributing.md from Package.swift.

    .ci/architecture.py            writes both
    .ci/architecture.py --check    fails if the page isn't what Package.swift says, or names what doesn't exist

The manifest is read as text, so that this needs no Swift. An expression that it can't read is an error. Targets with a
path of their own (tests, and stand-ins of Apple's frameworks) aren't modules of Sources, and aren't in the graph.

The page names files as `Name.swift`, test suites as `NameTests`, and other files by their paths. Each of them must exist.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "Docs/Contributing.md"
PREFIX = "PushCrypt"
LIBSODIUM = "Clibsodium"

CALL = re.compile(r"\.(target|executableTarget|systemLibrary)\(")
PRODUCT = re.compile(r'\.product\(name: "\w+", package: "([\w-]+)"(?:, condition: \.when\(traits: \["(\w+)"\]\))?\)')
FOR_APNS = re.compile(r"forAPNs\(\[(.*?)\]\)", re.S)
LITERAL = re.compile(r'"([\w-]+)"')
# The words of an expression of dependencies that aren't constants of the manifest.
WORDS = {"product", "name", "package", "condition", "when", "traits", "forAPNs"}


class Manifest:
    """The modules in the order of the manifest, with the modules and packages that each depends on."""

    def __init__(self, text):
        self.text = "\n".join(line for line in text.split("\n") if not line.lstrip().startswith("//"))
        calls = [self.balanced(match.end()) for match in CALL.finditer(self.text)]
        named = [(self.argument(call, "name"), call) for call in calls]
        self.foreign = {name.strip('"') for name, call in named if "path:" in call}
        self.calls = {name.strip('"'): call for name, call in named if "path:" not in call}
        self.modules = [name for name in self.calls if name != LIBSODIUM]
        if len(self.modules) < 10 or any(not (ROOT / "Sources" / name).is_dir() for name in self.modules):
            sys.exit(f"The modules of Package.swift aren't readable, or have no directory: {', '.join(self.modules)}")
        read = {name: self.dependencies(name) for name in self.modules}
        self.needs = {name: modules for name, (modules, _) in read.items()}
        self.packages = {name: packages for name, (_, packages) in read.items()}
        # Two products are in lists of their own, because they depend on the platform.
        self.products = {module: product for product, module in re.findall(
            r'\.(?:library|executable)\(name: "([\w-]+)", targets: \["(\w+)"\]\)', self.text)}

    def balanced(self, start):
        """The text up to the parenthesis or bracket that closes the one before it."""
        depth = 1
        for end in range(start, len(self.text)):
            depth += (self.text[end] in "([") - (self.text[end] in ")]")
            if depth == 0:
                return self.text[start:end]
        sys.exit("A parenthesis of Package.swift isn't closed.")

    @staticmethod
    def argument(call, label):
        """The expression of an argument of a call; an empty one if it's missing."""
        match = re.search(rf"\b{label}: ", call)
        if not match:
            return ""
        depth, start = 0, match.end()
        for end in range(start, len(call)):
            depth += (call[end] in "([") - (call[end] in ")]")
            if depth == 0 and call[end] == ",":
                return call[start:end]
        return call[start:]

    def variable(self, name):
        """The values of a constant, one for each branch of the manifest."""
        values = []
        for match in re.finditer(rf"^let {name}(?:: [^=\n]+)? = ", self.text, re.M):
            depth = 0
            for end in range(match.end(), len(self.text)):
                depth += (self.text[end] in "([") - (self.text[end] in ")]")
                if depth == 0 and self.text[end] == "\n":
                    break
            values.append(self.text[match.end():end])
        if not values:
            sys.exit(f"Package.swift has no constant {name}.")
        return ", ".join(values)

    def dependencies(self, name):
        """The modules and the packages of a module; a package has the trait that it needs, or None."""
        rest, modules, packages = self.argument(self.calls[name], "dependencies"), [], []
        for word in sorted(set(re.findall(r"[A-Za-z]\w*", LITERAL.sub("", rest))) - WORDS):
            rest = re.sub(rf'(?<![\w"-]){word}(?![\w"-])', lambda _: self.variable(word), rest)
        packages += [(match[1], match[2]) for match in PRODUCT.finditer(rest)]
        rest = PRODUCT.sub("", rest)
        for match in FOR_APNS.finditer(rest):
            packages += [(package, "APNs") for package in re.findall(r': "([\w-]+)"', match[1])]
        rest = FOR_APNS.sub("", rest)
        for literal in LITERAL.findall(rest):
            if literal == LIBSODIUM:
                packages.append((LIBSODIUM, None))
            elif literal in self.calls:
                modules.append(literal)
            elif literal not in self.foreign:
                sys.exit(f"{name} depends on {literal}, which isn't a target of Package.swift.")
        if left := re.sub(r"[\s,+\[\]]", "", LITERAL.sub("", rest)):
            sys.exit(f"The dependencies of {name} aren't readable: {left}")
        # On Darwin, libsodium comes from swift-sodium.
        names = {LIBSODIUM: "libsodium", "swift-sodium": "libsodium"}
        return modules, sorted({(trait or "", names.get(package, package)) for package, trait in packages})

    def reachable(self, module):
        """All modules that a module needs, also through others."""
        found, waiting = set(), list(self.needs[module])
        while waiting:
            other = waiting.pop()
            if other not in found:
                found.add(other)
                waiting += self.needs[other]
        return found

    def arrows(self):
        """The dependencies that don't follow from others."""
        for module in self.modules:
            through = set().union(*(self.reachable(other) for other in self.needs[module]))
            for other in self.needs[module]:
                if other not in through:
                    yield module, other


def short(module):
    return module.removeprefix(PREFIX)


def graph(manifest):
    lines = ["```mermaid", "flowchart TD"]
    for module in manifest.modules:
        shape = '(["{}"])' if module in manifest.products else '["{}"]'
        lines.append(f"    {short(module)}{shape.format(short(module))}")
    lines += [f"    {short(module)} --> {short(other)}" for module, other in manifest.arrows()]
    return lines + ["```"]


def table(manifest):
    lines = ["|module|product|depends on|packages|", "|---|---|---|---|"]
    for module in manifest.modules:
        product = f"`{manifest.products[module]}`" if module in manifest.products else ""
        traits = {}
        for trait, package in manifest.packages[module]:
            traits.setdefault(trait, []).append(package)
        packages = "; ".join((f"`{trait}`: " if trait else "") + ", ".join(traits[trait]) for trait in traits)
        lines.append(f"|`{module}`|{product}|{', '.join(map(short, manifest.needs[module]))}|{packages}|")
    return lines


def written(page, name, lines):
    """The page with other lines between two comments."""
    begin, end = f"<!-- begin {name} -->\n", f"<!-- end {name} -->\n"
    if page.count(begin) != 1 or page.count(end) != 1:
        sys.exit(f"{PAGE.name} doesn't have the comments of {name}.")
    return page[:page.index(begin) + len(begin)] + "\n" + "\n".join(lines) + "\n\n" + page[page.index(end):]


def missing(page):
    """The files and test suites that the page names, and that don't exist."""
    page = re.sub(r"```mermaid.*?```", "", page, flags=re.S)
    directories = [ROOT / "Sources", ROOT / "Tests", ROOT / "Docs"]
    files = [path for directory in directories for path in directory.rglob("*.swift") if ".build" not in path.parts]
    names = {path.name for path in files}
    tests = "\n".join(path.read_text() for path in files if ROOT / "Tests" in path.parents)
    suites = set(re.findall(r"\b(?:struct|class|actor) (\w+Tests)\b", tests))
    words = set(re.findall(r"`([^`\s]+)`", page))
    if len(words & suites) < 10 or len(words & names) < 10:
        sys.exit(f"{PAGE.name} hardly names a file or a suite: nothing was checked.")
    for word in sorted(words):
        if word.endswith("Tests") and "/" not in word:
            exists = word in suites
        elif word.endswith(".swift") and "/" not in word:
            exists = word in names
        elif "/" in word:
            exists = (ROOT / word).exists() or (ROOT / "Sources" / word).exists()
        else:
            continue
        if not exists:
            yield word


def main():
    manifest = Manifest((ROOT / "Package.swift").read_text())
    page = PAGE.read_text()
    current = written(written(page, "graph", graph(manifest)), "modules", table(manifest))
    if sys.argv[1:] != ["--check"]:
        PAGE.write_text(current)
        return
    if current != page:
        sys.exit("Docs/Contributing.md isn't what Package.swift says. Run .ci/architecture.py.")
    if names := list(missing(page)):
        sys.exit(f"Docs/Contributing.md names what doesn't exist: {', '.join(names)}. Correct it.")


main()
