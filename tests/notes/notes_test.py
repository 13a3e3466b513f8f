"""What the notes promise. The program on lecture 1's first page builds, runs and has no mistake in it (without its
guard it has one). What the notes name is there: notes_links.py."""

import re
import sys
import tempfile
from pathlib import Path

from tap import check, said, skip, status

device = (sys.argv[1:2] or ["cpu"])[0]
compiler = "nvcc" if device == "cuda" else "cpudevice/cucc"
PROGRAM, ROTATE = Path("lecture01_profiling/first/program.cu"), Path("lecture05_shared_memory/first/rotate.cu")


def run(source: str, *options: str) -> tuple[int, str, str]:
    """The program of this text: its exit status, what it prints, and what the compiler said if it did not build."""
    (work / "program.cu").write_text(source)
    got, words = said([*options, "-o", str(work / "program"), str(work / "program.cu")])
    return (got, "", words) if got else (*said([str(work / "program")]), "")


def prints(what: str, source: Path, numbers: str) -> None:
    got, words, built = run(source.read_text(), compiler)
    check(what, got == 0 and words.rstrip("\n") == numbers, words, built)


def checked(what: str, source: Path, without: str, finding: str) -> None:
    """cucc --check finds this in the program without the lines that match, or nothing."""
    lines = source.read_text().splitlines(keepends=True)
    left = "".join(line for line in lines if not without or without not in line)
    got, words, built = run(left, "cpudevice/cucc", "--check", "-g")
    good = f"\n{finding}: " in "\n" + words if finding else got == 0
    check(what, not built and good, words, built)


def shown_of_first() -> None:
    first = f"build/{device}/lecture01_profiling/first"
    built, words = said(["make", "-s", f"DEVICE={device}", first])
    if built == 0:
        _, words = said([first])
    page = Path("lecture01_profiling/README.md").read_text()
    lines = re.findall("(?m)^    (?:element|block|thread) .*", words)
    missing = [line for line in lines if line.rstrip() not in page]
    good = not missing and any(line.startswith("    thread ") for line in lines)
    check("what lab first prints is what lecture 1 shows", good, *missing, words)


with tempfile.TemporaryDirectory() as folder:
    work = Path(folder)
    prints("the program on lecture 1's first page doubles ten numbers", PROGRAM, "0 2 4 6 8 10 12 14 16 18 ")
    if device == "cpu":
        checked("it has no mistake", PROGRAM, "", "")
        checked("without its guard it has one", PROGRAM, "if (i < n)", "memcheck")
        checked("lecture 5's first kernel has a race without its barrier", ROTATE, "__syncthreads", "racecheck")
    else:
        skip("mistakes of the first page: no checker on a GPU")
    shown_of_first()
    prints("and turns eight numbers with it", ROTATE, "1 2 3 4 5 6 7 0 ")
sys.exit(status())
