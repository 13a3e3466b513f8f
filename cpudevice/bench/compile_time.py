#!/usr/bin/env python3
"""Measures how long cucc takes for each lab, beside the cucc of an earlier commit.

Both compile that commit's labs, in turn, to an object. A lab of then that cucc refuses now (as nvcc does) is compared
with the lab of today, which may hold more: `now_compiles` says which. Prints CSV: medians of the processor time in
seconds, of all that cucc runs, and their ratio; the row `all` has the sums.

With --kernels, a lab that takes over a tenth longer also runs (--small, one core), as built by both. `kernels` is then
the geometric mean, over the rungs and sizes that take both at least LEAST_MS, of how many times as fast they are now;
`runs` is the number of these.
"""

from __future__ import annotations

import argparse
import csv
import glob
import math
import os
import statistics
import subprocess
import sys
import tempfile

from timing import ROOT, cpu_seconds, heading

OPTIONS = ["-O3", "-std=c++17", "-w", "-fopenmp", "-DLAB_CPU", "-Icommon", "-c"]
LEAST_MS = 0.05  # below it a launch is what takes the time


def seconds(cucc: str, source: str, lab: str, scratch: str) -> float | None:
    """The processor time of a compilation, by the cucc of one tree, of the lab in another."""
    command = [f"{cucc}/cpudevice/cucc", *OPTIONS, "-o", f"{scratch}/lab.o", lab]
    return cpu_seconds(command, f"{scratch}/said", source)


def rung_times(cucc: str, source: str, lab: str, scratch: str) -> dict[tuple[str, ...], float]:
    """The times in ms of the lab in a tree, as built by the cucc of another, by rung, type and size."""
    program, figures = f"{scratch}/lab", f"{scratch}/lab.csv"
    library = f"{source}/build/cpu/libcourse.a"
    steps = (
        [f"{cucc}/cpudevice/cucc", *OPTIONS, "-o", f"{scratch}/lab.o", lab],
        [f"{cucc}/cpudevice/cucc", "-fopenmp", "-o", program, f"{scratch}/lab.o", library, "-ldl", "-lpthread", "-lm"],
        [program, "--small", "--runs", "5", "--no-vendor", "--csv", figures],
    )
    alone = {"CUDA_CPU_WORKERS": "1", "OMP_WAIT_POLICY": "passive"}
    for step in steps:
        if cpu_seconds(step, f"{scratch}/said", source, alone) is None:
            return {}
    with open(figures, encoding="utf-8") as file:
        rows = csv.DictReader(line for line in file if not line.startswith("#"))
        return {
            tuple(row[key] for key in ("rung", "name", "type", "size", "mode")): float(row["time_ms"])
            for row in rows
            if row["time_ms"]
        }


def kernels_now(before: str, source: str, lab: str, scratch: str) -> str:
    """The columns `kernels` and `runs`, or nothing in them."""
    then, now = (rung_times(cucc, source, lab, scratch) for cucc in (before, ROOT))
    both = [key for key in then.keys() & now.keys() if min(then[key], now[key]) >= LEAST_MS]
    if not both:
        return ","
    return f"{math.exp(statistics.fmean(math.log(then[key] / now[key]) for key in both)):.2f},{len(both)}"


def compare(before: str, lab: str, runs: int, kernels: bool, scratch: str) -> tuple[float, float]:
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
    slower = kernels and source == before and now > 1.1 * then
    more = kernels_now(before, source, lab, scratch) if slower else ","
    row(os.path.basename(lab).removesuffix(".cu"), then, now, "then" if source == before else "today", more)
    return (then, now) if times[0] else (0, 0)  # the cucc of then refuses a lab of today


def row(lab: str, then: float, now: float, compiles: str, more: str) -> None:
    print(f"{lab},{then:.2f},{now:.2f},{now / then:.2f},{compiles},{more}", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-n", dest="runs", type=int, default=5, help="compilations of each lab (5)")
    parser.add_argument("--kernels", action="store_true", help="run a lab that takes over a tenth longer")
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
            kernels = "--kernels " if asked.kernels else ""
            command = f"cpudevice/bench/compile_time.py -n {asked.runs} {kernels}{asked.commit}"
            print(heading(command, ", " + version.split("\n")[0]))
            print("lab,before_s,now_s,ratio,now_compiles,kernels,runs", flush=True)
            for tree in (before, ROOT):
                subprocess.run([f"{tree}/cpudevice/cucc", "--build"], check=True)
                if asked.kernels:
                    library = ["make", "-s", "-C", tree, "DEVICE=cpu", "build/cpu/libcourse.a"]
                    subprocess.run(library, check=True, stdout=sys.stderr)
            labs = asked.labs or sorted(glob.glob("lecture*/*.cu", root_dir=before))
            medians = [compare(before, lab, asked.runs, asked.kernels, scratch) for lab in labs]
            row("all", sum(then for then, _ in medians), sum(now for _, now in medians), "", ",")
        finally:
            subprocess.run([*git, "remove", "--force", before], capture_output=True, check=False)
    return 0


if __name__ == "__main__":
    sys.exit(main())
