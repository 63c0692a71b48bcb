"""Reads the names that Swift files declare and use, by identifiers. It needs no compiler, and knows no types."""

import bisect
import re

# A comment, a regular expression or a string literal, whichever stands first. "//" in a literal is no comment.
EXPRESSION = r"(?<=[(,=:\[{ ])/(?=[^ /*\n])(?:\\.|[^/\\\n])+/|#/.*?/#"
START = re.compile(rf'(?P<expression>{EXPRESSION})|//|/\*|(?P<hashes>#*)(?P<quotes>"""|")', re.S)
COMMENT = re.compile(r"/\*|\*/")
WORD = re.compile(r"`?([A-Za-z_]\w*)`?|[{}()\[\].,:;=<]|\n")

TYPES = {"struct", "class", "enum", "actor", "protocol"}
MEMBERS = {"func", "var", "let", "case", "typealias", "associatedtype"}
MODIFIERS = {"public", "package", "internal", "fileprivate", "private", "open", "final", "indirect", "nonisolated", "static",
             "class", "mutating", "nonmutating", "consuming", "borrowing", "lazy", "weak", "unowned", "override",
             "convenience", "required", "dynamic", "optional", "prefix", "postfix", "infix", "distributed", "isolated"}
HIDDEN = {"private", "fileprivate"}


def blank(text):
    """Spaces instead of characters, so that lines keep their numbers and places."""
    return re.sub(r"[^\n]", " ", text)


def end_of_comment(text, start):
    """Returns the end of a comment between /* and */, which may have others inside."""
    depth, place = 1, start + 2
    while depth and (match := COMMENT.search(text, place)):
        depth += 1 if match[0] == "/*" else -1
        place = match.end()
    return len(text) if depth else place


def end_of_code(text, start):
    """Returns the end of an interpolation's code, and the code, whose own literals are blank."""
    depth, place, parts = 1, start, []
    step = re.compile(rf'[()]|{EXPRESSION}|//|/\*|#*"', re.S)
    while match := step.search(text, place):
        parts.append(text[place:match.start()])
        place = match.end()
        if match[0] in ("(", ")"):
            depth += 1 if match[0] == "(" else -1
            if depth == 0:
                return match.start(), "".join(parts)
            parts.append(match[0])
        else:
            place, piece = skipped(text, match.start())
            parts.append(piece)
    return len(text), "".join(parts)


def literal(text, match):
    """Returns the end of a string literal, and the literal with blanks, except for the code of its interpolations."""
    hashes, quotes = match["hashes"], match["quotes"]
    line = "" if len(quotes) == 3 else r"|(?P<line>\n)"
    step = re.compile(rf"(?P<code>\\{hashes}\()|\\{hashes}.|(?P<end>{quotes}{hashes}){line}", re.S)
    place, parts = match.end(), [blank(match[0])]
    while found := step.search(text, place):
        parts.append(blank(text[place:found.start()]))
        if found["end"] or found.groupdict().get("line"):
            return found.end(), "".join([*parts, blank(found[0])])
        parts.append(blank(found[0]))
        place = found.end()
        if found["code"]:
            place, code = end_of_code(text, place)
            parts.append(code)
    return len(text), "".join([*parts, blank(text[place:])])


def skipped(text, start):
    """Returns the end of the comment or literal that begins at a place, and what replaces it."""
    match = START.match(text, start)
    if match["expression"]:
        end = match.end()
    elif match[0] == "//":
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
    elif match[0] == "/*":
        end = end_of_comment(text, start)
    else:
        return literal(text, match)
    return end, blank(text[start:end])


def code(text):
    """Returns a file's code, with blanks for comments and string literals."""
    parts, place = [], 0
    while match := START.search(text, place):
        parts.append(text[place:match.start()])
        place, piece = skipped(text, match.start())
        parts.append(piece)
    return "".join(parts) + text[place:]


