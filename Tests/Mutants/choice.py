"""The choice of mutants."""

import hashlib

# The modules and directories that protect content, keys and order.
SECURITY = [
    "Sources/PushCryptCore", "Sources/PushCryptKeyring", "Sources/PushCryptReceiver", "Sources/PushCryptSystem",
    "Sources/PushCryptAttachments", "Sources/PushCryptSender/Sealing", "Sources/PushCryptSender/Recipients",
    "Sources/PushCryptSender/Proofs",
]


def files(root):
    """The files of the security modules."""
    return sorted(str(path.relative_to(root)) for directory in SECURITY for path in (root / directory).rglob("*.swift"))


def identity(mutant):
    """The same in another version of the file, if the function around the mutant didn't change."""
    return "|".join(str(mutant[name]) for name in ("path", "function", "change", "occurrence", "code"))


def order(mutants):
    """The mutants in an order that looks random, and that other changes of the sources keep."""
    return sorted(mutants, key=lambda mutant: hashlib.sha256(identity(mutant).encode()).digest())


def numbered(mutants):
    return [dict(mutant, number=number) for number, mutant in enumerate(mutants, 1)]
