#!/usr/bin/env python3
"""Holds what can be counted in the English of comments and pages. Docs/Contributing.md has the rules of style.

    .ci/prose.py          prints the figures, and the offenders of each limit that is exceeded
    .ci/prose.py --all    prints all offenders

It reads comments and string literals of Sources, of Tests and of Docs/Examples. It reads the pages without their code:
README.md, Docs, Keys, the languages' pages and the articles of DocC. Finding literals by a regular expression is good
enough here: at worst, a piece of an interpolation counts as text. Each habit has sentences that show what it finds. They
are checked first.
"""

import bisect
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

# Share of the summaries of doc comments, in percent.
SUMMARY = re.compile(r"/// (for )?(what|where|whose|which|whom|how|who|when|whether|by)\b", re.I)
SUMMARY_LIMIT = 2

# By 1,000 lines.
AFTER_WHERE = ("it|there|the|a|an|no|this|that|these|those|one|they|he|she|we|you|what|nothing|something|anything|nobody|"
               "somebody|all|only|its|their|any|some|both|neither|none|two|several|such|not|numbers")
LIMITS = {
    "nobody, somebody, whoever, whatever": (0.5, r"nobody|somebody|whoever|whatever"),
    '"where" for "if"': (5, rf"where (?:{AFTER_WHERE})"),
    '"is no", "is none", "none of"': (5, r"is no(?! longer)|is none|none of"),
}

# By 1,000 lines of comments in Sources, and of pages: words of translated English. Each has a limit, a pattern,
# sentences that it finds, and sentences that it leaves alone.
HABITS = {
    '"a text", "the texts"': (
        1, r"a text(?! (?:file|field|editor|message))|the texts",
        ["If you change a text, the state differs.", "It compares the texts."],
        ["Pass a text file.", "It displays text."]),
    '"behind" for "after"': (
        1, r"(?<!is )behind(?! (?:a|an|the) (?:proxy|firewall|load balancer))",
        ["The code stands behind it.", "Answers the lines behind those of the file."],
        ["The clock is behind the server's.", "The service runs behind a proxy."]),
    '"of which"': (
        1, r"of which",
        ["The connections, of which a closed client has none."],
        ["The key for which it signs."]),
    '"that of", "those of"': (
        1, r"(?:that|those) of",
        ["The number is that of the line.", "Its codes are those of a key."],
        ["The number that the line has.", "Those keys of the server."]),
    '"then" at the end': (
        1, r"(?<!since )(?<!until )(?<!by )then(?=[.:;])",
        ["Nothing is sent then.", "It fails then; the keys stay."],
        ["If it fails, then the keys stay.", "The key has changed since then."]),
    '"also" after a comma or at the beginning': (
        1, r"(?<=, )also|(?<=[.:;] )also",
        ["It rejects the key, also in earlier messages.", "It works. Also after a restart."],
        ["The extension also stores it.", "It can also fail."]),
}
# By 1,000 lines of comments in Sources.
ALSO_LIMIT = 3

# Words of a sentence on a page, and the share of longer sentences, in percent.
LONGEST_SENTENCE = 25
LONG_LIMIT = 1

# Never, also in string literals.
BANNED = (r"mend(?:s|ed|ing)?|spelt|anew|folders?|whole numbers?|(?:takes?|took|taken|taking) (?:it |them |this |that )?for an?|"
          r"lets? go of|letting go of|look(?:s|ed|ing)? after|troubles?|troubled|believed|on the way|travel\w*|"
          r"in the place of|to note|notes that|noted|noting|makes? (?:a|an|the|its|this|that|new) (?:new )?(?:file|directory|key|keyring)")

# A title, a summary of one sentence, "Overview", and code.
ARTICLE = re.compile(r"# .+\n\n[A-Z](?:[^\n.]|\.(?=\S)|\n(?!\n))+\.\n\n## Overview\n\n```")

