"""Records what the model is compared with, on a machine with a GPU: the shapes of results/h100/model_times*.csv.

    python3 tools/model/record.py --times        each lab's rungs, timed
    python3 tools/model/record.py --units        how busy Nsight Compute saw each unit, a launch a line, of the
                                                 shapes of results/h100/model_units.csv
    python3 tools/model/record.py --times add    of these labs, on stdout; nothing is written

Writes results/NAME/model_times.csv and model_units.csv, NAME as the GPU is called, h100 or h200.
Builds the labs for the GPU that is here.
"""

from __future__ import annotations

import argparse
import csv
import glob
import io
import os
import re
import subprocess
import sys

from records import gpu, records, said, today

TIMES = "results/h100/model_times*.csv"
LAUNCHES = "results/h100/model_units.csv"
FIELDS = ("lab", "rung", "name", "type", "size", "time_ms", "q1_ms", "q3_ms")
PEAK = ".avg.pct_of_peak_sustained_elapsed"
UNITS = {
    "dram": ["dram__throughput"],
    "l2": ["lts__throughput"],
    "l1": ["l1tex__throughput"],
    "issue": ["sm__inst_issued"],
    "math": [
        "sm__inst_executed_pipe_alu",
        "sm__inst_executed_pipe_fma",
        "sm__inst_executed_pipe_fp16",
        "sm__inst_executed_pipe_fp64",
        "sm__inst_executed_pipe_xu",
        "sm__pipe_tensor_cycles_active",
    ],
}

MICROSECONDS = {"ns": 1e-3, "nsecond": 1e-3, "us": 1, "usecond": 1, "ms": 1e3, "msecond": 1e3}


def shapes(pattern: str) -> dict[str, list[str]]:
    """The sizes of each lab."""
    found: dict[str, list[str]] = {}
    for path in sorted(glob.glob(pattern)):
        for row in records(path):
            sizes = found.setdefault(row["lab"], [])
            if row["size"] not in sizes:
                sizes.append(row["size"])
    return found


def program(lab: str) -> str:
    """Where the lab is built; '' where there is no such lab."""
    sources = glob.glob(f"lecture*/{lab}.cu")
    return f"build/cuda/{sources[0][:-3]}" if sources else ""


def header(name: str, versions: str, command: str) -> str:
    return f"# device: {name}\n# versions: {versions}\n{today()}# command: {command}\n"


def wanted(labs: list[str], pattern: str) -> dict[str, list[str]]:
    return {lab: sizes for lab, sizes in shapes(pattern).items() if program(lab) and (not labs or lab in labs)}


def times(name: str, path: str, labs: list[str]) -> None:
    with open(path, "w", encoding="utf-8") as file:
        versions = ""
        for lab, sizes in wanted(labs, TIMES).items():
            told = f"{program(lab)}.times.csv"
            words = [program(lab), "--size", " ".join(sizes), "--csv", told]
            if subprocess.run(words, stdout=subprocess.DEVNULL, check=False).returncode:
                print(f"record: {lab} failed", file=sys.stderr)
                continue
            if not versions:
                with open(told, encoding="utf-8") as first:
                    versions = re.search(r"# versions: (.*)", first.read())[1]
                file.write(header(name, versions, "python3 tools/model/record.py --times"))
                file.write(",".join(FIELDS) + "\n")
            for row in records(told):
                if row.get("time_ms"):
                    file.write(",".join(row.get(field) or "" for field in FIELDS) + "\n")
            file.flush()


def launches(lab: str, size: str, known: list[dict[str, str]]) -> list[str]:
    """A line a launch: its time and each unit's share of its peak. The rung is that of the same launch in `known`."""
    metrics = ["gpu__time_duration.sum", *(metric + PEAK for unit in UNITS.values() for metric in unit)]
    ncu = ["ncu", "--csv", "--page", "raw", "--clock-control", "none", "--metrics", ",".join(metrics)]
    words = [*ncu, program(lab), "--size", size, "--verify", "--ladder-only", "--no-vendor"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    rows = list(
        csv.DictReader(io.StringIO("\n".join(line for line in done.stdout.splitlines() if line.startswith('"'))))
    )
    if not rows:
        print(f"record: ncu of {lab} {size}: {done.stdout[-400:]} {done.stderr[-400:]}", file=sys.stderr)
    lines, left = [], list(known)
    for row in rows[1:]:
        one = {
            "kernel": re.sub(r"[(<].*", "", row["Kernel Name"].removeprefix("void ")),
            "grid": re.sub(r"[() ]", "", row["Grid Size"]).replace(",", "x"),
            "block": re.sub(r"[() ]", "", row["Block Size"]).replace(",", "x"),
        }
        same = next((other for other in left if all(other[name] == one[name] for name in one)), None)
        if not same:
            print(f"record: not known: {lab} {size} {one}", file=sys.stderr)
            continue
        left.remove(same)
        us = float(row["gpu__time_duration.sum"].replace(",", "")) * MICROSECONDS[rows[0]["gpu__time_duration.sum"]]
        shares = [
            max(float((row.get(name + PEAK) or "0").replace(",", "")) for name in unit) for unit in UNITS.values()
        ]
        named = f'{lab},{size},{same["rung"]},"{one["kernel"]}",{one["grid"]},{one["block"]},{us:.2f}'
        lines.append(",".join([named, *(f"{share:.1f}" for share in shares)]) + "\n")
    return lines


def units(name: str, path: str, labs: list[str]) -> None:
    driver = said("nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader").splitlines()[0]
    version = re.search(r"Version ([0-9.]+)", said("ncu", "--version"))
    known = records(LAUNCHES)
    with open(path, "w", encoding="utf-8") as file:
        versions = f"driver {driver}, Nsight Compute {version[1] if version else '?'}"
        file.write(header(name, versions, "python3 tools/model/record.py --units; per cent of the peak of each unit"))
        file.write("lab,size,rung,kernel,grid,block,time_us," + ",".join(f"{unit}_pct" for unit in UNITS) + "\n")
        for lab, sizes in wanted(labs, LAUNCHES).items():
            for size in sizes:
                file.writelines(launches(lab, size, [row for row in known if (row["lab"], row["size"]) == (lab, size)]))
                file.flush()


def main() -> int:
    parser = argparse.ArgumentParser(description="what the model is compared with, from the GPU that is here")
    parser.add_argument("labs", nargs="*")
    parser.add_argument("--times", action="store_true")
    parser.add_argument("--units", action="store_true")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="compilers at once")
    asked = parser.parse_args()
    programs = sorted({program(lab) for pattern in (TIMES, LAUNCHES) for lab in wanted(asked.labs, pattern)})
    subprocess.run(["make", "-s", "-k", f"-j{asked.jobs}", "DEVICE=cuda", *programs], check=False)
    name, folder = gpu()
    if asked.times:
        times(name, "/dev/stdout" if asked.labs else f"{folder}/model_times.csv", asked.labs)
    if asked.units:
        units(name, "/dev/stdout" if asked.labs else f"{folder}/model_units.csv", asked.labs)
    return 0


if __name__ == "__main__":
    sys.exit(main())
