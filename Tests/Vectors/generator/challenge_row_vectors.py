"""The vectors of challenges.json about a server's rows: their updates, and the recipients that a sender refuses."""

import json

from .names import ALICE, BOB
from .registration_vectors import (
    ACCOUNT, FIRST_LIMIT, FORMER_PERIOD, GROWTH, LARGEST, NOW, ONE, TOKEN, TWO, former, public, row_of, state, stored,
    update)

ROW_RULES = {
    "unproved": "While proofs are on, a registration without a proof changes no row (section 14).",
    "update-2": "A first generation is at most 2^52 (section 10).",
    "update-3": "A generation doesn't shrink, and grows by at most 2^32 (section 10).",
    "update-4": "A key, a lifetime and signers don't change without a new generation (section 10).",
    "update-5": "A former key of the account doesn't come back for 60 days (section 10).",
    "refusal": "While proofs are on, a sender refuses a row without a proof (section 14).",
    "row": "A row's proved is an integer of digits only up to 2^53 - 1, and its carrier a string (section 14).",
}
DAY = 24 * 3600 * 1000
GRACE = 30 * DAY
EARLIER = NOW - 5000
FCM, MIXED = "dPz-1:APA91bH_Zx", "0aB1" * 16


def proved_row(registration, formers=(), proved=EARLIER, **changes):
    return row_of(registration, formers) | {"proved": proved} | changes


def bound(token, carrier):
    return token.lower() if carrier == "apns" else token


def result(row, others, new, request):
    """The row after a registration, or the answer."""
    is_same = row is not None and row["registration"] == new
    if request["proofs"] and not request["proved"]:
        if is_same and "proved" in row:
            return {"stored": {name: value for name, value in row.items()
                               if (name, value) != ("carrier", "apns")} | {"registered": NOW}}
        stale = update(row, others, new)
        return {"stale": stale[0], "rule": stale[1]} if stale else {"challenge": True, "rule": "unproved"}
    stale = update(row, others, new)
    if stale:
        return {"stale": stale[0], "rule": stale[1]}
    known = row
    if request["proved"] and row is not None and "proved" not in row:
        # Its key doesn't become a former key.
        known = row | {"registration": row["registration"] | {"key": new["key"]}}
    after = stored(known, others, new) | {"deviceToken": bound(request["token"], request["carrier"])}
    after |= {"proved": NOW} if request["proved"] else {"proved": row["proved"]} if is_same and "proved" in row else {}
    return {"stored": after | ({"carrier": request["carrier"]} if request["carrier"] != "apns" else {})}


def case(name, why, row, new, others=(), text=None, proofs=True, proved=False, token=TOKEN, carrier="apns"):
    request = {"token": token, "account": ACCOUNT, "carrier": carrier, "proofs": proofs, "proved": proved}
    return {"name": name, "why": why, "row": row and json.dumps(row), "others": list(map(json.dumps, others)),
            "text": text or json.dumps(new)} | request | result(row, list(others), new, request)


def rows():
    yield from unproved_requests()
    yield from same_requests()
    yield from proved_requests()
    yield from carriers()
    yield from without_proofs()


BOBS = BOB.public
CAROL = bytes([9]) + bytes(31)
CHANGES = {
    "another key": state(4, BOBS), "the same key": state(4), "another lifetime": state(4, lifetime=60),
    "other signers": state(4, signers=TWO),
    "the largest growth": state(3 + GROWTH, BOBS),
}
STALE = {
    "an older generation": state(2), "an older generation with another key": state(2, BOBS),
    "another key under the same generation": state(3, BOBS),
    "another lifetime under the same generation": state(3, lifetime=60),
    "signers under the same generation": state(3, signers=ONE),
    "growth that is too large": state(4 + GROWTH), "the largest generation": state(LARGEST),
}


def other_row(*formers, key=CAROL):
    return row_of(state(7, key), list(formers), token="01" * 32)


