"""Lines of the sources with a broken variant, in a copy of the project.

An entry has a name, a file, and its code once in the file, or once after the text `within`. The variant is the expression
`instead`, the `text` in which NUMBER is the number that activates it, or nothing in place of a `statement`.
"""

import pathlib
import sys

import workplace


def changed(entry, number):
    """The code of an entry, and the code with its broken variant."""
    if "statement" in entry:
        return entry["statement"], f"if !isMutant({number}) {{ {entry['statement']} }}"
    if "text" in entry:
        return entry["code"], entry["text"].replace("NUMBER", str(number))
    return entry["code"], f"(isMutant({number}) ? ({entry['instead']}) : ({entry['code']}))"


def located(source, entry):
    """The offset of the entry's code in its file, and an error if it isn't there once."""
    start = source.find(entry.get("within", ""))
    code = entry.get("statement") or entry["code"]
    offset = source.find(code, max(start, 0))
    unique = start >= 0 and offset >= 0 and ("within" in entry or source.find(code, offset + 1) < 0)
    return offset, None if unique else f"{entry['file']} doesn't have the code of {entry['name']} once: {code}"


def line(entry):
    """The number of the entry's line."""
    source = (workplace.ROOT / entry["file"]).read_text()
    offset, error = located(source, entry)
    if error:
        sys.exit(f"{error}. Correct the list of broken lines.")
    return source.count("\n", 0, offset) + 1


def apply(entries, numbers, directory):
    """Adds the broken variants to the files of a directory, and the switch to their modules."""
    modules = set()
    for entry in entries:
        if entry["name"] not in numbers:
            continue
        file = directory / entry["file"]
        source = file.read_text()
        offset, error = located(source, entry)
        if error:
            sys.exit(f"{error}. Correct the list of broken lines.")
        code, variant = changed(entry, numbers[entry["name"]])
        file.write_text(source[:offset] + variant + source[offset + len(code):])
        module = pathlib.PurePath(entry["file"]).parts[1]
        if module not in modules:
            (file.parent / "MutantSwitch.swift").write_bytes(workplace.switch())
            modules.add(module)
