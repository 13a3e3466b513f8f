"""The model of a launch's time against what a GPU was measured at.

    python3 tools/model/validate.py                    all pairs of rung and shape in results/h100/model_times*.csv
    python3 tools/model/validate.py add transpose      of these labs; nothing is written
    python3 tools/model/validate.py --chip h200 --more 600   against the labs' records of an H200: pairs that have not
                                                       been tried, the smallest first, for about 600 seconds
    python3 tools/model/validate.py --chip h200 --again      the pairs that were written, and no others
    python3 tools/model/validate.py --limiters         what limits a launch, against the unit that ncu saw busiest
    python3 tools/model/validate.py --chip h200 --summary    the summary and the plot again, of what was written

Each rung runs once on the CPU device, with CUDA_CPU_MODEL; the times of what it launches are added up. Kernels named
setup_... make a lab's input. Writes model_CHIP.csv and model_CHIP_summary.csv in results/cpu, the plot of both times
and the ranges that the model prints, and says how far off the model is. Nothing is fitted: what the model knows of a
chip is in cpudevice/model/chips, which probe.cu and data sheets make.
"""

from __future__ import annotations

import argparse
import glob
import itertools
import math
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from records import is_input, records, today

LIMIT_S = 120
RANGES = "cpudevice/model/ranges.inc"
FEW = 8  # pairs of a limiter from which no range is made
# Shapes that were measured on the H100 and that take minutes here: they are left out, all rungs of them.
TOO_LARGE = {
    ("matmul", "512x512x256"),
    ("matmul", "2048x2048x32"),
    ("scan", "4194304"),
}
UNITS = ("dram", "l2", "l1", "issue", "math")
WAITING = ("latency", "launch")
BUSY_PCT = 60  # ncu's own rule: below it, no unit limits
ISSUED_US = 0.1  # shorter than that, ncu's per cent of the peak have too few digits
NEAR = 1.3
DIFFERENT = 1.15  # neighbours whose order is asked for


class Chip(NamedTuple):
    name: str
    device: str  # what its times were measured on
    measured: list[str]  # where they are: patterns
    too_large: set[tuple[str, str]]

    @property
    def written(self) -> str:
        return f"results/cpu/model_{self.name}.csv"

    @property
    def summary(self) -> str:
        return f"results/cpu/model_{self.name}_summary.csv"

    @property
    def plot(self) -> str:
        return f"cpudevice/docs/model_{self.name}.svg"


CHIPS = {
    "h100": Chip("h100", "an NVIDIA H100 80GB HBM3", ["results/h100/model_times*.csv"], TOO_LARGE),
    "h200": Chip("h200", "an NVIDIA H200", ["results/h200/lecture*/*.csv", "results/h200/model_times*.csv"], TOO_LARGE),
}


class Pair(NamedTuple):
    lab: str
    rung: str
    name: str
    type: str
    size: str
    measured_us: float
    model_us: float
    limiter: str

    @property
    def error(self) -> float:
        return abs(self.model_us - self.measured_us) / self.measured_us


def key_of(row: dict[str, str]) -> tuple[str, ...]:
    return tuple(row.get(name) or "" for name in ("lab", "rung", "name", "type", "size"))


def measured(chip: Chip) -> list[dict[str, str]]:
    """The rows of times, those of labs' ladders whose rungs ran in turns; a rung and shape once."""
    rows: dict[tuple[str, ...], dict[str, str]] = {}
    for path in sorted(path for pattern in chip.measured for path in glob.glob(pattern)):
        for row in records(path):
            if "" not in key_of(row) and row.get("time_ms") and row.get("mode", "interleaved") == "interleaved":
                rows.setdefault(key_of(row), row)
    return list(rows.values())


def work(size: str) -> int:
    """Roughly how much a shape has to do: the product of its numbers."""
    return math.prod(int(number) for number in re.findall(r"[1-9][0-9]*", size))


