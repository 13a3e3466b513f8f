"""Builds and runs a program, and says in a cell of a table what came of it."""

from __future__ import annotations

import collections
import os
import re
import signal
import subprocess
import time
from dataclasses import dataclass

FIRST_SAID = re.compile(r"error|Error|undefined reference|not supported|FAILED|Failed|cucc:|terminate|Segmentation")
FAILED = re.compile(r"FAILED|Test failed|NOT OK|Result = FAIL")
MAIN = re.compile(r"(^|[^a-zA-Z_])main *\(", re.MULTILINE)


@dataclass
class Result:
    """A row of the table: "passes", "fails", "waived", ..., and the time or the reason."""

    verdict: str
    why: str
    seconds: int = 0


def cell(text: str) -> str:
    """A line of text as it may stand in a table's cell."""
    return re.sub(r" +", " ", re.sub(r"[\n\t]", " ", text.replace("|", "/"))[:110]).rstrip(" ")


def read(path: str) -> str:
    """A file's text, whatever bytes it has; empty if there is none."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return ""


def reason(log: str) -> str:
    """What the compiler or the program said first, without paths; if it names no error, what it said last."""
    lines = read(log).split("\n")
    said = next((line for line in lines if FIRST_SAID.search(line)), None)
    if said is None:
        said = next((line for line in reversed(lines) if line.strip(" ")), "")
    return cell(re.sub(r"[^ ]*/", "", said))


def run_logged(command: list[str], log: str, limit_s: float, folder: str | None = None) -> int:
    """Runs a command with its output in a file. Its exit status; 124 after the limit, 128 + n for signal n."""
    with open(log, "wb") as out:
        process = subprocess.Popen(
            command, cwd=folder, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT, start_new_session=True
        )
        try:
            status = process.wait(limit_s)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            return 124
    return 128 - status if status < 0 else status


class Campaign:
    """Where programs and logs go, how they are built, and what came of them."""

    def __init__(self, cucc: str, out: str, limit_s: int, check: bool) -> None:
        self.cucc = [cucc, *(["--check"] if check else [])]
        self.out = out
        self.limit_s = limit_s
        self.check = check
        self.tally: collections.Counter[str] = collections.Counter()
        os.makedirs(f"{out}/log", exist_ok=True)

    def log(self, name: str, what: str) -> str:
        return f"{self.out}/log/{name}.{what}"

    def report(self, name: str, result: Result) -> None:
        """Prints a row of the table."""
        print(f"| {name} | {result.verdict} | {result.why} |", flush=True)
        self.tally["tried"] += 1
        self.tally[result.verdict] += 1

    def build(self, name: str, folder: str, sources: list[str], flags: list[str]) -> bool:
        """Builds OUT/NAME in a folder."""
        options = ["-O2", "-std=c++17", "-w", *flags, "-o", f"{self.out}/{name}", *sources, "-lm", "-lpthread"]
        return run_logged([*self.cucc, *options], self.log(name, "build"), 300, folder) == 0

    def run_once(self, name: str, folder: str, arguments: list[str]) -> Result:
        """Runs the program, and judges it by its exit status and by what it says."""
        log = self.log(name, "run")
        started = time.time()
        status = run_logged([f"{self.out}/{name}", *arguments], log, self.limit_s, folder)
        seconds = int(time.time()) - int(started)
        said = read(log)
        if status != 0 and re.search(r"^ *usage", said[:300], re.MULTILINE | re.IGNORECASE):
            return Result("waived", "it wants arguments")
        if status == 0 and FAILED.search(said):
            status = 1
        if status == 0:
            return Result("passes", f"{seconds} s", seconds)
        if status == 99:
            return findings(said)
        if status == 2:
            because = re.findall(r"^.*(?:waiv|not support|requires|need).*$", said, re.MULTILINE | re.IGNORECASE)
            return Result("waived", cell(because[-1]) if because else "")
        if status == 124:
            return Result("fails", f"not done after {self.limit_s} s")
        return Result("fails", f"{reason(log)}, exit {status}")

    def run_all(self, name: str, folder: str, runs: list[list[str]]) -> Result:
        """Runs with each list of arguments; the first that fails is the result, else the sum of the times."""
        seconds = 0
        for arguments in runs or [[]]:
            result = self.run_once(name, folder, arguments)
            if result.verdict != "passes":
                return result
            seconds += result.seconds
        return Result("passes", f"{seconds} s", seconds)

    def try_one(
        self, name: str, folder: str, sources: list[str], flags: list[str], runs: list[list[str]] | None = None
    ) -> Result:
        """Builds and runs a program."""
        if not self.build(name, folder, sources, flags):
            return Result("does not build", reason(self.log(name, "build")))
        return self.run_all(name, folder, runs or [])


def findings(said: str) -> Result:
    """What cucc --check found, each kind of finding counted."""
    last = re.findall(r"^cucc --check: (.*)$", said, re.MULTILINE)
    found = collections.Counter(re.findall(r"^[a-z]+check: .*$", said, re.MULTILINE))
    by_count = sorted(found.items(), key=lambda item: (-item[1], item[0]))
    listed = "".join(f"{count} {what};" for what, count in by_count)
    return Result(re.sub(r" \(.*", "", last[-1]) if last else "", cell(listed))
