#!/usr/bin/env python3
"""Keeps .ci/api.txt, the list of public declarations: one per line, sorted by module and name.

    swift build --build-tests --traits APNs,FastX25519 --scratch-path .build-traits
    .ci/api.py            writes the list
    .ci/api.py --check    fails if the list differs from the sources

Tests/Shims/API.txt is the same list for the stand-ins for Apple's declarations: they must not declare more than Apple does.

The list has every public or open symbol with a location in Sources, once, in the module that declares it: types, type
aliases, members, overrides, enum cases and protocol requirements. A type's line ends with its conformances. What the
compiler derives and what a type inherits (`!=`, `hashValue`, members of protocol extensions) is not in the list.
"""

import difflib
import pathlib
import sys
import tempfile

import symbols

LIST = symbols.ROOT / ".ci/api.txt"
STAND_INS = symbols.ROOT / "Tests/Shims/API.txt"
STAND_IN_MODULES = ["UserNotifications", "UserNotificationsUI", "PushKit", "CallKit"]
# Every type has these, so they say nothing.
IMPLIED = {"Copyable", "Escapable", "SendableMetatype"}


def constraints(entry):
    """The where clause of a symbol's extension or of a generic type, as a set of readable conditions."""
    words = {"conformance": ":", "superclass": ":", "sameType": "=="}
    return {f"{c['lhs']} {words[c['kind']]} {c['rhs']}" for c in entry.get("constraints", [])}


def lines(graphs):
    """The name and the declaration of each public symbol in the symbol graphs of a module."""
    declared = {s["identifier"]["precise"]: s for graph in graphs for s in graph["symbols"]
                if "location" in s and "::SYNTHESIZED::" not in s["identifier"]["precise"]}
    conformances, parents = {}, {}
    for relationship in (r for graph in graphs for r in graph["relationships"]):
        source, target = relationship["source"], relationship["target"]
        if relationship["kind"] == "conformsTo":
            name = relationship.get("targetFallback") or declared[target]["names"]["title"]
            conformances.setdefault(source, set()).add(name.split(".")[-1])
        elif relationship["kind"] == "memberOf":
            parents[source] = declared.get(target, {})
    for precise, symbol in declared.items():
        text = " ".join("".join(f["spelling"] for f in symbol["declarationFragments"]).split())
        if symbol["accessLevel"] == "open":
            text = "open " + text
        names = conformances.get(precise, set()) - IMPLIED
        if names and symbol["kind"]["identifier"] != "swift.protocol":
            text += " [" + ", ".join(sorted(names)) + "]"
        own = constraints(symbol.get("swiftExtension", {})) - constraints(
            parents.get(precise, {}).get("swiftGenerics", {}))
        if own:
            text += " (extension where " + ", ".join(sorted(own)) + ")"
        yield ".".join(symbol["pathComponents"]), text


def public_api(modules):
    """The lines of the list."""
    api = []
    with tempfile.TemporaryDirectory() as directory:
        for module in modules:
            found = sorted(lines(symbols.extract(module, pathlib.Path(directory) / module)))
            api += [f"{module} {name}: {text}" for name, text in found]
    return api


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
    keep(STAND_INS, public_api(STAND_IN_MODULES))
    api = public_api(symbols.libraries())
    keep(LIST, api)
    print(f"{len(api)} public declarations, with enum cases and protocol requirements")


main()