def launches_of(chip: Chip, program: str, asked: list[str]) -> list[dict[str, str]] | None:
    """What the lab launches, but for what makes its input; None if the program fails."""
    environment = {"CUDA_CPU_MODEL": chip.name, "CUDA_CPU_TOOLS": "counters"}
    with tempfile.TemporaryDirectory() as folder:
        told = os.path.join(folder, "model.csv")
        try:
            subprocess.run(
                [program, "--verify", "--ladder-only", *asked],
                env=os.environ | environment | {"CUDA_CPU_MODEL_CSV": told},
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=LIMIT_S,
                check=True,
            )
        except subprocess.CalledProcessError:
            return None
        return [one for one in records(told) if not is_input(one)]


def model_of(chip: Chip, program: str, row: dict[str, str]) -> tuple[float, str] | None:
    """The sum of the rung's launches in microseconds, and what limits the longest; None if the model has no number."""
    launches = launches_of(chip, program, ["--rung", row["rung"], "--type", row["type"], "--size", row["size"]])
    if not launches or not all(one["cold_us"] for one in launches):
        return None
    longest = max(launches, key=lambda one: float(one["cold_us"]))
    return sum(float(one["cold_us"]) for one in launches), longest["limiter"]


class Limited(NamedTuple):
    """What limits a launch, by the model and by ncu."""

    lab: str
    size: str
    rung: str
    kernel: str
    model_us: float
    limiter: str
    busiest: str
    busiest_pct: float

    @property
    def agree(self) -> bool:
        """Where no unit is busy, something else limits: ncu calls that latency."""
        if self.limiter in WAITING:
            return self.busiest_pct < BUSY_PCT
        return self.limiter == self.busiest


class Issued(NamedTuple):
    """How long the average multiprocessor issues instructions, by the model's count and by ncu's."""

    lab: str
    size: str
    rung: str
    kernel: str
    counted_us: float
    issued_us: float

    @property
    def ratio(self) -> float:
        return self.counted_us / self.issued_us


Row = dict[str, str]


def beside(rows: list[Row], launches: list[Row]) -> list[tuple[Row, Row]]:
    """ncu's rows of one rung beside the model's launches: the first of a kernel and grid beside the first."""
    left = list(launches)
    pairs = []
    for row in rows:
        same = [one for one in left if all(one[name] == row[name] for name in ("kernel", "grid", "block"))]
        if same and same[0]["cold_us"]:
            left.remove(same[0])
            pairs.append((row, same[0]))
    return pairs


def limited_by(row: Row, launch: Row) -> Limited:
    busiest = max(UNITS, key=lambda unit: float(row[f"{unit}_pct"]))
    known = (row["lab"], row["size"], row["rung"], row["kernel"])
    return Limited(*known, float(launch["cold_us"]), launch["limiter"], busiest, float(row[f"{busiest}_pct"]))


def issued_by(row: Row, launch: Row, sms: float) -> Issued:
    blocks = math.prod(int(number) for number in row["grid"].split("x"))
    average = blocks / sms / math.ceil(blocks / sms)  # of the busiest multiprocessor's work
    known = (row["lab"], row["size"], row["rung"], row["kernel"])
    measured_us = float(row["issue_pct"]) / 100 * float(row["time_us"])
    return Issued(*known, float(launch["issue_us"]) * average, measured_us)


def write_limiters(chip: Chip, pairs: list[Limited]) -> None:
    with open(f"results/cpu/model_{chip.name}_limiters.csv", "w", encoding="utf-8") as file:
        file.write(header(chip).rstrip("\n") + " --limiters\n")
        file.write("lab,size,rung,kernel,model_us,limiter,busiest,busiest_pct,agree\n")
        file.writelines(
            f'{p.lab},{p.size},{p.rung},"{p.kernel}",{p.model_us:.3f},{p.limiter},{p.busiest},{p.busiest_pct:.1f},'
            f"{'yes' if p.agree else 'no'}\n"
            for p in pairs
        )
    with open(f"results/cpu/model_{chip.name}_limiters_summary.csv", "w", encoding="utf-8") as file:
        file.write(header(chip).rstrip("\n") + " --limiters\n")
        file.write("limited by,launches,agree,agree %\n")
        for limiter in [*sorted({pair.limiter for pair in pairs}), "all"]:
            of = [pair for pair in pairs if limiter in (pair.limiter, "all")]
            agree = sum(pair.agree for pair in of)
            file.write(f"{limiter},{len(of)},{agree},{100 * agree / len(of):.0f}\n")


