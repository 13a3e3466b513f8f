#!/usr/bin/env python3
"""Judges all planted mistakes and litmus tests in each order of the blocks and threads (CUDA_CPU_ORDER).

A verdict must not depend on which comes first. For each order this says which mistakes are not found by the tool named
after `// BUG:` at its line, which twins are not clean, which litmus tests have another verdict than their table says,
and which random programs another than the memory model gives. Programs are built once, where run.sh of the mistakes
builds them. With --csv an order's row is written as soon as the order is done, so a run may be stopped.

Exit status: 0 if all are as they should be in each order, 1 if not, 2 if something could not be built.
"""

from __future__ import annotations

import argparse
import collections
import concurrent.futures
import datetime
import fnmatch
import glob
import json
import os
import re
import resource
import subprocess
import sys
import time
from dataclasses import dataclass, field

ROOT = os.path.abspath(f"{os.path.dirname(os.path.abspath(__file__))}/../../..")
MISTAKES = "cpudevice/tests/mistakes"
OUT = "build/cpu/tests/mistakes"
LITMUS = "cpudevice/tests/checker/litmus"
RANDOM_LITMUS = "build/cpu/cpudevice/tests/checker/litmus_random"
ORDERS = ["reverse", *(f"random:{seed}" for seed in range(1, 21)), "forward"]
KINDS = ("mistakes", "litmus", "random")
CPU_LIMIT_S, WALL_LIMIT_S = 60, 900


@dataclass
class Mistake:
    """A program of the mistakes: what must be found where; tool "" in a right one."""

    name: str
    tool: str
    line: int
    environment: dict[str, str]
    says: list[str]

    @property
    def source(self) -> str:
        return f"{MISTAKES}/{self.name}.cu"

    def versions(self) -> list[str]:
        return ["bug", "twin"] if self.tool else ["twin"]


@dataclass
class Order:
    """What came of one order."""

    name: str
    right: collections.Counter[str] = field(default_factory=collections.Counter)
    tried: collections.Counter[str] = field(default_factory=collections.Counter)
    differing: list[str] = field(default_factory=list)
    seconds: int = 0

    def note(self, kind: str, name: str, wrong: str) -> None:
        """Counts a verdict; `wrong` says how it is not as it should be, if it is not."""
        self.tried[kind] += 1
        if wrong:
            self.differing.append(name)
            print(f"not ok - {self.name} {name}: {wrong}", flush=True)
        else:
            self.right[kind] += 1


def read_mistake(path: str) -> Mistake:
    """What the comments of a mistake say."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    name = path[len(MISTAKES) + 1 : -len(".cu")]
    settings = " ".join(re.findall(r"^// ENV: (.*)$", text, re.MULTILINE)).split()
    says = re.findall(r"^// SAYS: (.*)$", text, re.MULTILINE)
    bug = re.search(r"// BUG: *([a-z]+)", text)
    is_right = name.startswith("right")
    tool = "" if is_right or not bug else bug[1]
    line = 0 if not bug else text.count("\n", 0, bug.start()) + 1
    return Mistake(name, tool, line, dict(setting.split("=", 1) for setting in settings), says)


def build(mistake: Mistake) -> str:
    """Builds what is missing or older than its source or the checker; the log's name if that fails."""
    libraries = os.path.getmtime("build/cpu/libcudacpu_check.a")
    for version in mistake.versions():
        exe = f"{OUT}/{mistake.name}.{version}"
        if os.path.exists(exe) and os.path.getmtime(exe) >= max(libraries, os.path.getmtime(mistake.source)):
            continue
        os.makedirs(os.path.dirname(exe), exist_ok=True)
        fixed = ["-DFIXED"] if version == "twin" else []
        with open(f"{exe}.log", "wb") as log:
            command = ["cpudevice/cucc", "--check", *fixed, "-o", exe, mistake.source]
            if subprocess.run(command, stdout=log, stderr=log, check=False).returncode:
                return f"{exe}.log"
    return ""


def limit_time() -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_LIMIT_S, CPU_LIMIT_S))


