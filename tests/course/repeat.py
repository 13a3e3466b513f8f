#!/usr/bin/env python3
"""Finds flaky tests: runs make check of the CPU device many times beside compilers that keep the cores busy.

Each run is on cores of its own and in its own copy of the tree. What the tests need is built once, before, without the
compilers. Where it may mount, each run sees its copy at the tree's own place.

Each run's outcome is added to DIR/runs.csv as it ends, and what its failed tests said to DIR/failures.txt. What still
runs when the time is over is ended, and its row says what had passed by then. The table is printed at the end; the exit
status is 1 if a test failed or a run did not end. CHECK_ROOT=DIR as for tools/setup/need.sh, with an absolute path.
"""

from __future__ import annotations

import argparse
import collections
import concurrent.futures
import datetime
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass

ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), "../.."))
ALONE = "unshare --mount --pid --fork --kill-child --mount-proc".split()
COUNTS = re.compile(r"^tests: (\d+) passed, (\d+) failed, (\d+) skipped$", re.MULTILINE)
FAILED = re.compile(r"^FAILED (\S*) (.*) \(status", re.MULTILINE)
COLUMNS = "run,outcome,passed,failed,skipped,seconds,failed_tests"
# The inside of one run: the copy $1 seen at $2, on the cores $3, $4 compilers, make check into $1.log.
INSIDE = """if [ "$1" = "$2" ]; then cpudevice/built_for.sh >build/cpu/built_for; else mount --bind "$1" "$2"; fi &&
cd "$2" || exit 1
taskset -pc "$3" $$ >/dev/null || exit 1
for i in $(seq "$4"); do
    while :; do ${CC:-gcc} -O2 -g -w -D_GNU_SOURCE -c -o /dev/null tools/profiler/cuprof.c; done >/dev/null 2>&1 &
    loops="${loops-} $!"
done
COURSE_REMEMBERS=no make DEVICE=cpu check >"$1.log" 2>&1
status=$?
kill $loops 2>/dev/null
exit $status"""


def environment() -> dict[str, str]:
    """No GPU and no toolkit: what asks for a device itself shall find the CPU device."""
    path = [d for d in os.environ["PATH"].split(":") if not os.path.exists(f"{d}/nvcc")]
    return {**os.environ, "PATH": ":".join([*path, "/usr/bin", "/bin"]), "DEVICE": "cpu", "CUDA_HOME": "/nonexistent"}