def write_issued(chip: Chip, pairs: list[Issued]) -> None:
    with open(f"results/cpu/model_{chip.name}_issued.csv", "w", encoding="utf-8") as file:
        file.write(header(chip).rstrip("\n") + " --limiters\n")
        file.write("lab,size,rung,kernel,counted_us,issued_us,ratio\n")
        file.writelines(
            f'{p.lab},{p.size},{p.rung},"{p.kernel}",{p.counted_us:.3f},{p.issued_us:.3f},{p.ratio:.2f}\n'
            for p in pairs
        )
    with open(f"results/cpu/model_{chip.name}_issued_summary.csv", "w", encoding="utf-8") as file:
        file.write(header(chip).rstrip("\n") + " --limiters\n")
        file.write("issues for,launches,median of counted over issued,10th percentile,90th percentile,within 30 %\n")
        for title, least in (("longer than 1 us", 1.0), ("longer than 0.1 us", ISSUED_US)):
            ratios = [pair.ratio for pair in pairs if pair.issued_us > least]
            near = 100 * sum(1 / NEAR <= ratio <= NEAR for ratio in ratios) / len(ratios)
            low, middle, high = percentile(ratios, 10), statistics.median(ratios), percentile(ratios, 90)
            file.write(f"{title},{len(ratios)},{middle:.2f},{low:.2f},{high:.2f},{near:.0f}\n")


def units(chip: Chip, labs: list[str]) -> tuple[list[Limited], list[Issued]]:
    """ncu's record beside the model's launches."""
    figures = {row["figure"]: row["value"] for row in records(f"cpudevice/model/chips/{chip.name}.csv")}
    rows = [row for row in records(f"results/{chip.name}/model_units.csv") if not labs or row["lab"] in labs]
    limited, issued = [], []
    for lab, size, rung in dict.fromkeys((row["lab"], row["size"], row["rung"]) for row in rows):
        of = [row for row in rows if (row["lab"], row["size"], row["rung"]) == (lab, size, rung)]
        for program in glob.glob(f"build/model/lecture*/{lab}"):
            pairs = beside(of, launches_of(chip, program, ["--rung", rung, "--size", size]) or [])
            limited += [limited_by(row, launch) for row, launch in pairs]
            issued += [issued_by(row, launch, float(figures["sms"])) for row, launch in pairs]
    return limited, [pair for pair in issued if pair.issued_us > ISSUED_US]


class Wanted(NamedTuple):
    """Which pairs are to run."""

    labs: list[str]  # none: of all labs
    tried: set[tuple[str, ...]]  # without these
    only: set[tuple[str, ...]] | None = None  # of these, if any are named

    def has(self, row: dict[str, str]) -> bool:
        key = key_of(row)
        if self.only is not None and key not in self.only:
            return False
        return key not in self.tried and (not self.labs or row["lab"] in self.labs)


def pairs_of(chip: Chip, wanted: Wanted, seconds: float, jobs: int) -> list[Pair]:
    """Runs what is wanted, the smallest first. A pair without a number has the limiter ''."""
    rows = [
        row
        for row in measured(chip)
        if wanted.has(row)
        and (row["lab"], row["size"]) not in chip.too_large
        and glob.glob(f"build/model/lecture*/{row['lab']}")
    ]
    until = time.monotonic() + seconds

    def pair_of(row: dict[str, str]) -> Pair | None:
        if time.monotonic() > until:
            return None
        try:
            model = model_of(chip, glob.glob(f"build/model/lecture*/{row['lab']}")[0], row) or (0.0, "")
        except subprocess.TimeoutExpired:  # a fault of the machine's, not of the model's
            print(f"validate: {' '.join(key_of(row))}: not done in {LIMIT_S} s", file=sys.stderr)
            return None
        lab, rung, name, kind, size = key_of(row)
        return Pair(lab, rung, name, kind, size, 1e3 * float(row["time_ms"]), *model)

    with ThreadPoolExecutor(jobs) as pool:
        return [pair for pair in pool.map(pair_of, sorted(rows, key=lambda row: work(row["size"]))) if pair]


