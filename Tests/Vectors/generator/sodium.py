"""The primitives that the standard library lacks, from libsodium itself by way of ctypes."""

import ctypes

_library = ctypes.CDLL("libsodium.so.23")
if _library.sodium_init() < 0:
    raise SystemExit("libsodium could not be started")


def _call(name, lengths, *arguments):
    """Calls a function that writes its results first and returns 0 for success; returns what it has written."""
    outputs = [ctypes.create_string_buffer(length) for length in lengths]
    # A length in libsodium is an unsigned 64-bit number, while ctypes would pass a Python number as a C int.
    passed = [ctypes.c_ulonglong(argument) if isinstance(argument, int) else argument for argument in arguments]
    if getattr(_library, name)(*outputs, *passed) != 0:
        raise ValueError(f"{name} failed")
    results = [output.raw for output in outputs]
    return results[0] if len(results) == 1 else results


# MARK: X25519 and boxes


def x25519_public_key(secret):
    return _call("crypto_scalarmult_base", [32], secret)


def box(message, nonce, public_key, secret_key):
    return _call("crypto_box_easy", [len(message) + 16], message, len(message), nonce, public_key, secret_key)


def box_with_shared_key(message, nonce, key):
    return _call("crypto_box_easy_afternm", [len(message) + 16], message, len(message), nonce, key)


def shared_key(public_key, secret_key):
    return _call("crypto_box_beforenm", [32], public_key, secret_key)


def hsalsa20(key, block):
    return _call("crypto_core_hsalsa20", [32], block, key, None)


def xsalsa20_stream(length, nonce, key):
    stream = ctypes.create_string_buffer(length)
    if _library.crypto_stream(stream, ctypes.c_ulonglong(length), nonce, key) != 0:
        raise ValueError("crypto_stream failed")
    return stream.raw


def open_sealed_box(sealed, public_key, secret_key):
    return _call("crypto_box_seal_open", [len(sealed) - 48], sealed, len(sealed), public_key, secret_key)


# MARK: Ed25519


def ed25519_key_pair(seed):
    """The public key, and libsodium's 64-byte form of the private one."""
    return _call("crypto_sign_seed_keypair", [32, 64], seed)


def ed25519_sign(message, secret_key):
    signature = ctypes.create_string_buffer(64)
    _library.crypto_sign_detached(signature, None, message, ctypes.c_ulonglong(len(message)), secret_key)
    return signature.raw


def ed25519_verify(signature, message, public_key):
    return _library.crypto_sign_verify_detached(signature, message, ctypes.c_ulonglong(len(message)), public_key) == 0


def ed25519ph_sign(message, secret_key):
    """Signs by the prehashed variant of RFC 8032, which is another algorithm than Ed25519."""
    state = ctypes.create_string_buffer(_library.crypto_sign_ed25519ph_statebytes())
    signature = ctypes.create_string_buffer(64)
    _library.crypto_sign_init(state)
    _library.crypto_sign_update(state, message, ctypes.c_ulonglong(len(message)))
    _library.crypto_sign_final_create(state, signature, None, secret_key)
    return signature.raw


def ed25519_add(point, other):
    return _call("crypto_core_ed25519_add", [32], point, other)


# MARK: Streams


def secretstream(header, key, texts, tags):
    """Seals the chunks of a stream with a chosen header, which libsodium's own function draws at random."""
    state = ctypes.create_string_buffer(_library.crypto_secretstream_xchacha20poly1305_statebytes())
    # The state for reading is the state for writing.
    if _library.crypto_secretstream_xchacha20poly1305_init_pull(state, header, key) != 0:
        raise ValueError("crypto_secretstream_xchacha20poly1305_init_pull failed")
    chunks = []
    for text, tag in zip(texts, tags, strict=True):
        chunk = ctypes.create_string_buffer(len(text) + 17)
        _library.crypto_secretstream_xchacha20poly1305_push(
            state, chunk, None, text, ctypes.c_ulonglong(len(text)), None, ctypes.c_ulonglong(0), ctypes.c_ubyte(tag))
        chunks.append(chunk.raw)
    return chunks
