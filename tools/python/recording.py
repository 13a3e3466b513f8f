"""For programs that record on a machine with a GPU: commands with a time limit, and what figures were recorded with."""

from __future__ import annotations

import datetime
import os
import re
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence


def output(command: Sequence[str]) -> str:
    """What a command prints, without the last newline; empty if it fails or is not there."""
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.rstrip("\n")
    except (OSError, subprocess.CalledProcessError):
        return ""


def gpu(what: str) -> str:
    """What nvidia-smi says of the first GPU: name, driver_version."""
    return output(["nvidia-smi", f"--query-gpu={what}", "--format=csv,noheader"]).split("\n")[0]


def today() -> str:
    return f"{datetime.datetime.now(datetime.timezone.utc):%Y-%m-%d}"


def found(pattern: str, text: str) -> str:
    """The first group of a pattern in a text, or nothing."""
    match = re.search(pattern, text, re.MULTILINE)
    return match[1] if match else ""


class Recorder:
    """Runs commands with a time limit, says in a line how each went, and keeps the names of those that failed."""

    def __init__(self, log: str) -> None:
        self.log = log
        self.failed: list[str] = []

    def note(self, text: str) -> None:
        with open(self.log, "a", encoding="utf-8") as file:
            file.write(text)

    def run(
        self, limit_s: int, name: str, command: Sequence[str], environment: Mapping[str, str] | None = None
    ) -> None:
        """Runs a command; what it prints goes to the log."""
        self.note(f"== {name}: {' '.join(command)}\n")
        started = time.monotonic()
        try:
            done = subprocess.run(
                command,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                timeout=limit_s,
                check=False,
                env={**os.environ, **(environment or {})},
            )
            said, status = done.stdout, done.returncode
        except subprocess.TimeoutExpired as late:
            said, status = late.stdout or b"", 124
        except OSError as problem:
            said, status = str(problem).encode(), 127
        text = said.decode(errors="replace")
        self.note(text)
        seconds = int(time.monotonic() - started)
        if status == 0:
            print(f"ok      {name} ({seconds} s)", flush=True)
            return
        last = " ".join(text.rstrip("\n").split("\n")[-3:])[:300]
        self.fail(name, f"status {status}, {seconds} s): {last}")

    def fail(self, name: str, why: str) -> None:
        self.failed.append(name)
        print(f"FAILED  {name} ({why}", flush=True)

    def write(self, name: str, path: str, head: Sequence[str], make: Callable[[], str]) -> None:
        """Writes a file: the lines of its head, then what `make` returns."""
        try:
            text = make()
        except (OSError, ValueError, subprocess.CalledProcessError) as problem:
            self.fail(name, f"{problem})")
            return
        with open(path, "w", encoding="utf-8") as file:
            file.write("".join(f"# {line}\n" for line in head) + text)

    def last_line(self) -> str:
        return "failed: " + (" ".join(self.failed) or "none")
