"""The commands for GitHub Classroom, GitLab and Gradescope, as docs/grading.md prints them, in a new folder.

Only the exercises are fewer, and a copy of this checkout takes the place of what git would fetch (without what other
tests may be building).
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from course_copy import copy_course, exercise_of, write
from sandbox import has, needs_sandbox, through, work
from tap import check, said, status

SOLUTION = "solutions/lecture03_cuda_basics/ex01_index.cu"
BUILT = ("cpu/compiler_ready", "cpu/cucc-*", "cpu/lib*", "cpu/objects", "cpu/common", "tools/grade")
BUILT += (f"*/{SOLUTION[:-3]}", f"*/{SOLUTION[:-3]}.[do]")
GIT = """#!/bin/sh
[ "$1 $2 $3 $4" = "clone --depth 1 COURSE" ] && mv "$COPY" "$5" || exit 1
"$5/cpudevice/built_for.sh" >"$5/build/cpu/built_for" # what was built will do there too
"""


def printed(pattern: str) -> str:
    """The command of docs/grading.md that this finds, for one exercise."""
    return re.search(pattern, Path("docs/grading.md").read_text())[0].replace("3.1-3.9", "3.1")


def in_folder(folder: Path, command: str) -> tuple[int, str]:
    return said(command, shell=True, cwd=folder)


def move(checkout: Path, to: Path) -> None:
    """What was built will do there too."""
    shutil.move(checkout, to)
    (to / "build/cpu/built_for").write_bytes(subprocess.check_output([to / "cpudevice/built_for.sh"]))


def main() -> int:
    needs_sandbox("printed commands")
    write(work / "bin/git", GIT)
    (work / "bin/git").chmod(0o755)
    copy_course(work / "copy", BUILT)
    os.environ.update(COPY=str(work / "copy"), PATH=f"{work}/bin:{os.environ['PATH']}")
    classroom = printed(r"git clone.*3\.1-3\.9")
    grader = classroom.split("&& ", 1)[1]
    gradescope = printed(r"tools/grade /autograder[^`]*results\.json").replace("/autograder", f"{work}/autograder")
    answer, right, none, renamed = through("", SOLUTION), work / "right", work / "none", work / "renamed"

    write(right / exercise_of(Path(SOLUTION)), answer)
    got, words = in_folder(right, classroom)
    check("GitHub Classroom: the student's right answer passes", got == 0 and "1 passed" in words, got, words)
    report = right / "grades/junit.xml"
    check("GitLab: there is the JUnit report", report.exists() and "<testcase" in report.read_text())

    # The checkout beside the answer has an exercise of that place, too: it counts for nobody.
    none.mkdir()
    write(renamed / "my answer.cu", answer)
    move(right / "course", none / "course")
    got, words = in_folder(none, grader)
    good = got == 1 and "1 missing" in words
    check("without an answer the course's own copy is not graded", good, got, words)
    move(none / "course", renamed / "course")
    got, words = in_folder(renamed, grader)
    good = got == 0 and "1 passed" in words
    check("a renamed answer is found before the course's own copy", good, got, words)

    (work / "autograder/results").mkdir(parents=True)
    write(work / "autograder/submission" / exercise_of(Path(SOLUTION)), answer)
    _, words = in_folder(renamed / "course", gradescope)
    results = work / "autograder/results/results.json"
    good = results.exists() and '"status": "passed"' in results.read_text()
    check("Gradescope: results.json has the point", good, words)

    here = os.getcwd()
    read_only = f"bwrap --ro-bind / / --dev /dev --tmpfs /tmp --ro-bind {here} {here} --chdir {here}"
    got, words = said([*read_only.split(), "tools/grade", "-e", "3.1", "/etc"])
    good = got == 2 and has(words, r"\(Read-only file system\): use a copy of the course")
    check("a checkout that is read-only is named as such", good, got, words)
    return status()


sys.exit(main())