def unproved_requests():
    """Registrations without a proof while proofs are on, which change no row."""
    why = "Only a proof changes a row."
    for name, generation in {"a first registration": 1, "the largest first generation": FIRST_LIMIT}.items():
        yield case(f"unproved: {name}", why, None, state(generation))
    yield case("unproved: a first registration with signers", why, None, state(1, signers=TWO))
    for name, new in CHANGES.items():
        for what, row in {"a proved row": proved_row(state(3)), "a row without a proof": row_of(state(3))}.items():
            yield case(f"unproved: {what} and {name}", why, row, new)
    yield case("unproved: the same registration of a row without a proof", why, row_of(state(3)), state(3))
    yield case("unproved: another creation", "It is another registration.", proved_row(state(3)),
               state(3) | {"created": 1767225599})
    yield case("unproved: the registration of another, proved row", "Each token needs its own proof.", None, state(3),
               [proved_row(state(3)) | {"deviceToken": "01" * 32}])
    yield case("unproved: the key of another, proved row", "Each token needs its own proof.", row_of(state(3)),
               state(4, CAROL),
               [other_row() | {"proved": EARLIER}])
    yield case("unproved: a proof at another time", "The proof is that of the row.",
               row_of(state(3), registered=EARLIER), state(3))
    yield case("unproved: a row beyond 2^52", why, row_of(state(FIRST_LIMIT + 5)), state(FIRST_LIMIT + 6))
    for name, generation in {"a first generation that is too large": FIRST_LIMIT + 1,
                             "the largest generation as the first": LARGEST}.items():
        yield case(f"unproved: {name}", "A stale registration isn't challenged.", None, state(generation))
    for name, new in STALE.items():
        for what, row in {"a proved row": proved_row(state(3)), "a row without a proof": row_of(state(3))}.items():
            yield case(f"unproved: {what} and {name}", "A stale registration isn't challenged.", row, new)
    yield case("unproved: signers in another order", "They are other signers.", proved_row(state(3, signers=TWO)),
               state(3, signers=TWO[::-1]))
    for what, row in {"a proved row": proved_row(state(3), [former(BOBS, 1000)]),
                      "a row without a proof": row_of(state(3), [former(BOBS, 1000)])}.items():
        yield case(f"unproved: {what} and a former key", "A stale registration isn't challenged.", row, state(4, BOBS))
    yield case("unproved: a former key of another row", "A stale registration isn't challenged.", None, state(1, BOBS),
               [other_row(former(BOBS, 1000))])
    yield case("unproved: a former key after 60 days", why, proved_row(state(3), [former(BOBS, FORMER_PERIOD)]),
               state(4, BOBS))


def same_requests():
    """The registration of a proved row without another proof: only `registered` changes."""
    why = "Only registered changes."
    same = state(3)
    yield case("same: the registration of a proved row", why, proved_row(same), same)
    yield case("same: a proof at 1970", "0 is a time.", proved_row(same, proved=0), same)
    yield case("same: a proof at the largest time", why, proved_row(same, proved=LARGEST), same)
    yield case("same: a registration with signers", why, proved_row(state(3, signers=TWO)), state(3, signers=TWO))
    yield case("same: the largest generation", why, proved_row(state(LARGEST)), state(LARGEST))
    yield case("same: beside a former key", why, proved_row(same, [former(BOBS, 1000)]), same)
    yield case("same: beside an expired former key", why, proved_row(same,
        [former(BOBS, 1000), former(CAROL, FORMER_PERIOD)]), same)
    yield case("same: beside another row", why, proved_row(same), same, [other_row(former(BOBS, 1000))])
    yield case("same: the row's key as a former key of another row", "The row isn't replaced.", proved_row(same), same,
               [other_row(former(ALICE.public, 1000))])
    yield case("same: another text", "The members count.", proved_row(same), same,
               text=json.dumps(same | {"x": [1.5]}, indent=1))
    reordered = {name: same[name] for name in ("lifetime", "key", "generation", "created")}
    yield case("same: another order of members", "The members count.", proved_row(same), same,
               text=json.dumps(reordered))
    key = {name: value for name, value in public(ALICE.public).items() if name not in ("kid", "use")}
    yield case("same: a key without kid and use", "The public key counts.", proved_row(same), same,
               text=json.dumps(same | {"key": key}))
    yield case("same: a token in capitals", "The token of APNs is in lowercase.", proved_row(same), same,
               token=TOKEN.upper())
    yield case("same: a row of the carrier apns", "carrier is missing for apns.", proved_row(same, carrier="apns"),
               same)


