#!/usr/bin/env python3
"""Builds cuprof_bench for the device and prints what the profiler costs there.

Usage: tools/profiler/cuprof_bench.py [cpu|cuda] [--results]

--results also writes results/<device>/profiler_overhead.csv.
"""

from __future__ import annotations

import datetime
import os
import re
import subprocess
import sys
import tempfile


def output(*command: str) -> str:
    """What a command prints."""
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False).stdout


def gpu(what: str) -> str:
    return output("nvidia-smi", f"--query-gpu={what}", "--format=csv,noheader").split("\n")[0]


def found(pattern: str, text: str) -> str:
    """The first group of a pattern in a text, or nothing."""
    match = re.search(pattern, text, re.MULTILINE)
    return match[1] if match else ""


def heading(device: str) -> tuple[list[str], str]:
    """The lines above the table, and the device's folder below results/."""
    today = f"{datetime.datetime.now(datetime.timezone.utc):%Y-%m-%d}"
    end = [f"# date: {today}", f"# command: tools/profiler/cuprof_bench.py {device} --results"]
    if device == "cuda":
        nvcc = output(output("tools/setup/device.sh", "--toolkit").strip() + "/bin/nvcc", "--version")
        toolkit = found(r"release ([0-9.]+)", nvcc)
        versions = f"# versions: driver {gpu('driver_version')}, CUDA Toolkit {toolkit}"
        folder = gpu("name").lower().replace(" ", "_").replace("nvidia_", "")
        return [f"# device: {gpu('name')}", versions, *end], folder
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        model = found(r"^model name[^:]*: (.*)$", file.read())
    return [f"# device: CPU device: {model}, {os.cpu_count()} cores", *end], "cpu"


def main(arguments: list[str]) -> int:
    if not set(arguments) <= {"cpu", "cuda", "--results"}:
        print("usage: tools/profiler/cuprof_bench.py [cpu|cuda] [--results]", file=sys.stderr)
        return 2
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
    devices = [word for word in arguments if word != "--results"]
    device = devices[-1] if devices else output("tools/setup/device.sh").strip()
    bench = f"build/{device}/tools/profiler/cuprof_bench"
    make = ["make", "-s", "--no-print-directory", f"DEVICE={device}", bench]
    if subprocess.run(make, check=False).returncode:
        return 2
    lines, folder = heading(device)
    lines.append("what,value,unit,limit")
    good = True
    with tempfile.TemporaryDirectory() as scratch:
        for what in (["overhead"], ["million", f"{scratch}/trace"]):
            done = subprocess.run([bench, *what], stdout=subprocess.PIPE, text=True, check=False)
            good = good and done.returncode == 0
            lines += done.stdout.splitlines()
    table = "\n".join(lines) + "\n"
    print(table, end="")
    if "--results" in arguments:
        os.makedirs(f"results/{folder}", exist_ok=True)
        with open(f"results/{folder}/profiler_overhead.csv", "w", encoding="utf-8") as file:
            file.write(table)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
