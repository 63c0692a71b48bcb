"""Keys as text: JWKs and keyrings."""

from __future__ import annotations

import base64
import hashlib
import hmac
import os
import re
import stat
from typing import Any, Iterable, TypeVar

from nacl import bindings, exceptions

from . import strictjson

MAXIMUM_LIFETIME = 2_592_000
MAXIMUM_INTEGER = 2 ** 53 - 1
FIELD_PRIME = 2 ** 255 - 19
_USES = {"X25519": "enc", "Ed25519": "sig"}
_GROUP_ORDER = 2 ** 252 + 27742317777372353535851937790883648493
_Public = TypeVar("_Public", bound="PublicKey")
_Secret = TypeVar("_Secret", bound="Private")


class PushCryptError(Exception):
    """A failure with a code for programs and a reason for people, without content or keys."""

    def __init__(self, code: str, reason: str, generation: int | None = None) -> None:
        super().__init__(f"{code}: {reason}")
        self.code = code
        self.reason = reason
        self.generation = generation  # of a stale answer


def decode_base64(text: str) -> bytes:
    """Returns the bytes of strict base64url without padding."""
    if not re.fullmatch(r"[A-Za-z0-9_-]*", text) or len(text) % 4 == 1:
        raise PushCryptError("malformed-base64", "The text isn't base64url without padding. Encode it again.")
    data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    if encode_base64(data) != text:
        raise PushCryptError("malformed-base64", "The last character has unused bits that aren't zero. Encode it again.")
    return data


def encode_base64(data: bytes) -> str:
    """Returns base64url without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decode_32(text: str) -> bytes | None:
    """Returns 32 bytes of strict base64url, or None."""
    try:
        data = decode_base64(text)
    except PushCryptError:
        return None
    return data if len(data) == 32 else None


class PublicKey:
    """A public key, its thumbprint (RFC 7638) and its key id."""

    curve: str

    def __init__(self, public: bytes) -> None:
        self.public = public
        self._check()
        text = f'{{"crv":"{self.curve}","kty":"OKP","x":"{encode_base64(public)}"}}'
        digest = hashlib.sha256(text.encode()).digest()
        self.thumbprint = encode_base64(digest)
        self.key_id = digest[:8]

    def _check(self) -> None:
        raise NotImplementedError

    @classmethod
    def parse(cls: type[_Public], key: str | bytes | strictjson.Node) -> _Public:
        """Returns the public key of a JWK, a JWK Set or 43 characters of base64url."""
        if isinstance(key, (str, bytes)):
            text = (key.encode("utf-8", "surrogatepass") if isinstance(key, str) else key).strip(b" \t\r\n")
            if not text.startswith(b"{"):
                return cls(_decode_key(text.decode("ascii", "replace")))
            key = parse_object(text)
        is_set = isinstance(key.value, dict) and "keys" in key.value
        return cls(jwk_members(_primary(key.value["keys"]) if is_set else key, cls.curve)[0])


class VerificationKey(PublicKey):
    """A server's Ed25519 key."""

    curve = "Ed25519"

    def _check(self) -> None:
        key = self.public
        if len(key) != 32 or int.from_bytes(key, "little") % 2 ** 255 >= FIELD_PRIME:
            raise invalid("The Ed25519 key isn't 32 canonical bytes. Use another key.")
        # In the main subgroup, and only there, (order - 1) * key is -key. Older libsodiums check this incompletely.
        try:
            product = bindings.crypto_scalarmult_ed25519_noclamp((_GROUP_ORDER - 1).to_bytes(32, "little"), key)
        except exceptions.CryptoError:
            product = b""
        if product != key[:31] + bytes([key[31] ^ 0x80]):
            raise invalid("The Ed25519 key isn't on the curve or in its main subgroup. Use another key.")


class Private(PublicKey):
    """A private key of 32 bytes."""

    public_type: type[PublicKey]

    def __init__(self, secret: bytes, public: bytes | None = None) -> None:
        self.secret = secret
        super().__init__(self._derive())
        if public is not None and not hmac.compare_digest(public, self.public):
            raise PushCryptError("key-pair-mismatch", 'The member "d" doesn\'t belong to "x". Use the original key.')

    def _derive(self) -> bytes:
        raise NotImplementedError

    @classmethod
    def parse(cls: type[_Secret], key: str | bytes | strictjson.Node) -> _Secret:
        """Returns the private key of a JWK, as text or a node."""
        key = parse_object(key.encode() if isinstance(key, str) else key) if isinstance(key, (str, bytes)) else key
        public, secret = jwk_members(key, cls.curve)
        if secret is None:
            raise PushCryptError("wrong-key-type", 'The JWK is a public key. Use a JWK with "d".')
        cls.public_type(public)  # checks the public key
        return cls(secret, public)


class SigningKey(Private, VerificationKey):
    """A server's private Ed25519 key, 32 bytes (the seed)."""

    public_type = VerificationKey

    def _derive(self) -> bytes:
        public, self._expanded = bindings.crypto_sign_seed_keypair(self.secret)
        return public

    def sign(self, data: bytes) -> bytes:
        """Returns the signature, 64 bytes."""
        return bindings.crypto_sign(data, self._expanded)[:64]


