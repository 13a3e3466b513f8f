"""On a disk that is full a lab names the cause and ends with status 2, whatever it was to write: its figures, those of
a second table, a trace, a page, a picture of a kernel. The disk is a tmpfs of a few KB."""

import re
import shutil
import sys
from pathlib import Path

from sandbox import disk, needs_sandbox, on_disk
from tap import check, said, status

LABS = ("lecture03_cuda_basics/add", "lecture03_cuda_basics/greyscale", "lecture11_sparsity/masks")
ADD = "./run add --device cpu --size 4096 --runs 2 --rung 1"


def refuses(what: str, file: str, command: str, status_is_2: bool = True) -> None:
    """On a disk of 16 KB that has the file already and no room."""
    got, words = on_disk(16384, f": >{disk}/{file}; cat /dev/zero >{disk}/zeros 2>/dev/null; {command}")
    good = (got == 2 if status_is_2 else got != 0) and f"cannot write {disk}/{file}: No space left on device" in words
    check(what, good, got, words)


def line_of_the_sum() -> int:
    """The first line after __global__ that writes z."""
    lines = list(enumerate(Path("lecture03_cuda_basics/add.cu").read_text().split("\n"), 1))
    start = next(number for number, line in lines if "__global__" in line)
    return next(number for number, line in lines if number >= start and re.search(r"z\[.*\] = ", line))


needs_sandbox("a full disk", "bwrap --bind / / --unshare-user --size 4096 --tmpfs /tmp true")
said(["make", "-s", *(f"build/cpu/{lab}" for lab in LABS)])
refuses(
    "its figures, which fill no buffer", "g.csv", f"./run greyscale --device cpu --small --runs 2 --csv {disk}/g.csv"
)
refuses("a second table", "m_energy.csv", f"./run masks --device cpu --small --csv {disk}/m.csv")
refuses("a trace", "a.json", f"{ADD} --trace {disk}/a.json")
refuses("a page", "a.html", f"{ADD} --view {disk}/a.html")
if shutil.which("node") or shutil.which("qjs"):
    refuses("a picture", "a.svg", f"{ADD} --view {disk}/a.svg --view-svg {line_of_the_sum()}")
if shutil.which("gnuplot"):
    refuses("a plot", "m.svg", f"./run masks --device cpu --small --plot={disk}/m", status_is_2=False)
sys.exit(status())
