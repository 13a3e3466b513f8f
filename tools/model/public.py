"""Other people's programs: the model against what a GPU took for their kernels.

    python3 tools/model/public.py --measured TIMES PROGRAMS   the record, from what launches.cu wrote on a GPU
    python3 tools/model/public.py --checkouts FOLDER          the model's times of the programs in the record
    python3 tools/model/public.py --summary                   the summary again, of what was written

--chip NAME chooses the GPU (h100 otherwise, or h200); its record is results/NAME/public_times.csv. TIMES has lines of
`id,kernel,grid,block,us`, one per launch, and PROGRAMS `id,repository,commit,path`. FOLDER has a checkout OWNER+NAME of
each repository, at the commit that the record names. Each program is compiled by cucc --model and run once under the
model; a kernel's time is the median of its launches of one grid and block. --frozen says that the model was frozen
before the GPU was asked: it fills the column frozen_us, which later runs keep. Writes results/cpu/model_NAME_public.csv
and its summary. launches.cu reads a buffer on the GPU before each launch, so that none begins just after the host has
waited: the model has no time for that here (the chip's wait_us is 0).
"""

from __future__ import annotations

import argparse
import csv
import os
import re
import signal
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from records import records, said, today
from validate import CHIPS

LIMIT_S = 150  # of a program on the CPU device, in CPU time: other work on the machine does not shorten it
LONG_US = 8  # launches that take longer than little more than the launch itself
RECORD = ["repository", "commit", "program", "kernel", "grid", "block", "launches", "us"]
KEY = ["repository", "program", "kernel", "grid", "block"]
COMMAND = "python3 tools/model/public.py --checkouts FOLDER --chip "
WRITTEN = [*RECORD[:7], "measured_us", "frozen_us", "model_us", "limiter"]


class Launch(NamedTuple):
    kernel: str  # without parameters and the type of its result
    grid: str
    block: str


def of_both(chip: str) -> str:
    return f"CPU device, model of the chip {chip}; measured on {CHIPS[chip].device}"


def kernel_name(name: str) -> str:
    return re.sub(r"\(.*", "", name.replace("(anonymous namespace)::", "")).removeprefix("void ").strip()


def medians(launches: Iterable[tuple[Launch, float]]) -> dict[Launch, tuple[int, float]]:
    """How many launches of one kernel, grid and block there are, and the median of their times."""
    of: dict[Launch, list[float]] = {}
    for launch, us in launches:
        of.setdefault(launch, []).append(us)
    return {launch: (len(times), statistics.median(times)) for launch, times in of.items()}


def write(path: str, device: str, command: str, fields: list[str], rows: list[dict[str, str]]) -> None:
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"# device: {device}\n{today()}# command: {command}\n")
        table = csv.DictWriter(file, fields, lineterminator="\n")
        table.writeheader()
        table.writerows(rows)


def measured(chip: str, times: str, programs: str) -> None:
    """Writes the record."""
    with open(programs, encoding="utf-8") as file:
        program = {row[0]: row[1:] for row in csv.reader(file)}
    launches: dict[str, list[tuple[Launch, float]]] = {}
    with open(times, encoding="utf-8") as file:
        for number, kernel, grid, block, us in csv.reader(file):
            if us != "us":
                launch = Launch(kernel_name(said("c++filt", kernel)), grid, block)
                launches.setdefault(number, []).append((launch, float(us)))
    rows = [
        dict(zip(RECORD, [*program[number], *launch, str(count), f"{us:.2f}"], strict=True))
        for number in sorted(launches, key=lambda number: program[number])
        for launch, (count, us) in medians(launches[number]).items()
    ]
    command = "CUDA_MODULE_LOADING=EAGER LAUNCHES_CSV=FILE LD_PRELOAD=./launches.so PROGRAM (tools/model/launches.cu)"
    write(f"results/{chip}/public_times.csv", CHIPS[chip].device, command, RECORD, rows)


def without_waiting(chip: str, path: str) -> None:
    """The chip's figures, without the time that a launch begins later when the host has waited."""
    with open(f"cpudevice/model/chips/{chip}.csv", encoding="utf-8") as file, open(path, "w", encoding="utf-8") as copy:
        copy.write(re.sub(r"(?m)^wait_us,[^,]*", "wait_us,0", file.read()))