class SigningKeyring:
    """A server's signing keys in the order of preference: the primary key, and then retired keys, the newest first."""

    def __init__(self, keys: Iterable[SigningKey]) -> None:
        self.keys = list(keys)

    def key_for(self, signers: Iterable[str] | None) -> SigningKey:
        """Returns the first key that a device accepts. `signers` has thumbprints; with None, it is the primary key."""
        key = next((key for key in self.keys if signers is None or key.thumbprint in signers), None)
        if key is None:
            raise PushCryptError("no-accepted-key", "The device accepts no key of the keyring. Send the bare placeholder.")
        return key

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> SigningKeyring:
        """Returns the keys of a keyring file, which only its owner can read."""
        if os.path.islink(path):  # O_NOFOLLOW rejects a link that appears later.
            raise PushCryptError("insecure-file", "The keyring is a link. Use the file itself, or parse().")
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        with os.fdopen(descriptor, "rb") as file:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode) or status.st_mode & 0o077:
                raise PushCryptError("insecure-file", "Other users can access the keyring. Set the file's mode to 0600.")
            return cls.parse(file.read())

    @classmethod
    def parse(cls, text: str | bytes) -> SigningKeyring:
        """Returns the keys of a keyring's text, for example from a secret manager."""
        keyring = parse_object(text.encode() if isinstance(text, str) else text).value
        if "protection" in keyring:
            raise PushCryptError("passphrase-required", "The keyring has a passphrase. Remove the passphrase first.")
        _number(keyring, "generation", 1)
        known: set[str] = set()
        primary: list[SigningKey] = []
        retired: list[tuple[int, SigningKey]] = []
        for node in _keys(keyring.get("keys")):
            key, members = SigningKey.parse(node), node.value
            if _string(members, "kid") != key.thumbprint:
                raise PushCryptError("thumbprint-mismatch", 'A "kid" isn\'t the thumbprint of its key. Restore the file.')
            state = _string(members, "state")
            if state not in ("primary", "pending", "retired"):
                raise PushCryptError("unknown-key-state", "The state of a key is unknown. Restore the file.")
            _number(members, "created")
            if state == "retired":
                retired.append((_number(members, "retired"), key))
            if "lifetime" in members:
                _number(members, "lifetime", 1, MAXIMUM_LIFETIME)
            if key.thumbprint in known:
                raise PushCryptError("duplicate-key", "The keyring contains a key twice. Restore the file.")
            known.add(key.thumbprint)
            primary += [key] if state == "primary" else []
        if len(primary) != 1:
            raise PushCryptError("multiple-primary-keys" if primary else "no-primary-key",
                                 f"The keyring has {len(primary)} primary keys. Restore the file.")
        return cls(primary + [key for _, key in sorted(retired, key=lambda entry: -entry[0])])


def invalid(reason: str) -> PushCryptError:
    return PushCryptError("invalid-key", reason)


def _malformed(reason: str) -> PushCryptError:
    return PushCryptError("malformed-jwk", reason)


def parse_object(text: bytes) -> strictjson.Node:
    try:
        return strictjson.parse(text)
    except strictjson.JSONSyntaxError as error:
        raise _malformed(str(error)) from None


def _decode_key(text: str) -> bytes:
    try:
        data = decode_base64(text)
    except PushCryptError as error:
        raise _malformed(error.reason) from None
    if len(data) != 32:
        raise _malformed("The key isn't 32 bytes in base64url. Use the whole key.")
    return data


def _string(members: strictjson.Members, name: str) -> str:
    node = members.get(name)
    if node is None or not isinstance(node.value, str):
        raise _malformed(f'The member "{name}" is missing or isn\'t a string. Use a whole JWK.')
    return node.value


def _number(members: strictjson.Members, name: str, low: int = 0, high: int = MAXIMUM_INTEGER) -> int:
    number = members[name].integer(low, high) if name in members else None
    if number is None:
        raise PushCryptError("malformed-keyring", f'The number "{name}" is missing or isn\'t valid. Restore the file.')
    return number


def jwk_members(node: strictjson.Node, curve: str | None = None) -> tuple[bytes, bytes | None]:
    """Returns the bytes of "x" and "d" of a JWK of a curve, or of any curve. "d" can be None."""
    if not isinstance(node.value, dict):
        raise _malformed("The key isn't a JWK. Use a JSON object.")
    jwk = {name: _string(node.value, name) for name in ("kty", "crv", "x")}
    jwk.update({name: _string(node.value, name) for name in ("use", "d") if name in node.value})
    use = _USES.get(jwk["crv"])
    if jwk["kty"] != "OKP" or use is None or jwk.get("use", use) != use or jwk["crv"] != (curve or jwk["crv"]):
        raise PushCryptError("wrong-key-type", f"The JWK isn't for {curve or 'X25519 or Ed25519'}. Use a key of this type.")
    # The source has the same characters, because escapes aren't allowed here.
    public, secret = (_decode_key(node.value[name].source[1:-1].decode("ascii", "replace")) if name in jwk else None
                      for name in ("x", "d"))
    assert public is not None
    return public, secret


def _keys(node: strictjson.Node | None) -> list[strictjson.Node]:
    if node is None or not isinstance(node.value, list) or not node.value:
        raise _malformed('The member "keys" isn\'t an array with keys. Use a JWK Set.')
    keys: list[strictjson.Node] = node.value
    return keys


def _primary(node: strictjson.Node) -> strictjson.Node:
    keys = _keys(node)
    primary = []
    for key in keys:
        jwk_members(key)  # Only the chosen key must be of the needed curve.
        if "state" in key.value and _string(key.value, "state") == "primary":
            primary.append(key)
    if len(primary) > 1:
        raise PushCryptError("multiple-primary-keys", "The set has more than one primary key. Use one key.")
    if not primary and len(keys) > 1:
        raise _malformed("The set has several keys and no primary key. Use one key.")
    return (primary or keys)[0]
