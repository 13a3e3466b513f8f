"""The source page of an ncu report, as CSV: what a kernel's lines ask for, and where its warps stood.

The page is what `ncu --import FILE --csv --page source --print-source cuda,sass` prints.

ncu_source.py SOURCE.csv KERNEL     one row per executed line of KERNEL (a name without types), on stdout

instructions: of the line, in SASS, by address. executed_M: by warps, millions. samples_pct: of the kernel's samples,
those in which a warp stood at the line. sectors_M: of 32 bytes, asked of L2's side by the line's global accesses, as
their addresses say. stalls: the two commonest reasons, each with its share of the line's samples. A comma would be a
column: a line is shown up to its first.
"""

from __future__ import annotations

import csv
import sys
from collections import defaultdict


def kernel_of(function: str) -> str:
    """distance_kernel4 of 'void distance_kernel4<(bool)1>(const float *, ...)'."""
    return function.removeprefix("void ").split("(")[0].split("<")[0]


def number(text: str) -> float:
    """A cell of ncu's; '-' where there is nothing."""
    return float(text.replace(",", "")) if text not in ("", "-") else 0.0


def lines_of(path: str, kernel: str) -> tuple[dict[int, str], dict[int, defaultdict[str, float]]]:
    """By line: its text, and sums over the kernel's instances. The instructions' own rows have no line."""
    text: dict[int, str] = {}
    sums: dict[int, defaultdict[str, float]] = {}
    addresses: defaultdict[int, set[str]] = defaultdict(set)
    header: list[str] = []
    line, wanted = 0, False
    with open(path, newline="") as file:
        for row in csv.reader(file):
            if row and row[0] == "Function Name":
                wanted = kernel_of(row[1]) == kernel
            elif row and row[0] == "Line No":
                header = row
            elif wanted and len(row) == len(header):
                if row[0]:
                    line = int(row[0])
                    text[line] = row[1]
                    sums.setdefault(line, defaultdict(float))
                    for name, cell in zip(header[4:], row[4:]):
                        if "Issued" not in name and cell.replace(",", "").replace(".", "").isdigit():
                            sums[line][name] += number(cell)
                else:
                    addresses[line].add(row[2])
    for at, each in sums.items():
        each["instructions"] = len(addresses[at])
    return text, sums


def stalls(sums: defaultdict[str, float]) -> str:
    """The two commonest reasons, in percent of the line's samples."""
    samples = sums["# Samples"] or 1
    found = sorted(
        ((value, name.removeprefix("stall_")) for name, value in sums.items() if name.startswith("stall_")),
        reverse=True,
    )
    return "; ".join(f"{name} {100 * value / samples:.0f}" for value, name in found[:2] if value)


def main() -> int:
    """Prints the table."""
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    text, sums = lines_of(sys.argv[1], sys.argv[2])
    total = sum(each["# Samples"] for each in sums.values())
    if not total:
        print(f"ncu_source.py: {sys.argv[1]} has no samples of {sys.argv[2]}", file=sys.stderr)
        return 1
    print("line,source,instructions,executed_M,samples_pct,sectors_M,stalls")
    for line in sorted(sums):
        each = sums[line]
        source = text[line].strip()
        source = source.split(",")[0] + (" ..." if "," in source else "")
        print(
            f"{line},{source},{each['instructions']:.0f},{each['Instructions Executed'] / 1e6:.1f},"
            f"{100 * each['# Samples'] / total:.1f},{each['L2 Theoretical Sectors Global'] / 1e6:.1f},{stalls(each)}"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
