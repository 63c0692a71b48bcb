"""Strict JSON: RFC 8259 with one object at the top, without duplicate names, at most 64 levels deep."""

from __future__ import annotations

import json
import re
from typing import Any, Dict

MAXIMUM_DEPTH = 64

_SPACE = re.compile(rb"[ \t\n\r]*")
_NUMBER = re.compile(rb"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_LITERAL = re.compile(rb"true|false|null")
# A surrogate is valid only as half of a pair.
_STRING = re.compile(
    rb'"(?:[^"\\\x00-\x1f]|\\["\\/bfnrt]|\\u(?:[0-9a-cA-CefEF][0-9a-fA-F]{3}|[dD][0-7][0-9a-fA-F]{2}'
    rb'|[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}))*"')
_STRING_OR_SPACE = re.compile(rb'("(?:[^"\\]|\\.)*")|[ \t\n\r]+')


class JSONSyntaxError(ValueError):
    """A violation of strict JSON. The text names the byte offset, never the content."""


class Number(bytes):
    """The digits of a number, as they arrived."""


class Node:
    """A value: a dict or list of nodes, a str, a Number, True, False or None."""

    __slots__ = ("value", "source", "member")

    def __init__(self, value: Any, source: bytes) -> None:
        self.value = value
        self.source = source  # the bytes of the value, as they arrived
        self.member = b""  # the bytes of "name": value, if an object has the value

    def compact(self) -> bytes:
        """Returns the bytes without white space between tokens."""
        return _STRING_OR_SPACE.sub(lambda match: match.group(1) or b"", self.source)

    def integer(self, low: int, high: int) -> int | None:
        """Returns the integer, or None if the value isn't digits alone, or outside of the limits."""
        if not isinstance(self.value, Number) or not self.value.isdigit() or len(self.value) > 20:
            return None
        number = int(self.value)
        return number if low <= number <= high else None


Members = Dict[str, Node]


def parse(data: bytes, maximum_depth: int = MAXIMUM_DEPTH) -> Node:
    """Returns the node of the object that the bytes contain."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise JSONSyntaxError(f"The JSON isn't UTF-8 at byte {error.start}. Encode it as UTF-8.") from None
    start = _after_space(data, 0)
    if data[start:start + 1] != b"{":
        raise JSONSyntaxError(f"The JSON has no object at byte {start}. Use one object without a byte order mark.")
    node, end = _value(data, start, maximum_depth)
    end = _after_space(data, end)
    if end != len(data):
        raise JSONSyntaxError(f"The JSON has more than one object at byte {end}. Remove the rest.")
    return node


def encode_string(text: str) -> bytes:
    """Returns the JSON string in UTF-8."""
    return json.dumps(text, ensure_ascii=False).encode("utf-8")


def _after_space(data: bytes, at: int) -> int:
    match = _SPACE.match(data, at)
    return match.end() if match else at


def _value(data: bytes, at: int, levels: int) -> tuple[Node, int]:
    value: Any
    first = data[at:at + 1]
    if first == b"{" or first == b"[":
        if levels == 0:
            raise JSONSyntaxError(f"The JSON has too many levels at byte {at}. Use fewer levels.")
        value, end = _object(data, at, levels) if first == b"{" else _array(data, at, levels)
    elif first == b'"':
        value, end = _string(data, at)
    else:
        match = _LITERAL.match(data, at)
        if match:
            value = {b"true": True, b"false": False, b"null": None}[match.group()]
        else:
            match = _NUMBER.match(data, at)
            value = Number(match.group()) if match else None
        if not match:
            raise JSONSyntaxError(f"The JSON has no valid value at byte {at}. Correct the value.")
        end = match.end()
    return Node(value, data[at:end]), end


def _string(data: bytes, at: int) -> tuple[str, int]:
    match = _STRING.match(data, at)
    if not match:
        raise JSONSyntaxError(f"The JSON has no valid string at byte {at}. Correct the string.")
    return json.loads(match.group()), match.end()


def _object(data: bytes, at: int, levels: int) -> tuple[Members, int]:
    members: Members = {}
    at = _after_space(data, at + 1)
    if data[at:at + 1] == b"}":
        return members, at + 1
    while True:
        start = at
        name, at = _string(data, at)
        if name in members:
            raise JSONSyntaxError(f"The JSON has a duplicate name at byte {start}. Use each name once.")
        at = _after_space(data, at)
        if data[at:at + 1] != b":":
            raise JSONSyntaxError(f"The JSON has no colon at byte {at}. Add a colon.")
        node, end = _value(data, _after_space(data, at + 1), levels - 1)
        node.member = data[start:end]
        members[name] = node
        at, is_last = _next(data, end, b"}")
        if is_last:
            return members, at


def _array(data: bytes, at: int, levels: int) -> tuple[list[Node], int]:
    elements: list[Node] = []
    at = _after_space(data, at + 1)
    if data[at:at + 1] == b"]":
        return elements, at + 1
    while True:
        node, at = _value(data, at, levels - 1)
        elements.append(node)
        at, is_last = _next(data, at, b"]")
        if is_last:
            return elements, at


def _next(data: bytes, at: int, closing: bytes) -> tuple[int, bool]:
    at = _after_space(data, at)
    character = data[at:at + 1]
    if character == closing:
        return at + 1, True
    if character != b",":
        raise JSONSyntaxError(f"The JSON has no comma or end at byte {at}. Correct the object or array.")
    return _after_space(data, at + 1), False
