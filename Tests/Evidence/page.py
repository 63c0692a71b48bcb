"""The page of the promises."""

import broken
import workplace

PAGE = workplace.ROOT / "Docs/Evidence.md"
THREATS = workplace.ROOT / "Docs/ThreatModel.md"
BEGIN, END = "<!-- Written by Tests/Evidence/run --write -->\n", "<!-- End -->\n"


def rows(text, heading):
    """The first cells of the table below a heading."""
    section = text.split(f"\n## {heading}\n", 1)[1].split("\n## ", 1)[0]
    lines = [line for line in section.splitlines() if line.startswith("| ")]
    return [line.split(" | ")[0].removeprefix("| ") for line in lines[1:] if not line.startswith("|---")]


def differences(promises):
    """The promises that the threat model and promises.json don't have in common."""
    stated = rows(THREATS.read_text(), "What PushCrypt promises")
    known = [promise["promise"] for promise in promises]
    return [f"promises.json lacks this promise of Docs/ThreatModel.md: {text}" for text in stated if text not in known] + [
        f"Docs/ThreatModel.md lacks this promise of promises.json: {text}" for text in known if text not in stated]


def pattern(promise):
    """The expression that matches the suites of a promise, and no others."""
    return rf"\.({'|'.join(promise['tests'])})/"


def section(promise, figures):
    """The part of the page about a promise."""
    counts = figures[promise["name"]]
    lines = [
        f"### {promise['name'].capitalize()}", "", f"{promise['promise']}", "",
        f"- **Attack.** {promise['attack']}",
        f"- **Checked.** {promise['checks']}",
        f"- **Tests.** {counts['tests']} with {counts['cases']} cases: `'{pattern(promise)}'`",
    ]
    if "file" in promise:
        name = promise["file"].split("/")[-1]
        code = promise.get("statement") or promise["code"]
        if "statement" in promise:
            change = f"Delete `{code}`"
        elif "text" in promise:
            change = f"Have `{code}` do nothing" if promise["name"] == "parser" else f"Ignore the condition in `{code}`"
        else:
            change = f"Replace `{code}` by `{promise['instead']}`"
        lines.append(f"- **Break.** {change} in [{name}](../{promise['file']}#L{broken.line(promise)}).")
        lines.append(f"- **Result.** {result(counts['failure'])}")
    else:
        lines.append(f"- **Break.** {promise['none']}")
    return "\n".join(lines) + "\n"


def result(failure):
    return "The process of the tests ends." if failure == "the process ends" else f"This test fails: {failure}."


def generated(promises, figures):
    return BEGIN + "\n" + "\n".join(section(promise, figures) for promise in promises) + "\n" + END


def replaced(text, promises, figures):
    before, rest = text.split(BEGIN, 1)
    return before + generated(promises, figures) + rest.split(END, 1)[1]


def write(promises, figures):
    PAGE.write_text(replaced(PAGE.read_text(), promises, figures))


def outdated(promises, figures):
    """What is wrong with the page."""
    text = PAGE.read_text()
    if replaced(text, promises, figures) != text:
        return ["Docs/Evidence.md isn't what promises.json and figures.json give. Run Tests/Evidence/run --page."]
    return []
