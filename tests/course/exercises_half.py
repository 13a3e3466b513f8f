"""PYTHONPATH=tests/harness python3 tests/course/exercises_half.py [PROGRAM...]: make check says the same of the course
whatever the student has done: in a copy of the tree in which a random half of the exercises is solved and half of the
rest wrong. It runs make check twice, or with arguments only these (build/cpu/tests/course/exercises
tests/notes/notes_test.sh ...) and the grades; make check does not run this. EXERCISES_SEED repeats a run."""

from __future__ import annotations

import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from course_copy import copy_course, exercise_of, handed_in
from tap import check, said, status


def copy(to: Path) -> None:
    """The tree, with what is built but for what was graded, and no exercise begun."""
    copy_course(to, ("cpu/*", "tools", "check", "cuprof"))
    # built again: a finding names its file by the path it was compiled at
    shutil.rmtree(to / "build/cpu/tests/mistakes", ignore_errors=True)
    for exercises in to.glob("lecture*/exercises"):
        shutil.rmtree(exercises)
    subprocess.run(["tools/course.sh", "stubs"], cwd=to, check=True, stdout=subprocess.DEVNULL)


def solve_half(tree: Path, seed: int) -> dict[str, int]:
    """Solves some of the exercises of a tree and spoils some: how many are as what."""
    numbers = random.Random(seed)
    done = {"solved": 0, "wrong": 0, "untouched": 0}
    for solution in sorted(Path("solutions").glob("*/ex*.cu")):
        exercise = tree / exercise_of(solution)
        what = numbers.choice(("solved", "solved", "wrong", "untouched"))
        if what == "solved":
            exercise.write_text(handed_in(solution))
        elif what == "wrong":
            lines = exercise.read_text().splitlines(keepends=True)
            exercise.write_text("".join(line for line in lines if "TODO(ex" not in line))
        done[what] += 1
    return done


def judged(tree: Path, programs: Sequence[str]) -> list[str]:
    """What is said of the course."""
    if not programs:
        result, says = said(["make", "check"], cwd=tree, env={**os.environ, "COURSE_REMEMBERS": "no"})
        return [f"status {result}", *re.findall("^(?:tests: |FAILED).*", says, re.M)]
    verdicts = []
    for program in programs:
        result, says = said(["sh", program, "cpu"] if program.endswith(".sh") else [program], cwd=tree)
        counts = " ".join(re.findall("^[0-9]*%.*", says, re.M))
        verdicts.append(f"{program}: status {result}, {len(re.findall('^ok', says, re.M))} ok, {counts}")
    return verdicts


def main(programs: Sequence[str]) -> int:
    os.chdir(Path(__file__).parents[2])
    for name in ("MAKEFLAGS", "MAKELEVEL"):
        os.environ.pop(name, None)
    seed = int(os.environ.get("EXERCISES_SEED", time.time()))
    with tempfile.TemporaryDirectory(prefix="half.") as folder:
        as_given, half = Path(folder) / "as_given", Path(folder) / "half"
        copy(as_given)
        copy(half)
        done = solve_half(half, seed)
        print(f"# seed {seed}: " + ", ".join(f"{count} {what}" for what, count in done.items()), flush=True)
        expected, verdicts = judged(as_given, programs), judged(half, programs)
        for verdict in expected:
            print(f"# {verdict}")
        check("the course is judged alike", expected == verdicts, *verdicts)
        wrong = [verdict for verdict in verdicts if re.search("status -?[1-9]|FAILED", verdict)]
        check("and it is judged to be right", not wrong, *wrong)
        says = said(["tools/course.sh", "exercises"], cwd=half)[1]
        graded = [len(re.findall(f"^{how}", says, re.M)) for how in (" passed", "not yet", "  to do")]
        check("what is solved passes, what is wrong does not", graded == list(done.values()), says)
    return status()


sys.exit(main(sys.argv[1:]))
