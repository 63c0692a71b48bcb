"""The checks of a drawing. Each returns sentences about what is wrong."""

import itertools
import json
import pathlib

import pages

PROBE = (pathlib.Path(__file__).parent / "drawing.js").read_text()
# The drawing's own fonts, a wide font and a narrow one.
FONTS = (None, "DejaVu", "Liberation")
MARGIN = 3


def check(page, path):
    wrong = []
    page.resize(1000, 1000)
    page.open(path)
    for scheme in "light", "dark":
        page.prefer(scheme)
        for font in FONTS:
            state = page.evaluate(f"{PROBE}({json.dumps(font)})")
            found = [*layout(state), *contrast(state)]
            wrong += [f"{each} ({font or 'its own fonts'}, {scheme})" for each in found]
    return sorted({*wrong, *names(state), *pages.activity(page)})


def names(state):
    """A drawing has a title for readers of the screen, and a size."""
    if state["role"] != "img" or len(state["names"]) < 2 or not all(each.strip() for each in state["names"]):
        yield "the drawing has no title, or doesn't name it in aria-labelledby"
    if not all(state["size"]):
        yield "the drawing has no width and height"
    if not state["texts"]:
        yield "the drawing has no text"


def layout(state):
    for each in state["texts"]:
        text, box, frame, window = each["text"], each["box"], each["frame"], state["window"]
        if box["left"] < frame["left"] + MARGIN or box["right"] > frame["right"] - MARGIN:
            yield f"{text!r} leaves its box at a side"
        if box["top"] < frame["top"] or box["bottom"] > frame["bottom"]:
            yield f"{text!r} leaves its box above or below"
        if box["left"] < window["left"] or box["right"] > window["right"] or box["bottom"] > window["bottom"]:
            yield f"{text!r} leaves the drawing"
    for one, other in itertools.combinations(state["texts"], 2):
        width, height = (min(one["box"][end], other["box"][end]) - max(one["box"][start], other["box"][start])
                         for start, end in (("left", "right"), ("top", "bottom")))
        if width > 1 and height > 1:
            yield f"{one['text']!r} and {other['text']!r} overlap"


def contrast(state):
    for each in state["texts"]:
        if each["contrast"] < pages.CONTRAST:
            yield f"{each['text']!r} has the contrast {each['contrast']:.2f}"
