#!/usr/bin/env python3
"""Writes the reference of the tool's commands from its help: Docs/CommandLine.md and the man pages.

    swift build --product pushcrypt
    .ci/manual.py            writes Docs/CommandLine.md
    .ci/manual.py --check    fails if the page differs from the tool's help
    .ci/manual.py --man DIR  writes a man page for each command into DIR; SOURCE_DATE_EPOCH dates them

Packages contain the man pages, and the repository the page alone.
"""

import argparse
import datetime
import difflib
import json
import os
import pathlib
import re
import subprocess
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "Docs/CommandLine.md"
# Every command has these options.
COMMON = {"version", "help"}
# A command, an option or another literal in the text of the help. An apostrophe inside of a word isn't a quotation mark.
QUOTED = re.compile(r"(?<!\w)'([^']+)'(?!\w)")
BARE = re.compile(r"(?<![\w'-])(--[a-z][a-z-]*)(?![\w'-])")


class Argument:
    """An option, a flag or an operand of a command."""

    def __init__(self, data):
        self.kind = data["kind"]
        self.text = data.get("abstract", "")
        self.section = data.get("sectionTitle", "")
        self.default = data.get("defaultValue")
        self.values = data.get("allValues") or []
        self.is_optional, self.is_repeating = data["isOptional"], data["isRepeating"]
        self.is_shown = data["shouldDisplay"]
        self.value = data.get("valueName", "").upper()
        self.names = [("-" if name["kind"] == "short" else "--") + name["name"] for name in data.get("names", [])]
        self.is_common = any(name.lstrip("-") in COMMON for name in self.names)

    def usage(self):
        """The argument in a usage line; an empty string if it is an optional option."""
        if self.kind == "positional":
            text = self.value + (" …" if self.is_repeating else "")
            return f"[{text}]" if self.is_optional or self.default is not None else text
        return "" if self.is_optional else f"{self.names[-1]} {self.value}"

    def facts(self):
        """The description, with the values and the default if the help doesn't name them."""
        text = self.text
        if self.values and not all(re.search(rf"\b{re.escape(value)}\b", text) for value in self.values):
            text += " Values: " + ", ".join(self.values) + "."
        if self.default is not None and "Default:" not in text and self.default != "-":
            text += f" Default: {self.default}."
        return text.strip()


class Command:
    """A command of the tool with its subcommands."""

    def __init__(self, data):
        self.path = data.get("superCommands", []) + [data["commandName"]]
        self.name = " ".join(self.path)
        self.abstract = data.get("abstract", "")
        blocks = [block for block in data.get("discussion", "").split("\n\n") if block]
        lines = [line for block in blocks for line in block.split("\n")]
        self.examples = [line.removeprefix("Example: ") for line in lines if line.startswith("Example: ")]
        self.paragraphs = [block for block in blocks if not block.startswith("Example: ")]
        self.arguments = [argument for argument in map(Argument, data.get("arguments", [])) if argument.is_shown]
        self.commands = [Command(command) for command in data.get("subcommands", [])
                         if command["shouldDisplay"] and command["commandName"] != "help"]

    def all(self):
        return [self] + [other for command in self.commands for other in command.all()]

    def usage(self):
        if self.commands:
            return f"{self.name} COMMAND"
        options = any(a.kind != "positional" and a.is_optional and not a.is_common for a in self.arguments)
        words = [self.name] + (["[OPTIONS]"] if options else [])
        words += [a.usage() for kinds in (("option", "flag"), ("positional",)) for a in self.arguments if a.kind in kinds]
        return " ".join(word for word in words if word)

    def sections(self, common=False):
        """The arguments by the titles of their groups, operands first."""
        sections = {}
        shown = [a for a in self.arguments if common or not a.is_common]
        for argument in sorted(shown, key=lambda a: a.kind != "positional"):
            sections.setdefault(argument.section, []).append(argument)
        return sections


class Markdown:
    """The page Docs/CommandLine.md."""

    def __init__(self, root):
        self.root, self.names = root, {command.name for command in root.all()}

    def prose(self, text, here=""):
        """Text of the help, with literals as code, and commands as links to their sections."""
        parts = QUOTED.split(text)
        for index, part in enumerate(parts):
            if index % 2:
                parts[index] = self.link(part) if part in self.names and part != here else f"`{part}`"
            else:
                part = re.sub(r"([<>*_\[\]|])", r"\\\1", part)
                parts[index] = BARE.sub(r"`\1`", re.sub(r"(\$[A-Z\\_]+)", lambda m: f"`{m[1]}`".replace("\\", ""), part))
        return "".join(parts)

    def link(self, name):
        return f"[`{name}`](#{name.replace(' ', '-')})"

    def row(self, argument, here):
        if argument.kind == "positional":
            names = f"`{argument.value}`"
        else:
            value = f" {argument.value}" if argument.kind == "option" else ""
            names = ", ".join(f"`{name}`" for name in argument.names[:-1] + [argument.names[-1] + value])
        return f"| {names} | {self.prose(argument.facts(), here)} |"

    def section(self, command):
        yield f"## {command.name}\n"
        # In a console block, the tests would run the commands.
        yield "```sh\n" + "\n".join([command.usage()] + command.examples) + "\n```\n"
        yield self.prose(command.abstract, command.name) + "\n"
        yield from (self.prose(paragraph, command.name) + "\n" for paragraph in command.paragraphs)
        if command.commands:
            rows = [f"| {self.link(sub.name)} | {self.prose(sub.abstract)} |" for sub in command.commands]
            yield "\n".join(["| command | purpose |", "|---|---|", *rows]) + "\n"
        for title, arguments in command.sections().items():
            rows = [self.row(argument, command.name) for argument in arguments]
            yield "\n".join([f"| {title or 'argument'} | meaning |", "|---|---|", *rows]) + "\n"

    def text(self):
        head = ["# Command line\n", "```sh\npushcrypt help\npushcrypt help COMMAND\n```\n",
                "The tool's help prints the same text, and `.ci/manual.py` writes this page from it. Every command has the\n"
                "options `--help` and `--version`. The first line of each section is the usage. Examples follow it.\n"]
        parts = head + [part for command in self.root.all() for part in self.section(command)]
        return "\n".join(parts)


