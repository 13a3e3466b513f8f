"""For tests in Python that take a copy of the course, and hand answers in."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence
from pathlib import Path

NOT_HANDED_IN = re.compile(r"TODO\(ex|>>> answer|<<< answer|// stub:")  # what makes a file a solution
KEPT = ("precompiled", "preprocessed")


def copy_course(to: Path, built: Sequence[str]) -> None:
    """The tree, with what matches these patterns in build/, as if it had been built there.

    What cucc keeps of its headers is left out: without the lock, another cucc may be replacing it.
    """
    to.mkdir(parents=True)
    for path in Path(".").iterdir():
        if path.name not in ("build", ".git"):
            subprocess.run(["cp", "-rp", str(path), str(to)], check=True)
    parts = [str(path) for part in built for path in Path("build").glob(part) if path.name not in KEPT]
    subprocess.run(["flock", "build/cpu/.lock", "cp", "-rp", "--parents", *parts, str(to)], check=True)
    (to / "build/cpu/built_for").write_bytes(subprocess.check_output(["cpudevice/built_for.sh"], cwd=to))


def handed_in(solution: Path, first_of_the_answer: str = "") -> str:
    """The solution as a student would hand it in, with a line more at the beginning of its first answer."""
    lines = []
    for line in solution.read_text().splitlines(keepends=True):
        if ">>> answer" in line and first_of_the_answer:
            lines.append(first_of_the_answer + "\n")
            first_of_the_answer = ""
        elif not NOT_HANDED_IN.search(line):
            lines.append(line)
    return "".join(lines)


def exercise_of(solution: Path) -> Path:
    """Where the exercise of solutions/LECTURE/NAME.cu lies."""
    return Path(solution.parent.name) / "exercises" / solution.name


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
