#!/usr/bin/env python3
"""An example of a runner: apns-ids.json and padding.json, by the standard library of Python alone.

    ./runner.py [DIRECTORY]

It fails on a file that is missing, short, doubled or damaged. Replace `apns_id` and `padded` by calls of your
implementation, and add the other files.
"""

import base64
import hashlib
import json
import pathlib
import sys

# The vectors of kit 1.0 in each array, and how many of them fail. A kit can have more, but not fewer.
MINIMUM = {"apns-ids": {"vectors": (16, 0)}, "padding": {"vectors": (672, 156)}}
# Push types that this implementation doesn't seal, and the exact number of vectors that are skipped for them.
SKIPPED_TYPES, SKIPPED = (), 0
BUCKETS = (256, 512, 1024, 2048)


class Failure(Exception):
    """A corpus that can't be trusted."""


class Refused(Exception):
    """An error of the implementation, with its code."""


# MARK: The implementation under test


def apns_id(message_id):
    """Returns the header apns-id of a message (section 5 of Format.md)."""
    digest = bytearray(hashlib.blake2b(b"pushcrypt/v1/apns-id\0" + message_id, digest_size=16).digest())
    digest[6] = digest[6] & 0x0F | 0x80
    digest[8] = digest[8] & 0x3F | 0x80
    text = digest.hex()
    return "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:]))


def limit(characters):
    return characters * 3 // 4 - 57


def characters(length):
    return -(-(57 + length) * 4 // 3)


def message_length(needed, most, padding):
    """Returns the length of a message with padding (section 5 of Format.md)."""
    if needed > most:
        raise Refused("payload-too-large")
    if padding == "none":
        return needed
    fitting = [bucket for bucket in BUCKETS if needed <= bucket <= most] if padding == "buckets" else []
    return fitting[0] if fitting else most


def padded(lengths, room, padding):
    """Returns the lengths of the messages that share a number of characters."""
    if len(lengths) == 1:
        return [message_length(lengths[0], limit(room), padding)]
    if sum(map(characters, lengths)) > room:
        raise Refused("payload-too-large")
    half = limit(room // 2)
    if max(lengths) <= half:
        return [message_length(each, half, padding) for each in lengths]
    small, large = sorted(lengths)
    first = message_length(small, limit(room - characters(large)), "none" if padding == "none" else "buckets")
    second = message_length(large, limit(room - characters(first)), padding)
    return [first if each == small else second for each in lengths]


# MARK: The runner


def check_sums(directory):
    """Compares all files with SHA256SUMS."""
    lines = (directory / "SHA256SUMS").read_text("ascii").splitlines()
    for line in lines:
        expected, name = line.split("  ")
        if hashlib.sha256((directory / name).read_bytes()).hexdigest() != expected:
            raise Failure(f"{name} differs from SHA256SUMS.")


def load(directory, name):
    """Returns a file of vectors, if it is complete."""
    file = json.loads((directory / f"{name}.json").read_text("ascii"))
    if file["version"] != 1 or not file["kit"].startswith("1."):
        raise Failure(f"{name}.json has version {file['version']} and kit {file['kit']}.")
    for array, (minimum, failing) in MINIMUM[name].items():
        vectors = file[array]
        if len(vectors) != file["counts"][array] or len(vectors) < minimum:
            raise Failure(f"{name}.json has {len(vectors)} {array}, not {file['counts'][array]} and at least {minimum}.")
        if len({vector["name"] for vector in vectors}) != len(vectors):
            raise Failure(f"{name}.json has two {array} with one name.")
        if sum("fails" in vector for vector in vectors) < failing:
            raise Failure(f"{name}.json has fewer than {failing} {array} that fail.")
    return file


def run_apns_id(vector):
    return {"apns_id": apns_id(base64.urlsafe_b64decode(vector["message_id"] + "=="))}


def run_padding(vector):
    needed = [(104 if vector["signed"] else 32) + length for length in vector["lengths"]]
    room = (5120 if vector["type"] == "voip" else 4096) - vector["frame"]
    return {"padded": padded(needed, room, vector["padding"])}


def run(directory, name, function):
    """Runs the vectors of a file, and returns the names of those with another result and the number of skipped ones."""
    failed, skipped = [], 0
    for vector in load(directory, name)["vectors"]:
        if vector.get("type") in SKIPPED_TYPES:
            skipped += 1
            continue
        try:
            result = function(vector)
        except Refused as error:
            result = {"fails": str(error)}
        if result != {member: vector[member] for member in ("apns_id", "padded", "fails") if member in vector}:
            failed.append(f"{name}: {vector['name']}")
    return failed, skipped


def main():
    directory = pathlib.Path(sys.argv[1] if sys.argv[1:] else pathlib.Path(__file__).parent)
    try:
        check_sums(directory)
        results = [run(directory, "apns-ids", run_apns_id), run(directory, "padding", run_padding)]
        skipped = sum(count for _, count in results)
        if skipped != SKIPPED:
            raise Failure(f"{skipped} vectors are skipped, not {SKIPPED}.")
    except (Failure, OSError, ValueError, KeyError) as error:
        sys.exit(f"error: The vectors can't be used: {error}. Take the kit again.")
    failed = [name for names, _ in results for name in names]
    print(*(f"failed: {name}" for name in failed), f"{len(failed)} vectors failed, {skipped} were skipped", sep="\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
