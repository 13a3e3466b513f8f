#!/usr/bin/env python3
"""Compares cuprof with what it must agree with, on a GPU.

Usage: tools/profiler/oracle/oracle.py [--results] [PROGRAM...]

CUPTI's raw records (raw.c), PyTorch's profiler in the same process (kineto.py, where PyTorch is), and Nsight Compute's
list of launches for each PROGRAM (where ncu is). --results writes results/<gpu>/profiler_accuracy.csv and
profiler_launches.csv.
"""

from __future__ import annotations

import collections
import csv
import datetime
import glob
import io
import os
import re
import shutil
import subprocess
import sys
import tempfile

BENCH = "build/cuda/tools/profiler/cuprof_bench"
NEAR_US, NEAR_SHARE = 0.3, 0.02  # how far a mean may be from the oracle's
NAME_LENGTH = 60


def output(command: list[str], given: str | None = None, environment: dict[str, str] | None = None) -> str:
    """What a command prints."""
    env = {**os.environ, **(environment or {})}
    return subprocess.run(command, input=given, stdout=subprocess.PIPE, text=True, check=False, env=env).stdout


def read(path: str) -> str:
    with open(path, encoding="utf-8") as file:
        return file.read()


def gpu(what: str) -> str:
    return output(["nvidia-smi", f"--query-gpu={what}", "--format=csv,noheader"]).split("\n")[0]


def compare(oracle: str, ours: str, theirs: list[tuple[str, int, float]]) -> tuple[list[str], bool]:
    """Each kernel's calls and mean, ours beside the oracle's (name, calls, mean in us). False if one is not right."""
    kernels = {row[0]: (int(row[2]), float(row[8])) for row in csv.reader(io.StringIO(ours)) if row[1:2] == ["kernel"]}
    lines, good = [], True
    for name, calls, mean in theirs:
        if name not in kernels:
            continue
        our_calls, our_mean = kernels[name]
        difference = our_mean - mean
        right = our_calls == calls and (abs(difference) <= NEAR_US or abs(difference) <= NEAR_SHARE * mean)
        good = good and right
        short = name.replace(",", " ")
        short = short if len(short) <= NAME_LENGTH else short[: NAME_LENGTH - 3] + "..."
        figures = f"{our_calls},{calls},{our_mean:.3f},{mean:.3f},{difference:.3f}"
        lines.append(f"{oracle},{short},{figures},{'yes' if right else 'NO'}")
    if not lines:
        print(f"{oracle}: nothing to compare", file=sys.stderr)
    return lines, good and bool(lines)


def means(records: str) -> list[tuple[str, int, float]]:
    """CUPTI's records, NAME,NANOSECONDS, as each kernel's calls and mean in us."""
    times: dict[str, list[float]] = collections.defaultdict(list)
    for line in output(["c++filt"], records).splitlines():
        name, _, nanoseconds = line.rpartition(",")
        times[name].append(float(nanoseconds))
    return [(name, len(of_it), round(sum(of_it) / len(of_it) / 1000, 4)) for name, of_it in times.items()]


