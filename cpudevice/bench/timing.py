"""For the benchmarks here: processor time of a program, medians, and what a table is headed by."""

from __future__ import annotations

import datetime
import os
import re
import resource
import statistics
import subprocess
from collections.abc import Mapping, Sequence

ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), "../.."))
CUCC = f"{ROOT}/cpudevice/cucc"


def cpu_seconds(
    command: Sequence[str],
    log: str,
    folder: str | None = None,
    environment: Mapping[str, str] | None = None,
    limit_s: float | None = None,
) -> float | None:
    """The processor time of a program and all that it runs, user and system; None if it fails. One at a time."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with open(log, "wb") as out:
        try:
            done = subprocess.run(
                command,
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                env={**os.environ, **(environment or {})},
                timeout=limit_s,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return None
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        return None
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def lower_median(values: Sequence[float]) -> float:
    """The median, of an even number of values the lower one of the two in the middle."""
    return statistics.median_low(values)


def processor() -> str:
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        found = re.search(r"^model name[^:]*: (.*)$", file.read(), re.MULTILINE)
    return f"{found[1] if found else 'a processor'}, {os.cpu_count()} cores"


def heading(command: str, more: str = "") -> str:
    """The comment lines above a table."""
    return f"# device: {processor()}{more}\n# date: {datetime.date.today()}\n# command: {command}"
