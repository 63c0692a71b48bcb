"""Writes the classes of a page into a directory: page.py PAGE DIRECTORY."""

import pathlib
import re
import sys


def main():
    page, directory = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    directory.mkdir()
    blocks = re.findall(r"^```java\n(.*?)^```$", page.read_text("utf-8"), re.M | re.S)
    names = [re.search(r"^public (?:final )?class (\w+)", block, re.M).group(1) for block in blocks]
    if len(names) < 3 or len(set(names)) != len(names):
        sys.exit(f"{page} has too few classes, or two of one name.")
    for name, block in zip(names, blocks):
        (directory / f"{name}.java").write_text(block, "utf-8")


if __name__ == "__main__":
    main()
