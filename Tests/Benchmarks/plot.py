#!/usr/bin/env python3
"""Draws Tests/Benchmarks/scale.svg from scale.csv, and prints the tables of Tests/Benchmarks/README.md. With --check, compares the drawing.

    swift run --package-path Tests/Benchmarks -c release ScaleBenchmark > Tests/Benchmarks/scale.csv
    swift run --package-path Tests/Benchmarks -c release --traits FastX25519 ScaleBenchmark | tail -n +2 >> Tests/Benchmarks/scale.csv
    Tests/Benchmarks/plot.py
"""

import csv
import math
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
DRAWING = HERE / "scale.svg"
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 740, 400, 80, 200, 20, 50
TOP_RATIO = 1.2
VERTICAL = "time per recipient (1.0: libsodium's calls, 1 thread)"
# Code, threads, backend, color of STYLE, dashes.
LINES = [
    ("seal", 1, "libsodium", "gray", "none"), ("sealOnAllCores", 2, "libsodium", "gray", "6 4"),
    ("seal", 1, "BoringSSL", "blue", "none"), ("sealOnAllCores", 2, "BoringSSL", "blue", "6 4"),
]
STYLE = """<style>
.page { fill: #ffffff } .grid { stroke: #d0d7de } text { fill: #1f2328 }
.gray, .blue { stroke-width: 2; fill: none } .gray { stroke: #57606a } .blue { stroke: #0969da }
@media (prefers-color-scheme: dark) {
  .page { fill: #0d1117 } .grid { stroke: #30363d } text { fill: #e6edf3 }
  .gray { stroke: #9da7b3 } .blue { stroke: #4493f8 }
}
</style>"""
CORES = (2, 16, 64)
MESSAGES = 10_000_000


def rows():
    with (HERE / "scale.csv").open(newline="") as file:
        found = list(csv.DictReader(file))
    if not found:
        sys.exit("scale.csv has no rows. Run the benchmark.")
    for row in found:
        row.update({name: float(row[name] or "nan") for name in row if name.startswith("time_over")},
                   recipients=int(row["recipients"]), threads=int(row["threads"]), rate=float(row["messages_per_second"]))
    return found


def base_rate(found, row):
    """The rate of libsodium's calls on one thread in the same run and for the same recipients."""
    one = next(r for r in found if r["code"] == "seal" and all(r[k] == row[k] for k in ("recipients", "sender", "backend")))
    return one["rate"] * one["time_over_libsodium"]


def drawing(found):
    counts = sorted({row["recipients"] for row in found})

    def x(count):
        return LEFT + (WIDTH - LEFT - RIGHT) * math.log10(count) / math.log10(counts[-1])

    def y(ratio):
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * ratio / TOP_RATIO

    text = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
            'role="img" aria-labelledby="title" font-family="sans-serif" font-size="13">',
            '<title id="title">Time of sealing per recipient, compared with libsodium on one thread</title>',
            STYLE, f'<rect class="page" width="{WIDTH}" height="{HEIGHT}"/>']
    for tick in range(0, 13, 2):
        at = y(tick / 10)
        text.append(f'<line class="grid" x1="{LEFT}" y1="{at:.1f}" x2="{WIDTH - RIGHT}" y2="{at:.1f}"/>'
                    f'<text x="{LEFT - 8}" y="{at + 4:.1f}" text-anchor="end">{tick / 10:.1f}</text>')
    for count in counts:
        text.append(f'<text x="{x(count):.1f}" y="{HEIGHT - BOTTOM + 20}" text-anchor="middle">{count:,}</text>')
    text.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 8}" text-anchor="middle">recipients</text>')
    middle = (TOP + HEIGHT - BOTTOM) / 2
    text.append(f'<text x="18" y="{middle}" text-anchor="middle" transform="rotate(-90 18 {middle})">{VERTICAL}</text>')
    for number, (code, threads, backend, color, dashes) in enumerate(LINES):
        points = [(row["recipients"], base_rate(found, row) / row["rate"]) for row in found
                  if (row["code"], row["threads"], row["backend"], row["sender"]) == (code, threads, backend, "anonymous")]
        path = " ".join(f"{x(count):.1f},{y(min(ratio, TOP_RATIO)):.1f}" for count, ratio in points)
        stroke = f'class="{color}" stroke-dasharray="{dashes}"'
        text.append(f'<polyline points="{path}" {stroke}/>')
        at = TOP + 20 + 24 * number
        text.append(f'<line x1="{WIDTH - RIGHT + 15}" y1="{at}" x2="{WIDTH - RIGHT + 45}" y2="{at}" {stroke}/>'
                    f'<text x="{WIDTH - RIGHT + 52}" y="{at + 4}">{backend}, {threads} thread{"s" * (threads > 1)}</text>')
    return "\n".join([*text, "</svg>", ""])


def print_tables(found):
    print("| recipients | threads | X25519 | anonymous | signed |\n|---|---|---|---|---|")
    shown = [row for row in found if row["sender"] == "anonymous" and row["code"] in ("seal", "sealOnAllCores")]
    for row in sorted(shown, key=lambda row: (row["recipients"], row["threads"], row["backend"] != "libsodium")):
        same = ("recipients", "threads", "backend", "code")
        signed = next(r for r in found if r["sender"] == "signed" and all(r[name] == row[name] for name in same))
        print(f'| {row["recipients"]:,} | {row["threads"]} | {row["backend"]} | {row["time_over_libsodium"]:.2f} | '
              f'{signed["time_over_libsodium"]:.2f} |')
    largest = max(row["recipients"] for row in found)
    print("\n| 10 million signed messages, computed | " + " | ".join(f"{cores} cores" for cores in CORES) + " |")
    print("|---|" + "---|" * len(CORES))
    for row in found:
        if (row["recipients"], row["sender"], row["code"]) == (largest, "signed", "sealOnAllCores"):
            times = [MESSAGES / (row["rate"] / row["threads"] * cores) for cores in CORES]
            print(f'| {row["backend"]} | ' + " | ".join(f"{time / 60:.1f} min" for time in times) + " |")


def main():
    found = rows()
    text = drawing(found)
    if "--check" in sys.argv[1:]:
        if not DRAWING.exists() or DRAWING.read_text() != text:
            sys.exit("Tests/Benchmarks/scale.svg isn't what Tests/Benchmarks/plot.py draws. Run it.")
        return
    DRAWING.write_text(text)
    print_tables(found)


main()
