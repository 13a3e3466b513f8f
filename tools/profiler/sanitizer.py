#!/usr/bin/env python3
"""Runs compute-sanitizer's four tools on every lab and writes a table, on a machine with a GPU (make sanitizer).

The exit status is 1 if a tool reported something or did not end.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import datetime
import glob
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass

TOOLS = ["racecheck", "memcheck", "initcheck", "synccheck"]  # the slowest first
# Racecheck follows every byte of shared memory, and wgmma's operands are all there: a few tiles must do.
FEW_TILES = "128x256x64 33x40x80 130x264x272 256x512x512"
CLEAN = re.compile(r": 0 (errors|hazards)")


@dataclass
class Row:
    """What a tool said of a lab."""

    text: str
    good: bool


def try_one(build: str, lab: str, tool: str, limit_s: int) -> Row:
    """Runs one tool on one lab."""
    few = tool == "racecheck" and os.path.basename(lab) in ("hopper", "hopper_sparse")
    shapes = ["--size", FEW_TILES] if few else ["--small"]
    options = []
    with open(f"{lab}.cu", encoding="utf-8") as source:
        if tool == "memcheck" and "cpudev_expect_errors" in source.read():
            options = ["--report-api-errors", "no"]  # calls that are meant to fail
    command = ["compute-sanitizer", "--tool", tool, "--error-exitcode", "99", *options]
    command += [f"{build}/{lab}", "--verify", "--no-vendor", *shapes]
    try:
        done = subprocess.run(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=limit_s, check=False, text=True
        )
        said, status = done.stdout, done.returncode
        found = re.findall(r"^=* *((?:ERROR|RACECHECK) SUMMARY.*)", said, re.MULTILINE)
        summary = found[-1].replace(",", ";") if found else ""
    except subprocess.TimeoutExpired:
        said, status, summary = "", 124, f"did not end in {limit_s} s"
    row = Row(f"{lab},{tool},{' '.join(shapes)},{status},{summary}", status == 0 and CLEAN.search(summary) is not None)
    print(row.text, file=sys.stderr)
    if not row.good:
        print("\n".join(said.split("\n")[:40]), file=sys.stderr)
    return row


def output(command: list[str]) -> str:
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False).stdout


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", dest="out", metavar="FILE", help="the table (standard output)")
    parser.add_argument("-j", dest="jobs", type=int, default=8, help="how many run at a time (8)")
    parser.add_argument(
        "-t", dest="limit_s", metavar="SECONDS", type=int, default=300, help="how long one may take (300)"
    )
    parser.add_argument("build", help="where the labs are built, build/cuda")
    parser.add_argument("labs", nargs="*", metavar="LAB", help="lectureNN_name/LAB (all)")
    asked = parser.parse_args()
    out = asked.out and os.path.abspath(asked.out)
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
    labs = asked.labs or [lab.removesuffix(".cu") for lab in sorted(glob.glob("lecture*/*.cu"))]
    if not shutil.which("compute-sanitizer"):
        print("compute-sanitizer is not installed", file=sys.stderr)
        return 2
    for lab in labs:
        if not os.access(f"{asked.build}/{lab}", os.X_OK):
            print(f"{asked.build}/{lab} is not built: make labs DEVICE=cuda", file=sys.stderr)
            return 2
    with concurrent.futures.ThreadPoolExecutor(asked.jobs) as pool:
        jobs = [pool.submit(try_one, asked.build, lab, tool, asked.limit_s) for tool in TOOLS for lab in labs]
        rows = [job.result() for job in jobs]
    gpu = output(["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"]).split("\n")[0]
    version = re.search(r"^Version (.*)", output(["compute-sanitizer", "--version"]), re.MULTILINE)
    lines = [
        f"# device: {gpu}; compute-sanitizer {version[1] if version else ''}",
        f"# date: {datetime.datetime.now(datetime.timezone.utc):%Y-%m-%d}",
        "# command: make sanitizer DEVICE=cuda: compute-sanitizer --tool TOOL LAB --verify --no-vendor "
        "and the table's shapes",
        "lab,tool,shapes,status,summary",
        *sorted(row.text for row in rows),
    ]
    if out:
        with open(out, "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
    else:
        print("\n".join(lines))
    return 0 if all(row.good for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
