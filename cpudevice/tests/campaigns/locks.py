#!/usr/bin/env python3
"""Compares `cucc --check` with the memory model on random programs that use locks, of two or three agents or blocks.

The programs also have flags, fences of device and block scope, branches on what was read, and in one layout barriers
between the two agents of a block (lock_programs.py). Each is judged by an interpreter that goes through all
interleavings and shares nothing with the checker (lock_model.py), and is run under `cucc --check` in three orders of
the blocks: forward, reverse and a random one. A right program that is reported is a false alarm. For the racy programs
the campaign counts in how many of the three orders they are found. A program that may wait forever is left out, and so
is one with too many interleavings. cpudevice/tests/checker/litmus/locks.cu is the kernel and says what the letters of a
program mean.

Exit status: 0 if there is no false alarm and each program ended, 1 otherwise, 2 if the arguments are wrong or the
kernel could not be built.
"""

from __future__ import annotations

import argparse
import collections
import concurrent.futures
import datetime
import itertools
import os
import random
import re
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from lock_model import OPERATION, Interpreter, Program
from lock_programs import MOST_OPERATIONS, Generator

ROOT = os.path.abspath(f"{os.path.dirname(os.path.abspath(__file__))}/../../..")
LAYOUTS = ("blocks", "threads", "barriers")
KERNEL = "cpudevice/tests/checker/litmus/locks.cu"
EXE = "build/cpu/tests/litmus_locks"
RACY_SHARE = 0.25  # at most this part of the programs is racy
WALL_LIMIT_S = 60


@dataclass
class Test:
    """Programs with the interpreter's verdict, the orders they run in, and in which ones the checker reports them."""

    programs: list[Program]
    verdict: str
    orders: list[tuple[str, int]]  # CUDA_CPU_ORDER and CUDA_CPU_WORKERS
    reported: list[bool] = field(default_factory=list)
    failed: str = ""  # how a run did not end as it should

    def text(self) -> str:
        return " ".join("".join(program) for program in self.programs)


@dataclass
class Count:
    """What came of one seed."""

    seed: int
    layout: str
    of: collections.Counter[str] = field(default_factory=collections.Counter)
    seconds: int = 0

    def note(self, test: Test) -> None:
        """Counts a test that has run; prints it if it is a false alarm, has failed or is not found in any order."""
        found = sum(test.reported)
        self.of[test.verdict] += 1
        if test.failed:
            self.of["failed"] += 1
            print(f"not ok - {self.layout}, seed {self.seed}: {test.text()}: {test.failed}", flush=True)
        elif test.verdict == "race":
            self.of[f"found_in_{found}"] += 1
            if not found:
                print(f"# {self.layout}, seed {self.seed}: not found in any order: {test.text()}", flush=True)
        elif found:
            self.of["false_alarms"] += 1
            where = ", ".join(order for (order, _), is_reported in zip(test.orders, test.reported) if is_reported)
            print(f"not ok - {self.layout}, seed {self.seed}: {test.text()}: right, but reported ({where})", flush=True)


CELLS = "right false_alarms race found_in_3 found_in_2 found_in_1 found_in_0 failed waits large".split()


def judged(programs: Sequence[Program], layout: str) -> str:
    return Interpreter(programs, 2 if layout == "barriers" else 1).verdict()


def orders_of(chosen: random.Random) -> list[tuple[str, int]]:
    """Draws the random order, and one or two workers for each order."""
    return [(order, chosen.choice((1, 2))) for order in ("forward", "reverse", f"random:{chosen.randint(1, 9)}")]


def tests_of(seed: int, wanted: int, count: Count) -> Iterator[Test]:
    """Generates the tests of a seed; counts those that are left out."""
    generator, racy, made = Generator(seed), 0, 0
    while made < wanted:
        programs = generator.programs(count.layout)
        verdict = judged(programs, count.layout)
        if verdict in ("waits", "large"):
            count.of[verdict] += 1
        elif verdict == "right" or racy < wanted * RACY_SHARE:
            made, racy = made + 1, racy + (verdict == "race")
            yield Test(programs, verdict, orders_of(generator.random))


def run(test: Test, layout: str) -> Test:
    """Runs a test in its orders."""
    for order, workers in test.orders:
        settings = {"CUDA_CPU_ORDER": order, "CUDA_CPU_WORKERS": str(workers)}
        command = [EXE, layout, *("".join(program) for program in test.programs)]
        environment = {**os.environ, "LC_ALL": "C", "CUDA_CPU_WATCHDOG": "30", **settings}
        try:
            done = subprocess.run(
                command, env=environment, capture_output=True, text=True, timeout=WALL_LIMIT_S, check=False
            )
        except subprocess.TimeoutExpired:
            test.failed = f"{order}: not done after {WALL_LIMIT_S} s"
            break
        errors = re.search(r"^cucc --check: (\d+) error", done.stderr, re.MULTILINE)
        if not errors or done.returncode != (99 if int(errors[1]) else 0):
            test.failed = f"{order}: status {done.returncode}"
            break
        test.reported.append(int(errors[1]) > 0)
    return test


