"""Shared by the stand-ins of Apple's commands, with which Tests/Mac/test runs Tests/Mac/run on Linux.

They accept exactly the arguments that the run uses, and refuse all others with 64. They show that the run calls them
as intended. They can't show that Apple's commands accept it. STANDIN_STATE is their directory, and STANDIN_FAIL has the
names of actions that fail, with commas.
"""

import json
import os
import re
import sys

ROOT = os.path.realpath(os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..", ".."))
NAME = os.path.basename(sys.argv[0])
STATE = os.environ["STANDIN_STATE"]


def refuse(what):
    print(f"stand-in {NAME}: error: {what}", file=sys.stderr)
    sys.exit(64)


def fail_if_asked(action):
    if action in os.environ.get("STANDIN_FAIL", "").split(","):
        print(f"{NAME}: error: {action} fails, as the test asks: {' '.join(sys.argv[1:])}", file=sys.stderr)
        sys.exit(65)


def need(condition, what):
    if not condition:
        refuse(what)


def tool():
    return os.environ["PUSHCRYPT"]


def read(name, default):
    try:
        with open(os.path.join(STATE, name), encoding="utf-8") as file:
            return json.load(file)
    except FileNotFoundError:
        return default


def write(name, value):
    with open(os.path.join(STATE, name), "w", encoding="utf-8") as file:
        json.dump(value, file)


def log(process, subsystem, text):
    """Adds a line to the simulator's log."""
    write("log.json", read("log.json", []) + [{"process": process, "subsystem": subsystem, "text": text}])


def checked_in_clone():
    need(os.path.realpath(os.getcwd()) == ROOT, "runs outside of the clone")
    need(os.environ.get("PUSHCRYPT_WARNINGS_ARE_ERRORS") == "1", "warnings aren't errors")


def parse(text):
    """Reads a property list in the text format."""
    tokens = re.findall(r'"(?:[^"\\]|\\.)*"|[A-Za-z0-9_./]+|[{}()=;,]', re.sub(r"^//.*\n", "", text))
    position = 0

    def take(expected=None):
        nonlocal position
        token = tokens[position]
        position += 1
        need(expected in (None, token), f"the project has {token} instead of {expected}")
        return token

    def value():
        token = take()
        if token == "{":
            members = {}
            while tokens[position] != "}":
                key = value()
                take("=")
                members[key] = value()
                take(";")
            take("}")
            return members
        if token == "(":
            elements = []
            while tokens[position] != ")":
                elements.append(value())
                take(",")
            take(")")
            return elements
        return re.sub(r"\\(.)", r"\1", token[1:-1]) if token[0] == '"' else token

    whole = value()
    need(position == len(tokens), "the project continues after its object")
    return whole
