#!/usr/bin/env python3
"""Records what the notes on ncu and nsys show, on a machine with a GPU.

Usage: tools/python/nsight.py FOLDER [labs] [ncu] [gaps] [nsys] [sanitizer]

The tables go to FOLDER as CSV: the labs graphs and occupancy verified and timed, Nsight Compute's reports of the rungs
of three labs, what one chain of launches looks like on the timeline, and the profiler's summaries of it (nsys's, by the
same names). What was printed goes to FOLDER/log, whole reports to FOLDER/reports; what failed is on the last line.
Without a part all of them are recorded.
"""

from __future__ import annotations

import csv
import glob
import io
import os
import re
import shutil
import subprocess
import sys

from recording import Recorder, found, gpu, output, today

PARTS = ["labs", "ncu", "gaps", "nsys", "sanitizer"]
LABS = "build/cuda/lecture01_profiling"
CHAIN = "--rung 2 --ladder-only --size 65536x256 --runs 5"
TABLES = ["cuda_api_sum", "cuda_gpu_kern_sum"]
COLUMNS = "share,total_ns,calls,mean_ns,median_ns,min_ns,max_ns,deviation_ns,name"
NSYS = ["/opt/nvidia/nsight-systems*/*/bin/nsys", "/opt/nvidia/nsight-compute/*/host/target-linux-x64/nsys"]


def provenance(command: str) -> list[str]:
    """What a table is headed by."""
    ncu = found(r"^Version ([0-9.]*)", output(["ncu", "--version"]))
    return [
        f"device: {gpu('name')}",
        f"versions: driver {gpu('driver_version')}, Nsight Compute {ncu}",
        f"date: {today()}",
        f"command: {command}",
    ]


def printed(command: list[str]) -> str:
    """What a command prints; it must succeed."""
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout


def helper(name: str, *arguments: str) -> str:
    """What one of the programs beside this one prints."""
    return printed([sys.executable, f"tools/python/{name}.py", *arguments])