class SwiftFile:
    """The names that a file declares and uses.

    `types` are those that other files can name, `nested` the same inside of other types, `functions` stand outside of types.
    `members` are those that extensions add, by the name of the extended type. `declared` are all names of declarations,
    and `uses` have each name's lines as a type or a variable, or after a period.
    """

    def __init__(self, text):
        self.types, self.nested, self.functions, self.declared = set(), set(), set(), set()
        self.members = {}
        self.bound, self.bare, self.after_period = set(), {}, {}
        self.code = code(text)
        self.ends = [match.start() for match in re.finditer("\n", self.code)]
        self.words = [(match[1] or match[0], match.start()) for match in WORD.finditer(self.code)]
        self.scopes, self.waiting, self.modifiers = [], None, set()
        for index in range(len(self.words)):
            self.read(index)

    def word(self, index):
        return self.words[index][0] if 0 <= index < len(self.words) else ""

    def line(self, index):
        return bisect.bisect_left(self.ends, self.words[index][1]) + 1

    def read(self, index):
        word = self.word(index)
        if word == "{":
            self.scopes.append(self.waiting or ("block", "", False))
            self.waiting = None
        elif word == "}":
            del self.scopes[-1:]
        elif word in MODIFIERS and not (word == "class" and self.begins_class(index)):
            # "private(set)" hides the setter alone.
            self.modifiers |= {word} if self.word(index + 1) != "(" else set()
        elif word in TYPES | {"extension"}:
            self.begin(word, index)
        elif word in MEMBERS or word == "for":
            self.declare(word, index)
        elif word[0].isalpha() or word[0] == "_":
            self.use(word, index)
        if word not in MODIFIERS | {"(", ")", "set", "\n"} or word == "class" and self.begins_class(index):
            self.modifiers = set()

    def begins_class(self, index):
        """Whether "class" begins a type. It is a modifier of members, too."""
        return self.word(index + 1) not in MEMBERS | MODIFIERS | {"subscript", "init"}

    def begin(self, word, index):
        """Reads the beginning of a type or of an extension."""
        name, hidden = self.word(index + 1), bool(self.modifiers & HIDDEN)
        if self.word(index - 1) == "." or not re.match(r"\w", name):
            return
        if word != "extension":
            self.add_type(name, hidden)
        self.waiting = ("extension" if word == "extension" else "type", name, hidden)

    def add_type(self, name, hidden):
        self.declared.add(name)
        if not hidden and all(kind != "block" for kind, _, _ in self.scopes):
            (self.nested if self.scopes else self.types).add(name)

    def declare(self, word, index):
        """Reads the names that a declaration adds to its scope."""
        name = self.word(index + 1)
        kind, owner, is_hidden = self.scopes[-1] if self.scopes else ("file", "", False)
        if word == "for" or self.word(index - 1) == "." or not re.match(r"\w", name):
            self.bound.add(name)
            return
        if word == "case" and kind == "block":
            return
        if word in ("typealias", "associatedtype"):
            self.add_type(name, bool(self.modifiers & HIDDEN))
            return
        if word == "case":
            names = self.cases(index)
            self.bound |= names
        else:
            names = {name}
        self.declared |= names
        if kind == "block":
            self.bound.add(name)
        is_hidden = is_hidden or bool(self.modifiers & HIDDEN)
        if kind == "file" and word == "func" and not is_hidden:
            self.functions.add(name)
        if kind == "extension" and not is_hidden:
            self.members.setdefault(owner, set()).add(name)

    def cases(self, index):
        """The names after "case" in an enumeration."""
        line, depth, names = self.line(index), 0, set()
        for place in range(index + 1, len(self.words)):
            word = self.word(place)
            if self.line(place) != line or word == "\n":
                break
            depth += (word in "([") - (word in ")]")
            if depth == 0 and re.match(r"\w", word) and self.word(place - 1) in ("case", ","):
                names.add(word)
        return names

    def use(self, word, index):
        """Reads a name that isn't a declaration's own."""
        before, after = self.word(index - 1), self.word(index + 1)
        if before == ".":
            self.after_period.setdefault(word, self.line(index))
        elif before in MEMBERS or before in ("struct", "enum", "class", "actor", "protocol", "import"):
            return
        elif after == ":" and word[0].islower():
            # The label of an argument, or a parameter.
            self.bound.add(word)
        else:
            if after == "in" or (before, after) == ("{", ","):
                self.bound.add(word)
            self.bare.setdefault(word, self.line(index))
