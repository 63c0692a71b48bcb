"""The rows of challenges.json: the server's updates of rows with proofs, and the refusal of unproved recipients."""

import json

from .names import ALICE, BOB
from .registration_vectors import GROWTH, NOW, current, former, row_of, state, update

DAY = 86_400_000
START = NOW - 10 * DAY
ROW_RULES = {
    "row-stale": "A registration that the rules of section 10 reject is stale, with and without a proof (section 14).",
    "unproved": "A sender refuses a row without a proof, unless it is from before the start, for 30 days (section 14).",
}
CAROL = bytes([9]) + bytes(31)


def proved_row(registration, formers=(), proved=NOW - 1000, **members):
    return row_of(registration, formers, **members) | {"proved": proved}


def stored(row, new, proved):
    """The row after an accepted registration."""
    formers = list(row.get("formerKeys", [])) if row else []
    is_other = row and row["registration"]["key"]["kid"] != new["key"]["kid"]
    if is_other and "proved" in row:
        formers.insert(0, {"kid": row["registration"]["key"]["kid"], "replaced": NOW})
    return row_of(new, current(formers), registered=NOW) | {"proved": proved}


def rows():
    """A row, a registration with or without a proof, and the server's decision."""
    bob = BOB.public
    for name, row, new in [
        ("a first registration", None, state(1)),
        ("a first generation that is too large", None, state(2**52 + 1)),
        ("the proved registration again", proved_row(state(3)), state(3)),
        ("the next generation", proved_row(state(3)), state(4, bob)),
        ("the next generation of the same key", proved_row(state(3)), state(4)),
        ("another lifetime", proved_row(state(3)), state(4, lifetime=60)),
        ("an older generation", proved_row(state(3)), state(2)),
        ("another key under the same generation", proved_row(state(3)), state(3, bob)),
        ("growth that is too large", proved_row(state(3)), state(4 + GROWTH, bob)),
        ("a former key", proved_row(state(3), [former(bob, 1000)]), state(4, bob)),
        ("a new key beside a former one", proved_row(state(3), [former(bob, 1000)]), state(4, CAROL)),
        ("a row from before, again", row_of(state(3)), state(3)),
        ("a row from before, and another key", row_of(state(3)), state(4, bob)),
        ("a row from before with a former key", row_of(state(3), [former(CAROL, 1000)]), state(4, bob)),
        ("a row from before, and an older generation", row_of(state(3)), state(2)),
    ]:
        for has_proof in (False, True):
            vector = {"name": name + (", with a proof" if has_proof else ""), "row": row and json.dumps(row),
                      "text": json.dumps(new), "has_proof": has_proof}
            stale = update(row, [], new)
            if stale is not None:
                yield vector | {"stale": stale[0], "rule": "row-stale"}
            elif has_proof:
                yield vector | {"stored": stored(row, new, NOW)}
            elif row and "proved" in row and row["registration"] == new:
                yield vector | {"stored": stored(row, new, row["proved"])}
            else:
                yield vector | {"challenged": True}


def refusals():
    """Rows to which a sender seals or not, where proofs were switched on at `start`."""
    end = START + 30 * DAY
    for name, row, now in [
        ("a proved row", proved_row(state(3)), NOW),
        ("a proved row after years", proved_row(state(3)), NOW + 1000 * DAY),
        ("a proved row from before the start", proved_row(state(3), registered=START - 1, proved=START - 1), NOW),
        ("a row from before the start", row_of(state(3), registered=START - 1), NOW),
        ("a row from before the start, in the last millisecond", row_of(state(3), registered=START - 1), end - 1),
        ("a row from before the start, after 30 days", row_of(state(3), registered=START - 1), end),
        ("a row from the start", row_of(state(3), registered=START), NOW),
        ("a row from after the start", row_of(state(3), registered=START + 1), NOW),
        ("an old row from before the start", row_of(state(3), registered=0), NOW),
    ]:
        is_from_before = row["registered"] < START and now < end
        vector = {"name": name, "row": json.dumps(row), "start": START, "now": now}
        yield vector | ({} if "proved" in row or is_from_before else {"fails": "unproved-recipient", "rule": "unproved"})
