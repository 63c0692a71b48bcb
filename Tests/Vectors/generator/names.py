"""The names that both corpora share: throwaway keys, the one ephemeral key, the message ids and the time."""

from .wire import Key

# Everybody has these keys: each private half is the 32 ASCII bytes of its text. The Swift tests have the same ones.
ALICE = Key.recipient(b"pushcrypt test key device: alice")
BOB = Key.recipient(b"pushcrypt test key device:   bob")
ACME = Key.signer(b"pushcrypt test key sender:  acme")
MALLORY = Key.signer(b"pushcrypt test key sender: mallo")
KEYS = {"alice": ALICE, "bob": BOB, "acme": ACME, "mallory": MALLORY}

# A sealed box takes a new random ephemeral key every time, and a message a new random id. Here both are fixed, so that
# the same bytes come out of every run.
EPHEMERAL_SECRET = b"pushcrypt test ephemeral secret!"
OTHER_EPHEMERAL_SECRET = b"pushcrypt test ephemeral secret2"
MESSAGE_ID = bytes(range(0xA0, 0xB0))
OTHER_MESSAGE_ID = bytes(range(0xB0, 0xC0))

# 2026-01-01 00:00:00 UTC.
NOW = 1_767_225_600_000

# The limits of freshness, in milliseconds.
MOST_AHEAD = 48 * 3_600_000
LEAST_TOLERANCE = 5 * 60_000
MOST_TOLERANCE = 48 * 3_600_000


def oldest(lifetime):
    """The greatest age of a message with a lifetime in seconds, in milliseconds."""
    lifetime *= 1000
    return lifetime + min(max(lifetime, LEAST_TOLERANCE), MOST_TOLERANCE)
