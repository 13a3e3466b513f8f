"""For tests of tools/grade and of full disks, which run where bubblewrap does."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import tap
from course_copy import NOT_HANDED_IN, exercise_of, write

_folder = tempfile.TemporaryDirectory(prefix="sandbox.")
work = Path(_folder.name)  # goes when the test ends
grades, disk = work / "grades", work / "disk"


def needs_sandbox(what: str, command: str = "bwrap --unshare-all --ro-bind / / true") -> None:
    """Ends the test with SKIP unless it is for the CPU device and this command, of bubblewrap, runs."""
    for name in ("MAKEFLAGS", "MAKELEVEL"):
        os.environ.pop(name, None)
    device = (sys.argv[1:2] or ["cpu"])[0]
    if device != "cpu" or tap.said(["tools/setup/need.sh", "bubblewrap"])[0] or tap.said(command, shell=True)[0]:
        tap.skip(f"{what}: no sandbox here")
        sys.exit(0)


# ---- answers -----------------------------------------------------------------------------------------------------


def through(script: str | Path, solution: str) -> str:
    """What a script for sed (a text, or a file) makes of the solution, without what makes it a solution."""
    option = f"--file={script}" if isinstance(script, Path) else f"--expression={script}"
    lines = subprocess.run(["sed", option, solution], capture_output=True, text=True, check=True).stdout
    return "".join(line for line in lines.splitlines(keepends=True) if not NOT_HANDED_IN.search(line))


def answered(solution: str, answers: Sequence[str]) -> str:
    """The solution with these answers in the places of its own."""
    left = iter(answers)
    lines = Path(solution).read_text().splitlines(keepends=True)
    text = "".join(line for line in lines if "TODO(ex" not in line)
    return re.sub(r"(?ms)^[^\n]*>>> answer.*?<<< answer[^\n]*\n", lambda _: next(left, ""), text)


def hand_in(to: Path, solution: str, text: str | None = None) -> None:
    """The folder of a submission has this text, or the solution, where the exercise is."""
    write(to / exercise_of(Path(solution)), through("", solution) if text is None else text)


# ---- what the grader says ----------------------------------------------------------------------------------------


def grade(exercises: str, *words: str | Path, to: Path = grades, env: dict[str, str] | None = None) -> tuple[int, str]:
    """The exit status of tools/grade -e EXERCISES, and what it says; the grades are in the folder."""
    command = ["tools/grade", "-o", str(to), "-e", exercises, *map(str, words)]
    return tap.said(command, env={**os.environ, **(env or {})})


def page(student: str, of: Path = grades) -> str:
    """What a student reads."""
    path = of / "students" / f"{student}.txt"
    return path.read_text() if path.exists() else ""


def has(text: str, *patterns: str) -> bool:
    """Whether each of these regular expressions matches somewhere in the text, ^ and $ at its lines."""
    return all(re.search(pattern, text, re.MULTILINE) for pattern in patterns)


def on_disk(size: int, command: str, at: Path = disk) -> tuple[int, str]:
    """The exit status of a text for the shell, and what it says, with that many bytes of room in a folder."""
    at.mkdir(exist_ok=True)
    room = f"bwrap --bind / / --dev-bind /dev /dev --proc /proc --size {size} --tmpfs {at} --chdir {os.getcwd()}"
    return tap.said([*room.split(), "sh", "-c", command])