class Roff:
    """The man page of a command."""

    def __init__(self, command, version, date, parents):
        self.command, self.version, self.date, self.parents = command, version, date, parents

    @staticmethod
    def plain(text):
        text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq")
        text = "".join(c if ord(c) < 128 else f"\\[u{ord(c):04X}]" for c in text)
        return text

    @staticmethod
    def wrapped(text):
        """Lines of at most 80 bytes that don't begin as a request does."""
        lines = textwrap.wrap(text, 79, break_long_words=False, break_on_hyphens=False)
        return "\n".join("\\&" + line if line.startswith(".") else line for line in lines)

    def prose(self, text):
        parts = QUOTED.split(text)
        return self.wrapped("".join(f"\\fB{self.plain(part)}\\fR" if index % 2 else self.words(part)
                                    for index, part in enumerate(parts)))

    def words(self, text):
        """Text in which a hyphen is one of a word, except in an option."""
        parts = BARE.split(text)
        return "".join(f"\\fB{self.plain(part)}\\fR" if index % 2 else self.plain(part).replace("\\-", "-")
                       for index, part in enumerate(parts))

    def argument(self, argument):
        if argument.kind == "positional":
            names = f"\\fI{self.plain(argument.value)}\\fR"
        else:
            names = ", ".join(f"\\fB{self.plain(name)}\\fR" for name in argument.names)
            names += f" \\fI{self.plain(argument.value)}\\fR" if argument.kind == "option" else ""
        return [".TP", names, self.prose(argument.facts())] if argument.facts() else [".TP", names]

    def lines(self):
        command, page = self.command, "-".join(self.command.path)
        yield f'.TH {self.plain(page.upper())} 1 {self.date} "pushcrypt {self.version}" "PushCrypt"'
        abstract = command.abstract.rstrip(".")
        yield from [".SH NAME", self.wrapped(f"{self.plain(page)} \\- {self.words(abstract[:1].lower() + abstract[1:])}")]
        yield from [".SH SYNOPSIS", f"\\fB{self.plain(command.name)}\\fR" + self.plain(command.usage()[len(command.name):])]
        yield ".SH DESCRIPTION"
        yield self.prose(command.abstract)
        for paragraph in command.paragraphs:
            yield from [".PP", self.prose(paragraph)]
        if command.commands:
            yield ".SH COMMANDS"
            for sub in command.commands:
                yield from [".TP", f"\\fB{self.plain(sub.name)}\\fR", self.prose(sub.abstract)]
        for title, arguments in command.sections(common=True).items():
            yield f'.SH {self.plain(title.upper()) or "OPTIONS"}'
            yield from (line for argument in arguments for line in self.argument(argument))
        if command.examples:
            yield ".SH EXAMPLES"
            for index, example in enumerate(command.examples):
                yield from ([".PP"] if index else []) + [".nf", ".RS 4", self.plain(example), ".RE", ".fi"]
        related = self.parents + command.commands
        if related:
            yield ".SH SEE ALSO"
            pages = sorted("-".join(other.path) for other in related)
            yield from (f".BR {self.plain(name)} (1){',' if name != pages[-1] else ''}" for name in pages)


def write_man_pages(root, version, directory):
    directory.mkdir(parents=True, exist_ok=True)
    seconds = int(os.environ.get("SOURCE_DATE_EPOCH") or datetime.datetime.now().timestamp())
    date = datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc).date().isoformat()
    commands = root.all()
    for command in commands:
        parents = [other for other in commands if other.path == command.path[:-1]]
        text = "\n".join(Roff(command, version, date, parents).lines()) + "\n"
        (directory / f"{'-'.join(command.path)}.1").write_text(text)


def output(tool, option):
    """What the tool prints, without the user's settings."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PUSHCRYPT_")}
    return subprocess.run([tool, option], capture_output=True, check=True, text=True, env=environment).stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", default=ROOT / ".build/debug/pushcrypt", help="the tool (default: .build/debug/pushcrypt)")
    parser.add_argument("--check", action="store_true", help="fail if Docs/CommandLine.md isn't current")
    parser.add_argument("--man", metavar="DIR", type=pathlib.Path, help="write the man pages into this directory")
    options = parser.parse_args()
    root = Command(json.loads(output(options.tool, "--experimental-dump-help"))["command"])
    if len(root.all()) < 20:
        sys.exit(f"The help has only {len(root.all())} commands.")
    if options.man:
        return write_man_pages(root, output(options.tool, "--version").split()[0], options.man)
    text = Markdown(root).text()
    if not options.check:
        PAGE.write_text(text)
        return
    old = PAGE.read_text() if PAGE.exists() else ""
    if old != text:
        sys.stdout.writelines(difflib.unified_diff(old.splitlines(True), text.splitlines(True), str(PAGE), "the tool's help"))
        sys.exit("Docs/CommandLine.md isn't current. Run .ci/manual.py.")


if __name__ == "__main__":
    main()
