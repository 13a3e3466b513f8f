#!/usr/bin/env python3
"""Measures what `cucc --check` costs on every lab.

Usage: cpudevice/bench/check_labs.py

CPU time of `LAB --verify --small`, all rungs at the tests' sizes, plain and checked, host code and start included.
Prints the labs by their ratio, the worst first; a lab that takes less than 10 ms when plain is named only.
"""

from __future__ import annotations

import glob
import os
import subprocess
import sys

from timing import ROOT, cpu_seconds, heading

SMALL_MS = 10


def milliseconds(runs: int, program: str) -> float | None:
    """CPU time of one run."""
    passive = {"OMP_WAIT_POLICY": "passive"}  # threads that wait for work must not count
    took = [cpu_seconds([program, "--verify", "--small"], os.devnull, ROOT, passive, 300) for _ in range(runs)]
    times = [1000 * seconds for seconds in took if seconds is not None]
    return sum(times) / runs if len(times) == runs else None


def main() -> int:
    subprocess.run(["make", "-s", "-k", "labs", "labs-check"], cwd=ROOT, stdout=sys.stderr, check=True)
    print(heading("cpudevice/bench/check_labs.py"))
    print("lab,plain_ms,check_ms,ratio")
    rows, small = [], []
    for lab in sorted(f.removesuffix(".cu") for f in glob.glob("lecture*/*.cu", root_dir=ROOT)):
        plain, check = milliseconds(8, f"{ROOT}/build/cpu/{lab}"), milliseconds(2, f"{ROOT}/build/check/{lab}")
        if plain is None or check is None:
            print(f"# {lab} fails", file=sys.stderr)
        elif plain < SMALL_MS:
            small.append(lab)
        else:
            rows.append((check / plain, f"{lab},{plain:.1f},{check:.1f},{check / plain:.1f}"))
    for _, row in sorted(rows, reverse=True):
        print(row)
    if small:
        print("# less than 10 ms: " + " ".join(small))
    return 0


if __name__ == "__main__":
    sys.exit(main())
