"""The parts of tools/notes, by functions."""

import os
import sys
import tempfile

from notes.csv_file import CsvFile, NoteError, Results, label, number, path_of, place, read, same
from notes.excerpt import excerpt
from notes.note import Note, source_link
from notes.plain_words import problems_in
from notes.prose import evaluate, prose, rounded
from notes.table import figure, table
from notes.warp import sectors, turns
from tap import run_functions, status

folder = tempfile.TemporaryDirectory()


def file_with(name: str, text: str) -> str:
    path = os.path.join(folder.name, name)
    with open(path, "w", encoding="utf-8", newline="") as file:
        file.write(text)
    return path


def refusal(function, *arguments) -> str:
    """What a function says when it refuses its arguments."""
    try:
        function(*arguments)
    except NoteError as problem:
        return str(problem)
    return ""


def ladder() -> CsvFile:
    return read(
        file_with(
            "ladder.csv",
            "# device: D\n# date: today\n# command: ./run\n# a remark\n# of two lines\n"
            "rung,name,size,time_ms,gbps,mode,check\r\n1,a b,64x64,2,100,burst,ok\r\n"
            "2,c,64x64,,0,burst,needs sm_90\r\n",
        )
    )


class FakeResults(Results):
    """One file of results, by any name."""

    def load(self, path: str) -> CsvFile:
        return ladder()


def test_a_number_is_what_a_text_begins_with():
    assert number("12.5 ms") == 12.5 and number("-1e3") == -1000 and number(".5x") == 0.5
    assert number("ms 12") == 0 and number("") == 0


def test_numbers_are_equal_by_value_and_words_by_their_letters():
    assert same("1", "1.0") and same("1e3", "1000") and same("a", "a")
    assert not same("a", "b") and not same("1", "1x") and not same("", "0")


def test_a_csv_file_has_rows_and_what_it_was_measured_with():
    csv = ladder()
    assert csv.columns[0] == "rung" and csv.columns[-1] == "check" and len(csv.rows) == 2
    assert csv.about == {"device": "D", "date": "today", "command": "./run"}
    assert csv.remark == "a remark of two lines"
    assert refusal(read, folder.name + "/nothing.csv").startswith("cannot read ")
    assert refusal(read, file_with("empty.csv", "# date: x\n")).startswith("cannot read ")


def test_a_file_of_results_may_lie_in_its_lectures_folder():
    assert path_of("h200/lecture99-x") == "results/h200/lecture99-x.csv" and path_of("cpu/x") == "results/cpu/x.csv"
    assert label("results/h200/lecture99/x-y.csv") == label("results/h200/lecture99-x-y.csv") == "lecture99-x-y"
    assert label("results/cpu/x.csv") == "x"
    assert path_of("cpudevice/" + "x") == "cpudevice/" + "x.csv"


def test_two_devices_tables_of_one_name_have_two_places():
    name = "lecture99/x"
    before = os.getcwd()
    os.chdir(folder.name)
    try:
        os.makedirs("results/h200/lecture99")
        assert place(f"results/h100/{name}.csv") == ("lecture99-x", "lecture99-x")
        file_with(f"results/h200/{name}.csv", "")
        assert place(f"results/h100/{name}.csv") == ("h100-lecture99-x", "lecture99-x, on an H100")
    finally:
        os.chdir(before)
    assert place(f"results/h200/{name}.csv") == ("lecture99-x", "lecture99-x")
    assert place(f"results/cpu/{name}.csv") == ("cpu-lecture99-x", "lecture99-x, on the CPU device")


def test_a_condition_chooses_rows():
    csv = ladder()
    chosen = [[row["rung"] for row in csv.rows if csv.agrees(row, where)] for where in ("", "rung=1|2", "name=a b")]
    assert chosen == [["1", "2"], ["1", "2"], ["1"]]
    assert not csv.agrees(csv.rows[0], "rung=1&name=c") and csv.agrees(csv.rows[0], "rung=1&name=a b")
    assert refusal(csv.agrees, csv.rows[0], "rung") == "a condition without =: rung"
    assert refusal(csv.agrees, csv.rows[0], "rank=1").endswith("has no column rank")


def test_cells_are_shown_with_four_digits_and_powers_of_two():
    assert (
        figure("time_ms", "0.123456") == "0.1235" and figure("gbps", "4123.7") == "4124" and figure("gbps", "0") == ""
    )
    assert figure("of_copy", "0.98765") == "0.988" and figure("vs_before", "1.5") == "1.50x"
    assert (
        figure("vs_flash", "1.23456") == "1.235"
        and figure("vs_flash", "n/a") == "n/a"
        and figure("vs_vendor", "0") == ""
    )
    assert (
        figure("size", "65536") == "2^16" and figure("size", "32768") == "32768" and figure("size", "65537") == "65537"
    )
    assert figure("size", "3x4") == "3\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}4"