class Nsight:
    """One recording into a folder."""

    def __init__(self, to: str) -> None:
        self.to = to
        self.reports = f"{to}/reports"
        self.recorder = Recorder(f"{to}/log")

    def table(self, name: str, head: list[str], program: str, *arguments: str) -> None:
        self.recorder.write(name, f"{self.to}/{name}.csv", head, lambda: helper(program, *arguments))

    def labs(self) -> None:
        for lab in ("occupancy", "graphs"):
            self.recorder.run(40, lab, [f"{LABS}/{lab}", "--csv", f"{self.to}/lecture01-{lab}.csv"])

    def report(self, report: str, kernel: str, launches: int, lab: str, options: str) -> None:
        """ncu's report of the kernels of a lab, and from it a table, a row a launch.

        Clocks stay as they are: to hold them at their base, as ncu does by itself, is not ours to do on a machine that
        others use.
        """
        file = f"{self.reports}/{report}"
        command = ["ncu", "--set", "full", "--import-source", "yes", "--clock-control", "none", "--kernel-name"]
        command += [f"regex:{kernel}", "--launch-count", str(launches), "--force-overwrite", "--export", file]
        self.recorder.run(60, f"ncu-{report}", [*command, f"{LABS}/{lab}", *options.split(), "--verify"])
        if not os.path.exists(f"{file}.ncu-rep"):
            return
        for page, more in (("raw", []), ("source", ["--print-source", "cuda,sass"])):
            text = output(["ncu", "--import", f"{file}.ncu-rep", "--csv", "--page", page, *more])
            with open(f"{file}-{page}.csv", "w", encoding="utf-8") as out:
                out.write(text + "\n")
        how = f"ncu --set full --clock-control none --kernel-name regex:{kernel} ./{lab} {options} --verify"
        head = provenance(f"{how}; ncu --import FILE --csv --page raw")
        self.table(f"lecture01-ncu_{report}", head, "ncu_table", f"{file}-raw.csv")

    def ncu(self) -> None:
        self.report("square", "square_kernel", 4, "square", "--size 10000x10000")
        self.report("occupancy", "square_kernel", 8, "occupancy", "--size 67108864")
        self.report("cdist", "distance_kernel", 2, "cdist", "--rung 1,4 --size 4096x4096x64")
        raw = [f"{self.reports}/square-raw.csv", f"{self.reports}/cdist-raw.csv"]
        how = "ncu as for square and cdist; ncu --import FILE --csv --page raw; tools/python/ncu_table.py --roofline"
        self.table("lecture01-ncu_roofline", provenance(how), "ncu_table", "--roofline", *raw)
        how = (
            "ncu as for cdist; ncu --import FILE --csv --page source --print-source cuda,sass; "
            "tools/python/ncu_source.py FILE distance_kernel1"
        )
        source = f"{self.reports}/cdist-source.csv"
        self.table("lecture01-ncu_source", provenance(how), "ncu_source", source, "distance_kernel1")

    def gaps(self) -> None:
        """The timeline of one chain: each rung's kernels, from the first one's beginning to the last one's end."""
        traces = [f"{self.reports}/graphs-{rung}.json" for rung in range(1, 6)]
        options = "--ladder-only --size 65536x256 --runs 5 --trace"
        for rung, trace in enumerate(traces, 1):
            command = [f"{LABS}/graphs", "--rung", str(rung), *options.split(), trace]
            self.recorder.run(20, f"trace-{rung}", command)
        how = (
            f"./run graphs --rung N {options} N.json; python3 tools/python/gaps.py smooth_kernel 256 1.json 2.json ..."
        )
        self.table("lecture01-nsys_gaps", provenance(how), "gaps", "smooth_kernel", "256", *traces)

    def summary(self, name: str, how: str, table: str) -> None:
        """Writes a table of summaries, as nsys and cuprof print it; commas in a kernel's name would be columns."""
        rows = [row for row in csv.reader(io.StringIO(table)) if row]
        lines = [",".join(cell.replace(",", "") for cell in row) for row in rows if not row[0].startswith("Time")]
        path = f"{self.to}/lecture01-{name}.csv"
        self.recorder.write(name, path, provenance(how), lambda: "\n".join([COLUMNS, *lines]) + "\n")

    def nsys(self) -> None:
        """The same chain, recorded by nsys and, in another run, by cuprof. nsys's importer wants libdw (libdw1)."""
        ours, graphs = f"{self.reports}/cuprof.csv", f"{LABS}/graphs"
        self.recorder.run(20, "cuprof", ["tools/cuprof", "--summary", "--csv", "-o", ours, graphs, *CHAIN.split()])
        for table in TABLES:  # a table begins with its name on a line
            text = found(rf"^{table}\n((?:.*,.*\n)*)", read(ours))
            self.summary(f"cuprof_{table}", f"tools/cuprof --summary --csv ./graphs {CHAIN}", text)
        nsys = shutil.which("nsys") or next((f for pattern in NSYS for f in sorted(glob.glob(pattern))), None)
        if not nsys:
            return
        file = f"{self.reports}/graphs-2"
        command = [nsys, "profile", "--trace", "cuda,nvtx", "--force-overwrite", "true", "--output", file, graphs]
        self.recorder.run(30, "nsys-profile", [*command, *CHAIN.split()])
        to = f"{self.reports}/nsys"
        command = [nsys, "stats", "--force-export=true", "--report", ",".join(TABLES), "--format", "csv"]
        self.recorder.run(30, "nsys-stats", [*command, "--output", f"{to},{to}", f"{file}.nsys-rep"])
        for table in TABLES:
            how = f"nsys profile --trace cuda,nvtx ./graphs {CHAIN}; nsys stats --report {table} --format csv FILE"
            self.summary(f"nsys_{table}", how, read(f"{to}_{table}.csv"))

    def sanitizer(self) -> None:
        labs = ["lecture01_profiling/graphs", "lecture01_profiling/occupancy"]
        command = ["tools/profiler/sanitizer.py", "-o", f"{self.to}/sanitizer.csv", "-t", "30", "build/cuda", *labs]
        self.recorder.run(40, "sanitizer", command)


def read(path: str) -> str:
    """A file's text; empty if there is none."""
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except OSError:
        return ""


def main(arguments: list[str]) -> int:
    parts = arguments[1:] or PARTS
    if not arguments or not set(parts) <= set(PARTS) or arguments[0].startswith("-"):
        print(f"usage: nsight.py FOLDER {' '.join(f'[{part}]' for part in PARTS)}", file=sys.stderr)
        return 2
    to = os.path.abspath(arguments[0])
    os.makedirs(f"{to}/reports", exist_ok=True)
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
    nsight = Nsight(to)
    targets = [f"{LABS}/{lab}" for lab in re.findall(r"\w+", "occupancy graphs square cdist")]
    nsight.recorder.run(140, "build", ["make", "-s", f"-j{os.cpu_count()}", "DEVICE=cuda", *targets])
    subprocess.run(["tools/cuprof", "--build"], check=False)
    for part in PARTS:
        if part in parts:
            getattr(nsight, part)()
    print(nsight.recorder.last_line())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
