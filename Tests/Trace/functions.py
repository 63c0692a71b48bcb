"""Decides which entered symbols are functions that a reader of the sources meets, and counts what they do."""

import re
import subprocess

# What the compiler makes, and accessors and closures, by the beginning of the demangled name.
MADE = re.compile(
    r"(implicit )?closure #|\$defer|partial apply|\(\d+\) (suspend|await) resume|async function pointer"
    r"|(\w+ )*(thunk|witness|accessor|metadata|descriptor|function|variable|argument \d+|instantiation)"
    r" (for|of|helper|table|cache)\b"
    r"|(outlined|merged|lazy|one-time|default argument|variable initialization|associated|base witness|key path)\b"
    r"|(initialize\w+|assign\w+|destroy|getEnumTag\w*|storeEnumTag\w*|destructiveInject\w*|destructiveProject\w*) for ")
ACCESSOR = re.compile(
    r"(\.(getter|setter|modify2?|read2?|willset|didset|unsafeMutableAddressor|unsafeAddressor|deinit|__deallocating_deinit)"
    r"|\.__derived_\w+\(.*\))$")
# The parts of an async function, and an initializer that also allocates, are one function in the sources.
PART = re.compile(r"(TY|TQ)\d+_$")
ALLOCATING = re.compile(r"fC$")
TYPE = re.compile(r"\b(struct|class|enum|actor)\b")
SOURCE = re.compile(r".*?/Sources/(PushCrypt\w*/.*)$")

# Functions whose calls are counted, by the whole demangled name.
STORE = {"lock": re.compile(r"\bPushCryptSystem\.FileDescriptor\.locking\(")}
SYSTEM_CONTENT = r"UserNotifications\.UN(Mutable)?NotificationContent\??"
STATE = {"read": re.compile(r"\bPushCryptReceiver\.RegistrationRecord\.init\(parsing:")}
# The check of the text that is written isn't one of them.
KEYRING = {"load": re.compile(r"\bPushCryptKeyring\.StoredKeyring\.init\(parsing:")}
CONVERSIONS = {
    "in": re.compile(rf"\({SYSTEM_CONTENT}.*\) -> PushCryptReceiver\.NotificationContent$"),
    "out": re.compile(rf"\bPushCryptReceiver\.NotificationContent\b.* -> {SYSTEM_CONTENT}$"),
}


class Function:
    """A function of the sources, with its file, the line of its declaration and the number of its calls."""

    def __init__(self, name, signature, file, line, calls):
        self.name, self.signature, self.file, self.line, self.calls = name, signature, file, line, calls


def demangled(symbols, *options):
    """Returns the names of symbols, in their order."""
    if not symbols:
        return []
    process = subprocess.run(["swift", "demangle", "--compact", *options], input="\n".join(symbols) + "\n",
                             capture_output=True, text=True, check=True)
    return process.stdout.splitlines()


def is_written(name, line):
    """Whether a function is in the sources. An initializer that the compiler makes has its type's line."""
    if MADE.match(name) or ACCESSOR.search(name):
        return False
    is_initializer = re.search(r"\binit(<.*>)?\(", name)
    return not (is_initializer and TYPE.search(line) and "init" not in line)


def functions(trace, calls, source_line):
    """Returns the project's functions among those that were called.

    `source_line` returns a line of a file in Sources.
    """
    places = {}
    for symbol, count in calls.items():
        path, line = trace.places.get(symbol, ("", 0))
        source = SOURCE.match(path)
        if source and "PushCrypt" in symbol:
            # The symbol without its parts comes first, because it has the line of the declaration.
            whole = ALLOCATING.sub("fc", PART.sub("", symbol))
            known = places.get(whole)
            if known is None or symbol == whole:
                places[whole] = (source[1], line, count)
    symbols = sorted(places)
    names = zip(symbols, demangled(symbols, "--simplified"), demangled(symbols))
    return [Function(name, signature, *places[symbol]) for symbol, name, signature in names
            if is_written(name, source_line(*places[symbol][:2]))]


def counted(found, patterns):
    """Returns how often the functions of each pattern were called."""
    return {key: sum(each.calls for each in found if pattern.search(each.signature)) for key, pattern in patterns.items()}