def test_a_table_leaves_out_empty_columns_and_says_why_a_rung_was_not_timed():
    lines = table(ladder(), "rung,time_ms,gbps=rate_of_copy", "", True)
    assert lines[:4] == [
        "| rung | time, ms | rate of copy |",
        "|---: |---: |---: |".replace("|-", "| -"),
        "| 1 | 2 | 100 |",
        "| 2 | needs sm_90 |  |",
    ]
    assert lines[-1] == "*D, today; [how, and all rows](measured.md#ladder)*"
    assert table(ladder(), "", "rung=2", False)[0] == "| rung | name | size | time, ms | mode | check |"
    assert table(ladder(), "", "", False)[-1].endswith(
        "ladder.csv. device: D; date: today; command: ./run. a remark of two lines*"
    )


def test_an_expression_is_evaluated_from_left_to_right():
    assert evaluate(FakeResults(), "1 + 2 * 3") == 9 and evaluate(FakeResults(), "x[rung=1].gbps / 8 - 0.5") == 12
    assert evaluate(FakeResults(), "x[name=a b].gbps") == 100 and evaluate(FakeResults(), "x[].rows") == 2
    assert refusal(evaluate, FakeResults(), "1 / 0") == "divides by nothing"
    assert refusal(evaluate, FakeResults(), "1 ^ 2") == "not an operation: ^"
    assert refusal(evaluate, FakeResults(), "1 +").startswith("not an expression")
    assert refusal(evaluate, FakeResults(), "x.gbps") == "not a cell: x.gbps"
    assert refusal(evaluate, FakeResults(), "x[rung=1].rate").endswith("has no column rate")


def test_a_figure_is_its_cell_rounded():
    assert rounded("2.5", 2.46) is None and rounded("2.5", 2.56) == "2.6" and rounded("1,200", 1249) is None
    assert rounded("1200", 1251) == "1300" and rounded("0", 0.4) is None and rounded("-3", -3.2) is None
    assert refusal(rounded, "fast", 1.0) == "not a figure: fast"


def test_prose_is_compared_or_rewritten():
    line = "It is <!--= x[rung=1].gbps -->90<!--/--> GB/s, <!--=  x[].rows  -->2<!--/--> rows."
    problems: list[str] = []
    assert "-->100<!--/--> GB/s, <!--= x[].rows -->2<" in prose(FakeResults(), line, True, problems) and not problems
    prose(FakeResults(), line, False, problems)
    assert problems == ["the text says 90, results/ say 100 (x[rung=1].gbps)"]
    problems.clear()
    prose(FakeResults(), "It is <!--= 1 -->1", False, problems)
    prose(FakeResults(), "> <!--= 1 -->1<!--/-->", False, problems)
    assert problems[0].startswith("a figure is not closed") and problems[1].startswith("a line begins")


def test_a_piece_of_code_may_hold_another():
    path = file_with(
        "a.cu",
        "template <int N>\nstatic void f(int x)\n{\n    // notes: outer\n    a();\n#if 1\n    // notes: inner\n"
        "      b();\n    // notes end\n    c();\n    // notes end\n}\n\n"
        "int g(int x) { return 2 * x; }\nvoid open(int x);\n    // notes: lost\n",
    )
    assert excerpt(path, "outer") == ["a();", "#if 1", "  b();", "c();"] and excerpt(path, "inner") == ["b();"]
    assert (
        excerpt(path, "f")[0] == "template <int N>" and excerpt(path, "f")[-1] == "}" and len(excerpt(path, "f")) == 8
    )
    assert excerpt(path, "g") == ["int g(int x) { return 2 * x; }"]
    assert "no piece and no function called open" in refusal(excerpt, path, "open")
    assert "is not closed" in refusal(excerpt, path, "lost")


def test_a_piece_of_python_is_marked_by_its_own_comments():
    path = file_with("a.py", "# notes: outer\nif x:\n    # notes: inner\n    y()\n    # notes end\n# notes end\n")
    assert excerpt(path, "outer") == ["if x:", "    y()"] and excerpt(path, "inner") == ["y()"]
    assert Note("page.md", FakeResults()).code(["<!--", "code", path, "inner", "-->"])[0] == "```python"


def test_a_cell_in_quotes_may_hold_a_comma():
    quoted = read(file_with("q.csv", '# device: D\nname,size,ms\n"a, b",4x4,2\nc "d",1,3\n'))
    assert [row["name"] for row in quoted.rows] == ["a, b", 'c "d"'] and quoted.rows[0]["ms"] == "2"


