"""The choices of signer-lists.json: the key of a keyring that signs for a device."""

from .names import ACME, MALLORY
from .signer_lists import FOREIGN, SIGNERS, kid
from .wire import compact_json

CREATED = 1_760_000_000
CHOICE_RULES = {"choice": "The primary key or a retired key is among the signers of the device (section 13)."}


def keyring(primary, pending=(), retired=()):
    """A keyring as text; `retired` has pairs of key and date, in the order of the file."""
    def entry(key, **members):
        return key.private_jwk | {"created": CREATED} | members

    keys = [entry(primary, state="primary"), *(entry(key, state="pending") for key in pending),
            *(entry(key, state="retired", retired=date) for key, date in retired)]
    return compact_json({"generation": 4, "keys": keys})


def choices():
    pending, newer, older = SIGNERS[1], SIGNERS[2], SIGNERS[3]
    full = keyring(MALLORY, [pending], [(ACME, CREATED + 300), (newer, CREATED + 200), (older, CREATED + 100)])
    single = keyring(ACME)
    disordered = keyring(MALLORY, [], [(older, CREATED + 100), (ACME, CREATED + 300), (newer, CREATED + 200)])
    equal = keyring(MALLORY, [], [(newer, CREATED), (older, CREATED)])
    shuffled = full.replace('"generation":4,', "", 1)[:-1] + ',"generation":4}'

    def case(name, ring, signers, key):
        vector = {"name": name, "keyring": ring, "signers": signers if signers is None else [kid(each) for each in signers]}
        return vector | ({"kid": kid(key)} if key else {"fails": "no-accepted-key", "rule": "choice"})

    yield case("one key that is accepted", single, [ACME], ACME)
    yield case("one key, and no signers", single, None, ACME)
    yield case("one key that isn't accepted", single, [MALLORY], None)
    yield case("no signers", full, None, MALLORY)
    yield case("the primary key", full, [MALLORY], MALLORY)
    yield case("all keys", full, [older, newer, ACME, pending, MALLORY], MALLORY)
    yield case("the primary key behind others", full, [FOREIGN, older, MALLORY], MALLORY)
    yield case("all retired keys", full, [older, newer, ACME], ACME)
    yield case("all retired keys in the other order", full, [ACME, newer, older], ACME)
    yield case("the two oldest keys", full, [older, newer], newer)
    yield case("the oldest key", full, [older], older)
    yield case("a retired key beside the pending key", full, [pending, older], older)
    yield case("the pending key", full, [pending], None)
    yield case("the pending key and a foreign one", full, [pending, FOREIGN], None)
    yield case("a foreign key", full, [FOREIGN], None)
    yield case("a key that was removed from the keyring", keyring(MALLORY), [ACME], None)
    yield case("62 foreign keys", full, [SIGNERS[0], *SIGNERS[4:]], None)
    yield case("an accepted key behind 62 foreign ones", full, [SIGNERS[0], *SIGNERS[4:], older], older)
    yield case("retired keys in another order of the file", disordered, [older, newer, ACME], ACME)
    yield case("the older ones in another order of the file", disordered, [older, newer], newer)
    yield case("two keys with one date", equal, [older, newer], newer)
    yield case("the generation behind the keys", shuffled, [newer], newer)
