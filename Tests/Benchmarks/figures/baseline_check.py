"""Checks the comparison with the baseline: it must notice a regression on each machine, and say what it doesn't compare."""

from . import baseline

HERE = {"architecture": "x86_64", "features": "sse2+avx+avx2", "libsodium": "1.0.18", "swift": "6.3.1", "system": "Debian 12"}
BASE = [HERE | {"name": "seal", "bytes": "256", "instructions": "1050000", "libsodium_instructions": "1000000"},
        HERE | {"features": "sse2+aesni+pclmul", "name": "seal", "bytes": "256", "instructions": "1", "libsodium_instructions": "1"}]


def row(instructions, base=1_000_000):
    return [{"name": "seal", "bytes": 256, "instructions": instructions, "libsodium_instructions": base}]


# Each case: the environment, the measured rows, a text that the answer has, and whether it has a failure.
CASES = {
    "the same": (HERE, row(1_050_000), "+0.00%", False),
    "1.9 % more": (HERE, row(1_069_950), "+1.90%", False),
    "2.1 % more": (HERE, row(1_072_050), "+2.10%", True),
    "2.1 % less": (HERE, row(1_027_950), "Record a new baseline", False),
    "no measurement": (HERE, [], "not measured", True),
    "a name without a baseline": (HERE, [*row(1_050_000), *(dict(row(5)[0], name="open"),)], "not in the baseline", True),
    # Without AVX2, libsodium takes twice as many instructions, but PushCrypt as many as before.
    "a slower libsodium": (HERE | {"features": "sse2+avx"}, row(2_050_000, 2_000_000), "nearest", False),
    "a regression beside it": (HERE | {"features": "sse2+avx"}, row(2_072_050, 2_000_000), "nearest", True),
    "another compiler": (HERE | {"swift": "6.4"}, row(1_072_050), "nearest", True),
    "another architecture": (HERE | {"architecture": "aarch64"}, row(2_000_000), "nothing is compared", False),
}


def problems():
    """Returns the cases with another answer."""
    result = []
    for name, (found, rows, text, fails) in CASES.items():
        lines, failures = baseline.compare(found, rows, BASE)
        if bool(failures) != fails or text not in "\n".join([*lines, *failures]):
            result.append(f"The comparison with the baseline is wrong for {name}: {lines} {failures}")
    return result
