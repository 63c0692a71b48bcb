"""Lists of the keys from which devices accept signatures, each signed by a root that the app pins."""

from __future__ import annotations

import json
import time
from typing import Any, Iterable, Sequence

from nacl import bindings, exceptions

from . import strictjson
from .keys import (MAXIMUM_INTEGER, PushCryptError, SigningKey, VerificationKey, decode_base64, encode_base64,
                   jwk_members)

MAXIMUM_LENGTH = 65_536
MAXIMUM_KEYS = 64
TYPE = "pushcrypt-signers"


class SignerList:
    """A list with a valid signature: its text, root, VerificationKeys, number, audience, and times in seconds."""

    def __init__(self, text: str, root: VerificationKey, content: strictjson.Members) -> None:
        self.text, self.root = text, root
        self.keys = _keys(content.get("keys"))
        self.number = _integer(content, "number", 1)
        self.issued, self.expiration = _integer(content, "iat", 0), _integer(content, "exp", 0)
        if self.issued >= self.expiration:
            raise _malformed("It expires before it is issued.")
        self.audience: str | None = content["aud"].value if "aud" in content else None
        if "aud" in content and not isinstance(self.audience, str):
            raise _malformed('"aud" isn\'t a string.')

    @classmethod
    def verify(cls, text: str | bytes, roots: Iterable[VerificationKey]) -> SignerList:
        """Returns the list of one of the roots (VerificationKeys). It checks neither audience nor expiration."""
        text = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
        if len(text) > MAXIMUM_LENGTH:
            raise _malformed("It is too long.")
        parts = text.split(b".")
        if len(parts) != 3:
            raise _malformed("It doesn't have three parts.")
        header, content, signature = map(_decode, parts)
        kid = _root(_parse(header))
        root = next((root for root in roots if root.thumbprint == kid), None)
        if root is None:
            raise PushCryptError("unknown-root", "The list's root isn't pinned. Sign the list with a pinned root.")
        try:
            if len(signature) != 64:
                raise exceptions.CryptoError
            bindings.crypto_sign_open(signature + text.rpartition(b".")[0], root.public)
        except exceptions.CryptoError:
            raise PushCryptError("invalid-signature", "The list's signature isn't valid. Sign the list again.") from None
        return cls(text.decode("ascii"), root, _parse(content))


