"""Each mutant changes the file that it is meant for, and is in the folder that is named as that file or as its folder.

The cases that it names are there: a script that finds no such case fails, and every mutant would be caught.
Each exercise has the mutants that CONTRIBUTING.md asks for: two by a wrong technique, and another right way where
limits are stated. Whether mutants are caught is what `tools/course.sh mutants` tries, which takes longer.
"""

import glob
import os
import re
import shlex
import subprocess
import sys

from tap import check, status

EXERCISES, DEVICE = "tests/mutants/", "cpudevice/"


def read(path: str) -> str:
    with open(path, encoding="utf-8") as file:
        return file.read()


def file_and_homes(mutant: str) -> tuple[str, tuple[str, ...]]:
    """The file that a mutant changes, and the folders in which it may be: named as its folder or as itself."""
    named = re.search("^# file: *(.*)$", read(mutant), re.MULTILINE)
    if not named:  # an exercise's: tests/mutants/lectureNN_x/exMM_y is for solutions/lectureNN_x/exMM_y.cu
        folder = os.path.dirname(mutant)
        return "solutions/" + folder.removeprefix(EXERCISES) + ".cu", (folder,)
    file = named[1]
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


def cases_of(script: str) -> set[str] | None:
    """The tests of the folder that the script has harness/cases.sh run, and the files' names; None if it has none."""
    called = re.search(r'harness/cases\.sh" (\S+)', read(script))
    if not called:
        return None
    files = [path for path in glob.glob(f"cpudevice/tests/{called[1]}/*") if os.path.isfile(path)]
    names = {os.path.splitext(os.path.basename(path))[0] for path in files}
    return names | {name for path in files for name in re.findall(r"TEST: (.*)$", read(path), re.MULTILINE)}


def names_its_cases(mutant: str) -> None:
    named = re.search(r"^# test: *(\S+\.sh)( .*)?$", read(mutant), re.MULTILINE)
    cases = cases_of(named[1]) if named else None
    if named and cases is not None:
        try:
            missing = set(shlex.split(named[2] or "")) - cases
        except ValueError as error:  # a quotation without its end
            missing = {str(error)}
        check(f"{mutant}: its cases are there", not missing, *missing)


def has_its_mutants(solution: str) -> None:
    """Where results are judged, a wrong technique has right numbers, and limits catch it; else claims in .show() do.

    Without limits the checker judges the technique: races and copies not waited for have right numbers on most days.
    """
    exercise = solution.removeprefix("solutions/").removesuffix(".cu")
    mutants = [read(path) for path in glob.glob(f"{EXERCISES}{exercise}/*.sed")]
    technique, findings, ways = (
        sum(re.search(f"^# caught by: {by}", mutant, re.MULTILINE) is not None for mutant in mutants)
        for by in ("limits", "check", "nothing")
    )
    text = read(solution)
    limited = re.search(r"^ \* Limits", text, re.MULTILINE) is not None
    if not limited:
        technique += findings
    if ".show = " in text:
        technique = len(mutants) - ways
    good = technique >= 2 and (ways > 0 or not limited)
    check(solution, good, f"{technique} answers by a wrong technique, {ways} by another right way")


for tests in ("tests", "cpudevice/tests"):
    for name in sorted(glob.glob(tests + "/mutants/**/*.sed", recursive=True)):
        applies(name)
        names_its_cases(name)
for name in sorted(glob.glob("solutions/*/ex*.cu")):
    has_its_mutants(name)
sys.exit(status())
