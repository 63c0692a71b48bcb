"""The checks of a page. Each returns sentences about what is wrong."""

import pathlib
import re

import pushes

PROBE = (pathlib.Path(__file__).parent / "page.js").read_text()
VIEWS = (("light", 360), ("light", 800), ("light", 1100), ("light", 1200), ("dark", 800))
CONTRAST = 4.5
CLASSES = (256, 512, 1024, 2048)

ELEMENTS = set("html head meta title style body h1 h2 main section div span p table tbody tr th td code ul li".split())
ATTRIBUTES = {
    "html lang": "en", "meta charset": "utf-8", "meta http-equiv": "Content-Security-Policy",
    "meta content": r"default-src 'none'; style-src 'unsafe-inline'|width=device-width, initial-scale=1|no-referrer",
    "meta name": "viewport|referrer", "div style": r"width: \d+(\.\d+)?%",
}


def check(page, case, views=VIEWS):
    """Opens the page of a case, and returns everything that is wrong, and the number of texts whose contrast was measured."""
    wrong, measured = [], 0
    page.open(case.path)
    for scheme, width in views:
        page.prefer(scheme)
        page.resize(width)
        state = page.evaluate(PROBE)
        measured += len(state["contrasts"])
        found = (layout(state, width), contrast(state), elements(state), displayed(state, case), size(state, case),
                 findings(state, case))
        wrong += [f"{each} ({width} px, {scheme})" for rule in found for each in rule]
    return sorted({*wrong, *activity(page)}), measured


def activity(page):
    """A page runs nothing, asks for nothing and reports nothing."""
    for name, log in ("a script ran", page.scripts), ("a request was made", page.requests), ("console", page.messages):
        yield from (f"{name}: {each[:200]}" for each in dict.fromkeys(log))


def elements(state):
    """A page has the elements and attributes of the tool, and no others."""
    for name in set(state["elements"]) - ELEMENTS:
        yield f"the element {name} isn't the tool's"
    for element, name, value in state["attributes"]:
        expected = "[a-z ]+" if name == "class" else ATTRIBUTES.get(f"{element} {name}")
        if expected is None or not re.fullmatch(expected, value):
            yield f"the attribute {name}={value[:60]!r} of {element} isn't the tool's"
    if "Content-Security-Policy" not in [value for _, name, value in state["attributes"] if name == "http-equiv"]:
        yield "the content security policy is missing"


def layout(state, width):
    if state["scrollWidth"] > state["windowWidth"]:
        yield f"the page is {state['scrollWidth'] - state['windowWidth']} px wider than the window"
    yield from (f"{each} leaves the window" for each in dict.fromkeys(state["wide"]))
    yield from (f"{each!r} leaves its box" for each in dict.fromkeys(state["outside"]))
    yield from (f"{each['line'][:40]!r} doesn't run from right to left" for each in state["directions"] if not each["isRight"])
    if len(state["sections"]) != 2 or len(state["phoneBoxes"]) != 2:
        yield "the page doesn't have two columns and two lock screens"
        return
    left, right = state["sections"]
    if width >= 1100 and not (all(each["right"] <= right["left"] for each in state["phoneBoxes"])
                              and abs(left["top"] - right["top"]) < 1):
        yield "the readable values aren't beside the lock screens"
    if width == 360 and right["top"] - left["bottom"] < 16:
        yield "the columns touch each other"


def contrast(state):
    for each in state["contrasts"]:
        if each["ratio"] < CONTRAST:
            yield f"{each['text']!r} has the contrast {each['ratio']:.2f}"


def displayed(state, case):
    """The page displays each text of the push once in each place, and no other text."""
    if (state["title"], state["heading"]) != (case.title, case.title):
        yield f"the title is {state['title']!r} and {state['heading']!r}"
    badge = case.content.get("badge")
    expected = {name: case.content.get(name) for name in ("title", "subtitle", "body")}
    expected["badge"] = str(badge) if isinstance(badge, int) and badge > 0 else None
    for phone in state["phones"]:
        yield from (f"the lock screen's {name} is {phone[name]!r} instead of {expected[name]!r}"
                    for name in expected if phone[name] != expected[name])
    properties = [(row["name"], row["value"]) for row in state["properties"]]
    if properties != case.properties:
        yield f"the properties are {properties} instead of {case.properties}"
    readable = [(row["name"], row["value"]) for row in state["values"] if row["style"] == "readable"]
    for one, other in zip(readable + [None] * 999, case.values + [None] * (len(readable) + 1)):
        if one != other:
            yield f"a readable value is {one} instead of {other}"
            break
    sealed = [(row["name"], row["value"]) for row in state["values"] if row["style"] in ("sealed", "error")]
    if [name for name, _ in sealed] != list(case.sealed):
        yield f"the sealed values are {sealed}"
    reasons = state["reasons"]
    if len(reasons) != len(case.reasons) or any(part not in text for part, text in zip(case.reasons, reasons)):
        yield f"the reasons are {reasons} instead of {case.reasons}"
    if "right-to-left" in case.needs and not state["directions"]:
        yield "no line was checked from right to left"


def size(state, case):
    """The bar and the padding class show the lengths that the payload has."""
    values = [value for value in case.sealed.values() if re.fullmatch("[A-Za-z0-9_-]{80,}", value)]
    length, sealed = len(case.delivered), sum(map(len, values))
    left = case.limit - length
    rest = f"{left} bytes left" if left >= 0 else f"{-left} bytes too many"
    expected = f"{length} of {case.limit} bytes: {length - sealed} readable, {sealed} sealed, {rest}."
    if state["size"] != expected:
        yield f"the size is {state['size']!r} instead of {expected!r}"
    whole, *parts = state["bar"]
    for part, count in zip(parts, (length - sealed, sealed), strict=True):
        if abs(part - whole * count / max(length, case.limit)) > 1.5:
            yield f"a part of the bar has {part} of {whole} px for {count} bytes"
    lengths = list(map(pushes.message_length, values))
    expected = [str(each) if each in CLASSES else "maximum" for each in lengths if each in CLASSES or left < 4]
    if state["chosen"] != expected:
        yield f"the padding classes are {state['chosen']} instead of {expected}"
    if "two sealed values" in case.needs and len(values) != 2:
        yield f"the page has {len(values)} sealed values"


def findings(state, case):
    """The findings are those of lint, and each value has its own."""
    expected = list(map(pushes.sentence, case.findings))
    if state["findings"] != expected:
        yield f"the findings are {state['findings']} instead of {expected}"
    marks = [row["marks"] for row in state["values"] if row["style"] == "readable"]
    for own, other, (name, _) in zip(case.marks, marks, case.values):
        if own != other:
            yield f"{name} has the marks {other} instead of {own}"
    if "findings" in case.needs and not expected or "marks" in case.needs and not any(marks):
        yield "the page has no findings"