def run_seed(seed: int, layout: str, wish: argparse.Namespace, pool: concurrent.futures.Executor) -> Count:
    """Generates and runs all tests of a seed; while some run, the next ones are judged."""
    count, started = Count(seed, layout), time.time()
    pending: collections.deque[concurrent.futures.Future[Test]] = collections.deque()
    for i, test in enumerate(tests_of(seed, wish.programs, count), 1):
        pending.append(pool.submit(run, test, layout))
        while len(pending) > 2 * wish.jobs:
            count.note(pending.popleft().result())
        if sys.stderr.isatty():
            print(f"\r{layout}, seed {seed}: {i} of {wish.programs} ", end="", file=sys.stderr, flush=True)
    for future in pending:
        count.note(future.result())
    count.seconds = round(time.time() - started)
    print(f"# {layout}, seed {seed}: " + ", ".join(f"{cell} {count.of[cell]}" for cell in CELLS), flush=True)
    return count


def write_csv(path: str, counts: list[Count]) -> None:
    """Writes the rows of all seeds that are done."""
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        device = re.search(r"^model name\s*: (.*)$", file.read(), re.MULTILINE)
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"# device: {device[1] if device else 'unknown'}, {os.cpu_count()} cores\n")
        file.write(f"# date: {datetime.date.today()}\n")
        file.write(f"# command: cpudevice/tests/campaigns/{' '.join(['locks.py', *sys.argv[1:]])}\n")
        file.write(f"seed,layout,programs,{','.join(CELLS)},seconds\n")
        for c in counts:
            cells = ",".join(str(c.of[cell]) for cell in CELLS)
            file.write(f"{c.seed},{c.layout},{c.of['right'] + c.of['race']},{cells},{c.seconds}\n")


def build() -> bool:
    """Builds the kernel."""
    os.makedirs(os.path.dirname(EXE), exist_ok=True)
    return not subprocess.run(["cpudevice/cucc", "--check", "-O1", "-o", EXE, KERNEL], check=False).returncode


def run_given(texts: list[str], layout: str) -> int:
    """Judges and runs one test given as text."""
    programs = [tuple(OPERATION.findall(text)) for text in texts]
    test = Test(programs, judged(programs, layout), orders_of(random.Random(1)))
    if test.verdict in ("waits", "large"):
        print(f"{layout}: {test.verdict}: not run")
        return 0
    run(test, layout)
    said = ", ".join(f"{order} {'reported' if r else 'silent'}" for (order, _), r in zip(test.orders, test.reported))
    print(f"{layout}: {test.verdict}: {', '.join(filter(None, (said, test.failed)))}")
    return int(bool(test.failed) or test.verdict == "right" and any(test.reported))


def arguments() -> argparse.Namespace:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "given",
        nargs="*",
        metavar="PROGRAM",
        help="programs to judge instead of random ones: two or three; with barriers four or six",
    )
    parser.add_argument("--seeds", nargs="+", type=int, default=[1, 2], metavar="SEED", help="(default: 1 2)")
    parser.add_argument("--programs", type=int, default=600, metavar="N", help="tests per seed (default: 600)")
    parser.add_argument(
        "--layouts",
        nargs="+",
        choices=LAYOUTS,
        default=LAYOUTS,
        metavar="LAYOUT",
        help="blocks: each agent is a block; threads: the last two are threads of one block; "
        "barriers: each two are a block, whose barriers they meet at (default: all)",
    )
    parser.add_argument("-j", "--jobs", type=int, default=1, metavar="N", help="programs at once (default: 1)")
    parser.add_argument("--csv", metavar="FILE", help="where each seed's row goes, from the repository's root")
    parser.add_argument("--no-build", action="store_true", help="the kernel has been built")
    wish = parser.parse_args()
    if wish.programs < 1 or wish.jobs < 1:
        parser.error("--programs and --jobs must be at least 1")
    if wish.csv and not os.path.isdir(os.path.dirname(os.path.join(ROOT, wish.csv))):
        parser.error(f"no folder for {wish.csv}")
    if wish.given:
        of_blocks = len(wish.given) in (4, 6)
        wish.layouts = [layout for layout in wish.layouts if (layout == "barriers") == of_blocks]
        if not wish.layouts or len(wish.given) not in (2, 3, 4, 6):
            parser.error("two or three programs are needed; with barriers four or six")
    for text in wish.given:
        if not re.fullmatch(f"(?:{OPERATION.pattern}){{0,{MOST_OPERATIONS}}}", text):
            parser.error(f"not a program of at most {MOST_OPERATIONS} operations: {text}")
        if "threads" in wish.layouts and "b" in text:
            parser.error("a fence of block scope is not judged with --layouts threads")
        if wish.layouts != ["barriers"] and "B" in text:
            parser.error("a barrier is judged with --layouts barriers only")
    return wish


def main() -> int:
    """Builds the kernel, and runs what the command line asks for."""
    wish = arguments()
    os.chdir(ROOT)
    if not wish.no_build and not build():
        return 2
    if wish.given:
        return max(run_given(wish.given, layout) for layout in wish.layouts)
    counts: list[Count] = []
    with concurrent.futures.ThreadPoolExecutor(wish.jobs) as pool:
        for layout, seed in itertools.product(wish.layouts, wish.seeds):
            counts.append(run_seed(seed, layout, wish, pool))
            if wish.csv:
                write_csv(wish.csv, counts)
    return int(any(count.of["false_alarms"] or count.of["failed"] for count in counts))


if __name__ == "__main__":
    sys.exit(main())
