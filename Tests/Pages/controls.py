"""Pages and drawings with one fault each, which the checks must find. A check that can't fail proves nothing."""

import dataclasses
import pathlib

import drawings
import pages
import screenshot

VIEWS = (("light", 360), ("light", 1100), ("dark", 800))
POLICY = "default-src 'none'; style-src 'unsafe-inline'"
DRAWING = pathlib.Path(__file__).resolve().parent.parent.parent / "Docs" / "dataflow.svg"
ASKED = "a request was made:"
BADGE = '<div class="badge">3</div>'


def put(markup):
    return [("</main>", f"</main>{markup}")]


def styled(rule):
    return [("</style>", f"{rule}</style>")]


# Without the policy, Chromium runs and loads what a page has: the logs must have it.
OPEN = [(POLICY, "default-src * 'unsafe-inline'")]
# The fault, the replacements in the page of an opened push, and what the checks must say.
PAGES = [
    ("a script", OPEN + put("<script>document.title</script>"), "a script ran"),
    ("a handler", OPEN + put("<img src=data:, onerror=hit()>"), "a script ran"),
    ("a dialog", OPEN + put("<script>alert(1)</script>"), "a script ran: a dialog"),
    ("a script that the policy stops", put("<script>hit()</script>"), "the element script isn't the tool's"),
    ("a message of the policy", put("<script>hit()</script>"), "console: "),
    ("a message of a script", OPEN + put("<script>console.log('x')</script>"), "console: "),
    ("an exception", OPEN + put("<script>hit()</script>"), "console: "),
    ("a picture from a server", OPEN + put("<img src=https://evil.example/a>"), f"{ASKED} https://evil.example/a"),
    ("a style from a server", OPEN + styled("body { background: url(https://evil.example/b); }"),
     f"{ASKED} https://evil.example/b"),
    ("a file of the machine", OPEN + put("<iframe src=/etc/hostname></iframe>"), f"{ASKED} file:///etc/hostname"),
    ("a picture that the policy stops", put("<img src=https://evil.example/a>"), "the element img isn't the tool's"),
    ("a socket", OPEN + put("<script>new WebSocket('wss://evil.example/')</script>"), f"{ASKED} wss://evil.example/"),
    ("another page", put("<meta http-equiv=refresh content='9;url=https://evil.example/'>"),
     "the attribute http-equiv"),
    ("a handler that waits", put("<p onclick=hit()>text</p>"), "the attribute onclick="),
    ("a style that loads", put("<div style='background: url(x)'></div>"), "the attribute style="),
    ("no policy", [("Content-Security-Policy", "x")], "the content security policy is missing"),
    ("a wide element", styled(".bar { width: 70rem; }"), "wider than the window (360 px"),
    ("a text that doesn't break", [("(Encrypted)", "x" * 90)] + styled("td { overflow-wrap: normal; }"), "leaves"),
    ("a wide element to the left", styled(".phone { margin-left: -3rem; }"), "leaves the window"),
    ("faint text", styled(".soft { color: #a0a0a0; }"), "has the contrast"),
    ("faint text in the dark", styled("@media (prefers-color-scheme: dark) { p { color: #404040; } }"), "800 px, dark"),
    ("transparent text", styled(".app { opacity: 0.4; }"), "'YOUR APP' has the contrast"),
    ("columns below each other", styled("main { display: block; }"),
     "the readable values aren't beside the lock screens"),
    ("columns without a gap", styled("main { gap: 0; }"), "the columns touch each other"),
    ("one lock screen", [('class="phone dark"', 'class="dark"')],
     "the page doesn't have two columns and two lock screens"),
    ("another text", [(">Card payment<", ">Card payments<")], "the lock screen's title is 'Card payments'"),
    ("a hidden text", styled(".dark .body { visibility: hidden; }"), "the lock screen's body is '(hidden)'"),
    ("a text twice", [(BADGE, BADGE.replace("3", "33"))], "the lock screen's badge is '33'"),
    ("another property", [(">payment.caf<", ">x<")], "the properties are"),
    ("a value that is missing", [("aps.mutable-content", "x")], "a readable value is"),
    ("a reason that isn't true", [("<h2>Size", '<p class="reason">x</p><h2>Size')], "the reasons are"),
    ("another size", [("80 readable", "81 readable")], "the size is"),
    ("a bar of another length", [("width: 1.95%", "width: 9.95%")], "a part of the bar has"),
    ("another padding class", [('class="chosen">512', 'class="">512')], "the padding classes are"),
    ("another title", [("<h1>A push", "<h1>The push")], "the title is"),
    ("a finding that lint doesn't have", [("None.", '<ul><li><div class="error">x</div></li></ul>')],
     "the findings are"),
    ("a mark that lint doesn't have", [('"readable">1</code>', '"readable">1</code><div>x</div>')], "has the marks"),
]
DRAWINGS = [
    ("a text that is too long", [(">Card payment<", f">{'Card payment ' * 3}<")], "leaves its box at a side"),
    ("a text that is too low", [('y="46">Your server', 'y="262">Your server')], "leaves its box above or below"),
    ("a text outside", [('x="482" y="325"', 'x="800" y="325"')], "leaves the drawing"),
    ("texts on each other", [('x="48" y="106"', 'x="48" y="124"')], "overlap"),
    ("no title", [("<title ", "<metadata "), ("</title>", "</metadata>")], "the drawing has no title"),
    ("no role", [(' role="img"', "")], "the drawing has no title"),
    ("a title that isn't named", [('aria-labelledby="title desc"', "")], "the drawing has no title"),
    ("no width", [(' width="964"', "")], "the drawing has no width and height"),
    ("faint text", [(".quiet { fill: #57606a", ".quiet { fill: #a0a0a0")], "has the contrast"),
    ("dark text in the dark", [(".head, .text, .code { fill: #e6edf3 }", "")], "dark)"),
    ("a picture from a server", [("<defs>", "<defs/><image href='https://evil.example/a'/><defs>")], ASKED),
    ("a script", [("<defs>", "<defs/><script>1</script><defs>")], "a script ran"),
]


