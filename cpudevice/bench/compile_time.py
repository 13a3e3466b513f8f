#!/usr/bin/env python3
"""Measures how long cucc takes for each lab, beside the cucc of an earlier commit.

Both compile that commit's labs, in turn, to an object. A lab of then that cucc refuses now (as nvcc does) is compared
with the lab of today. Prints CSV: medians of the processor time in seconds, of all that cucc runs, and their ratio.
"""

from __future__ import annotations

import argparse
import glob
import os
import statistics
import subprocess
import sys
import tempfile

from timing import ROOT, cpu_seconds, heading

OPTIONS = ["-O3", "-std=c++17", "-w", "-fopenmp", "-DLAB_CPU", "-Icommon", "-c"]


def seconds(cucc: str, source: str, lab: str, scratch: str) -> float | None:
    """The processor time of a compilation, by the cucc of one tree, of the lab in another."""
    command = [f"{cucc}/cpudevice/cucc", *OPTIONS, "-o", f"{scratch}/lab.o", lab]
    return cpu_seconds(command, f"{scratch}/said", source)


def compare(before: str, lab: str, runs: int, scratch: str) -> None:
    """Prints the row of a lab."""
    source = before if seconds(ROOT, before, lab, scratch) is not None else ROOT
    if seconds(ROOT, source, lab, scratch) is None:
        print(f"{lab}: does not compile", file=sys.stderr)
        return
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(runs):
        for of_tree, took in zip(
            times, (seconds(before, before, lab, scratch), seconds(ROOT, source, lab, scratch)), strict=True
        ):
            if took is not None:
                of_tree.append(took)
    then, now = (statistics.median(of_tree) if of_tree else float("nan") for of_tree in times)
    print(f"{os.path.basename(lab).removesuffix('.cu')},{then:.2f},{now:.2f},{now / then:.2f}", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-n", dest="runs", type=int, default=5, help="compilations of each lab (5)")
    parser.add_argument("commit", help="whose cucc is compared with")
    parser.add_argument("labs", nargs="*", metavar="LAB.cu", help="lectureNN_name/LAB.cu (all)")
    asked = parser.parse_args()
    git = ["git", "-C", ROOT, "worktree"]
    with tempfile.TemporaryDirectory() as scratch:
        before = f"{scratch}/before"
        add = [*git, "add", "--force", "--detach", before, asked.commit]
        if subprocess.run(add, capture_output=True, check=False).returncode:
            print(f"compile_time.py: no commit {asked.commit}", file=sys.stderr)
            return 2
        try:
            compiler = os.environ.get("CUCC_CXX", "g++")
            version = subprocess.run([compiler, "--version"], capture_output=True, text=True, check=True).stdout
            command = f"cpudevice/bench/compile_time.py -n {asked.runs} {asked.commit}"
            print(heading(command, ", " + version.split("\n")[0]))
            print("lab,before_s,now_s,ratio", flush=True)
            for tree in (before, ROOT):
                subprocess.run([f"{tree}/cpudevice/cucc", "--build"], check=True)
            for lab in asked.labs or sorted(glob.glob("lecture*/*.cu", root_dir=before)):
                compare(before, lab, asked.runs, scratch)
        finally:
            subprocess.run([*git, "remove", "--force", before], capture_output=True, check=False)
    return 0


if __name__ == "__main__":
    sys.exit(main())
