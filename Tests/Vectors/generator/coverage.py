"""Compares the rules of the vectors with the sentences of Format.md: neither has one that the other lacks."""

import re

from .coverage_table import TABLE

# Section 1 describes layers, and section 9 is an example.
SECTIONS = (2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 14, 15)
# A refusal is a sentence with the code of an error, or with one of these words.
WORDS = re.compile(r"\b(must|never|rejects?|refuses?|required)\b")


def normalized(text):
    return " ".join(text.split())


def sections(text):
    """Returns the text of each section by its number, without examples in code blocks."""
    parts = re.split(r"^## (\d+)\. .*$", text, flags=re.MULTILINE)
    return {int(number): normalized(re.sub(r"```.*?```", "", body, flags=re.DOTALL))
            for number, body in zip(parts[1::2], parts[2::2])}


def codes(page):
    """Returns the codes of the generated table in Diagnosis.md."""
    table = page.split("<!-- begin codes -->")[1].split("<!-- end codes -->")[0]
    return set(re.findall(r"^\| ?`([a-z0-9-]+)`", table, flags=re.MULTILINE))


def refusals(section, known):
    """Returns the offsets of codes and words that refuse something."""
    found = [match.start() for match in re.finditer(r"`([a-z0-9-]+)`", section) if match[1] in known]
    return sorted(found + [match.start() for match in WORDS.finditer(section)])


def spans(number, section):
    """Returns the problems of a section's quotes, and their first and last offsets."""
    problems, found = [], []
    for quote in TABLE[number]:
        at = section.find(quote)
        if at < 0 or section.find(quote, at + 1) >= 0:
            problems.append(f"Section {number} of Format.md doesn't have exactly once: {quote}")
        found.append((at, at + len(quote)))
    return problems, found


def failing(document):
    """Returns the number of vectors that break each rule."""
    counts = dict.fromkeys(document.get("rules", {}), 0)
    for array in document["counts"]:
        for vector in document[array]:
            if {"fails", "stale", "challenge"} & set(vector) and "rule" in vector:
                counts[vector["rule"]] = counts.get(vector["rule"], 0) + 1
    return counts


def problems(documents, page, errors):
    """Returns what is missing: vectors of a rule, a rule of a sentence, or a sentence of a rule."""
    known, texts = codes(errors), sections(page)
    rules = {f"{name}/{rule}": count for name, document in documents.items() for rule, count in failing(document).items()}
    result = [f"No vector breaks the rule {rule}." for rule, count in rules.items() if count == 0]
    named = {rule for quotes in TABLE.values() for value in quotes.values() if isinstance(value, tuple) for rule in value}
    result += [f"No sentence of Format.md has the rule {rule} in coverage_table.py." for rule in sorted(set(rules) - named)]
    result += [f"coverage_table.py names the rule {rule}, which no file has." for rule in sorted(named - set(rules))]
    for number in SECTIONS:
        missing, found = spans(number, texts[number])
        result += missing
        for at in refusals(texts[number], known):
            if not any(start <= at < end for start, end in found):
                result.append(f"No rule covers, in section {number} of Format.md: …{texts[number][max(at - 90, 0) : at + 40]}…")
    return result


def table(documents):
    """Returns RULES.md of the kit: each refusal, and the vectors that check it."""
    counts = {f"{name}/{rule}": count for name, document in documents.items() for rule, count in failing(document).items()}
    lines = ["# Refusals and their vectors", "", "```text", "opening/check-9 (14)", "```", "",
             "This is the rule `check-9` of `opening.json`, which 14 vectors break. The table has each sentence of",
             "[Format.md](Format.md) that refuses something.", "",
             "| section | refusal | rules, or the reason for their absence |", "|---|---|---|"]
    for number, quotes in TABLE.items():
        for quote, value in quotes.items():
            if isinstance(value, tuple):
                value = ", ".join(f"{rule} ({counts[rule]})" for rule in value)
            quote = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", quote).replace("|", "\\|")
            lines.append(f"| {number} | {quote} | {value} |")
    return "\n".join([*lines, ""])