# A comment, a literal of several lines, or one of one line. What stands first wins, so "//" in a literal is no comment.
TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|(#*)"""\n.*?"""\1|(#+)".*?"\2|"(?:\\.|[^"\\\n])*"', re.S)
INTERPOLATION = re.compile(r'\\#*\((?:[^()]|\([^()]*\))*\)')


class Text:
    """Lines of text that are searched as one, so that a phrase may go over the end of a line."""

    def __init__(self):
        self.lines, self.starts, self.places, self.length = [], [], [], 0

    def add(self, file, number, line):
        self.lines.append(line)
        self.starts.append(self.length)
        self.places.append(f"{file.relative_to(ROOT)}:{number}")
        self.length += len(line) + 1

    def find(self, pattern):
        """The matches of a pattern as words, each with its file, line and surroundings."""
        text = " ".join(self.lines)
        for match in re.finditer(rf"\b(?:{pattern})\b", text, re.I):
            place = self.places[bisect.bisect_right(self.starts, match.start()) - 1]
            yield f"{place}: … {text[max(0, match.start() - 30):match.end() + 30].strip()} …"


def swift(directories):
    """Comments and string literals of Swift files, and the summaries of doc comments."""
    comments, literals, summaries = Text(), Text(), []
    for file in sorted(f for d in directories for f in (ROOT / d).rglob("*.swift") if "/.build" not in str(f)):
        text = file.read_text()
        previous = ""
        for number, line in enumerate(text.split("\n"), 1):
            line = line.strip()
            if line.startswith("//"):
                comments.add(file, number, line.lstrip("/ "))
                if line.startswith("///") and not previous.startswith("///"):
                    summaries.append((f"{file.relative_to(ROOT)}:{number}: {line}", bool(SUMMARY.match(line))))
            previous = line
        for match in TOKEN.finditer(text):
            number = text.count("\n", 0, match.start()) + 1
            if match.group().startswith("/"):
                start = text.rfind("\n", 0, match.start()) + 1
                if text[start:match.start()].strip():  # a comment behind code
                    comments.add(file, number, match.group().lstrip("/ "))
            else:
                words = INTERPOLATION.sub(" ", match.group()).replace("\\n", " ")
                for offset, line in enumerate(words.split("\n")):
                    literals.add(file, number + offset, line)
    return comments, literals, summaries


def page_files():
    """The files of the pages."""
    files = [ROOT / "README.md", *(ROOT / "Docs").rglob("*.md"), *(ROOT / "Keys").rglob("*.md"),
             *(ROOT / "Sources").rglob("*.md")]
    return sorted(f for f in files if "/.build" not in str(f) and "/node_modules/" not in str(f))


def pages():
    """The pages without code: blocks between fences, and what stands between backticks."""
    text = Text()
    for file in page_files():
        fenced = False
        for number, line in enumerate(file.read_text().split("\n"), 1):
            if line.lstrip().startswith("```"):
                fenced = not fenced
            elif not fenced:
                text.add(file, number, re.sub(r"`[^`]*`|\]\([^)]*\)", " ", line))
    return text


def sentences():
    """The sentences of the pages outside of code, tables and headings, each with its file."""
    for file in page_files():
        text = re.sub(r"(?ms)^\s*```.*?^\s*```", "\n\n", file.read_text())
        text = re.sub(r"(?m)^(?:\||#|<!--|\[[^\]\n]+\]: ).*$", "\n", text)
        text = re.sub(r"\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])", r"\1", re.sub(r"``?[^`]*``?", "x", text))
        for paragraph in re.split(r"\n\s*\n|\n\s*(?:[-*]|\d+\.) ", text):
            for sentence in re.split(r"(?<=[.!?:;])\s+", " ".join(paragraph.split())):
                yield f"{file.relative_to(ROOT)}: {sentence}", len(re.findall(r"\w[\w'-]*", sentence))


def misshapen():
    """The articles of DocC that don't begin as a page does, and the pages whose limits don't come last."""
    for file in page_files():
        text, name = file.read_text(), file.relative_to(ROOT)
        if file.parent.suffix == ".docc" and not ARTICLE.match(text):
            yield f"{name}: it needs a title, a sentence as summary, '## Overview', and then code"
        headings = re.findall(r"(?m)^#+ (?:\d+\. )?(.*)$", re.sub(r"(?ms)^\s*```.*?^\s*```", "", text))
        if "Limits" in headings[:-1]:
            yield f"{name}: the limits aren't the last section"


def check_examples():
    """Ends the script if a habit doesn't find its own examples, or finds the others."""
    for name, (_, pattern, found, left) in HABITS.items():
        for sentence in found + left:
            text = Text()
            text.add(ROOT / "example", 1, sentence)
            if bool(list(text.find(pattern))) != (sentence in found):
                sys.exit(f"The habit {name} is wrong about this example: {sentence}")


def main():
    check_examples()
    show_all = sys.argv[1:] == ["--all"]
    failed = False

    def report(name, value, limit, offenders):
        nonlocal failed
        fails = value > limit
        failed = failed or fails
        print(f"{'FAILS ' if fails else 'passes'} {value:7.5g} (limit {limit}) {name}")
        if fails or show_all:
            print("".join(f"    {offender}\n" for offender in offenders), end="")

    sources, texts, summaries = swift(["Sources"])
    tests, test_texts, test_summaries = swift(["Tests", "Docs/Examples"])
    documents = pages()
    for name, found in ("Sources", summaries), ("Tests", test_summaries):
        if not found:
            sys.exit(f"{name} has no doc comments: nothing was checked.")
        offenders = [line for line, offends in found if offends]
        report(f"% of {len(found)} doc summaries in {name} begin with a question word",
               100 * len(offenders) / len(found), SUMMARY_LIMIT, offenders)
    for name, text in [("comments of Sources", sources), ("literals of Sources", texts), ("comments of Tests", tests),
                       ("pages", documents)]:
        lines = sum(1 for line in text.lines if line.strip())
        for limit_name, (limit, pattern) in LIMITS.items():
            offenders = list(text.find(pattern))
            report(f"{limit_name}, by 1,000 of {lines} lines in {name}", 1000 * len(offenders) / max(lines, 1), limit,
                   offenders)
    for place, text in ("comments of Sources", sources), ("pages", documents):
        lines = sum(1 for line in text.lines if line.strip())
        for name, (limit, pattern, _, _) in HABITS.items():
            offenders = list(text.find(pattern))
            report(f"{name}, by 1,000 of {lines} lines in {place}", 1000 * len(offenders) / lines, limit, offenders)
    lines = sum(1 for line in sources.lines if line.strip())
    offenders = list(sources.find("also"))
    report(f'"also", by 1,000 of {lines} lines in comments of Sources', 1000 * len(offenders) / lines, ALSO_LIMIT,
           offenders)
    found = list(sentences())
    offenders = [text for text, words in found if words > LONGEST_SENTENCE]
    report(f"% of {len(found)} sentences in pages with more than {LONGEST_SENTENCE} words",
           100 * len(offenders) / len(found), LONG_LIMIT, offenders)
    offenders = list(misshapen())
    report("pages in another order", len(offenders), 0, offenders)
    for name, text in [("comments of Sources", sources), ("literals of Sources", texts), ("comments of Tests", tests),
                       ("literals of Tests", test_texts), ("pages", documents)]:
        offenders = list(text.find(BANNED))
        report(f"banned words in {name}", len(offenders), 0, offenders)
    if failed:
        sys.exit("The text above breaks the rules of style in Docs/Contributing.md. Rewrite it.")


main()
