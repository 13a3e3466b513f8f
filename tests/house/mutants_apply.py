"""Each mutant changes the file that it is meant for, and is in the folder that is named as that file or as its folder.

The cases that it names are there: a script that finds no such case fails, and every mutant would be caught.
Each exercise has the mutants that CONTRIBUTING.md asks for: two by a wrong technique, and another right way where
limits are stated. Whether mutants are caught is what `tools/course.sh mutants` tries, which takes longer.
"""

import functools
import glob
import os
import re
import shlex
import subprocess
import sys

from mutant import keys_of, mutants
from tap import check, status

EXERCISES, DEVICE = "tests/mutants/", "cpudevice/"


def read(path: str) -> str:
    with open(path, encoding="utf-8") as file:
        return file.read()


def file_and_homes(mutant: str) -> tuple[str, tuple[str, ...]]:
    """The file that a mutant changes, and the folders in which it may be: named as its folder or as itself."""
    file = keys_of(mutant).get("file")
    if file is None:  # an exercise's: tests/mutants/lectureNN_x/exMM_y is for solutions/lectureNN_x/exMM_y.cu
        folder = os.path.dirname(mutant)
        return "solutions/" + folder.removeprefix(EXERCISES) + ".cu", (folder,)
    tests = "cpudevice/tests/mutants/" if file.startswith(DEVICE) else "tests/mutants/"
    path = tests + file.removeprefix(DEVICE)
    return file, (os.path.dirname(path), os.path.splitext(path)[0])


def applies(mutant: str) -> None:
    file, homes = file_and_homes(mutant)
    if not os.path.isfile(file):
        check(f"{mutant}: there is no {file}", False)
    elif os.path.dirname(mutant) not in homes:
        check(f"{mutant}: it belongs in {homes[0]}", False)
    else:
        changed = subprocess.run(["sed", "-f", mutant, file], capture_output=True, check=True).stdout
        with open(file, "rb") as before:
            check(mutant, changed != before.read(), f"it changes nothing in {file}")


@functools.cache
def cases_of(script: str) -> set[str] | None:
    """The tests of the folder that the script has harness/cases.sh run, and the files' names; None if it has none."""
    called = re.search(r'harness/cases\.sh" (\S+)', read(script))
    if not called:
        return None
    files = [path for path in glob.glob(f"cpudevice/tests/{called[1]}/*") if os.path.isfile(path)]
    names = {os.path.splitext(os.path.basename(path))[0] for path in files}
    return names | {name for path in files for name in re.findall(r"TEST: (.*)$", read(path), re.MULTILINE)}


def names_its_cases(mutant: str) -> None:
    test, _, named = keys_of(mutant).get("test", "").partition(" ")
    cases = cases_of(test) if test.endswith(".sh") else None
    if cases is not None:
        try:
            missing = set(shlex.split(named)) - cases
        except ValueError as error:  # a quotation without its end
            missing = {str(error)}
        check(f"{mutant}: its cases are there", not missing, *missing)


def has_its_mutants(solution: str) -> None:
    """Where results are judged, a wrong technique has right numbers, and limits catch it; else claims in .show() do.

    Without limits the checker judges the technique: races and copies not waited for have right numbers on most days.
    """
    exercise = solution.removeprefix("solutions/").removesuffix(".cu")
    caught_by = [keys_of(path).get("caught by") for path in glob.glob(f"{EXERCISES}{exercise}/*.sed")]
    technique, findings, ways = (caught_by.count(by) for by in ("limits", "check", "nothing"))
    text = read(solution)
    limited = re.search(r"^ \* Limits", text, re.MULTILINE) is not None
    if not limited:
        technique += findings
    if ".show = " in text:
        technique = len(caught_by) - ways
    good = technique >= 2 and (ways > 0 or not limited)
    check(solution, good, f"{technique} answers by a wrong technique, {ways} by another right way")


for path in mutants():
    applies(path)
    names_its_cases(path)
for name in sorted(glob.glob("solutions/*/ex*.cu")):
    has_its_mutants(name)
sys.exit(status())