def modelled(chip: str, folder: str, program: tuple[str, str]) -> dict[Launch, tuple[float, str]]:
    """The model's times of a program's launches, and what limits each; none if it does not end in time."""
    repository, path = program
    place, name = os.path.split(os.path.join(folder, repository.replace("/", "+"), path))
    with tempfile.TemporaryDirectory() as work:
        build = [os.path.abspath("cpudevice/cucc"), "--model", chip, "-O1", "-I../include"]
        build += ["-o", f"{work}/program", name]
        asked = os.environ | {
            "CUDA_CPU_MODEL": f"{work}/chip.csv",
            "CUDA_CPU_MODEL_CSV": f"{work}/times.csv",
            "CUDA_CPU_MODEL_QUIET": "1",
        }
        silent = {"cwd": place, "stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        without_waiting(chip, f"{work}/chip.csv")
        try:
            subprocess.run(build, check=True, **silent)
            limited = ["sh", "-c", f"ulimit -t {LIMIT_S}; exec {work}/program"]
            ran = subprocess.run(limited, env=asked, timeout=10 * LIMIT_S, check=False, **silent)
            if -ran.returncode in (signal.SIGXCPU, signal.SIGKILL):
                raise subprocess.TimeoutExpired(path, LIMIT_S)
            rows = records(f"{work}/times.csv")
        except (subprocess.SubprocessError, OSError) as why:
            print(f"public: {repository} {path}: {why}", file=sys.stderr)
            return {}
    timed = [
        (Launch(kernel_name(row["kernel"]), row["grid"], row["block"]), float(row["cold_us"]), row["limiter"])
        for row in rows
        if row["cold_us"]
    ]
    limiter = {launch: by for launch, _, by in timed}
    return {launch: (us, limiter[launch]) for launch, (_, us) in medians((t[0], t[1]) for t in timed).items()}


def summary_line(title: str, column: str, rows: list[dict[str, str]]) -> list[str]:
    errors = sorted(abs(float(row[column]) / float(row["measured_us"]) - 1) for row in rows)
    tenth = errors[round(0.9 * (len(errors) - 1))]
    within = sum(error <= 0.5 for error in errors) / len(errors)
    programs = {(row["repository"], row["program"]) for row in rows}
    percent = [f"{100 * figure:.0f}" for figure in (statistics.median(errors), tenth, within)]
    return [title, str(len(errors)), str(len(programs)), *percent]


def summary(chip: str) -> None:
    rows = records(f"results/cpu/model_{chip}_public.csv")
    long = [row for row in rows if float(row["measured_us"]) > LONG_US]
    lines = [
        summary_line("frozen before they were measured", "frozen_us", [row for row in rows if row["frozen_us"]]),
        summary_line("as it is now", "model_us", rows),
        summary_line(f"frozen; longer than {LONG_US} us", "frozen_us", [row for row in long if row["frozen_us"]]),
        summary_line(f"as it is now; longer than {LONG_US} us", "model_us", long),
    ]
    fields = ["model", "kernels", "programs", "median error %", "90th percentile %", "within 50 %"]
    table = [dict(zip(fields, line, strict=True)) for line in lines]
    write(f"results/cpu/model_{chip}_public_summary.csv", of_both(chip), COMMAND + chip, fields, table)


def compared(chip: str, folder: str, now_frozen: bool) -> None:
    """Writes the record's launches with the model's times."""
    written = f"results/cpu/model_{chip}_public.csv"
    record = records(f"results/{chip}/public_times.csv")
    before = (
        {tuple(row[k] for k in KEY): row["frozen_us"] for row in records(written)} if os.path.exists(written) else {}
    )
    programs = sorted({(row["repository"], row["program"]) for row in record})
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        times = dict(zip(programs, pool.map(lambda program: modelled(chip, folder, program), programs), strict=True))
    rows = []
    for row in record:
        found = times[row["repository"], row["program"]].get(Launch(row["kernel"], row["grid"], row["block"]))
        if found:
            us = f"{found[0]:.2f}"
            frozen = us if now_frozen else before.get(tuple(row[k] for k in KEY), "")
            of_model = {"measured_us": row["us"], "frozen_us": frozen, "model_us": us, "limiter": found[1]}
            rows.append({k: row[k] for k in RECORD[:7]} | of_model)
    write(written, of_both(chip), COMMAND + chip, WRITTEN, rows)


def main() -> int:
    parser = argparse.ArgumentParser(description="Other people's programs: the model against a GPU.")
    parser.add_argument("--chip", choices=CHIPS, default="h100")
    parser.add_argument("--measured", nargs=2, metavar=("TIMES", "PROGRAMS"))
    parser.add_argument("--checkouts", metavar="FOLDER")
    parser.add_argument("--frozen", action="store_true")
    parser.add_argument("--summary", action="store_true")
    options = parser.parse_args()
    if options.measured:
        measured(options.chip, *options.measured)
    if options.checkouts:
        compared(options.chip, options.checkouts, options.frozen)
    if options.checkouts or options.summary:
        summary(options.chip)
    return 0


if __name__ == "__main__":
    sys.exit(main())
