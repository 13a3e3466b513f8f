"""What make notes promises, in a small course of its own.

It fills tables and code, and it refuses figures that are not their cells, cells that are not there, tables that are too
long, and pieces of code that are not there.
"""

import os
import shutil
import sys
import tempfile

from tap import check, said, status

CODE = """static int twice(int x)
{
    return 2 * x;
}
int main(void)
{
    // notes: piece
    int y = twice(3);
    // notes end
    return y != 6;
}
"""
CSV = "results/h200/lecture01/a.csv"
PAGE = "lecture01_a/README.md"
# What is tested, the exit status of make notes, a text that it says or writes, the note.
NOTES = [
    (
        "a table is filled in",
        0,
        "| 2 | 2^28 | 200 |",
        f"<!-- table {CSV} columns rung,size,gbps where rung=1|2 -->\n<!-- end -->\n",
    ),
    ("a table of nine rows is refused", 1, "a table of 9 rows", f"<!-- table {CSV} -->\n<!-- end -->\n"),
    (
        "a column that is not there",
        1,
        "has no column tflops",
        f"<!-- table {CSV} columns rung,tflops where rung=1 -->\n<!-- end -->\n",
    ),
    ("a piece of code", 0, "int y = twice(3);", "<!-- code lecture01_a/a.cu piece -->\n<!-- end -->\n"),
    ("a whole function", 0, "    return 2 * x;", "<!-- code lecture01_a/a.cu twice -->\n<!-- end -->\n"),
    (
        "code that is not there",
        1,
        "no piece and no function called thrice",
        "<!-- code lecture01_a/a.cu thrice -->\n<!-- end -->\n",
    ),
    ("a part that is not closed", 1, "not closed", "<!-- code lecture01_a/a.cu twice -->\n"),
    (
        "a figure that is its cell, rounded",
        0,
        ">2.3<",
        "It takes <!--= lecture01-a[rung=2].time_ms / 1.1 -->2.3<!--/--> ms.\n",
    ),
    (
        "a figure that is not its cell",
        1,
        "the text says 2.6, results/ say 2.5",
        "It takes <!--= lecture01-a[rung=2].time_ms -->2.6<!--/--> ms.\n",
    ),
    (
        "a sum of two products",
        1,
        "two products in a sum",
        "It takes <!--= 3 * 2 - 1 * 2 -->10<!--/--> ms.\n",
    ),
    (
        "a row that is not there",
        1,
        "0 rows of",
        "It takes <!--= lecture01-a[rung=77].time_ms -->2.6<!--/--> ms.\n",
    ),
    (
        "more than one row",
        1,
        "9 rows of",
        "It takes <!--= lecture01-a[size=268435456].time_ms -->2.6<!--/--> ms.\n",
    ),
    ("rows can be counted", 0, ">9<", "There are <!--= lecture01-a[size=268435456].rows -->9<!--/-->.\n"),
    (
        "a line that begins with a figure",
        1,
        "Markdown would end the paragraph",
        "It takes\n<!--= lecture01-a[rung=2].time_ms -->2.5<!--/--> ms.\n",
    ),
]


def write(path: str, text: str) -> None:
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def read(path: str) -> str:
    with open(path, encoding="utf-8") as file:
        return file.read()


def make_notes(note: str, *options: str) -> tuple[int, str]:
    """The exit status of make notes on a course with that note, and what it said."""
    write(PAGE, "# Lecture 1: a\n" + note)
    return said(["tools/notes/notes.sh", *options])


def main() -> None:
    for folder in ("results/h200/lecture01", "lecture01_a"):
        os.makedirs(folder)
    shutil.copytree(f"{top}/tools/notes", "tools/notes")
    head = "# device: NVIDIA H200\n# date: 2026-11-21\n# command: ./run a\nrung,name,size,time_ms,gbps\n"
    write(CSV, head + "".join(f"{i},rung {i},268435456,{i}.5,{i}00\n" for i in range(1, 10)))
    write("lecture01_a/a.cu", CODE)
    for what, want, text, note in NOTES:
        got, out = make_notes(note)
        check(what, got == want and text in out + read(PAGE), f"status {got}, and it said:", out)
    got, out = make_notes("It takes <!--= lecture01-a[rung=2].time_ms -->2.6<!--/--> ms.\n", "--accept")
    check("--accept", got == 0 and "-->2.5<!--/-->" in read(PAGE), out)
    write(CSV, read(CSV).replace(",900\n", ",901\n"))
    got, out = said(["tools/notes/notes.sh", "--check"])
    check(
        "--check on a page of measurements that is old",
        got != 0 and "measured.md is not what its sources make" in out,
        out,
    )


top = os.getcwd()
with tempfile.TemporaryDirectory() as tree:
    os.chdir(tree)
    main()
    os.chdir(top)
sys.exit(status())
