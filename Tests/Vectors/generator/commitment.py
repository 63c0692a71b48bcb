"""One sealed box that is authentic under two keys (https://eprint.iacr.org/2020/1456, section 3).

Poly1305 is a polynomial over the ciphertext, evaluated at a secret point and masked. An attacker who knows two keys wants
one tag under both: two linear equations. Two free blocks of the ciphertext solve them.
"""

import dataclasses

from . import sodium, wire
from .names import EPHEMERAL_SECRET

_PRIME = 2**130 - 5
_BLOCK = 16


class _OneTimeKey:
    """The keystream and the authenticator of one box under one of the two keys."""

    def __init__(self, ephemeral_public, recipient, length):
        nonce = wire.seal_nonce(ephemeral_public, recipient.public)
        key = sodium.shared_key(recipient.public, EPHEMERAL_SECRET)
        # The stream's first 32 bytes are the Poly1305 key (crypto_secretbox); encryption goes on behind them.
        stream = sodium.xsalsa20_stream(32 + length, nonce, key)
        self.point = int.from_bytes(stream[:16], "little") & 0x0FFFFFFC0FFFFFFC0FFFFFFC0FFFFFFF
        self.mask = int.from_bytes(stream[16:32], "little")
        self.stream = stream[32:]

    def encrypt(self, message):
        return bytes(left ^ right for left, right in zip(message, self.stream, strict=True))

    def polynomial(self, ciphertext):
        value = 0
        for start in range(0, len(ciphertext), _BLOCK):
            block = ciphertext[start : start + _BLOCK] + b"\x01"
            value = (value + int.from_bytes(block, "little")) * self.point % _PRIME
        return value

    def power(self, ciphertext, block):
        """The factor of a block's number."""
        return pow(self.point, len(ciphertext) // _BLOCK - block, _PRIME)


def box_that_opens_twice(message, owner, other):
    """A box with a whole message for `owner`, whose authenticator fits the key of `other` too.

    The two free blocks are in the message's signature, which a receiver that accepts anyone doesn't check.
    """
    padding = -len(message.before_signature(bytes(8))) % _BLOCK
    message = dataclasses.replace(message, padding=bytes(padding))
    encoded = message.before_signature(bytes(8)) + bytes(64)
    ephemeral_public = sodium.x25519_public_key(EPHEMERAL_SECRET)
    keys = [_OneTimeKey(ephemeral_public, key, len(encoded)) for key in (owner, other)]
    ciphertext = keys[0].encrypt(encoded)
    last = len(ciphertext) // _BLOCK - 1
    ciphertext = _with_blocks(ciphertext, {last - 1: 0, last: 0})
    for tag in range(10_000):
        solution = _solve(keys, ciphertext, (last - 1, last), tag)
        if solution is None:
            continue
        box = ephemeral_public + tag.to_bytes(16, "little") + _with_blocks(ciphertext, solution)
        assert sodium.open_sealed_box(box, owner.public, owner.secret).startswith(encoded[:-32])
        assert sodium.open_sealed_box(box, other.public, other.secret)[0] > wire.ED25519
        return box
    raise AssertionError("no tag has a solution")


def _solve(keys, ciphertext, blocks, tag):
    """The two blocks that give the tag under both keys; `None` if they have more than 16 bytes."""
    (a, b), (c, d) = [[key.power(ciphertext, block) for block in blocks] for key in keys]
    first, second = [(tag - key.mask) % 2**128 - key.polynomial(ciphertext) for key in keys]
    inverse = pow(a * d - b * c, -1, _PRIME)
    values = [(first * d - second * b) * inverse % _PRIME, (second * a - first * c) * inverse % _PRIME]
    if any(value >= 2 ** (8 * _BLOCK) for value in values):
        return None
    return dict(zip(blocks, values, strict=True))


def _with_blocks(ciphertext, values):
    changed = bytearray(ciphertext)
    for block, value in values.items():
        changed[block * _BLOCK : (block + 1) * _BLOCK] = value.to_bytes(_BLOCK, "little")
    return bytes(changed)
