"""The tables of Tests/Benchmarks/README.md, from the rows."""

import re

from . import baseline, rows
from .machine import ROOT

PAGE = ROOT / "Tests" / "Benchmarks" / "README.md"
LIMIT = 1.05
MESSAGES, CORES = 10_000_000, (2, 16, 64)
WIDTH = 120


def table(head, body):
    lines = [f"| {' | '.join(head)} |", "|" + "---|" * len(head)]
    return lines + [f"| {' | '.join(map(str, line))} |" for line in body]


def wrapped(sentences):
    """Returns sentences in lines of the page's width."""
    lines = [""]
    for word in " ".join(sentences).split(" "):
        if len(lines[-1]) + len(word) >= WIDTH:
            lines.append("")
        lines[-1] += f"{' ' if lines[-1] else ''}{word}"
    return ["", *lines]


def bold(text):
    """Returns a ratio, bold if it exceeds the limit."""
    return f"**{text}**" if text and float(text) > LIMIT else text


def ratios():
    found = rows.read("ratios")
    names = ("seal", "seal_each_of_32", "open")
    body = [[row["payload"], *(bold(row[name]) for name in names)] for row in found]
    return table(["payload", "seal, one device", "seal, each of 32 devices", "open"], body) + wrapped(rows.described(found))


def fastx():
    found = rows.read("fastx")
    body = [[row[name] for name in ("payload", "seal", "seal_each_of_32", "open")] for row in found]
    return table(["1024 bytes", "seal, one device", "seal, each of 32 devices", "open"], body) + wrapped(rows.described(found))


def counts():
    """Returns the newest environment's rows of the baseline by name and length."""
    found = baseline.read()
    last = baseline.key(found[-1])
    return {(row["name"], int(row["bytes"])): row for row in found if baseline.key(row) == last}, found[-1]


def lengths(found):
    return sorted({length for _, length in found})


def environment(row):
    return wrapped([f"Counted at commit {row['commit']}: {row['processor']}, {row['system']}, libsodium {row['libsodium']}, "
                    f"Swift {row['swift']}."])


def instructions():
    found, last = counts()
    body = []
    for length in lengths(found):
        ratio = {name: found[name, length]["ratio"] for name in ("seal", "seal-signed", "open", "open-signed")}
        allocations = ", ".join(found[name, length]["allocations"] for name in ("seal", "open"))
        receipt = [int(found[name, length]["instructions"]) for name in ("handle-with-receipt", "handle", "open-signed")]
        body.append([f"{length} bytes", *(bold(f"{float(value):.3f}") for value in ratio.values()),
                     f"{(receipt[0] - receipt[1]) / receipt[2]:.1%}".replace("%", " %"), allocations])
    head = ["payload", "seal", "seal, signed", "open", "open, signed", "receipt", "allocations of seal, open"]
    return table(head, body) + environment(last)


def lines():
    found, last = counts()
    body = []
    for length in lengths(found):
        line = int(found["line", length]["instructions"])
        shares = [int(found[name, length]["instructions"]) / line for name in ("seal", "seal-parsing")]
        base = int(found["line", length]["libsodium_instructions"])
        body.append([f"{length} bytes", f"{line:,}", f"{base:,}", f"{line / base:.3f}", *(f"{share:.2f}" for share in shares)])
    head = ["payload", "a line", "libsodium's box", "ratio", "share of `seal`", "share of `seal` with a key parsed for each call"]
    return table(head, body) + environment(last)


def scale():
    found = [row for row in rows.read("scale") if row["code"] in ("seal", "sealOnAllCores")]
    same = ("recipients", "threads", "backend", "code")
    shown = [row for row in found if row["sender"] == "anonymous"]
    body = []
    for row in sorted(shown, key=lambda row: (int(row["recipients"]), int(row["threads"]), row["backend"] != "libsodium")):
        signed = next(each for each in found if each["sender"] == "signed" and all(each[name] == row[name] for name in same))
        body.append([f"{int(row['recipients']):,}", row["threads"], row["backend"],
                     *(f"{float(each['time_over_libsodium']):.2f}" for each in (row, signed))])
    return table(["recipients", "threads", "X25519", "anonymous", "signed"], body)


def forecast():
    found = rows.read("scale")
    largest = max(int(row["recipients"]) for row in found)
    body = []
    for row in found:
        if (int(row["recipients"]), row["sender"], row["code"]) == (largest, "signed", "sealOnAllCores"):
            each = float(row["messages_per_second"]) / int(row["threads"])
            body.append([row["backend"], *(f"{MESSAGES / each / cores / 60:.1f} min" for cores in CORES)])
    return table(["X25519", *(f"{cores} cores" for cores in CORES)], body)


def pynacl():
    found = rows.read("pynacl")
    names = ("program", "anonymous_200", "signed_200", "anonymous_1024", "signed_1024")
    head = ["program", "200 bytes, anonymous", "signed", "1 KB, anonymous", "signed"]
    return table(head, [[row[name] for name in names] for row in found]) + wrapped(rows.described(found))


def sending():
    found = rows.read("sending")
    body = [[row["client"], row["microseconds"], row["to_go"], f"{row['megabytes']} MB"] for row in found]
    return table(["client", "µs per push", "to Go's", "peak memory"], body) + wrapped(rows.described(found))


def attachments():
    found = rows.read("attachments")
    body = []
    for row in found:
        stream = f"{row['stream_lowest']} to {row['stream_highest']}"
        body.append([row["work"], row["lowest"], f"**{stream}**"])
    return table(["", "stream and digest", "stream alone"], body) + wrapped(rows.described(found))


TABLES = {"ratios": ratios, "instructions": instructions, "fastx": fastx, "scale": scale, "forecast": forecast, "lines": lines,
          "pynacl": pynacl, "sending": sending, "attachments": attachments}


def page(text):
    """Returns the page with its generated tables."""
    for name, function in TABLES.items():
        pattern = re.compile(rf"(<!-- begin {name} -->\n).*?(<!-- end {name} -->)", flags=re.DOTALL)
        if len(pattern.findall(text)) != 1:
            raise SystemExit(f"{PAGE} doesn't have the comments begin {name} and end {name} once.")
        generated = "\n".join(function())
        text = pattern.sub(lambda match: f"{match[1]}{generated}\n{match[2]}", text)
    return text
