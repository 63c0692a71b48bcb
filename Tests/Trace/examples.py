"""Checks the counting with a small file of callgrind, example.callgrind, which has each kind of symbol."""

import collections
import pathlib

import callgrind
import functions

TEXT = pathlib.Path(__file__).resolve().parent / "example.callgrind"
# The line of the initializer that the compiler made has its type. The other initializers are written.
LINES = {("PushCryptCore/Memory/Span+LoadStore.swift", 4): "struct WordPair {",
         ("PushCryptReceiver/Secrets/DeviceSecretsStore.swift", 88): "    init(_ store: any DeviceSecretsStore) {"}
LOCKING = "$s15PushCryptSystem14FileDescriptorV7locking_8patienceACSS_Sit0aB4Core0aB5ErrorVYKFZ"
# Each function with its place and its calls. Other symbols of the file are accessors, closures, thunks, parts, recursion,
# the compiler's, the driver's, or the standard library's.
EXPECTED = {
    "CachedSecretsStore.init(_:)": ("PushCryptReceiver/Secrets/DeviceSecretsStore.swift", 88, 1),
    "static FileDescriptor.locking(_:patience:)": ("PushCryptSystem/FileDescriptor.swift", 113, 3),
    "JSONScanner.scanValue(named:hasEscapes:depth:)": ("PushCryptCore/JSON/JSONScanner.swift", 149, 3),
    "NotificationContent.init(_:)": ("PushCryptApple/NotificationContent+UNNotificationContent.swift", 8, 2),
    "NotificationContent.systemContent(replacing:from:)":
        ("PushCryptApple/NotificationContent+UNNotificationContent.swift", 27, 3),
    "SystemPlatform.attach(to:from:timeout:)": ("PushCryptApple/SystemPlatform.swift", 91, 1),
}
# Names that the compiler makes, and names like them that are written.
MADE = ("closure #1 in A.b(_:)", "implicit closure #2 in A.b(_:)", "$defer #1 () in A.b()", "partial apply for A.b()",
        "(1) suspend resume partial function for A.b()", "A.b.getter", "A.b.modify", "A.subscript.read", "A.deinit",
        "A.__deallocating_deinit", "protocol witness for A.b() in conformance C", "outlined destroy of A",
        "lazy protocol witness table accessor for type A and conformance A", "type metadata accessor for A",
        "one-time initialization function for b", "A.b.unsafeMutableAddressor", "initializeWithCopy for A", "destroy for A",
        "getEnumTagSinglePayload for A", "static A.__derived_enum_equals(_:_:)", "default argument 1 of A.b(_:)",
        "variable initialization expression of A.b", "merged A.b()", "reabstraction thunk helper from @escaping () -> ()",
        "dispatch thunk of A.b()", "vtable thunk for A.b() dispatching to C.b()", "key path getter for A.b : A")
WRITTEN = ("A.read(_:)", "A.destroy(_:)", "A.modify(_:)", "attempt #1 () in A.b()", "static A.function(for:)",
           "A.outlined()", "A.init(getter:)", "A.subscript()")


def shapes():
    """Returns the names that the script takes for another kind."""
    expected = [(name, "", False) for name in MADE] + [(name, "", True) for name in WRITTEN]
    expected.append(("A.init(class:)", "    init(class name: String) {", True))
    return [f"The script takes {name} for another kind of symbol." for name, line, is_written in expected
            if functions.is_written(name, line) != is_written]


def problems():
    """Returns what the script gets wrong."""
    trace = callgrind.Trace(TEXT.read_text())
    # The first run takes one lock, too. Only the other three are the notification's.
    before = callgrind.Trace("")
    before.calls = collections.Counter({LOCKING: 1})
    calls = callgrind.difference(before, trace)
    found = functions.functions(trace, calls, lambda path, line: LINES.get((path, line), ""))
    result = {each.name: (each.file, each.line, each.calls) for each in found}
    wrong = [f"{TEXT.name}: {name} is {result.get(name)} instead of {EXPECTED.get(name)}."
             for name in sorted(EXPECTED | result) if EXPECTED.get(name) != result.get(name)]
    sums = functions.counted(found, functions.STORE) | functions.counted(found, functions.CONVERSIONS)
    if sums != {"lock": 3, "in": 2, "out": 3}:
        wrong.append(f"{TEXT.name}: the calls of locks and conversions are {sums}.")
    return wrong + shapes()
