#!/usr/bin/env python3
"""Records what each order of tiles fetches from memory, counted by the GPU.

Usage: lecture14_tiling/swizzle_dram.py [PROGRAM [OUT.csv]]

Runs the swizzle lab under Nsight Compute (ncu), a launch for each rung, and writes rung, order, bytes read from
memory, L2 hit rate and time, beside what the lab counts when nothing is kept from one wave to the next. K is 2048, an
eighth of the lab's, because ncu runs each launch several times.
"""

from __future__ import annotations

import collections
import csv
import datetime
import os
import re
import shutil
import subprocess
import sys

SIZE = "16384x16384x2048"
METRICS = {"dram__bytes_read.sum": 1e9, "lts__t_sector_hit_rate.pct": 1.0, "gpu__time_duration.sum": 1e6}
LAB_K_OVER_OURS = 8


def counted(log: str) -> dict[str, float]:
    """The lab's own counts, GB for each order, from its table: name, rows, columns, GB, ratio."""
    table = log.partition("GB to fetch in all")[2].split("\n")[1:]
    orders = {}
    for fields in map(str.split, table):
        if len(fields) < 5:
            break
        orders[" ".join(fields[:-4])] = float(fields[-2]) / LAB_K_OVER_OURS
    return orders


def rungs(log: str) -> list[str]:
    """The rungs' names, from the lab's lines that say that they are right."""
    return re.findall(r"^ +[0-9]+ +(\S.*?) +bf16 .*ok", log, re.MULTILINE)


def measured(log: str) -> list[dict[str, float]]:
    """Each launch's metrics, in GB, percent and ms."""
    launches: dict[str, dict[str, float]] = collections.defaultdict(dict)
    for row in csv.reader(line for line in log.split("\n") if re.match(r'"[0-9]+"', line)):
        launch, metric, value = row[0], row[12], float(row[14].replace(",", ""))
        if metric in METRICS:
            launches[launch][metric] = value / METRICS[metric]
    return [launches[launch] for launch in sorted(launches, key=int)]


def table(log: str) -> list[str]:
    """The rows: a rung's number, name and figures."""
    orders = counted(log)
    lines = []
    for number, (name, figures) in enumerate(zip(rungs(log), measured(log), strict=False), 1):
        read, hits, ms = (figures.get(metric, 0.0) for metric in METRICS)
        lines.append(f"{number},{name},{read:.2f},{orders.get(name, 0.0):.2f},{hits:.1f},{ms:.3f}")
    return lines


def main(arguments: list[str]) -> int:
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    program = arguments[0] if arguments else "build/cuda/lecture14_tiling/swizzle"
    out = arguments[1] if arguments[1:] else "results/h200/lecture14/swizzle_dram.csv"
    if not shutil.which("ncu"):
        print("swizzle_dram.py: needs ncu (Nsight Compute)", file=sys.stderr)
        return 2
    if not os.access(program, os.X_OK):
        print("swizzle_dram.py: build it first: make DEVICE=cuda lecture14", file=sys.stderr)
        return 2
    command = ["ncu", "--clock-control", "none", "--csv", "--metrics", ",".join(METRICS), "-k", "regex:gemm_bf16"]
    command += [program, "--verify", "--size", SIZE]
    ran = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if ran.returncode:
        print("\n".join(ran.stdout.rstrip("\n").split("\n")[-3:]), file=sys.stderr)
        return 1
    gpu = ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]
    device = subprocess.run(gpu, stdout=subprocess.PIPE, text=True, check=True).stdout.split("\n")[0]
    lines = [
        f"# device: {device.replace(',', ', driver', 1)}",
        f"# date: {datetime.date.today()}",
        "# command: lecture14_tiling/swizzle_dram.py",
        f"# size: {SIZE}, bf16",
        "rung,name,read_from_memory_gb,counted_gb,l2_hit_percent,time_ms",
        *table(ran.stdout),
    ]
    text = "\n".join(lines) + "\n"
    with open(out, "w", encoding="utf-8") as file:
        file.write(text)
    print(text, end="")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
