"""tools/grade on a generated class: right, wrong, by the wrong technique, hostile, not begun and missing answers,
shuffled, as folders and archives. The grader is killed in the middle and taken up again; every verdict must be as
expected, and the same in a second run. 20 students, or as many as are said. Prints how long the second run took, and
its memory."""

import random
import re
import shutil
import subprocess
import sys
import tarfile
import time
from pathlib import Path
from typing import NamedTuple

from course_copy import exercise_of, write
from sandbox import needs_sandbox, page, through, work
from tap import check, said, status


class Exercise(NamedTuple):
    solution: str
    mutants: str
    hostile: str  # a line before the answer


EXERCISES = {
    "3.1": Exercise(
        "lecture03_cuda_basics/ex01_index",
        "from_one one_thread_per_block other_way strided_by_blocks thread_and_block_swapped",
        "    _exit(0);",
    ),
    "3.4": Exercise(
        "lecture03_cuda_basics/ex04_two_d",
        "one_block_per_element grid_swapped other_way rows_for_cols x_along_rows",
        "    for (;;) fork();",
    ),
    "5.8": Exercise(
        "lecture05_shared_memory/ex08_histogram",
        "no_barrier not_zeroed other_way plain_add plain_flush plain_global thread_0_counts",
        '    lab_skip("later");',
    ),
    "14.8": Exercise(
        "lecture14_tiling/ex08_fused_attention",
        "maximum_not_kept other_way output_not_rescaled sum_not_rescaled output_in_memory",
        "    socket(2, 1, 0);",
    ),
}
Answers = list[tuple[str, str]]  # a verdict, and the text
Verdicts = dict[tuple[str, str], str]  # by student and exercise


def answers_to(exercise: Exercise) -> Answers:
    """The first one is right."""
    solution = str(Path("solutions", exercise.solution + ".cu"))
    answers = [("passed", through("", solution))]
    for name in exercise.mutants.split():
        verdict = "passed" if name == "other_way" else "failed"
        answers.append((verdict, through(Path(f"tests/mutants/{exercise.solution}/{name}.sed"), solution)))
    answers.append(("to do", said(["tools/course.sh", "stub", solution])[1]))
    answers.append(("failed", through(rf"s/>>> answer/&\n{exercise.hostile}/", solution)))
    cheat = 's/^LAB_MAIN.*/int main() { puts("all pass"); }/'
    answers.append(("failed", through(f"/>>> answer/,/<<< answer/d; {cheat}", solution)))
    return answers


def make_class(students: int) -> Verdicts:
    """Writes the submissions, by a generator with a fixed seed; every now and then an answer is missing."""
    pool = {number: answers_to(exercise) for number, exercise in EXERCISES.items()}
    chance = random.Random(16)
    expected = {}
    for student in (f"s{i:03}" for i in range(1, students + 1)):
        folder = work / "class" / student
        folder.mkdir(parents=True)
        for number, answers in pool.items():
            if chance.randrange(17) == 0:
                expected[student, number] = "missing"
                continue
            right = [answer for answer in answers if answer[0] == "passed"]
            verdict, text = chance.choice(right if chance.randrange(3) == 0 else answers)  # a third is right
            write(folder / exercise_of(Path(EXERCISES[number].solution + ".cu")), text)
            expected[student, number] = verdict
        if student.endswith("5"):
            with tarfile.open(f"{folder}.tar.gz", "w:gz") as archive:
                archive.add(folder, student)
            shutil.rmtree(folder)
    return expected


def command(to: Path) -> list[str]:
    submissions = sorted(str(path) for path in (work / "class").iterdir())
    return ["tools/grade", "-o", str(to), "-e", ",".join(EXERCISES), *submissions]


def verdicts(of: Path) -> Verdicts:
    return {
        (path.stem, number): verdict
        for path in (of / "students").glob("*.txt")
        for number, verdict in re.findall(r"(?m)^(\d*\.\d*) .*: ([a-z ]*)$", path.read_text())
    }


def differing(of: Path, expected: Verdicts) -> list[str]:
    """The reports of those whose verdicts differ."""
    got = verdicts(of)
    return [
        f"{student} {number}: {got.get((student, number))}, not {verdict}\n{page(student, of)}"
        for (student, number), verdict in expected.items()
        if got.get((student, number)) != verdict
    ]


def results(of: Path) -> list[Path]:
    return list((of / "work").rglob("result"))


def killed_and_taken_up(first: Path, expected: Verdicts, students: int) -> None:
    """Killed when a quarter is done."""
    with subprocess.Popen(command(first), stdout=subprocess.DEVNULL, stderr=subprocess.STDOUT) as grader:
        while grader.poll() is None and len(results(first)) < students:
            time.sleep(0.2)
        grader.kill()
    before = len(results(first))
    good = 0 < before < len(expected) and not (first / "grades.csv").exists()
    check("it was killed in the middle", good, f"{before} of {len(expected)} were graded")
    got, words = said(command(first))
    check("taken up again, it ends", got == 0, words)
    wrong = differing(first, expected)
    good = not wrong and verdicts(first).keys() == expected.keys()
    check(f"every verdict of {students} submissions is as expected", good, *wrong)


def main() -> int:
    needs_sandbox("a class")
    students = int(sys.argv[2]) if len(sys.argv) > 2 else 20
    expected = make_class(students)
    first, second = work / "first", work / "second"
    killed_and_taken_up(first, expected, students)
    start = time.monotonic()
    _, words = said(command(second))
    took = time.monotonic() - start
    good = verdicts(first) == verdicts(second)
    check("a second run says the same", good, *differing(second, verdicts(first)))
    print(*("# " + line for line in words.splitlines()[-2:-1]))
    heads = [path.read_text().split("\n")[0].split() for path in results(second)]
    count, cpu, most = len(heads), sum(float(head[4]) for head in heads), max(int(head[5]) for head in heads)
    print(f"# {count} grades in {took:.0f} s, {count / took:.2f} a second;", end=" ")
    print(f"{cpu / count:.2f} s of CPU time in sandboxes each; a sandbox had {most / 1048576:.0f} MB at most")
    return status()


sys.exit(main())
