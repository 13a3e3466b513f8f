"""%%cuda: compiles a cell, runs it, and shows what it printed, and what the CPU device found, counted or drew."""

from __future__ import annotations

import argparse
import html
import os
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path

from IPython.core.magic import Magics, cell_magic, magics_class
from IPython.display import display

from .compilers import Compiler, NoCompiler, compiler, course, told

EXERCISE = re.compile(r"\d{1,2}\.\d{1,2}")
SECONDS = 60  # that a cell may run, unless it says otherwise


class CellError(Exception):
    """A cell that cannot be run; the text is for whoever wrote it."""


class Options(argparse.ArgumentParser):
    """Options of a cell. A mistake is a message in the cell and not the end of the kernel."""

    def error(self, message: str):
        raise CellError(told(f"{message} (%%cuda --help)", f"{message}（见 %%cuda --help）"))

    def exit(self, status: int = 0, message: str | None = None):
        raise CellError(message or "")


def options() -> Options:
    parser = Options(
        prog="%%cuda",
        description=told(
            "Compiles the cell and runs it: with nvcc where a GPU answers, else with cucc for the CPU device.",
            "编译并运行这个单元格：有可用的 GPU 时用 nvcc，否则用 cucc 在 CPU 设备上运行。",
        ),
    )
    course_only = told("(in the course's folder)", "（在课程目录里）")
    helps: list[tuple[str, str, str]] = [  # with the name of the value, if the option has one
        (
            "--check",
            "",
            told(
                "find mistakes: races, accesses out of bounds, uninitialised reads ...",
                "查找错误：数据竞争、越界访问、读取没有初始化的内存等",
            ),
        ),
        (
            "--counters",
            "",
            told("count sectors, bank conflicts and requests by source line", "按源代码行统计扇区、存储体冲突和请求"),
        ),
        ("--view", "", told("show the last launch step by step below the cell", "在单元格下方逐步展示最后一次启动")),
        (
            "--profile",
            "",
            told("show the time of each call and kernel ", "显示每次调用和每个核函数的时间") + course_only,
        ),
        (
            "--model",
            "CHIP",
            told("the time that a model of this chip predicts, such as h100", "按芯片模型（如 h100）估计的时间"),
        ),
        (
            "--exercise",
            "N.M",
            told("the cell is the answer to this exercise: grade it ", "单元格是这道练习的答案：检查它") + course_only,
        ),
        ("--cpu", "", told("use the CPU device even if there is a GPU", "有 GPU 也使用 CPU 设备")),
        ("--save", "FILE", told("write the cell to this file as well", "同时把单元格写入这个文件")),
    ]
    for name, value, what in helps:
        if value:
            parser.add_argument(name, metavar=value, help=what)
        else:
            parser.add_argument(name, action="store_true", help=what)
    add = parser.add_argument
    longer = told(f"end a longer run (default {SECONDS})", f"运行超过这么多秒就终止（默认 {SECONDS}）")
    add("--timeout", metavar="SECONDS", type=int, default=SECONDS, help=longer)
    more = told("further compiler options, such as", "编译器的其他选项，如")
    add("--flags", metavar="OPTIONS", default="", help=f"{more} --flags='-O3 -lcublas'")
    add(
        "arguments",
        nargs="*",
        metavar="ARGUMENT",
        help=told("the program's arguments, after --", "程序的参数，写在 -- 之后"),
    )
    return parser


def parsed(line: str) -> argparse.Namespace:
    try:
        words = shlex.split(line)
    except ValueError as problem:
        raise CellError(str(problem)) from None
    given = options().parse_args(words)
    if given.exercise and not EXERCISE.fullmatch(given.exercise):
        english = f"--exercise takes a lecture and a number, such as 3.1, not {given.exercise}"
        raise CellError(told(english, f"--exercise 应为讲次和编号，如 3.1，而不是 {given.exercise}"))
    if given.timeout <= 0:
        raise CellError(told("--timeout takes a number of seconds above 0", "--timeout 应为大于 0 的秒数"))
    return given


def run(command: list[str], seconds: int, shown: Callable[[str], object], **options) -> int:
    """Runs a command and hands over each line of both of its outputs as it comes. Returns the exit status; 124 if the
    time was over or the cell was interrupted. The whole group of processes ends then."""
    late = threading.Event()

    def end() -> None:
        late.set()
        os.killpg(process.pid, signal.SIGKILL)

    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,
        **options,
    )
    timer = threading.Timer(seconds, end)
    timer.start()
    try:
        for line in process.stdout:
            shown(line)
        status = process.wait()
    except KeyboardInterrupt:
        end()
        process.wait()
        shown(told("%%cuda: interrupted\n", "%%cuda：已中断\n"))
        return 124
    finally:
        timer.cancel()
        process.stdout.close()
    if late.is_set():
        shown(told(f"%%cuda: ended after {seconds} s (--timeout)\n", f"%%cuda：{seconds} s 之后已终止（--timeout）\n"))
        return 124
    return status