class Oracle:
    """A folder to work in, and where the toolkit is."""

    def __init__(self, folder: str, toolkit: str) -> None:
        self.folder = folder
        self.toolkit = toolkit
        self.include = [f"-I{toolkit}/include", f"-I{toolkit}/extras/CUPTI/include"]
        self.good = True

    def heading(self, programs: list[str]) -> list[str]:
        nvcc = re.search(r"release ([0-9.]+)", output([f"{self.toolkit}/bin/nvcc", "--version"]))
        command = "tools/profiler/oracle/oracle.py --results" + (" PROGRAM..." if programs else "")
        return [
            f"# device: {gpu('name')}",
            f"# versions: driver {gpu('driver_version')}, CUDA Toolkit {nvcc[1] if nvcc else ''}",
            f"# date: {datetime.datetime.now(datetime.timezone.utc):%Y-%m-%d}",
            f"# command: {command}",
        ]

    def build_raw(self) -> None:
        """Builds the library that records what CUPTI says."""
        places = [f"{self.toolkit}/lib64", f"{self.toolkit}/extras/CUPTI/lib64"]
        libraries = [*(f"-L{place}" for place in places), "-lcupti", f"-Wl,-rpath,{':'.join(places)}"]
        source = "tools/profiler/oracle/raw.c"
        command = ["gcc", "-O2", "-shared", "-fPIC", *self.include, source, "-o", f"{self.folder}/raw.so", *libraries]
        subprocess.run(command, check=True)

    def cupti(self, turn: int) -> list[str]:
        """cuprof, then CUPTI's records of the same program."""
        ours, raw = f"{self.folder}/ours.csv", f"{self.folder}/raw"
        subprocess.run(
            ["tools/cuprof", "--table", "--csv", "-o", ours, BENCH, "kernels"], stdout=sys.stderr, check=False
        )
        output([BENCH, "kernels"], None, {"RAW_OUT": raw, "CUDA_INJECTION64_PATH": f"{raw}.so"})
        lines, good = compare(f"CUPTI records {turn}", read(ours), means(read(raw)))
        self.good = self.good and good
        return lines

    def kineto(self) -> list[str]:
        """PyTorch's profiler and ours in one process."""
        objects = []
        for source in sorted(glob.glob("common/profiler/*.c")):
            objects.append(f"{self.folder}/{os.path.basename(source)}.o")
            flags = ["-std=c11", "-D_GNU_SOURCE", "-O2", "-fPIC", "-DLAB_CUDA", "-Icommon", *self.include]
            subprocess.run(["gcc", *flags, "-c", source, "-o", objects[-1]], check=True)
        library = f"{self.folder}/libprofiler.so"
        flags = ["-O2", "-shared", "-Xcompiler", "-fPIC", "-arch=native", "-cudart", "shared", "-Icommon"]
        files = ["common/profiler/profiler_warm.cu", *objects, "-o", library]
        link = [f"-Xlinker=-rpath,{self.toolkit}/lib64", "-ldl", "-lpthread"]
        subprocess.run([f"{self.toolkit}/bin/nvcc", *flags, *files, *link], check=True)
        ours, theirs = f"{self.folder}/ours.csv", f"{self.folder}/kineto.csv"
        script = "tools/profiler/oracle/kineto.py"
        done = subprocess.run(
            [sys.executable, script, library, ours, theirs], capture_output=True, text=True, check=False
        )
        if done.returncode:
            print(done.stderr, file=sys.stderr)
            self.good = False
            return []
        rows = [(row[0], int(row[1]), float(row[2])) for row in csv.reader(io.StringIO(read(theirs)))]
        lines, good = compare("Kineto in the same process", read(ours), rows)
        self.good = self.good and good
        return lines

    def launches(self, program: str) -> str:
        """How often each kernel of a program is launched, as cuprof and as Nsight Compute count it."""
        ours = f"{self.folder}/launches.csv"
        subprocess.run(["tools/cuprof", "--table", "--csv", "-o", ours, program], capture_output=True, check=False)
        mine = {(row[2], row[0]) for row in csv.reader(io.StringIO(read(ours))) if row[1:2] == ["kernel"]}
        ncu = ["ncu", "--csv", "--print-kernel-base", "mangled", "--metrics", "gpu__time_duration.sum", program]
        listed = "\n".join(line for line in output(ncu).split("\n") if line.startswith('"'))
        names = "\n".join(row["Kernel Name"] for row in csv.DictReader(io.StringIO(listed)))
        counted = collections.Counter(output(["c++filt"], names).splitlines())
        theirs = {(str(count), name) for name, count in counted.items()}
        equal = bool(mine) and mine == theirs
        self.good = self.good and equal
        sums = [sum(int(count) for count, _ in of_it) for of_it in (mine, theirs)]
        return f"{os.path.basename(program)},{len(mine)},{sums[0]},{sums[1]},{'yes' if equal else 'NO'}"


def main(arguments: list[str]) -> int:
    results = arguments[:1] == ["--results"]
    programs = [os.path.abspath(program) for program in arguments[int(results) :]]
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../.."))
    toolkit = output(["tools/setup/device.sh", "--toolkit"]).strip()
    if not toolkit:
        print("oracle.py: needs a CUDA Toolkit and a GPU", file=sys.stderr)
        return 2
    subprocess.run(["make", "-s", "--no-print-directory", "DEVICE=cuda", BENCH], check=True)
    subprocess.run(["tools/cuprof", "--build"], check=True)
    tables = {}
    with tempfile.TemporaryDirectory() as folder:
        oracle = Oracle(folder, toolkit)
        oracle.build_raw()
        lines = oracle.heading(programs)
        lines.append("oracle,kernel,calls,calls_oracle,mean_us,mean_us_oracle,difference_us,within 2 % or 0.3 us")
        for turn in (1, 2, 3):  # in turn: the clock of a GPU drifts
            lines += oracle.cupti(turn)
        if subprocess.run([sys.executable, "-c", "import torch"], capture_output=True, check=False).returncode == 0:
            lines += oracle.kineto()
        else:
            print("oracle.py: no PyTorch, no comparison with Kineto", file=sys.stderr)
        tables["profiler_accuracy"] = lines
        print("\n".join(lines))
        if shutil.which("ncu") and programs:
            lines = [*oracle.heading(programs), "program,kernels,launches,launches_ncu,names and counts equal"]
            lines += [oracle.launches(program) for program in programs]
            tables["profiler_launches"] = lines
            print("\n".join(lines))
    if results:
        to = "results/" + gpu("name").lower().replace(" ", "_").replace("nvidia_", "")
        os.makedirs(to, exist_ok=True)
        for name, lines in tables.items():
            with open(f"{to}/{name}.csv", "w", encoding="utf-8") as file:
                file.write("\n".join(lines) + "\n")
    return 0 if oracle.good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