def proved_requests():
    """Registrations with a proof."""
    why = "The row has the time of the proof."
    proof = {"proved": True}
    yield case("proved: a first registration", why, None, state(1), **proof)
    yield case("proved: the same registration of a proved row", why, proved_row(state(3)), state(3), **proof)
    yield case("proved: the same registration of a row without a proof", why, row_of(state(3)), state(3), **proof)
    forged = "The key of a row without a proof doesn't become a former key."
    for name, new in CHANGES.items():
        yield case(f"proved: a proved row and {name}", "The row's key becomes a former key.", proved_row(state(3)), new,
                   **proof)
        yield case(f"proved: a row without a proof and {name}", forged, row_of(state(3)), new, **proof)
    old = [former(CAROL, 1000)]
    yield case("proved: a row without a proof with a former key", "Its former keys stay.", row_of(state(3), old),
               state(4, BOBS), **proof)
    yield case("proved: a proved row with a former key", "Its former keys stay.", proved_row(state(3), old),
               state(4, BOBS), **proof)
    yield case("proved: a proved row with an expired former key", "Expired keys are dropped.",
               proved_row(state(3), [former(CAROL, FORMER_PERIOD)]), state(4, BOBS), **proof)
    yield case("proved: a row of the proof 0", "0 is a time, so that the row's key becomes a former key.",
               proved_row(state(3), proved=0), state(4, BOBS), **proof)
    yield case("proved: a first registration beside another row", "It has the other row's former keys.", None, state(1),
               [other_row(*old, key=BOBS)], **proof)
    yield case("proved: a row without a proof beside a proved row with the same key", forged, row_of(state(3)),
               state(4, BOBS),
               [other_row(key=ALICE.public) | {"proved": EARLIER}], **proof)
    for name, new in STALE.items():
        yield case(f"proved: {name}", "Section 10 has the rules.", proved_row(state(3)), new, **proof)
        yield case(f"proved: {name} after a row without a proof", "Section 10 has the rules.", row_of(state(3)), new,
                   **proof)
    yield case("proved: a first generation that is too large", "Section 10 has the rules.", None,
               state(FIRST_LIMIT + 1), **proof)
    yield case("proved: a former key", "A proof doesn't bring a former key back.",
               proved_row(state(3), [former(BOBS, 1000)]), state(4, BOBS), **proof)
    yield case("proved: a former key of a row without a proof", "A proof doesn't bring a former key back.",
               row_of(state(3), [former(BOBS, 1000)]),
               state(4, BOBS), **proof)
    yield case("proved: a former key of another row", "A proof doesn't bring a former key back.", None, state(1, BOBS),
               [other_row(former(BOBS, 1000))], **proof)


def carriers():
    why = "carrier is in the row, and its tokens stay unchanged."
    for carrier, token in (("fcm", FCM), ("fcm", MIXED), ("APNS", MIXED), ("", "A"), ("caf\u00e9", "\u0130 \n")):
        own = {"deviceToken": token, "carrier": carrier}
        request = {"token": token, "carrier": carrier}
        name = f"carrier {carrier!r}, {token!r}"
        yield case(f"{name}: a first registration", why, None, state(1), proved=True, **request)
        yield case(f"{name}: the same registration", why, proved_row(state(3), **own), state(3), **request)
        yield case(f"{name}: another key", why, proved_row(state(3), **own), state(4, BOBS), proved=True, **request)
        yield case(f"{name}: another key, unproved", why, proved_row(state(3), **own), state(4, BOBS), **request)
        yield case(f"{name}: without proofs", why, row_of(state(3)) | own, state(4, BOBS), proofs=False, **request)
    yield case("carrier 'apns', in capitals: a first registration", "Tokens of APNs are in lowercase.", None, state(1),
               proved=True, token=MIXED)


def without_proofs():
    """Registrations while proofs are off."""
    why, off = "While proofs are off, section 10 has the rules.", {"proofs": False}
    yield case("off: a first registration", why, None, state(1), **off)
    yield case("off: a first registration with a proof", "A proof counts even so.", None, state(1), proved=True, **off)
    yield case("off: the same registration of a row without a proof", why, row_of(state(3)), state(3), **off)
    yield case("off: the same registration of a proved row", "The proof was for this registration.",
               proved_row(state(3)), state(3), **off)
    for name, new in CHANGES.items():
        yield case(f"off: a proved row and {name}", "Nothing proves the new registration.", proved_row(state(3)), new,
                   **off)
        yield case(f"off: a row without a proof and {name}", why, row_of(state(3)), new, **off)
    yield case("off: a row without a proof and a proof of another key", "Its key doesn't become a former key.",
               row_of(state(3)), state(4, BOBS), proved=True, **off)
    for name, new in STALE.items():
        yield case(f"off: a proved row and {name}", why, proved_row(state(3)), new, **off)
    yield case("off: a former key", why, proved_row(state(3), [former(BOBS, 1000)]), state(4, BOBS), **off)


