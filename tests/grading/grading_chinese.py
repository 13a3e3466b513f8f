"""tools/grade with COURSE_LANG=zh. Students and teachers read Chinese; names, and what programs read, stay as they are;
the grades are the same in both languages."""

import re
import subprocess
import sys
from pathlib import Path

from course_copy import write
from sandbox import grade, grades, hand_in, has, needs_sandbox, page, through, work
from tap import check, status

SOLUTION = "solutions/lecture03_cuda_basics/ex01_index.cu"
STUDENTS = {
    "late": "",  # a name that is a word of ours
    "bob": "/^    size_t i = /s/i = .*/i = 0;/",  # wrong
    "cleo": r"/^    size_t i = /s/$/\n    int j = nothing;/",  # does not build
    "dan": r"/^    size_t i = /s/$/\n    if (i > 0) {/",  # refused
    "eve": r"/^    size_t i = /s/$/\n    y[i + n] = 0;/",  # the checker finds it
}
NO_SENTENCE = re.compile(r"error: |In kernel '|^ *[0-9]* *\| ")  # the compiler's messages, and an answer's lines


def grade_all(language: str) -> str:
    """What the teacher reads."""
    due = ("--due", "2020-01-01 00:00", "--students", work / "students")
    return grade("3.1", *due, *sorted((work / "in").iterdir()), env={"COURSE_LANG": language})[1]


def read(name: str) -> str:
    return (grades / name).read_text()


def results(of: Path = grades) -> str:
    """What is kept of each grade."""
    return "\n".join(sorted("".join(path.read_text() for path in (of / "work").rglob("result")).split("\n")))


def is_chinese(said: str) -> None:
    counts = "^8 份提交，每份 1 道练习：已通过 1，未通过 4，待做 1，缺交 1，未批改 0；用时 [0-9.]* s$"
    check("what the teacher reads is Chinese", has(said, counts, "^缺交：nobody$"), said)
    report = page("late")
    good = has(said, "^迟交：late$") and has(report, "^late：1 / 1 分（迟交）$")
    check("a name is no word", good, said, report)
    check("why a submission is not read", has(said, "^无法读取：.*/no_archive：既不是目录"), said)
    good = has(report, r"^3\.1 .*：已通过$") and has(page("gil"), r"^3\.1 .*：待做$")
    check("what came of an answer", good and has(page("fay"), "^    没有 lecture03"), report, page("gil"), page("fay"))
    report = page("bob")
    good = has(report, "^    N = [0-9]*：元素 1 从未写入，应为 .*；[0-9]* 个中错 [0-9]* 个")
    check("what the judge saw", good, report)
    report = page("cleo")
    good = has(report, "ex01_index.cu:[0-9:]*: error: .nothing. was not declared", "^    nothing：答案没有声明它")
    check("what the compiler says, before the Chinese for what is not known", good, report)
    report = page("dan")
    check("why an answer is refused", has(report, "^    第 [0-9]* 行：答案在这里打开的“{”没有在答案里关闭$"), report)
    report = page("eve")
    check("what the checker found", has(report, "写入", "ex01_index.cu:[0-9]*"), report)
    # Beside the compiler's messages, the quotations of an answer and commands no English sentence is left.
    lines = "\n".join([path.read_text() for path in (grades / "students").glob("*.txt")] + [said]).split("\n")
    english = [line for line in lines if re.search("[a-z]+ [a-z]+ [a-z]+ [a-z]+", line)]
    english = [line for line in english if not NO_SENTENCE.search(line)]
    check("no English sentence is left", not english, *english)


def is_english_for_programs() -> None:
    table = read("grades.csv")
    good = table.startswith("student,3.1,points,of,late,note\n") and has(table, "^late,1,1,1,late,$")
    check("tables and keys are in English", good, table)
    told = read("students/bob.results.json")
    good = r'"status": "failed", "output": "未通过\nN = ' in told
    check("so are Gradescope's keys; its text is Chinese", good, told)
    told = read("junit.xml")
    good = has(told, '<failure message="failed">N = .*从未写入')
    check("so is what CI reads of a verdict; its text is Chinese", good, told)


def main() -> int:
    needs_sandbox("grades in Chinese")
    for student, script in STUDENTS.items():
        hand_in(work / "in" / student, SOLUTION, through(script, SOLUTION))
    (work / "in/fay").mkdir()  # nothing
    stub = subprocess.run(["tools/course.sh", "stub", SOLUTION], capture_output=True, text=True, check=True).stdout
    hand_in(work / "in/gil", SOLUTION, stub)
    write(work / "students", "nobody\n")
    write(work / "in/no_archive", "")
    said = grade_all("zh")
    is_chinese(said)
    is_english_for_programs()

    first = results(), read("grades.csv")
    said = grade_all("en")
    good = first == (results(), read("grades.csv"))
    check("another reader gets the same grades, which are not made again", good, *first, results(), read("grades.csv"))
    good = has(page("bob"), "N = [0-9]*: element 1 was never written") and has(said, "^late: late$")
    check("in English", good, page("bob"), said)

    # Without a sandbox a program has the teacher's environment, and so has the checker in it.
    unsafe = work / "unsafe"
    grade("3.1", "--unsafe", work / "in/eve", to=unsafe, env={"COURSE_LANG": "zh"})
    good = "memcheck: out of bounds" in results(unsafe) and "memcheck：越界" in page("eve", unsafe)
    what = "without a sandbox, too, a grade is kept in English, and told in Chinese"
    check(what, good, results(unsafe), page("eve", unsafe))
    return status()


sys.exit(main())