def run(command: list[str], order: str, settings: dict[str, str]) -> tuple[int, str]:
    """The exit status, and what went to stderr."""
    environment = {**os.environ, "LC_ALL": "C", "CUDA_CPU_ORDER": order, **settings}
    try:
        done = subprocess.run(
            command,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            timeout=WALL_LIMIT_S,
            preexec_fn=limit_time,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return 124, ""
    return done.returncode, done.stderr.decode("utf-8", "replace")


def findings_of(report: str) -> list[dict[str, object]]:
    """The findings of CUDA_CPU_REPORT's file."""
    try:
        with open(report, encoding="utf-8") as file:
            return list(json.load(file)["findings"])
    except (OSError, ValueError, KeyError):
        return []


def places(finding: object) -> list[tuple[str, int]]:
    """Each file and line that a finding names."""
    if isinstance(finding, list):
        return [place for part in finding for place in places(part)]
    if not isinstance(finding, dict):
        return []
    own = [(finding["file"], finding["line"])] if "file" in finding and "line" in finding else []
    return own + [place for part in finding.values() for place in places(part)]


def judge(mistake: Mistake, order: str) -> str:
    """How the verdict on a mistake and its twin is not as it should be."""
    wrong = []
    for version in mistake.versions():
        exe = f"{OUT}/{mistake.name}.{version}"
        report = f"{exe}.{order.replace(':', '_')}.json"
        if os.path.exists(report):
            os.remove(report)
        settings = {"CUDA_CPU_WATCHDOG": "3", "CUDA_CPU_REPORT": report, **mistake.environment}
        status, said = run([exe], order, settings)
        found = findings_of(report)
        told = "; ".join(re.findall(r"^[a-z]+check: .*$", said, re.MULTILINE)) or "nothing"
        if version == "twin":
            if status or "cucc --check: 0 errors" not in said:
                wrong.append(f"twin: status {status}, {told}")
        elif status != 99:
            wrong.append(f"status {status}, {told}")
        elif not any(f["tool"] == mistake.tool and (mistake.source, mistake.line) in places(f) for f in found):
            wrong.append(f"not {mistake.tool} at line {mistake.line}, but {told}")
        elif not all(words in said for words in mistake.says):
            wrong.append(f"not in the words of // SAYS, but {told}")
        if os.path.exists(report):
            os.remove(report)
    return ", ".join(wrong)


def litmus_table() -> list[tuple[str, str]]:
    """Names and verdicts: RIGHT, RACE or NOTE."""
    with open(f"{LITMUS}/table.inc", encoding="utf-8") as file:
        return [(name, verdict) for verdict, name in re.findall(r"^([A-Z]+)\(([a-z0-9_]+),", file.read(), re.MULTILINE)]


def judge_litmus(name: str, verdict: str, order: str) -> str:
    """How the verdict on a litmus test is not the table's. One worker: blocks begin one after another, in the order."""
    settings = {"CUDA_CPU_WORKERS": "1", "CUDA_CPU_WATCHDOG": "30"}
    status, said = run([f"{OUT}/litmus", name], order, settings)
    count = re.search(r"^cucc --check: (\d+) errors? \([^)]*\)(?:, (\d+) note)?", said, re.MULTILINE)
    if not count or status != (99 if int(count[1]) else 0):
        return f"status {status}"
    errors, notes = int(count[1]), int(count[2] or 0)
    is_right = errors > 0 if verdict == "RACE" else errors == 0 and (notes > 0) == (verdict == "NOTE")
    return "" if is_right else f"{verdict}, but {errors} errors and {notes} notes"


def judge_random(order: str) -> list[tuple[str, str]]:
    """The tests of litmus_random.c, which judges random pairs by the memory model: names, and what is wrong."""
    environment = {**os.environ, "CUDA_CPU_ORDER": order}
    done = subprocess.run([f"./{RANDOM_LITMUS}"], env=environment, capture_output=True, text=True, check=False)
    count = re.search(r"Checks: (\d+), Failures: (\d+), Errors: (\d+)", done.stdout)
    if not count:
        return [("all", f"status {done.returncode}")]
    failed = dict(re.findall(r":[FE]:programs:([a-z_]+:\d+): (.*)$", done.stdout, re.MULTILINE))
    return [*failed.items()] + [(str(i), "") for i in range(int(count[1]) - len(failed))]


def write_csv(path: str, orders: list[Order]) -> None:
    """The rows of all orders that are done."""
    device = re.search(r"^model name\s*: (.*)$", open("/proc/cpuinfo", encoding="utf-8").read(), re.MULTILINE)
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"# device: {device[1] if device else 'unknown'}, {os.cpu_count()} cores\n")
        file.write(f"# date: {datetime.date.today()}\n")
        file.write(f"# command: cpudevice/tests/campaigns/{' '.join(['orders.py', *sys.argv[1:]])}\n")
        file.write("order,mistakes,mistakes_right,litmus,litmus_right,random,random_right,seconds,differing\n")
        for o in orders:
            cells = ",".join(f"{o.tried[kind]},{o.right[kind]}" for kind in KINDS)
            file.write(f"{o.name},{cells},{o.seconds},{' '.join(o.differing)}\n")