class SignerRoots:
    """The roots that an app pins for an account, in order, and the audience of their lists or None."""

    def __init__(self, roots: Iterable[VerificationKey], audience: str | None = None) -> None:
        self.roots, self.audience = list(roots), audience

    def stored_with(self, text: str | bytes, stored: Iterable[str] = (), now_ms: int | None = None) -> list[str]:
        """Returns the texts to store after a list has come, which are the stored ones if nothing changes.

        The time is the date of the server's answer.
        """
        new = SignerList.verify(text, self.roots)
        if new.audience != self.audience:
            raise PushCryptError("wrong-audience", "The list is for another audience. Issue a list for this app.")
        lists: dict[str, SignerList] = {}
        for known in stored:
            try:
                lists.update(self._own([known]))
            except PushCryptError:
                pass  # A damaged list is replaced.
        old = lists.get(new.root.thumbprint)
        if old and old.text == new.text:
            return list(stored)
        if old and new.number < old.number:
            raise PushCryptError("stale-signer-list", "The device has a newer list. Hand out the newest list.")
        if old and new.number == old.number:
            raise PushCryptError("conflicting-signer-list", "Two lists have one number. Issue a list with a higher number.")
        if (time.time_ns() // 1_000_000 if now_ms is None else now_ms) >= new.expiration * 1000:
            raise PushCryptError("expired-signer-list", "The list expired before it came. Issue a new list.")
        lists[new.root.thumbprint] = new
        return [each.text for each in lists.values()]

    def accepted_keys(self, stored: Iterable[str] = ()) -> list[VerificationKey]:
        """Returns the VerificationKeys that count with the stored lists, for Account.signed_by."""
        lists = self._own(stored)
        return next((lists[root.thumbprint].keys for root in self.roots if root.thumbprint in lists), self.roots)

    def _own(self, stored: Iterable[str]) -> dict[str, SignerList]:
        """Returns the lists of pinned roots for the pinned audience, by root."""
        lists = {}
        for text in stored:
            try:
                each = SignerList.verify(text, self.roots)
            except PushCryptError as error:
                if error.code != "unknown-root":
                    raise
                continue
            if each.audience == self.audience:
                lists[each.root.thumbprint] = each
        return lists


def issue_signer_list(keys: Iterable[VerificationKey], number: int, iat: int, exp: int, audience: str | None,
                      root: SigningKey) -> str:
    """Returns the text of a new list of VerificationKeys, signed by the root (a SigningKey).

    Each list of a root has a higher number than the lists before it. Times are seconds, and the audience can be None.
    """
    if not isinstance(root, SigningKey):
        raise TypeError("The root isn't a SigningKey. Use the root's private key.")
    jwks = [{"kty": "OKP", "crv": "Ed25519", "use": "sig", "kid": key.thumbprint, "x": encode_base64(key.public)}
            for key in keys]
    content: dict[str, Any] = {"keys": jwks, "number": number, "iat": iat, "exp": exp}
    header = {"alg": "Ed25519", "kid": root.thumbprint, "typ": TYPE}
    content.update({} if audience is None else {"aud": audience})
    try:
        parts = [json.dumps(each, ensure_ascii=False, separators=(",", ":")).encode() for each in (header, content)]
    except UnicodeEncodeError:
        raise _malformed("The audience isn't Unicode text.") from None
    before = ".".join(map(encode_base64, parts))
    text = f"{before}.{encode_base64(root.sign(before.encode()))}"
    SignerList.verify(text, [root])  # No device takes an invalid list.
    return text


def _malformed(reason: str) -> PushCryptError:
    return PushCryptError("malformed-signer-list", f"The list isn't valid. {reason} Issue a new list.")


def _decode(part: bytes) -> bytes:
    try:
        return decode_base64(part.decode("ascii"))
    except (PushCryptError, UnicodeDecodeError):
        raise _malformed("A part isn't base64url without padding.") from None


def _parse(data: bytes) -> strictjson.Members:
    try:
        members: strictjson.Members = strictjson.parse(data).value
        return members
    except strictjson.JSONSyntaxError:
        raise _malformed("A part isn't strict JSON.") from None


def _root(header: strictjson.Members) -> str:
    """Returns the thumbprint of the root in a header."""
    values = {name: node.value for name, node in header.items()}
    kid = values.pop("kid", None)
    if values != {"alg": "Ed25519", "typ": TYPE} or not isinstance(kid, str) or len(_decode(kid.encode("utf-8"))) != 32:
        raise _malformed('The header isn\'t "alg" Ed25519, "kid" and "typ".')
    return kid


def _keys(node: strictjson.Node | None) -> list[VerificationKey]:
    if node is None or not isinstance(node.value, list) or not 1 <= len(node.value) <= MAXIMUM_KEYS:
        raise _malformed(f'"keys" isn\'t an array of 1 to {MAXIMUM_KEYS} keys.')
    keys = []
    for element in node.value:
        try:
            public, secret = jwk_members(element, "Ed25519")
            keys.append(VerificationKey(public))
        except PushCryptError:
            raise _malformed("An element of \"keys\" isn't a valid Ed25519 key.") from None
        if secret is not None:
            raise _malformed("A key is private.")
    if len({key.public for key in keys}) != len(keys):
        raise _malformed("A key is there twice.")
    return keys


def _integer(content: strictjson.Members, name: str, low: int) -> int:
    number = content[name].integer(low, MAXIMUM_INTEGER) if name in content else None
    if number is None:
        raise _malformed(f'"{name}" is missing or isn\'t an integer.')
    return number