def how_it_ended(status: int) -> str:
    """Nothing for status 0 and for what was explained already: 99 is cucc --check's, 124 ours."""
    if status in (0, 99, 124):
        return ""
    if status < 0:
        name = signal.Signals(-status).name
        return told(f"%%cuda: the program was ended by {name}\n", f"%%cuda：程序被 {name} 终止\n")
    return told(f"%%cuda: the program's exit status is {status}\n", f"%%cuda：程序的退出状态是 {status}\n")


def as_frame(page: str) -> str:
    """A page in a frame of its own, below the cell."""
    return f'<iframe srcdoc="{html.escape(page)}" width="100%" height="720" style="border: 1px solid #8888"></iframe>'


def needs_course(option: str) -> str:
    return told(
        f"{option} needs the course: work in its folder, or set CUDA_COURSE to it",
        f"{option} 需要课程：请在课程目录里工作，或者把 CUDA_COURSE 设为该目录",
    )


def grade(exercise: str, source: str, seconds: int) -> str:
    """The course's judgement on an answer. The learner's own file of the exercise is left as it is."""
    root = course()
    if not root:
        raise CellError(needs_course("--exercise"))
    lecture, number = (int(part) for part in exercise.split("."))
    files = list(root.glob(f"lecture{lecture:02}_*/exercises/ex{number:02}_*.cu"))
    if len(files) != 1:
        raise CellError(told(f"there is no exercise {exercise}", f"没有练习 {exercise}"))
    with tempfile.TemporaryDirectory() as folder:
        answer = Path(folder, "answer", files[0].relative_to(root))
        answer.parent.mkdir(parents=True)
        answer.write_text(source, encoding="utf-8")
        command = ["tools/grade", "--unsafe", "-e", exercise, "-o", f"{folder}/grades", f"{folder}/answer"]
        said: list[str] = []
        run([str(root / command[0]), *command[1:]], seconds, said.append, cwd=root)
        verdict = Path(folder, "grades", "students", "answer.txt")
        return verdict.read_text(encoding="utf-8") if verdict.exists() else "".join(said)


class Run:
    """A cell that is compiled and run in a folder of its own."""

    def __init__(self, given: argparse.Namespace, source: str, folder: str) -> None:
        self.given = given
        self.folder = Path(folder)
        self.source = self.folder / "cell.cu"
        self.source.write_text(source, encoding="utf-8")
        self.program = self.folder / "cell"
        self.checks = given.check or given.counters or given.view
        needs_cucc = self.checks or given.cpu or bool(given.model)
        self.compiler: Compiler = compiler(needs_cucc)

    def write(self, line: str) -> None:
        """A line of the compiler's or the program's, without the folder, so that it names the cell."""
        line = line.replace(f"{self.folder}/", "")
        if line != "view: view.html\n":
            sys.stdout.write(line)
            sys.stdout.flush()

    def build(self) -> None:
        """Compiles the cell. The first one builds the CPU device, of which the compiler says so at once."""
        flags = shlex.split(self.given.flags)
        if not self.compiler.is_cucc:
            flags = ["-arch=native", *flags]
        elif self.given.model:
            flags = ["--model", self.given.model, *flags]
        elif self.checks:
            flags = ["--check", *flags]
        command = [self.compiler.command, "-O3", "-std=c++17", *flags, "-o", str(self.program), str(self.source)]
        if run(command, 600, self.write):
            raise CellError(told("the cell does not compile", "单元格不能编译"))

    def environment(self) -> dict[str, str]:
        more = {}
        tools = []
        if self.given.check:
            tools += ["memcheck", "racecheck", "initcheck", "synccheck", "hostcheck"]
        if self.given.counters:
            tools += ["counters"]
        if self.checks:
            more["CUDA_CPU_TOOLS"] = ",".join(tools) or "none"
        if self.given.view:
            more["CUDA_CPU_VIEW"] = str(self.folder / "view.html")
        if self.given.model:
            more["CUDA_CPU_MODEL"] = self.given.model
        return {**os.environ, **more}

    def command(self) -> list[str]:
        command = [str(self.program), *self.given.arguments]
        if not self.given.profile:
            return command
        root = course()
        if not root:
            raise CellError(needs_course("--profile"))
        return [str(root / "tools" / "cuprof"), "--table", *command]

    def show(self) -> None:
        self.build()
        status = run(self.command(), self.given.timeout, self.write, env=self.environment(), cwd=self.folder)
        sys.stdout.write(how_it_ended(status))
        page = self.folder / "view.html"
        if self.given.view and page.exists():
            display({"text/html": as_frame(page.read_text(encoding="utf-8"))}, raw=True)


@magics_class
class CudaMagics(Magics):
    @cell_magic
    def cuda(self, line: str, cell: str) -> None:
        """Compiles the cell as CUDA C++ and runs it (%%cuda --help)."""
        try:
            given = parsed(line)
            if given.save:
                Path(given.save).write_text(cell, encoding="utf-8")
            if given.exercise:
                sys.stdout.write(grade(given.exercise, cell, 10 * given.timeout))
                return
            with tempfile.TemporaryDirectory(prefix="cuda-cell-") as folder:
                Run(given, cell, folder).show()
        except (CellError, NoCompiler, OSError) as problem:
            text = str(problem)
            if text:
                sys.stderr.write(text if text.endswith("\n") else f"%%cuda{told(': ', '：')}{text}\n")
