#!/usr/bin/env python3
"""Keeps .ci/api.txt, the list of public declarations: one per line, sorted by module and name.

    swift build --build-tests --traits APNs,FastX25519 --scratch-path .build-traits
    .ci/api.py            writes the list
    .ci/api.py --check    fails if the list differs from the sources, or a comment names a code that a client can't write

Tests/Shims/API.txt is the same list for the stand-ins for Apple's declarations: they must not declare more than Apple does.

The list has every public or open symbol with a location in Sources, once, in the module that declares it: types, type
aliases, members, overrides, enum cases and protocol requirements. A type's line ends with its conformances. What the
compiler derives and what a type inherits (`!=`, `hashValue`, members of protocol extensions) is not in the list.
"""

import difflib
import pathlib
import re
import sys
import tempfile

sys.dont_write_bytecode = True

import symbols  # noqa: E402

LIST = symbols.ROOT / ".ci/api.txt"
STAND_INS = symbols.ROOT / "Tests/Shims/API.txt"
STAND_IN_MODULES = ["UserNotifications", "UserNotificationsUI", "PushKit", "CallKit"]
# Every type has these, so they say nothing.
IMPLIED = {"Copyable", "Escapable", "SendableMetatype"}


def constraints(entry):
    """The where clause of a symbol's extension or of a generic type, as a set of readable conditions."""
    words = {"conformance": ":", "superclass": ":", "sameType": "=="}
    return {f"{c['lhs']} {words[c['kind']]} {c['rhs']}" for c in entry.get("constraints", [])}


def declarations(graphs):
    """The symbols that the sources of a module declare, by their identifiers."""
    return {s["identifier"]["precise"]: s for graph in graphs for s in graph["symbols"]
            if "location" in s and "::SYNTHESIZED::" not in s["identifier"]["precise"]}


def text(symbol):
    """The declaration of a symbol on one line."""
    return " ".join("".join(f["spelling"] for f in symbol["declarationFragments"]).split())


def lines(graphs):
    """The name and the declaration of each public symbol in the symbol graphs of a module."""
    declared = declarations(graphs)
    conformances, parents = {}, {}
    for relationship in (r for graph in graphs for r in graph["relationships"]):
        source, target = relationship["source"], relationship["target"]
        if relationship["kind"] == "conformsTo":
            name = relationship.get("targetFallback") or declared[target]["names"]["title"]
            conformances.setdefault(source, set()).add(name.split(".")[-1])
        elif relationship["kind"] == "memberOf":
            parents[source] = declared.get(target, {})
    for precise, symbol in declared.items():
        line = text(symbol)
        if symbol["accessLevel"] == "open":
            line = "open " + line
        names = conformances.get(precise, set()) - IMPLIED
        if names and symbol["kind"]["identifier"] != "swift.protocol":
            line += " [" + ", ".join(sorted(names)) + "]"
        own = constraints(symbol.get("swiftExtension", {})) - constraints(
            parents.get(precise, {}).get("swiftGenerics", {}))
        if own:
            line += " (extension where " + ", ".join(sorted(own)) + ")"
        yield ".".join(symbol["pathComponents"]), line


def all_graphs(modules):
    """The symbol graphs of each module."""
    with tempfile.TemporaryDirectory() as directory:
        return {module: symbols.extract(module, pathlib.Path(directory) / module) for module in modules}


def public_api(graphs):
    """The lines of the list."""
    return [f"{module} {name}: {line}" for module, found in graphs.items() for name, line in sorted(lines(found))]


def unknown_codes(graphs):
    """Yields the names that a comment lists as codes of errors, and that a client can't write.

    The section "- Throws:" of a comment has codes, parameters and literals between single backticks.
    """
    found = [symbol for module in graphs.values() for symbol in declarations(module).values()]
    codes = {symbol["names"]["title"] for symbol in found if symbol["pathComponents"][:2] == ["PushCryptError", "Code"]}
    if len(codes) < 30:
        sys.exit(f"Only {len(codes)} codes of errors are public: nothing can be checked.")
    for symbol in found:
        comment = "\n".join(line["text"] for line in symbol.get("docComment", {}).get("lines", []))
        section = re.search(r"- Throws:(.*?)(?=- Returns:|\Z)", comment, re.S)
        if section and "PushCryptError" in comment:
            names = set(re.findall(r"(?<!`)`\.?([a-z][A-Za-z0-9]*)`(?!`)", section[1]))
            known = codes | {"nil", "true", "false"} | set(re.findall(r"\w+", text(symbol)))
            for name in sorted(names - known):
                yield f"{'.'.join(symbol['pathComponents'])}: the comment names {name}, which isn't a public code."


def keep(path, api):
    """Writes a list, or checks it."""
    if sys.argv[1:] == ["--check"]:
        listed = path.read_text().splitlines() if path.exists() else []
        if listed != api:
            name = str(path.relative_to(symbols.ROOT))
            print("\n".join(difflib.unified_diff(listed, api, name, "sources", lineterm="", n=0)))
            sys.exit(f"The declarations differ from {name}. If you intend the change, run `.ci/api.py` and commit it.")
    elif not sys.argv[1:]:
        path.write_text("\n".join(api) + "\n")
    else:
        sys.exit(__doc__)


def main():
    keep(STAND_INS, public_api(all_graphs(STAND_IN_MODULES)))
    graphs = all_graphs(symbols.libraries())
    if problems := list(unknown_codes(graphs)):
        sys.exit("\n".join(problems))
    api = public_api(graphs)
    keep(LIST, api)
    print(f"{len(api)} public declarations, with enum cases and protocol requirements")


main()