def order(pairs: list[Pair]) -> tuple[int, int]:
    """Of neighbouring rungs whose measured times differ: how many the model orders so, and how many there are."""
    right = asked = 0
    for a, b in itertools.pairwise(pairs):
        if (a.lab, a.size, a.type) != (b.lab, b.size, b.type):
            continue
        if max(a.measured_us, b.measured_us) / min(a.measured_us, b.measured_us) < DIFFERENT:
            continue
        asked += 1
        right += (a.measured_us < b.measured_us) == (a.model_us < b.model_us)
    return right, asked


def percentile(values: list[float], per_cent: int) -> float:
    """The smallest of them that so many per cent do not exceed."""
    return sorted(values)[max(0, math.ceil(len(values) * per_cent / 100) - 1)]


def summary(title: str, pairs: list[Pair]) -> str:
    """A line of the summary: errors in per cent."""
    right, asked = order(pairs)
    errors = [100 * pair.error for pair in pairs]
    within = 100 * sum(error <= 50 for error in errors) / len(pairs)
    median, most = statistics.median(errors), percentile(errors, 90)
    return f"{title},{len(pairs)},{median:.0f},{most:.0f},{within:.0f},{right},{asked}"


def summaries(pairs: list[Pair]) -> list[str]:
    lines = ["limited by,pairs,median error %,90th percentile %,within 50 %,neighbours in order,neighbours"]
    for limiter in sorted({pair.limiter for pair in pairs}):
        lines.append(summary(limiter, [pair for pair in pairs if pair.limiter == limiter]))
    return [*lines, summary("all", pairs)]


def plot(chip: Chip, pairs: list[Pair]) -> None:
    """Measured and modelled times as points, a colour for each limiter. It takes gnuplot."""
    limiters = sorted({pair.limiter for pair in pairs})
    commands = [
        f'set terminal svg size 640,560 background "white"; set output "{chip.plot}"',
        f'set logscale xy; set xlabel "measured on {chip.device}, us"; set ylabel "model, us"',
        "set key top left; set grid",
    ]
    for i, limiter in enumerate(limiters):
        points = "\n".join(f"{pair.measured_us} {pair.model_us}" for pair in pairs if pair.limiter == limiter)
        commands.append(f"$data{i} << END\n{points}\nEND")
    drawn = [f'$data{i} with points pt 7 ps 0.5 title "{limiter}"' for i, limiter in enumerate(limiters)]
    commands.append("plot x with lines lc 'black' title 'equal', 2*x with lines dt 2 lc 'gray' notitle, \\")
    commands.append("  x/2 with lines dt 2 lc 'gray' title 'half, double', " + ", ".join(drawn))
    subprocess.run(["gnuplot"], input="\n".join(commands) + "\n", text=True, check=True)


def header(chip: Chip) -> str:
    return (
        f"# device: CPU device, model of the chip {chip.name}; measured on {chip.device}\n"
        f"{today()}"
        f"# command: python3 tools/model/validate.py --chip {chip.name}\n"
    )


def write(chip: Chip, pairs: list[Pair]) -> None:
    with open(chip.written, "w", encoding="utf-8") as file:
        file.write(header(chip))
        file.write("lab,rung,name,type,size,measured_us,model_us,ratio,limiter\n")
        file.writelines(
            f"{p.lab},{p.rung},{p.name},{p.type},{p.size},{p.measured_us:.3f},{p.model_us:.3f},"
            f"{p.model_us / p.measured_us:.3f},{p.limiter}\n"
            for p in sorted(pairs, key=lambda p: (p.lab, p.type, p.size, int(p.rung)))
        )


