"""two_profilers: the same work under torch.profiler and under tools/cuprof, and their tables side by side.

Each way is a process of its own, because only one program at a time can listen to CUPTI, and three of each take turns.
Kernels that are one template in PyTorch's sources are one row. Their counts must be equal, and the median device times
within 2 % of each other: of all kernels together, and of each row that is a twentieth of them or more.
Without a GPU there is no device time to compare: there only the reading of a table is checked.

    ./run pytorch/two_profilers [--csv FILE]
"""

import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import course

import torch

TURNS, STEPS, AGREE, MATTERS = 3, 60, 0.02, 0.05
SAMPLE = """cuda_gpu_kern_sum
Time (%),Total Time (ns),Instances,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Name
50.0,3000000,3,1.0,1.0,1,1,0.0,"void scale<4, float>(float*, int)"
33.3,2000000,1,2.0,2.0,2,2,0.0,sum(float*)
16.7,1000000,2,0.5,0.5,1,1,0.0,"void scale<8, float>(float*, int)"
cuda_gpu_mem_time_sum
Time (%),Total Time (ns),Count,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Operation
100.0,1000,1,1.0,1.0,1,1,0.0,[CUDA memset]
"""
Table = dict[str, tuple[int, float]]  # of each kernel: how often it ran, and for how many ms in all


def work(small: bool) -> None:
    """What both see from the first kernel to the last: products, elementwise kernels, a softmax and a sum."""
    side = 512 if small else 4096
    x = torch.randn(side, side, device="cuda")
    w = torch.randn(side, side, device="cuda", dtype=torch.bfloat16)
    for _ in range(STEPS):
        h = (x.bfloat16() @ w).float()
        x = torch.softmax(torch.nn.functional.gelu(h) * 1.5, 1)
        x.sum()
    torch.cuda.synchronize()


def family(name: str) -> str:
    """A kernel's name without what its template was made with, and without its parameters."""
    name = re.sub(r"^void ", "", name.strip())
    return re.split(r"[<(]", name.replace("(anonymous namespace)", "_"), maxsplit=1)[0]


def add(table: Table, name: str, count: int, ms: float) -> None:
    """One more row; rows of one family are added up."""
    before = table.get(family(name), (0, 0.0))
    table[family(name)] = (before[0] + count, before[1] + ms)


def torchs_table(small: bool) -> Table:
    """torch.profiler's kernels; called in a process of its own."""
    kinds = [torch.profiler.ProfilerActivity.CPU, torch.profiler.ProfilerActivity.CUDA]
    with torch.profiler.profile(activities=kinds) as p:
        work(small)
    table: Table = {}
    for e in p.key_averages():
        if e.device_type == torch.autograd.DeviceType.CUDA and not e.key.startswith(("Memcpy", "Memset")):
            add(table, e.key, e.count, e.self_device_time_total * 1e-3)
    return table


def cuprofs_table(text: str) -> Table:
    """The kernels of `cuprof --summary --csv`: its table cuda_gpu_kern_sum."""
    table: Table = {}
    inside = False
    for line in text.splitlines():
        if "," not in line:
            inside = line.strip() == "cuda_gpu_kern_sum"
        elif inside and not line.startswith("Time"):
            fields = line.split(",", 8)
            add(table, fields[8].strip('"'), int(fields[2]), float(fields[1]) * 1e-6)
    return table


def under_cuprof(small: bool, out: Path) -> Table:
    """The work in a process of its own, under tools/cuprof."""
    here = [sys.executable, os.path.abspath(__file__), "--alone", *(["--small"] if small else [])]
    cuprof = [str(course.ROOT / "tools" / "cuprof"), "--summary", "--csv", "-o", str(out)]
    subprocess.run([*cuprof, *here], check=True)
    return cuprofs_table(out.read_text())


def measured(small: bool, out: Path) -> tuple[list[Table], list[Table]]:
    """The tables of all turns: torch.profiler's and cuprof's."""
    here = [sys.executable, os.path.abspath(__file__), "--torch", str(out), *(["--small"] if small else [])]
    theirs, ours = [], []
    for _ in range(TURNS):
        subprocess.run(here, check=True)
        theirs.append({name: (count, ms) for name, (count, ms) in json.loads(out.read_text()).items()})
        ours.append(under_cuprof(small, out))
    return theirs, ours


def compare(checks: course.Checks, theirs: list[Table], ours: list[Table]) -> list[tuple]:
    """Rows (kernel, counts, median ms, ratio), the longest first, and after them that of all kernels."""
    rows = []
    names = sorted({n for t in theirs + ours for n in t}, key=lambda n: -ours[0].get(n, (0, 0.0))[1])
    for name in names:
        counts = [{t.get(name, (0, 0.0))[0] for t in side} for side in (theirs, ours)]
        checks.true(f"{name}: counts", len(counts[0] | counts[1]) == 1, "equal")
        times = [statistics.median(t.get(name, (0, 0.0))[1] for t in side) for side in (theirs, ours)]
        rows.append((name, max(counts[0]), max(counts[1]), *times, times[1] / times[0] if times[0] else 0))
    totals = [statistics.median(sum(ms for _, ms in t.values()) for t in side) for side in (theirs, ours)]
    counts = [sum(row[i] for row in rows) for i in (1, 2)]
    rows.append(("all kernels", *counts, *totals, totals[1] / totals[0] if totals[0] else 0))
    for row in rows:
        if row[4] >= MATTERS * totals[1]:
            checks.true(f"{row[0]}: device times within 2 %", abs(row[5] - 1) <= AGREE)
    return rows


def main() -> int:
    parser = course.arguments(__doc__)
    parser.add_argument("--torch", metavar="FILE", help="only the work, under torch.profiler; its table to FILE")
    parser.add_argument("--alone", action="store_true", help="only the work")
    options = parser.parse_args()
    if options.torch:
        Path(options.torch).write_text(json.dumps(torchs_table(options.small)))
        return 0
    if options.alone:
        work(options.small)
        return 0
    course.say_device()
    checks = course.Checks()
    if not course.ON_GPU:
        table = cuprofs_table(SAMPLE)
        checks.true("two rows of one template are one", table == {"scale": (5, 4.0), "sum": (1, 2.0)}, "equal")
        print("  The comparison itself needs a GPU: there it times the same work under both profilers.")
        return checks.status
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "table"
        subprocess.run([course.ROOT / "tools" / "cuprof", "--build"], check=True)
        rows = compare(checks, *measured(options.small, out))
    header = ("kernel", "torch_calls", "cuprof_calls", "torch_ms", "cuprof_ms", "ratio")
    course.table(header, rows)
    course.write_csv(options.csv, "./run pytorch/two_profilers", header, rows)
    return checks.status


if __name__ == "__main__":
    # What is profiled by cuprof ends in the ordinary way: its last records are handed over at the end.
    if "--alone" in sys.argv:
        sys.exit(main())
    course.leave(main())
