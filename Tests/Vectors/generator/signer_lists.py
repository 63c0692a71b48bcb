"""Lists of accepted keys (section 13), with every rule to be broken on its own, and a reader of its own for the checks."""

import base64
import json
import re

from . import sodium
from .names import ACME, MALLORY
from .wire import Key, base64url, compact_json

FIRST = Key.signer(b"pushcrypt test key root:   first")
SECOND = Key.signer(b"pushcrypt test key root:  second")
FOREIGN = Key.signer(b"pushcrypt test key root: foreign")
ROOTS = {"first": FIRST, "second": SECOND, "foreign": FOREIGN}

LARGEST = 2**53 - 1
LONGEST = 65_536
MOST_KEYS = 64
TYPE = "pushcrypt-signers"
ISSUED = 1_767_139_200
EXPIRES = 1_798_675_200
NUMBER = 7

# Valid signing keys, as many as a list with one too many has.
SIGNERS = [Key.signer(f"pushcrypt test key signer: {number:05}".encode()) for number in range(MOST_KEYS + 1)]
VALID = {key.public for key in [ACME, MALLORY, *ROOTS.values(), *SIGNERS]}


def kid(key):
    return base64url(key.thumbprint)


def public(*keys):
    """The member `keys` as JSON."""
    return "[" + ",".join(compact_json(key.public_jwk) for key in keys) + "]"


def members(values, changes):
    """A JSON object. The values are JSON texts, and None leaves a member out."""
    return "{" + ",".join(f'"{name}":{value}' for name, value in (values | changes).items() if value is not None) + "}"


def header(root=FIRST, **changes):
    return members({"alg": '"Ed25519"', "kid": f'"{kid(root)}"', "typ": f'"{TYPE}"'}, changes)


def content(*keys, **changes):
    values = {"keys": public(*(keys or (ACME, MALLORY))), "number": str(NUMBER), "iat": str(ISSUED), "exp": str(EXPIRES)}
    return members(values, changes)


def encoded(text):
    return base64url(text if isinstance(text, bytes) else text.encode())


def signed(header_part, content_part, root=FIRST):
    """A list of two encoded parts."""
    before = f"{header_part}.{content_part}"
    return f"{before}.{base64url(root.sign(before.encode()))}"


def signer_list(*keys, root=FIRST, head=None, body=None, by=None, **changes):
    """A list, whose header and content can be replaced as a whole."""
    head = header(root) if head is None else head
    body = content(*keys, **changes) if body is None else body
    return signed(encoded(head), encoded(body), by or root)


# MARK: Reading


class Refused(Exception):
    pass


def _decoded(part):
    if not re.fullmatch("[A-Za-z0-9_-]*", part, re.ASCII) or len(part) % 4 == 1:
        raise Refused("malformed-signer-list")
    data = base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))
    if base64url(data) != part:
        raise Refused("malformed-signer-list")
    return data


class Digits(str):
    """A number as it is written."""


def _object(data):
    """The members of a strict JSON object, in which strings are UTF-8."""
    def unique(pairs):
        if len({name for name, _ in pairs}) != len(pairs):
            raise ValueError
        return dict(pairs)

    def constant(_):
        raise ValueError

    try:
        text = data.decode("utf-8")
        value = json.loads(text, object_pairs_hook=unique, parse_int=Digits, parse_float=Digits, parse_constant=constant)
        compact_json(value).encode()
    except ValueError:
        raise Refused("malformed-signer-list") from None
    if not isinstance(value, dict) or text.startswith("\ufeff") or _depth(value) > 64:
        raise Refused("malformed-signer-list")
    return value


def _depth(value):
    children = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
    return 1 + max(map(_depth, children), default=0) if isinstance(value, (dict, list)) else 0


def _is_string(value):
    return isinstance(value, str) and not isinstance(value, Digits)


def _integer(value, low, high=LARGEST):
    if not isinstance(value, Digits) or not re.fullmatch("[0-9]+", value) or not low <= int(value) <= high:
        raise Refused("malformed-signer-list")
    return int(value)


def _public_key(jwk):
    if not isinstance(jwk, dict) or "d" in jwk or jwk.get("use", "sig") != "sig":
        raise Refused("malformed-signer-list")
    if (jwk.get("kty"), jwk.get("crv")) != ("OKP", "Ed25519") or not _is_string(jwk.get("x")):
        raise Refused("malformed-signer-list")
    public = _decoded(jwk["x"])
    if public not in VALID:
        raise Refused("malformed-signer-list")
    return public


def read(text, roots):
    """The root of a list with its number, expiration, audience and keys, after the rules 1 to 4."""
    parts = text.split(".")
    if len(text) > LONGEST or len(parts) != 3:
        raise Refused("malformed-signer-list")
    head, body, signature = map(_decoded, parts)
    values = _object(head)
    if set(values) != {"alg", "kid", "typ"} or (values["alg"], values["typ"]) != ("Ed25519", TYPE):
        raise Refused("malformed-signer-list")
    if not _is_string(values["kid"]) or len(_decoded(values["kid"])) != 32:
        raise Refused("malformed-signer-list")
    root = next((root for root in roots if kid(root) == values["kid"]), None)
    if root is None:
        raise Refused("unknown-root")
    if len(signature) != 64 or not sodium.ed25519_verify(signature, text.rpartition(".")[0].encode(), root.public):
        raise Refused("invalid-signature")
    values = _object(body)
    if not isinstance(values.get("keys"), list) or not 1 <= len(values["keys"]) <= MOST_KEYS:
        raise Refused("malformed-signer-list")
    keys = [_public_key(jwk) for jwk in values["keys"]]
    number = _integer(values.get("number"), 1)
    expires = _integer(values.get("exp"), 0)
    if len(set(keys)) != len(keys) or _integer(values.get("iat"), 0) >= expires:
        raise Refused("malformed-signer-list")
    if "aud" in values and not _is_string(values["aud"]):
        raise Refused("malformed-signer-list")
    return {"root": root, "number": number, "exp": expires, "aud": values.get("aud"),
            "kids": [kid(Key("Ed25519", b"", key)) for key in keys]}


def outcome(text, roots, audience, stored, now):
    """The code of the first rule that a list breaks, else accepted or unchanged."""
    try:
        new = read(text, roots)
    except Refused as refused:
        return str(refused)
    try:
        old = stored and read(stored, roots)
    except Refused:
        old = None
    old = old if old and old["root"] is new["root"] else None
    if new["aud"] != audience:
        return "wrong-audience"
    if old and stored == text:
        return "unchanged"
    if old and new["number"] <= old["number"]:
        return "stale-signer-list" if new["number"] < old["number"] else "conflicting-signer-list"
    return "accepted" if now < new["exp"] * 1000 else "expired-signer-list"


def accepted_keys(roots, audience, stored):
    """The thumbprints of the accepted keys. A damaged list of a pinned root is refused."""
    lists = {}
    for text in stored:
        try:
            found = read(text, roots)
        except Refused as refused:
            if str(refused) != "unknown-root":
                raise
            continue
        if found["aud"] == audience:
            lists[kid(found["root"])] = found["kids"]
    return next((lists[kid(root)] for root in roots if kid(root) in lists), [kid(root) for root in roots])
