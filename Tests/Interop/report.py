"""Counts of passed and skipped tests, the differences, and the tables."""

import threading


class Report:
    def __init__(self):
        self.passed, self.skipped, self.differences = {}, {}, []
        self._lock = threading.Lock()

    def compare(self, row, column, name, expected, actual):
        with self._lock:
            if expected == actual:
                self.passed[row, column] = self.passed.get((row, column), 0) + 1
            else:
                for part in sorted({*expected, *actual}) if isinstance(expected, dict) and isinstance(actual, dict) else [None]:
                    pair = [value if part is None else value.get(part) for value in (expected, actual)]
                    if pair[0] != pair[1]:
                        lines = (f"{part}: expected {shortened(pair[0])}", f"{part}: got      {shortened(pair[1])}")
                        self.differences.append((row, column, name, *lines))
                        break

    def skip(self, row, column, reason):
        with self._lock:
            reasons = self.skipped.setdefault((row, column), {})
            reasons[reason] = reasons.get(reason, 0) + 1

    def expect_count(self, row, column, passed, skipped=0):
        """Adds a difference if another number of tests has passed or was skipped."""
        counts = self.passed.get((row, column), 0), sum(self.skipped.get((row, column), {}).values())
        if counts != (passed, skipped):
            self.differences.append((row, column, "count", f"expected {passed} passed and {skipped} skipped",
                                     f"got      {counts[0]} and {counts[1]}"))

    def table(self, title, rows, columns):
        width = max(len(row) for row in rows) + 2
        print(f"\n{title}\n{'':{width}}" + "".join(f"{column:>18}" for column in columns))
        for row in rows:
            cells = []
            for column in columns:
                bad = sum(difference[:2] == (row, column) for difference in self.differences)
                skipped = sum(self.skipped.get((row, column), {}).values())
                cell = str(self.passed.get((row, column), 0)) if (row, column) in self.passed or bad else "-"
                cells.append(cell + (f" ({skipped} skip)" if skipped and cell != "-" else "") + (f" {bad} DIFF" if bad else ""))
            print(f"{row:{width}}" + "".join(f"{cell:>18}" for cell in cells))

    def print_differences(self, limit=40):
        for row, column, name, *lines in self.differences[:limit]:
            print(f"\nDIFFERENCE {row} / {column}: {name}")
            for line in lines:
                print("   ", line)
        if len(self.differences) > limit:
            print(f"\n… and {len(self.differences) - limit} more")


def shortened(value):
    text = str(value)
    return text if len(text) <= 300 else f"{text[:200]} … {text[-95:]}"