def run_order(name: str, mistakes: list[Mistake], pool: concurrent.futures.Executor, with_litmus: bool) -> Order:
    """Everything once, in one order."""
    order, started = Order(name), time.time()
    pending = {pool.submit(judge, m, name): m for m in mistakes}
    for i, future in enumerate(concurrent.futures.as_completed(pending), 1):
        order.note("mistakes", pending[future].name, future.result())
        if sys.stderr.isatty():
            print(f"\r{name}: {i} of {len(mistakes)} ", end="", file=sys.stderr, flush=True)
    if with_litmus:
        table = litmus_table()
        for (test, _), wrong in zip(table, pool.map(lambda row: judge_litmus(*row, name), table)):
            order.note("litmus", f"litmus:{test}", wrong)
        for number, wrong in judge_random(name):
            order.note("random", f"random:{number}", wrong)
    order.seconds = round(time.time() - started)
    order.differing.sort()
    counts = ", ".join(f"{kind} {order.right[kind]} of {order.tried[kind]}" for kind in KINDS)
    print(f"# {name}: {counts}", flush=True)
    return order


def build_all(mistakes: list[Mistake], pool: concurrent.futures.Executor, with_litmus: bool) -> bool:
    """Builds all programs. The first one builds the checker, too, with whose age those of the mistakes are compared."""
    os.makedirs(OUT, exist_ok=True)
    commands = [["cpudevice/cucc", "--check", "-O1", "-o", f"{OUT}/litmus", f"{LITMUS}/litmus.cu"]]
    if with_litmus:
        commands.append(["make", "-s", "DEVICE=cpu", RANDOM_LITMUS])
    for command in commands:
        if subprocess.run(command, check=False).returncode:
            return False
    failed = [log for log in pool.map(build, mistakes) if log]
    for log in failed:
        print(f"not built: see {log}", file=sys.stderr)
    return not failed


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "names", nargs="*", default=["*"], metavar="ROOM/NAME", help="mistakes (patterns); then no litmus test runs"
    )
    parser.add_argument(
        "--orders",
        nargs="+",
        default=ORDERS,
        metavar="ORDER",
        help="forward, reverse, random:SEED (default: all, with seeds 1 to 20)",
    )
    parser.add_argument("-j", "--jobs", type=int, default=1, metavar="N", help="programs at once (default: 1)")
    parser.add_argument("--csv", metavar="FILE", help="where each order's row goes")
    parser.add_argument("--no-build", action="store_true", help="the programs have been built")
    wish = parser.parse_args()
    os.chdir(ROOT)
    paths = sorted(glob.glob(f"{MISTAKES}/*/*.cu"))
    mistakes = [m for m in map(read_mistake, paths) if any(fnmatch.fnmatch(m.name, n) for n in wish.names)]
    if not mistakes:
        parser.error(f"no mistake is called {' '.join(wish.names)}")
    with_litmus = wish.names == ["*"]
    done: list[Order] = []
    with concurrent.futures.ThreadPoolExecutor(wish.jobs) as pool:
        if not wish.no_build and not build_all(mistakes, pool, with_litmus):
            return 2
        for name in wish.orders:
            done.append(run_order(name, mistakes, pool, with_litmus))
            if wish.csv:
                write_csv(wish.csv, done)
    return 1 if any(order.differing for order in done) else 0


if __name__ == "__main__":
    sys.exit(main())
