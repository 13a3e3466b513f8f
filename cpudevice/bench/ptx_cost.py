#!/usr/bin/env python3
"""Measures what inline PTX costs, by family of instructions, beside CUDA C that does the same work.

Usage: cpudevice/bench/ptx_cost.py [ROUNDS]      (5, three times)

Plain and under `cucc --check`, in CPU time: medians of launches (ptx_cost.cu), the plain and the checked program run in
turn. Both compare every result with a loop on the host.
"""

from __future__ import annotations

import collections
import os
import subprocess
import sys

from timing import CUCC, ROOT, heading, lower_median

WAYS: dict[str, list[str]] = {"plain": [], "check": ["--check"]}


def first() -> list[str]:
    """Before other programs, where that is allowed."""
    try:
        allowed = subprocess.run(["chrt", "-f", "50", "true"], capture_output=True, check=False).returncode == 0
    except OSError:
        allowed = False
    return ["chrt", "-f", "50"] if allowed else []


def main(arguments: list[str]) -> int:
    rounds = arguments[0] if arguments else "5"
    if not rounds.isdigit() or len(arguments) > 1:
        print("usage: ptx_cost.py [ROUNDS]", file=sys.stderr)
        return 2
    out = f"{ROOT}/build/cpu/ptx_cost"
    os.makedirs(out, exist_ok=True)
    source = f"{ROOT}/cpudevice/bench/ptx_cost.cu"
    for way, flags in WAYS.items():
        subprocess.run([CUCC, *flags, "-O3", f"-I{ROOT}/common", "-o", f"{out}/cost_{way}", source], check=True)
    times: dict[tuple[str, str, str], list[float]] = collections.defaultdict(list)
    families: dict[str, None] = {}
    before_others = first()
    for _ in range(3):
        for way in WAYS:
            command = [*before_others, f"{out}/cost_{way}", rounds]
            for line in subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines():
                family, written, ms = line.split(",")
                families[family] = None
                times[way, written, family].append(float(ms))
    print(heading("cpudevice/bench/ptx_cost.py" + "".join(f" {word}" for word in arguments)))
    print("family,c_ms,ptx_ms,check_c_ms,check_ms,ptx_over_c,check_over_ptx,check_over_check_c")
    for family in families:
        c, ptx = (lower_median(times["plain", written, family]) for written in ("c", "ptx"))
        check_c, check = (lower_median(times["check", written, family]) for written in ("c", "ptx"))
        ratios = f"{ptx / c:.1f},{check / ptx:.1f},{check / check_c:.2f}"
        print(f"{family},{c:.2f},{ptx:.2f},{check_c:.1f},{check:.1f},{ratios}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
