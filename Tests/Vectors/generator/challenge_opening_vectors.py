"""The vectors of opening.json about challenges: kind 9, in an alert or in a background push."""

from . import wire
from .challenges import APS, Inputs
from .corpus import BY_ACME, CARRIER, account, anonymous_push, message, sealed, signed_push
from .names import ACME, ALICE, BOB, MALLORY, MOST_AHEAD, NOW, oldest
from .wire import Carrier

BACKGROUND = ("background", "challenge")
CHALLENGE = Inputs().payload()
VISIBLE = Inputs().payload(APS)


def in_background(payload, kind=9):
    """A signed message in a background push."""
    carrier = Carrier('{"aps":{"content-available":1}')
    return carrier.around(sealed(wire.signed(message(payload, kind=kind), ACME, ALICE)))


def add_challenges(corpus):
    why = "A challenge asks for a proof. The receiver returns its bytes."
    signed = {"accept": BY_ACME, "signer": "acme", "kind": "challenge"}
    for name, payload in {"without aps": CHALLENGE, "with aps": VISIBLE}.items():
        corpus.opens(f"challenge: {name}", why, signed_push(payload, kind=9), payload, **signed)
        corpus.opens(f"challenge: {name}, in a background push", why, in_background(payload), payload, kinds=BACKGROUND,
                     **signed)
    corpus.opens("challenge: anonymous", why, anonymous_push(CHALLENGE, kind=9), CHALLENGE, kind="challenge")
    corpus.opens("challenge: padded", why, signed_push(CHALLENGE, kind=9, padding=bytes(128)), CHALLENGE, **signed)
    other = '{"challenge":1,"aps":[],"k":"v"}'
    corpus.opens("challenge: with other members", "The device checks them when it answers.", signed_push(other, kind=9),
                 other,
                 **signed)
    sync = '{"aps":{"content-available":1},"sync":"orders"}'
    corpus.opens("challenge: a background push beside it", "A handler of background pushes opens both.",
                 in_background(sync, 2),
                 sync, accept=BY_ACME, signer="acme", kind="background", kinds=BACKGROUND)
    for name, kind in {"a notification": 1, "a VoIP push": 3, "a withdrawal": 8}.items():
        corpus.fails("wrong-kind", f"challenge: {name} in a background push", "A background push is of kind 2 or 9.",
                     in_background(sync, kind), BY_ACME, kinds=BACKGROUND)
    corpus.fails("wrong-kind", "challenge: a receiver without challenges", "The receiver doesn't open this kind.",
                 signed_push(CHALLENGE, kind=9), BY_ACME, kinds=("notification", "withdrawal"))
    add_authentication(corpus)
    oldest_time = NOW - oldest(3600)
    corpus.opens("challenge: as old as it may be", "A challenge has a lifetime, too.",
                 signed_push(CHALLENGE, kind=9, issued_at=oldest_time, lifetime=3600), CHALLENGE, issued_at=oldest_time,
                 lifetime=3600, **signed)
    corpus.fails("expired", "challenge: one millisecond too old", "Kind 9 isn't one of a widget.",
                 signed_push(CHALLENGE, kind=9, issued_at=oldest_time - 1, lifetime=3600), BY_ACME)
    corpus.fails("issued-in-future", "challenge: from the future", "A challenge has a time, too.",
                 signed_push(CHALLENGE, kind=9, issued_at=NOW + MOST_AHEAD + 1), BY_ACME)
    corpus.fails("malformed-json", "challenge: a name twice", "Its payload is strict JSON.",
                 signed_push(CHALLENGE[:-1] + ',"expires":1}', kind=9), BY_ACME)


def add_authentication(corpus):
    shop = account("shop", ["alice"], {"signed_by": ["acme"]})
    bank = account("bank", ["bob"], {"signed_by": ["mallory"]})
    both = {"accounts": [shop, bank]}
    to_bob = CARRIER.around(sealed(wire.signed(message(CHALLENGE, kind=9), MALLORY, BOB), BOB))
    corpus.opens("challenge: of the second account", "The device answers for this account.", to_bob, CHALLENGE,
                 signer="mallory",
                 account="bank", kind="challenge", **both)
    corpus.fails("wrong-account", "challenge: by the other account's sender",
                 "Only the account's server can challenge.",
                 signed_push(CHALLENGE, signer=MALLORY, kind=9), **both)
    corpus.fails("unknown-signer", "challenge: by an unknown sender", "Only the account's server can challenge.",
                 signed_push(CHALLENGE, signer=MALLORY, kind=9), BY_ACME)
    corpus.fails("unsigned", "challenge: anonymous, signature required",
                 "A challenge is authenticated as other kinds are.",
                 anonymous_push(CHALLENGE, kind=9), BY_ACME)
    corpus.fails("invalid-signature", "challenge: made of a notification", "The kind is signed.",
                 CARRIER.around(sealed(wire.signed(message(CHALLENGE), ACME, ALICE).replace(b"\x01\x01", b"\x01\x09",
                                                                                            1))), BY_ACME)
