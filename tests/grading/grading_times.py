"""PYTHONPATH=tests/harness python3 tests/grading/grading_times.py [EXERCISE...]: how long a grade takes, by ./run as a
student waits for it and by tools/grade: right answers, and an endless loop. On a machine with nothing else to do a
right answer is to be graded in less than 3 s and an endless loop told in less than 8 s; the CPU time is printed too,
which says something on a busy machine as well. make check does not run this."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from course_copy import copy_course, exercise_of, handed_in, write
from tap import check, said, status

EXERCISES = ("1.6", "3.1", "3.4", "5.4", "5.8", "11.1", "14.2", "14.8")
ENDLESS = "    for (volatile int k = 0; k < 2; k = 0) {}"


def solution(exercise: str) -> Path:
    lecture, number = exercise.split(".")
    return next(Path("solutions").glob(f"lecture{int(lecture):02}_*/ex{int(number):02}_*.cu"))


def answer(exercise: str, course: Path, more: str = "") -> None:
    path = solution(exercise)
    write(course / exercise_of(path), handed_in(path, more))


def cpu_time() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def timed(name: str, limit: float, must_say: str, command: Sequence[str], where: Path) -> None:
    """A check: the command says it, and on an idle machine within so many seconds."""
    begin, used = time.monotonic(), cpu_time()
    says = said(command, cwd=where)[1]
    took = time.monotonic() - begin
    what = f"{name}: {took:.3f} s, {cpu_time() - used:.1f} s of CPU time"
    if must_say not in says:
        check(f"{what}: it does not say '{must_say}'", False, says)
    elif idle and took >= limit:
        check(f"{what}: more than {limit} s", False)
    else:
        check(what + ("" if idle else " # the machine is not idle"), True)


def main(exercises: Sequence[str]) -> int:
    with tempfile.TemporaryDirectory(prefix="times.") as folder:
        work, here = Path(folder), Path.cwd()
        course = work / "course"  # a student's: nobody's exercises are touched
        copy_course(course, ("cpu/*", "check", "tools"))
        said(["./run", "3.1"], cwd=course)  # what is built once
        for exercise in exercises:
            answer(exercise, course)
            timed(f"./run {exercise}", 3, f"exercise {exercise} passes", ["./run", "--device", "cpu", exercise], course)
        answer("3.1", course, ENDLESS)
        timed("./run 3.1, an endless loop", 8, "no progress", ["./run", "--device", "cpu", "3.1"], course)

        grade = ["tools/grade", "-o", str(work / "grades"), "-e"]  # the teacher's
        said([*grade, ",".join(exercises), str(course)])  # builds the judges
        for exercise in exercises:
            answer(exercise, work / exercise)
            timed(f"tools/grade {exercise}", 3, "1 passed", [*grade, exercise, str(work / exercise)], here)
        answer("3.1", work / "endless", ENDLESS)
        timed("tools/grade 3.1, an endless loop", 8, "1 failed", [*grade, "3.1", str(work / "endless")], here)
    return status()


os.chdir(Path(__file__).parents[2])
for name in ("MAKEFLAGS", "MAKELEVEL"):
    os.environ.pop(name, None)
if subprocess.call(["tools/setup/need.sh", "bubblewrap"]):
    sys.exit(1)
load = os.getloadavg()[0]
idle = load < 0.6
print(f"# load {load:.2f}, {os.cpu_count()} cores", flush=True)
sys.exit(main(sys.argv[1:] or EXERCISES))