def read(path: str) -> str:
    """A file's text; empty if there is none."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return ""


def counts_so_far(copy: str) -> list[int]:
    """What had passed, failed and been skipped in a run that was cut off."""
    logs = glob.glob(f"{copy}/build/check-results/*.tap") + glob.glob(f"{copy}/build/check-results/test.sh-*.log")
    lines = [line for log in logs for line in read(log).split("\n")]
    skipped = sum(line.startswith("ok") and "# SKIP" in line for line in lines)
    return [
        sum(line.startswith("ok") for line in lines) - skipped,
        sum(line.startswith("not ok") for line in lines),
        skipped,
    ]


@dataclass
class Outcome:
    """A row of the table."""

    run: int
    outcome: str
    counts: list[int]
    seconds: int
    failed: list[str]

    def row(self) -> str:
        return ",".join(map(str, [self.run, self.outcome, *self.counts, self.seconds, " ".join(self.failed)]))


class Repeat:
    """All runs: how many, where, and until when."""

    def __init__(self, asked: argparse.Namespace, work: str) -> None:
        self.asked = asked
        self.work = work
        self.out = os.path.realpath(asked.out)
        self.compilers = asked.compilers or asked.cores
        self.started = time.time()
        self.lock = threading.Lock()
        mounts = subprocess.run([*ALONE, "mount", "--bind", ROOT, ROOT], capture_output=True, check=False)
        self.alone = ALONE if mounts.returncode == 0 else []
        os.makedirs(self.out, exist_ok=True)

    def left(self) -> int:
        """Seconds that are left, at least one."""
        return max(1, int(self.started + self.asked.seconds - time.time()))

    def build(self) -> bool:
        """Builds what the tests need, once."""
        targets = ["tests", "cuprof", "solutions-check", "labs-check"]
        command = ["timeout", str(self.left()), "make", "-k", "-j", str(os.cpu_count()), "DEVICE=cpu", *targets]
        with open(f"{self.out}/build.log", "wb") as log:
            done = subprocess.run(
                command, cwd=ROOT, stdout=log, stderr=subprocess.STDOUT, env=environment(), check=False
            )
        if done.returncode:
            print("\n".join(read(f"{self.out}/build.log").split("\n")[-20:]))
        return done.returncode == 0

    def copy_tree(self, to: str) -> None:
        """A copy of the tree with what is built, without git's folder and without what this program writes."""

        def ignored(folder: str, names: list[str]) -> list[str]:
            return [n for n in names if f"{folder}/{n}" in (f"{ROOT}/.git", self.out)]

        shutil.copytree(ROOT, to, symlinks=True, ignore=ignored)

    def one_run(self, run: int, slot: int) -> Outcome:
        """One make check, in a copy and on the cores of its slot."""
        copy, begun = f"{self.work}/{run}", time.time()
        self.copy_tree(copy)
        first = slot * self.asked.cores
        cores = f"{first}-{first + self.asked.cores - 1}"
        place = ROOT if self.alone else copy
        limit = ["timeout", "-k", "5", str(self.left())]
        command = [*limit, *self.alone, "sh", "-c", INSIDE, "sh", copy, place, cores, str(self.compilers)]
        status = subprocess.run(command, cwd=copy, env=environment(), check=False).returncode
        log = read(f"{copy}.log")
        counted = COUNTS.search(log)
        name = ("passed" if status == 0 else "failed") if counted else "cut off"
        counts = [int(n) for n in counted.groups()] if counted else counts_so_far(copy)
        failed = [f"{kind}:{test}" for kind, test in FAILED.findall(log)]
        outcome = Outcome(run, name, counts, int(time.time() - begun), failed)
        self.record(outcome, log)
        shutil.rmtree(copy, ignore_errors=True)
        return outcome

    def record(self, outcome: Outcome, log: str) -> None:
        """Adds a run to the table, and what it said if it did not pass."""
        with self.lock:
            with open(f"{self.out}/runs.csv", "a", encoding="utf-8") as table:
                table.write(outcome.row() + "\n")
            if outcome.outcome != "passed":
                with open(f"{self.out}/failures.txt", "a", encoding="utf-8") as failures:
                    failures.write(f"==== run {outcome.run}: {outcome.outcome}\n{log}")

    def slot(self, slot: int) -> list[Outcome]:
        """The runs of a slot, one after the other, until the time is over."""
        outcomes = []
        for run in range(slot + 1, self.asked.runs + 1, self.asked.parallel):
            if self.left() > 1:
                outcomes.append(self.one_run(run, slot))
        return outcomes

    def head(self) -> str:
        """What the table is headed by."""
        found = re.search(r"^model name[^:]*: (.*)$", read("/proc/cpuinfo"), re.MULTILINE)
        a = self.asked
        options = f"--runs {a.runs} --parallel {a.parallel} --cores-per-run {a.cores} --compilers {self.compilers}"
        return (
            f"# device: {found[1] if found else 'a processor'}, {os.cpu_count()} cores\n"
            f"# date: {datetime.date.today()}\n# command: tests/course/repeat.py {options}\n{COLUMNS}\n"
        )

    def all_runs(self) -> int:
        """Runs all; the exit status."""
        print("building, once ...", flush=True)
        if not self.build():
            print("repeat.py: it does not build", file=sys.stderr)
            return 2
        took = int(time.time() - self.started)
        print(f"built in {took} s; {self.asked.runs} runs of make check, {self.asked.parallel} at once ...", flush=True)
        with open(f"{self.out}/runs.csv", "w", encoding="utf-8") as table:
            table.write(self.head())
        if os.path.exists(f"{self.out}/failures.txt"):
            os.remove(f"{self.out}/failures.txt")
        with concurrent.futures.ThreadPoolExecutor(self.asked.parallel) as pool:
            slots = [pool.submit(self.slot, slot) for slot in range(self.asked.parallel)]
            outcomes = sorted((o for slot in slots for o in slot.result()), key=lambda o: o.run)
        return self.summary(outcomes)

    def summary(self, outcomes: list[Outcome]) -> int:
        """Prints the table and which tests failed how often; the exit status."""
        print("\n".join(line.replace(",", "\t") for line in [COLUMNS, *(o.row() for o in outcomes)]))
        times = collections.Counter(test for o in outcomes for test in o.failed)
        for test, count in times.items():
            print(f"failed in {count} of {len(outcomes)}: {test}")
        ended = sum(o.outcome != "cut off" for o in outcomes)
        failed = sum(o.counts[1] > 0 for o in outcomes)
        took = int(time.time() - self.started)
        print(f"{ended} runs of {self.asked.runs} ended, {failed} with a failed test; {took} s")
        return 1 if failed or ended != self.asked.runs else 0


def from_one(word: str) -> int:
    """A number from 1."""
    if not re.fullmatch(r"[1-9][0-9]*", word):
        raise argparse.ArgumentTypeError(f"a number from 1, not '{word}'")
    return int(word)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=from_one, default=20, help="runs of make check (20)")
    parser.add_argument("--parallel", type=from_one, default=1, help="of them at once (1)")
    parser.add_argument("--cores-per-run", dest="cores", type=from_one, default=2, help="cores of each run (2)")
    parser.add_argument("--compilers", type=from_one, help="compilers beside each run (as many as cores)")
    parser.add_argument("--seconds", type=from_one, default=1000000, help="for all of it (no limit)")
    parser.add_argument("--out", metavar="DIR", default=f"{ROOT}/build/repeat", help="(build/repeat)")
    asked = parser.parse_args()
    if asked.parallel * asked.cores > (os.cpu_count() or 1):
        parser.error(
            f"{asked.parallel} runs at once on {asked.cores} cores each are more than the {os.cpu_count()} cores here"
        )
    with tempfile.TemporaryDirectory() as work:
        return Repeat(asked, work).all_runs()


if __name__ == "__main__":
    sys.exit(main())
