"""%%cuda: what a cell shows, and how it ends. The notebooks here are what the notes make."""

import io
import os
import re
import shutil
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout

from cuda_notebook.cell import CellError, how_it_ended, parsed
from cuda_notebook.compilers import course
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
from tap import check, run_functions, status

os.environ["PATH"] = "/usr/bin:/bin"  # no nvcc: the CPU device
TOP = os.getcwd()
SHELL = InteractiveShell.instance()
SHELL.run_line_magic("load_ext", "cuda_notebook")
RIGHT = """#include <cstdio>
__global__ void k(int *x)
{
    x[threadIdx.x] = threadIdx.x;
}
int main()
{
    int *x;
    cudaMallocManaged(&x, 32 * sizeof *x);
    k<<<1, 32>>>(x);
    cudaDeviceSynchronize();
    printf("%d\\n", x[31]);
    cudaFree(x);
}
"""
WRONG = RIGHT.replace("<<<1, 32>>>", "<<<1, 40>>>")
ANSWER = "solutions/lecture01_profiling/ex02_guard.cu"


def shown(line: str, cell: str) -> tuple[str, str, list]:
    """What the cell writes on each of its outputs, and what it displays."""
    with capture_output() as seen:
        SHELL.run_cell_magic("cuda", line, cell)
    return seen.stdout, seen.stderr, seen.outputs


def test_a_right_cell_prints_what_it_prints() -> None:
    out, err, _ = shown("", RIGHT)
    assert re.sub(r"cucc: first use.*\n", "", out) == "31\n" and err == "", (out, err)


def test_arguments_reach_the_program() -> None:
    out, err, _ = shown(
        "-- one 'two words'", 'extern "C" int puts(const char *);int main(int c, char **v) { puts(v[2]); }'
    )
    assert out.endswith("two words\n"), (out, err)


def test_findings_name_the_line_of_the_cell() -> None:
    out, _, _ = shown("--check", WRONG)
    assert "out of bounds" in out and "at cell.cu:4" in out and "1 error" in out, out
    out, _, _ = shown("--check", RIGHT)
    assert "0 errors" in out, out


def test_counters_count_four_sectors() -> None:
    out, _, _ = shown("--counters", RIGHT)
    row = next((line.split() for line in out.split("\n") if "cell.cu:4" in line), [])
    assert row[1:5] == ["global", "store", "1", "4"], out


def test_the_model_tells_a_time() -> None:
    out, _, _ = shown("--model h200", RIGHT)
    assert "model of the chip h200" in out and "us cold" in out and "not counted" not in out, out


def test_the_viewer_is_displayed() -> None:
    out, err, displayed = shown("--view", RIGHT)
    assert len(displayed) == 1 and "<iframe srcdoc=" in displayed[0].data["text/html"], (out, err)
    assert out.endswith("31\n"), out


def test_an_error_names_the_line_of_the_cell() -> None:
    out, err, _ = shown("", RIGHT.replace("threadIdx.x;", "threadIdx;"))
    assert "cell.cu:4" in out and "31\n" not in out and "does not compile" in err, (out, err)
    assert "/tmp" not in out, out


def test_an_exit_status_and_a_signal_are_told() -> None:
    out, _, _ = shown("", "int main() { return 3; }")
    assert out.endswith("exit status is 3\n"), out
    out, _, _ = shown("", "#include <cstdlib>\nint main() { abort(); }")
    assert "SIGABRT" in out, out
    assert how_it_ended(0) == how_it_ended(99) == ""


def test_a_cell_without_an_end_is_ended() -> None:
    out, _, _ = shown("--timeout 1", "int main() { for (volatile int i = 0;;) i = i + 1; }")
    assert "ended after 1 s" in out, out


def test_bad_options_are_refused() -> None:
    for line in ("--nothing", "--exercise 3", "--exercise ../x", "--timeout 0", "--timeout x", "'"):
        try:
            with redirect_stderr(io.StringIO()):
                parsed(line)
        except CellError as problem:
            assert str(problem), line
        else:
            raise AssertionError(line)
    assert shown("--exercise 9.9", RIGHT)[1] == "%%cuda: there is no exercise 9.9\n"


def test_help_lists_the_options() -> None:
    with redirect_stdout(io.StringIO()) as said:
        SHELL.run_cell_magic("cuda", "--help", "x")
    assert all(word in said.getvalue() for word in ("--check", "--exercise", "--view")), said.getvalue()


def test_an_answer_is_graded() -> None:
    with open(ANSWER) as file:
        answer = "".join(line for line in file if "TODO" not in line)
    stub = course() / "lecture01_profiling" / "exercises" / "ex02_guard.cu"
    before = stub.read_bytes()
    assert "1 of 1 points" in shown("--exercise 1.2", answer)[0]
    assert "0 of 1 points" in shown("--exercise 1.2", answer.replace("if (i < n)", "if (i <= n)"))[0]
    assert "to do" in shown("--exercise 1.2", before.decode())[0]
    assert stub.read_bytes() == before


def test_a_cell_is_saved() -> None:
    name = "build/notebook-saved.cu"
    shown(f"--save {name}", RIGHT)
    with open(name) as file:
        assert file.read() == RIGHT
    os.remove(name)


def test_without_a_compiler_it_says_what_to_do() -> None:
    os.chdir("/")
    try:
        error = shown("", RIGHT)[1]
    finally:
        os.chdir(TOP)
    assert "no compiler for CUDA is here" in error and "CUDA_COURSE" in error, error


def test_what_is_said_is_said_in_chinese() -> None:
    os.environ["COURSE_LANG"] = "zh"
    try:
        said = [
            shown("--help", RIGHT)[0],
            shown("--timeout 0", RIGHT)[1],
            shown("--exercise 99.9", RIGHT)[1],
            shown("--exercise 1.2", (course() / "lecture01_profiling" / "exercises" / "ex02_guard.cu").read_text())[0],
            shown("", RIGHT.replace("threadIdx.x;", "threadIdx;"))[1],
            shown("", 'extern "C" void exit(int); int main() { exit(3); }')[0],
        ]
    finally:
        del os.environ["COURSE_LANG"]
    expected = ["编译并运行这个单元格", "%%cuda：--timeout 应为", "没有练习 99.9", "：待做"]
    expected += ["单元格不能编译", "退出状态是 3"]
    assert [one for one, text in zip(expected, said, strict=True) if one not in text] == [], said


def main() -> int:
    if shutil.which("git") and not sys.argv[2:]:
        done = subprocess.run([sys.executable, "tools/notebook/make.py", "--check"], capture_output=True, text=True)
        check("the notebooks are what the notes make", done.returncode == 0, done.stdout + done.stderr)
    run_functions(globals())
    return status()


if __name__ == "__main__":
    sys.exit(main())