def write_ranges() -> None:
    """What the model prints beside a time: the 10th and 90th percentile of measured over modelled, of all chips."""
    pairs = [pair for chip in CHIPS.values() for pair in written(chip) if pair.limiter]
    with open(RANGES, "w", encoding="utf-8") as file:
        file.write(
            "/* ranges.inc: made by tools/model/validate.py; what limits, pairs that were compared, and the 10th and\n"
        )
        file.write(" * 90th percentile of the measured time over the model's. */\n")
        for limiter in sorted({pair.limiter for pair in pairs}):
            ratios = [pair.measured_us / pair.model_us for pair in pairs if pair.limiter == limiter]
            if len(ratios) >= FEW:
                low, high = percentile(ratios, 10), percentile(ratios, 90)
                file.write(f'{{"{limiter}", {len(ratios)}, {low:.2f}, {high:.2f}}},\n')


def written(chip: Chip) -> list[Pair]:
    return [
        Pair(
            row["lab"],
            row["rung"],
            row["name"],
            row["type"],
            row["size"],
            float(row["measured_us"]),
            float(row["model_us"]),
            row["limiter"],
        )
        for row in (records(chip.written) if os.path.exists(chip.written) else [])
        if (row["lab"], row["size"]) not in chip.too_large
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description="the model of a launch's time against what a GPU was measured at")
    parser.add_argument("labs", nargs="*")
    parser.add_argument("--chip", choices=sorted(CHIPS), default="h100")
    parser.add_argument(
        "--more",
        type=float,
        metavar="SECONDS",
        help="only what was not tried, for this long",
    )
    parser.add_argument("--again", action="store_true", help="repeat only what was written")
    parser.add_argument("--jobs", type=int, default=1, help="programs at once")
    parser.add_argument("--summary", action="store_true", help="summarize what was written; run nothing")
    parser.add_argument("--limiters", action="store_true", help="compare what limits and what is issued with ncu")
    asked = parser.parse_args()
    chip = CHIPS[asked.chip]
    if asked.limiters:
        compared, issued = units(chip, asked.labs)
        if not asked.labs:
            write_limiters(chip, compared)
            write_issued(chip, issued)
        for pair in sorted(issued, key=lambda pair: pair.ratio):
            print(f"{pair.ratio:.2f}: {pair.lab} {pair.size} {pair.rung} {pair.kernel}: {pair.counted_us:.3f} us")
        print(f"{sum(pair.agree for pair in compared)} of {len(compared)} launches: the model and ncu name the same")
        return 0
    pairs = written(chip) if asked.summary or asked.more else []
    if not asked.summary:
        before = {tuple(pair[:5]): pair for pair in written(chip)} if asked.again else {}
        wanted = Wanted(asked.labs, {tuple(pair[:5]) for pair in pairs}, set(before) if asked.again else None)
        pairs += pairs_of(chip, wanted, asked.more or math.inf, asked.jobs)
        if asked.again and not asked.labs:  # what did not end in time stays as it was
            pairs = list((before | {tuple(pair[:5]): pair for pair in pairs}).values())
        if pairs and not asked.labs:
            write(chip, pairs)
    pairs = written(chip) if pairs and not asked.labs else pairs
    known = [pair for pair in pairs if pair.limiter]
    if not known:
        print(
            "validate: no pair: build the labs with make build/model/LECTURE/LAB",
            file=sys.stderr,
        )
        return 1
    print(*summaries(known), sep="\n")
    if len(known) < len(pairs):
        print(f"without a number: {len(pairs) - len(known)}")
    if not asked.labs:
        with open(chip.summary, "w", encoding="utf-8") as file:
            file.write(header(chip) + "\n".join(summaries(known)) + "\n")
        plot(chip, known)
        write_ranges()
    return 0


if __name__ == "__main__":
    sys.exit(main())