def test_counts_of_an_access_are_those_worked_out_by_hand():
    # By the rules of lectures 3 and 5: sectors of 32 bytes, 32 banks of 4 bytes, wide accesses in parts of a warp.
    assert sectors(0, 4, 4) == 4 and sectors(4, 4, 4) == 5 and sectors(0, 16, 16) == 16
    assert [sectors(0, 4 * stride, 4) for stride in (2, 8, 100)] == [8, 32, 32] and sectors(0, 0, 4) == 1
    assert [turns(0, 4 * stride, 4) for stride in (1, 2, 32, 33, 0)] == [1, 2, 32, 1, 1]
    assert [turns(0, 4, 4), turns(0, 8, 8), turns(0, 16, 16), turns(0, 32, 16)] == [1, 2, 4, 8]
    assert [turns(0, 0, size) for size in (4, 8, 16)] == [1, 2, 4]  # one address for all lanes, once per part
    problems: list[str] = []
    prose(FakeResults(), "It is <!--= sectors(4,4,4) * 2 -->9<!--/-->.", False, problems)
    assert problems == ["the text says 9, results/ say 10 (sectors(4,4,4) * 2)"]


def test_files_are_counted():
    problems: list[str] = []
    line = "<!--= files(lecture*/README.md) -->5<!--/--> and <!--= files(REUSE.*,SPDX) -->1<!--/-->, not"
    prose(FakeResults(), f"There are {line} <!--= files(REUSE.*,no_such_text) -->1<!--/-->.", False, problems)
    assert problems == ["the text says 1, results/ say 0 (files(REUSE.*,no_such_text))"]
    problems.clear()
    prose(FakeResults(), "All <!--= files(lecture*/README.md) -->10<!--/-->", False, problems)  # is not rounded to tens
    assert problems == ["the text says 10, results/ say 5 (files(lecture*/README.md))"]
    problems.clear()
    prose(FakeResults(), "None: <!--= files(nowhere/*.cu) -->0<!--/-->", False, problems)
    assert problems == ["no files: nowhere/*.cu"]


def test_a_page_keeps_what_it_does_not_make():
    note = Note("a/page.md", FakeResults())
    text = note.filled(["before", "<!-- listing /nowhere -->", "old", "<!-- end -->", "after", "<!-- code x y -->"])
    assert text == "before\n<!-- listing /nowhere -->\n<!-- end -->\nafter\n<!-- code x y -->\n"
    assert [problem.split(": ", 1)[1] for problem in note.problems] == [
        "a/page.md:2: cannot read /nowhere",
        "a/page.md:6: x has no piece and no function called y",
        "a/page.md:6: a generated part is not closed",
    ]


def test_links_lead_from_the_page_to_the_file():
    assert source_link("lecture01_a/x.md", "lecture01_a/b/c.cu") == "[c.cu](b/c.cu)"
    assert source_link("lecture01_a/x.md", "results/h200/x.csv") == "[x.csv](../results/h200/x.csv)"
    assert source_link("x.md", "./results/h200/x.csv") == "[x.csv](results/h200/x.csv)"


def test_turns_of_phrase_that_no_page_should_have_are_named():
    wrong = {
        "One block per row, and one warp an element.": ["one warp an element"],
        "Each lane reads a row: one lane a column.": ["one lane a column"],
        "Sectors are counted a warp; 128 bytes a cycle arrive.": ["counted a warp", "bytes a cycle"],
        "What stands below it compiles.": ["stands"],
        "The array shall be cleared.": ["shall"],
        "The error is told at once.": ["is told"],
        "It has a stream of its own, and a queue.": ["of its own"],
        "Mend, or mends, or mended.": ["mends", "mended"],
        "Two loads a lane, and 8 KB under way.": ["loads a lane", "under way"],
        "They run in turns, where n is no multiple of 4.": ["in turns", "no multiple of"],
        "The page says of a kernel that it waits.": ["says of a"],
    }
    for line, phrases in wrong.items():
        assert [said.split("'")[1] for _, said in problems_in(line)] == phrases, line
    right = [
        "One block per row; the bytes an access of a warp touches; 5 times a column of B.",
        "`cucc` stands in for nvcc, and CSR stands for compressed sparse rows.",
        'It says "what stands here", in `shall()`.',
        "    one thread an element, in code",
        "```c\nint shall;\n```",
        "Each GPU adds its own part, and each block of its own tile.",
        "A block loads a tile and stores a row; the two take turns.",
        "| 7 | next rows under way | 0.96 |",
    ]
    assert [found for line in right for found in problems_in(line)] == []


run_functions(dict(globals()))
folder.cleanup()
sys.exit(status())
