"""The wrong and right ways tried for each exercise, as a list: tests/mutants/ways.md.

`sh tests/house/ways.sh --write` writes it. The test checks that the list matches the files, and that each exercise has
at least three wrong ways and two right ones, six in all, and that no limit on a ratio of sectors stands alone: lanes
that take turns have a perfect one. `tools/course.sh mutants` checks that wrong ways fail and
right ones pass (tests/grading/grading_ways.sh does for answers to tools/grade).
"""

import glob
import os
import re
import sys

from mutant import keys_of
from tap import check, status

LIST = "tests/mutants/ways.md"
LEAST_WRONG, LEAST_RIGHT, LEAST = 3, 2, 6
VERDICTS = {"limits": "a limit", "check": "the checker", "numbers": "the judge"}


def read(path: str) -> str:
    with open(path, encoding="utf-8") as file:
        return file.read()


def answers_to_grade() -> dict[tuple[str, str], int]:
    """How many answers tests/grading/grading_ways.txt has, by exercise and verdict."""
    counts: dict[tuple[str, str], int] = {}
    text = read("tests/grading/grading_ways.txt")
    for number, verdict in re.findall(r"^== (\S+) (passed|failed)", text, re.MULTILINE):
        counts[number, verdict] = counts.get((number, verdict), 0) + 1
    return counts


class Ways:
    """What is tried of one exercise."""

    def __init__(self, solution: str, answers: dict[tuple[str, str], int]) -> None:
        exercise = solution.removeprefix("solutions/").removesuffix(".cu")
        lecture, number = re.fullmatch(r"lecture(\d+)_\w+/ex(\d+)_\w+", exercise).groups()
        self.number = f"{int(lecture)}.{int(number)}"
        self.title = re.match(r"/\* Exercise \S+ (.*) \(", read(solution))[1]
        self.right = ["the solution"]
        self.wrong: list[str] = []
        for path in sorted(glob.glob(f"tests/mutants/{exercise}/*.sed")):
            by = keys_of(path).get("caught by", "numbers")
            name = os.path.basename(path).removesuffix(".sed").replace("_", " ")
            if by == "nothing":
                self.right.append(name)
            else:
                self.wrong.append(f"{name} ({VERDICTS[by]})")
        self.graded = [answers.get((self.number, verdict), 0) for verdict in ("failed", "passed")]

    def counts(self) -> tuple[int, int]:
        return len(self.wrong) + self.graded[0], len(self.right) + self.graded[1]

    def row(self) -> str:
        columns = []
        for names, more in zip((self.wrong, self.right), self.graded, strict=True):
            columns.append("; ".join(names) + (f"; {more} more" if more else ""))
        wrong, right = self.counts()
        return f"| {self.number} {self.title} | {wrong} | {columns[0]} | {right} | {columns[1]} |"


def all_ways() -> list[Ways]:
    answers = answers_to_grade()
    return [Ways(path, answers) for path in sorted(glob.glob("solutions/*/ex*.cu"))]


def ratios_alone(text: str) -> list[str]:
    """The kinds of access whose sectors per request a solution's limits bound, but not the number of requests."""
    limits = re.findall(r"^ \*   (.+?) [<>]= ", text, re.MULTILINE)
    kinds = [name.removeprefix("sectors / possible sectors of ") for name in limits if name.startswith("sectors / ")]
    return [k for k in kinds if not {k, f"sectors of {k}", "memory turns"} & set(limits)]


def page(ways: list[Ways]) -> str:
    wrong, right = (sum(w.counts()[i] for w in ways) for i in (0, 1))
    return "\n".join(
        [
            "# Wrong and right ways",
            "",
            "`sh tests/house/ways.sh --write` writes this list from the mutants, which `make check-all` tries.",
            "Each wrong way fails, and the list says what fails it: the judge compares numbers and claims,",
            "the checker is `cucc --check`, a limit counts accesses. Each right way passes.",
            "Those counted as `more` are in `tests/grading/grading_ways.txt`, for `tests/grading/grading_ways.sh`.",
            "",
            f"{len(ways)} exercises, {wrong} wrong ways, {right} right ways.",
            "",
            "| exercise | | wrong ways, and what fails them | | right ways |",
            "| --- | --- | --- | --- | --- |",
            *(w.row() for w in ways),
            "",
        ]
    )


def main() -> int:
    ways = all_ways()
    if sys.argv[1:] == ["--write"]:
        with open(LIST, "w", encoding="utf-8") as file:
            file.write(page(ways))
        return 0
    for w in ways:
        wrong, right = w.counts()
        good = wrong >= LEAST_WRONG and right >= LEAST_RIGHT and wrong + right >= LEAST
        check(w.number, good, f"{wrong} wrong ways and {right} right ones are tried")
    for path in sorted(glob.glob("solutions/*/ex*.cu")):
        alone = ratios_alone(read(path))
        check(f"{path}: limits", not alone, f"no limit says how many {' and '.join(alone)} there may be")
    check(LIST, read(LIST) == page(ways), "sh tests/house/ways.sh --write writes it anew")
    return status()


sys.exit(main())
