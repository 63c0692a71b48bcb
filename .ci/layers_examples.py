"""Trees with one fault each, which .ci/layers.py must find, and trees without one."""

import pathlib
import tempfile

LIST = "PushCryptA: Low < High\n"
WIDGET = {"High/Widget.swift": "package struct Widget {\n    struct Gear {}\n}\npackage func spin() {}\n"}
STRETCHED = {"High/Text.swift": "extension String {\n    package func stretched() -> String { self }\n}\n",
             "Low/Name.swift": "struct Name {}\n", "High/Name.swift": "extension Name {\n    static let best = Name()\n}\n"}


def low(code):
    """The files of a module whose lower folder has some code in its second line."""
    return WIDGET | {"Low/User.swift": f"import Foundation\n{code}\n"}


USE = "Sources/PushCryptA/Low/User.swift:2: Low uses {} of High"

# Each tree: its list, its files, and a part of each problem.
TREES = {
    "a use downwards": (LIST, {"Low/A.swift": "struct A {}", "High/B.swift": "struct B { let a: A }"}, []),
    "a type": (LIST, low("let widget: Widget?"), [USE.format("Widget")]),
    "an extension of a type": (LIST, low("extension Widget {}"), [USE.format("Widget")]),
    "a generic argument": (LIST, low("let widgets = [String: Array<Widget>]()"), [USE.format("Widget")]),
    "the key of a dictionary": (LIST, low("let widgets: [Widget: Int]"), [USE.format("Widget")]),
    "a nested type": (LIST, low("func turn(_ gear: Gear) {}"), [USE.format("Gear")]),
    "a function": (LIST, low("func turn() { spin() }"), [USE.format("spin")]),
    "a protocol": (LIST, {"Low/User.swift": "\nstruct A: Spinning {}", "High/B.swift": "protocol Spinning {}"},
                   [USE.format("Spinning")]),
    "a member of an extension": (LIST, STRETCHED | {"Low/User.swift": "\nlet a = b.stretched()"}, [USE.format("stretched")]),
    "an implicit member": (LIST, STRETCHED | {"Low/User.swift": "\nlet a: Name = .best"}, [USE.format("best")]),
    "a member of self": (LIST, STRETCHED | {"Low/User.swift": "\nextension String { var a: String { stretched() } }"},
                         [USE.format("stretched")]),
    "code in a string literal": (LIST, low(r'let a = "x \(b("}", Widget.self)) y"'), [USE.format("Widget")]),
    "a use after a regular expression": (LIST, low('let a = /"{/; let b: Widget?'), [USE.format("Widget")]),
    "a use by a file outside of folders": (LIST, WIDGET | {"Low/A.swift": "", "User.swift": "let widget: Widget?"},
                                           ["User.swift:1: (root) uses Widget of High"]),

    "comments": (LIST, low("let a = 1 // Widget\n/* Widget /* spin() */ Gear */\n/// ``Widget``"), []),
    "string literals": (
        LIST, low('let a = "Widget \\" spin()"\nlet b = #"Widget " \\(Gear)"#\nlet c = """\n  Widget\n  """'), []),
    "a hidden type of the same name": (
        LIST, {"High/B.swift": "private struct Widget {}", "Low/A.swift": "let a: Widget?"}, []),
    "a nested type whose name another module has": (
        LIST + "PushCryptB: (root)\n", low("let gear: Gear?") | {"../PushCryptB/Gear.swift": "struct Gear {}"}, []),
    "a type that the file itself has": (LIST, low("struct User { enum Widget {} }"), []),
    "a member that both folders declare": (
        LIST, STRETCHED | {"Low/User.swift": "protocol P { func stretched() }\nlet a = b.stretched()"}, []),
    "a variable with the name of a member": (
        LIST, STRETCHED | {"Low/User.swift": "func a(stretched: Int) { b(stretched) }"}, []),
    "the label of an argument": (LIST, STRETCHED | {"Low/User.swift": "let a = b(stretched: 1)"}, []),
    "a member of a higher type": (
        LIST, WIDGET | {"High/C.swift": "extension Widget { var turns: Int { 1 } }", "Low/A.swift": "let a = b.turns"}, []),
    "files outside of folders, listed as the highest": (
        "PushCryptA: Low < High < (root)\n", WIDGET | {"Low/A.swift": "", "User.swift": "let widget: Widget?"}, []),
    "a list in two lines, with a comment": ("# The list.\nPushCryptA: Low\n    < High  # Highest.\n", low(""), []),

    "a plug": (LIST + "plug PushCryptA Low/User.swift -> High: the reason", low("let a: Widget?"), []),
    "a plug for another file": (LIST + "plug PushCryptA Low/User.swift -> High: the reason",
                                low("let a: Widget?") | {"Low/B.swift": "let b: Widget?"},
                                ["Low/B.swift:1: Low uses Widget"]),
    "a plug without a reason": (LIST + "plug PushCryptA Low/User.swift -> High:", low("let a: Widget?"), ["needs a reason"]),
    "a plug that isn't used": (LIST + "plug PushCryptA Low/User.swift -> High: the reason", low(""),
                               [".ci/layers:2: PushCryptA/Low/User.swift uses no High above it. Remove the plug."]),
    "an allowed edge": (LIST + "allow PushCryptA Low -> High", low("let a: Widget?"), []),
    "an allowed edge that is gone": (LIST + "allow PushCryptA Low -> High", low(""),
                                     [".ci/layers:2: Low of PushCryptA uses no High above it any more."]),
    "an allowed edge that a plug has": (
        LIST + "allow PushCryptA Low -> High\nplug PushCryptA Low/User.swift -> High: the reason", low("let a: Widget?"),
        [".ci/layers:2: Low of PushCryptA uses no High above it any more."]),
    "an allowed edge of a strict module": ("PushCryptReceiver: Low\nallow PushCryptReceiver Low -> High",
                                           {"../PushCryptReceiver/Low/A.swift": ""},
                                           ["may not use a folder upwards", "uses no High above it any more"]),

    "a folder that isn't listed": ("PushCryptA: High\n", low("let a: Widget?"),
                                   ["Sources/PushCryptA/Low: the folder isn't in"]),
    "a module that isn't listed": ("", {"Low/A.swift": ""}, ["Sources/PushCryptA/Low: the folder isn't in"]),
    "a folder that doesn't exist": (LIST, WIDGET, [".ci/layers:1: PushCryptA has no folder Low."]),
    "a folder that is listed twice": ("PushCryptA: High < High\n", WIDGET, ["lists High twice"]),
    "a module that doesn't exist": (LIST + "PushCryptB: Low\n", low(""),
                                    [".ci/layers:2: Sources has no module PushCryptB."]),
    "a line that isn't readable": (LIST + "allow PushCryptA Low High", low(""), [".ci/layers:2: this line isn't readable"]),
}


def write(root, text, files):
    (root / ".ci").mkdir()
    (root / ".ci/layers").write_text(text)
    for name, code in files.items():
        path = root / "Sources/PushCryptA" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(code)


def problems(check):
    """Returns the trees whose problems aren't the expected ones. `check` returns the problems of a tree."""
    wrong = []
    for name, (text, files, expected) in TREES.items():
        with tempfile.TemporaryDirectory() as directory:
            root = pathlib.Path(directory)
            (root / "Sources/PushCryptA").mkdir(parents=True)
            write(root, text, files)
            found = check(root)
        if len(found) != len(expected) or any(part not in line for part, line in zip(expected, found)):
            wrong.append(f"The check is wrong about {name}: it finds {found} instead of {expected}.")
    return wrong
