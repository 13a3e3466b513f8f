#!/usr/bin/env python3
"""Measures how long cucc takes for each lab, beside the cucc of an earlier commit.

Both compile that commit's labs, in turn, to an object. A lab of then that cucc refuses now (as nvcc does) is compared
with the lab of today, which may hold more: `now_compiles` says which. Prints CSV: medians of the processor time in
seconds, of all that cucc runs, and their ratio; the row `all` has the sums.
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


def compare(before: str, lab: str, runs: int, scratch: str) -> tuple[float, float]:
    """Prints the row of a lab. Returns its two medians."""
    source = before if seconds(ROOT, before, lab, scratch) is not None else ROOT
    if seconds(ROOT, source, lab, scratch) is None:
        print(f"{lab}: does not compile", file=sys.stderr)
        return 0, 0
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(runs):
        for of_tree, took in zip(
            times, (seconds(before, before, lab, scratch), seconds(ROOT, source, lab, scratch)), strict=True
        ):
            if took is not None:
                of_tree.append(took)
    then, now = (statistics.median(of_tree) if of_tree else float("nan") for of_tree in times)
    compiles = "then" if source == before else "today"
    row(os.path.basename(lab).removesuffix(".cu"), then, now, compiles)
    return (then, now) if times[0] else (0, 0)  # the cucc of then refuses a lab of today


def row(lab: str, then: float, now: float, compiles: str) -> None:
    print(f"{lab},{then:.2f},{now:.2f},{now / then:.2f},{compiles}", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-n", dest="runs", type=int, default=5, help="compilations of each lab (5)")
    parser.add_argument("commit", help="whose cucc is compared with")
    parser.add_argument("labs", nargs="*", metavar="LAB.cu", help="lectureNN_name/LAB.cu (all)")
    asked = parser.parse_args()
    os.environ["CCACHE_DISABLE"] = "1"  # of a ccache in PATH, which would answer for g++
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
            print("lab,before_s,now_s,ratio,now_compiles", flush=True)
            for tree in (before, ROOT):
                subprocess.run([f"{tree}/cpudevice/cucc", "--build"], check=True)
            labs = asked.labs or sorted(glob.glob("lecture*/*.cu", root_dir=before))
            medians = [compare(before, lab, asked.runs, scratch) for lab in labs]
            row("all", sum(then for then, _ in medians), sum(now for _, now in medians), "")
        finally:
            subprocess.run([*git, "remove", "--force", before], capture_output=True, check=False)
    return 0


if __name__ == "__main__":
    sys.exit(main())
