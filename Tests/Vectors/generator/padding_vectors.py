"""The vectors of padding.json: lengths of originals and the lengths of their messages."""

from . import sealing
from .corpus import checked
from .sealing import MAXIMUM, TooLarge, limit_of, padded_lengths

OVERHEAD = {True: 104, False: 32}
FRAMES = {"alert": 80, "background": 51, "voip": 30, "location": 30, "pushtotalk": 30}


def vectors():
    seen = set()

    def vector(kind, frame, signed, padding, *lengths):
        texts = " and ".join(map(str, lengths))
        name = f"{kind}, frame {frame}, {'signed' if signed else 'anonymous'}, {padding}, n = {texts}"
        result = {"name": name, "type": kind, "frame": frame, "signed": signed, "padding": padding, "lengths": list(lengths)}
        try:
            result["padded"] = padded_lengths([n + OVERHEAD[signed] for n in lengths], MAXIMUM[kind] - frame, padding)
        except TooLarge:
            result |= {"fails": "payload-too-large", "rule": "length"}
        if name not in seen:
            seen.add(name)
            yield result

    for signed, overhead in OVERHEAD.items():
        for padding in ("buckets", "maximum", "none"):
            for kind, frame in FRAMES.items():
                limit = limit_of(MAXIMUM[kind] - frame)
                edges = [limit] if kind != "alert" else [*sealing.BUCKETS, limit]
                needed = {edge + step for edge in edges for step in (-1, 0, 1)} | {overhead + 2}
                for length in sorted(needed):
                    yield from vector(kind, frame, signed, padding, length - overhead)
            # Long placeholders: a bucket that is longer than the limit isn't used.
            for limit in (255, 256, 257, 512, 700, 1023, 1024, 2047, 2048):
                frame = next(frame for frame in range(4096, 0, -1) if limit_of(4096 - frame) == limit)
                for needed in (limit - 1, limit, limit + 1):
                    yield from vector("alert", frame, signed, padding, needed - overhead)
            yield from vector("alert", 4096, signed, padding, 2)
            for frame in (100, 101, 102, 103):
                half = limit_of((4096 - frame) // 2) - overhead
                for pair in ((2, 2), (half, half), (half, 2), (half + 1, 2), (2, half + 1), (half + 1, half), (half + 1, half + 1),
                             (half + 400, 100), (100, half + 400), (half + 700, half - 700), (half + 701, half - 700),
                             (half + 1000, half - 1000), (3000, 2)):
                    yield from vector("liveactivity", frame, signed, padding, *pair)


def document():
    return checked({
        "description": "Vectors of padded lengths, wire format version 1. README.md explains the members.",
        "rules": {"length": "The message isn't longer than its limit (section 5)."},
        "vectors": list(vectors()),
    })