def check(page, shop):
    """Yields the name of each control, and what is wrong with the checks."""
    case = dataclasses.replace(shop.cases[0], path=shop.path / "control.html")
    for name, replacements, expected in PAGES:
        case.path.write_text(changed(shop.cases[0].path.read_text(), replacements))
        yield name, unless(expected, pages.check(page, case, VIEWS)[0])
    drawing = shop.path / "control.svg"
    for name, replacements, expected in DRAWINGS:
        drawing.write_text(changed(DRAWING.read_text(), replacements))
        yield f"{name}, in a drawing", unless(expected, drawings.check(page, drawing))
    yield "a line from left to right", unless("doesn't run from right to left", arabic(page, shop))
    stale = screenshot.is_of(screenshot.PICTURE.read_bytes(), shop.cases[1].path)
    yield "a picture of another page", ["the check accepts it"] if stale else []


def arabic(page, shop):
    """What is wrong with Arabic that runs from left to right."""
    original = next(each for each in shop.cases if each.name == "Arabic")
    case = dataclasses.replace(original, path=shop.path / "control.html")
    case.path.write_text(changed(original.path.read_text(), styled(".phone * { unicode-bidi: normal !important; }")))
    return pages.check(page, case, VIEWS)[0]


def changed(text, replacements):
    for old, new in replacements:
        if old not in text:
            raise RuntimeError(f"a control needs {old!r}, which is missing")
        text = text.replace(old, new)
    return text


def unless(expected, wrong):
    """What is wrong with a check that doesn't find the fault."""
    return [] if any(expected in each for each in wrong) else [f"{expected!r} isn't among {wrong[:9]}"]
