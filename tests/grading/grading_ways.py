"""tools/grade on the answers in tests/grading/grading_ways.txt: the right ones pass, however they are written, and the
wrong ones are told what is wrong. Each is a grade of about three seconds. With SHOW set it prints what the wrong ones
are told."""

import os
import re
import sys
from pathlib import Path
from typing import NamedTuple

from sandbox import answered, grade, hand_in, has, needs_sandbox, page, work
from tap import check, status


class Way(NamedTuple):
    exercise: str
    outcome: str
    name: str
    reason: str  # an extended regular expression
    answers: list[str]

    def solution(self) -> str:
        lecture, number = (int(part) for part in self.exercise.split("."))
        return str(*Path("solutions").glob(f"lecture{lecture:02}_*/ex{number:02}_*.cu"))


def all_ways() -> list[Way]:
    ways = []
    for block in re.split(r"(?m)^== ", Path("tests/grading/grading_ways.txt").read_text())[1:]:
        head, answers = block.split("\n", 1)
        exercise, outcome, name, *reason = head.split(maxsplit=3)
        ways.append(Way(exercise, outcome, name.rstrip(":"), " ".join(reason), re.split(r"(?m)^--\n", answers)))
    return ways


def what_is_wrong(way: Way, report: str) -> str:
    """A refusal has a reason of its own: more than a word, and not in the line that every report begins with."""
    head, _, rest = report.partition("\n")
    wrong = "" if head.endswith(f": {way.outcome}") else f"not {way.outcome}"
    if way.outcome == "failed":
        if " " not in way.reason:
            wrong = "no reason is named"
        if not has(rest, way.reason):
            wrong = f"{wrong or 'not for that reason'}: {way.reason}"
    return wrong


def main() -> int:
    needs_sandbox("ways")
    wanted = sys.argv[2:]
    ways = [way for way in all_ways() if not wanted or way.exercise in wanted or way.name in wanted]
    for way in ways:
        hand_in(work / "class" / way.name, way.solution(), answered(way.solution(), way.answers))
    exercises = dict.fromkeys(way.exercise for way in ways)
    grade(",".join(exercises), *sorted((work / "class").iterdir()))
    for way in ways:
        told = re.search(rf"(?ms)^{re.escape(way.exercise)} .*?(?=^$|\Z)", page(way.name))
        report = told[0] if told else ""
        wrong = what_is_wrong(way, report)
        check(f"{way.name}: {way.exercise} {way.outcome}" + (f": {wrong}" if wrong else ""), not wrong, report)
        if os.environ.get("SHOW") and way.outcome == "failed":
            print(re.sub("(?m)^", "# ", report.rstrip("\n")))
    return status()


sys.exit(main())