# MARK: Refusals


def refusal(name, why, row, since, now=NOW, **kind):
    is_before = since is not None and row["registered"] < since and now < since + GRACE
    accepted = since is None or "proved" in row or is_before or kind
    return {"name": name, "why": why, "row": json.dumps(row), "proofs_since_ms": since, "now_ms": now} | kind | (
        {"refused": False} if accepted else {"fails": "unproved-recipient", "rule": "refusal"})


def refusals():
    """Rows to which a sender seals, or not."""
    def row(registered, **changes):
        return row_of(state(3), registered=registered) | changes

    start = NOW - 10 * DAY
    why = "A row with a proof is accepted."
    for name, changes in {"the time of its registration": {"proved": start + 5},
                          "an earlier time": {"proved": start - 5}, "1970": {"proved": 0},
                          "the future": {"proved": NOW + 5}}.items():
        yield refusal(f"a proof of {name}", why, row(start + 5, **changes), start)
    yield refusal("a proof of a row from before", why, row(start - 5, proved=start - 5), start, start + GRACE + 5)
    yield refusal("a proof of another carrier", why, row(start + 5, proved=start + 5, carrier="fcm", deviceToken=FCM),
                  start)
    why = "A row from before is accepted for 30 days."
    for name, registered in {"a millisecond before the start": start - 1, "a year before the start": start - 365 * DAY,
                             "1970": 0}.items():
        for when, now in {"at the start": start, "10 days later": NOW,
                          "in the last millisecond": start + GRACE - 1}.items():
            yield refusal(f"registered: {name}, {when}", why, row(registered), start, now)
        for when, now in {"after 30 days": start + GRACE, "a millisecond later": start + GRACE + 1,
                          "a year later": start + 365 * DAY}.items():
            yield refusal(f"registered: {name}, {when}", why, row(registered), start, now)
    yield refusal("registered: before the start, of another carrier", why,
                  row(start - 1, carrier="fcm", deviceToken=FCM), start)
    why = "A row from after the start needs a proof."
    for name, registered in {"at the start": start, "a millisecond after the start": start + 1, "now": NOW,
                             "in the future": NOW + DAY}.items():
        for when, now in {"at the start": start, "10 days later": NOW, "after 30 days": start + GRACE}.items():
            yield refusal(f"registered: {name}, {when}", why, row(registered), start, now)
    yield refusal("registered: after the start, of another carrier", why,
                  row(start + 1, carrier="fcm", deviceToken=FCM), start)
    yield refusal("registered: with former keys", why, row(start + 1, formerKeys=[former(BOBS, 1000)]), start)
    why = "Without proofs, no row is refused."
    for name, registered in {"long ago": 0, "now": NOW}.items():
        yield refusal(f"off: registered {name}", why, row(registered), None)
    yield refusal("off: a proof", why, row(NOW, proved=NOW), None)
    why, kind = "A challenge goes to any row.", {"kind": "challenge"}
    yield refusal("challenge: a row without a proof", why, row(start + 1), start, **kind)
    yield refusal("challenge: a row from before, after 30 days", why, row(start - 1), start, start + GRACE, **kind)
    yield refusal("challenge: a row with a proof", why, row(start + 1, proved=start + 1), start, **kind)
    yield refusal("challenge: off", why, row(NOW), None, **kind)
    start = 0
    yield refusal("a start at 1970", "Nothing is from before.", row(0), start, 1)
    yield from invalid_rows(row)


def invalid_rows(row):
    members = {
        "a string": {"proved": "1767225600000"}, "true": {"proved": True}, "negative": {"proved": -1},
        "a fraction": {"proved": 1.5},
        "2^53": {"proved": LARGEST + 1}, "an array": {"proved": [1]}, "an object": {"proved": {}},
    }
    cases = {f"a proof that is {name}": changes for name, changes in members.items()} | {
        "a carrier that is a number": {"carrier": 1}, "a carrier that is an array": {"carrier": ["fcm"]},
        "a token of no carrier": {"deviceToken": FCM},
        "a token of apns": {"deviceToken": FCM, "carrier": "apns"}}
    for name, changes in cases.items():
        yield {"name": f"row: {name}", "why": "The row isn't valid.", "row": json.dumps(row(NOW) | changes),
               "proofs_since_ms": NOW - DAY, "now_ms": NOW,
               "fails": "malformed-registration", "rule": "row"}
