#!/usr/bin/env python3
"""Records the listings that lecture 3's compilation.md shows, in results/nvcc.

Usage: tools/notes/listings.py [--check]

It takes nvcc 13.0 and nvdisasm; the page is made from what is recorded. With --check nothing is written; the exit
status is 1 if a listing differs.
"""

from __future__ import annotations

import datetime
import os
import re
import shlex
import subprocess
import sys

LOOPS = "results/nvcc/lecture03/loops.csv"
LISTING = "tools/notes/listing.sh"
ARCH = "sm_90a"
LISTINGS = {
    "add-ptx": ["ptx", "lecture03_cuda_basics/add.cu", "add_kernel4"],
    "add-sass": ["sass", "lecture03_cuda_basics/add.cu", "add_kernel4"],
    "naive-loop": ["--loop", "FFMA", "--fold", "sass", "lecture03_cuda_basics/matmul_naive.cu", "matmul_kernel1"],
    "tile-loop": ["--loop", "FFMA", "--fold", "sass", "lecture14_tiling/gemm.cu", "gemm_kernel5"],
    "wgmma-loop": ["--loop", "HGMMA", "--fold", "sass", "lecture14_tiling/hopper.cu", "hopper3_kernel<128, 256, 4>"],
}
COUNTED = ["FFMA", "HGMMA", "LDG", "LDS"]


def output(command: list[str]) -> str:
    """What a command prints."""
    return subprocess.run(
        command, stdout=subprocess.PIPE, text=True, check=True, env={**os.environ, "ARCH": ARCH, "COURSE_LANG": "en"}
    ).stdout


def nvcc_version() -> str:
    toolkit = output(["tools/setup/device.sh", "--toolkit"]).strip()
    found = re.search(r"release ([0-9.]+)", output([f"{toolkit}/bin/nvcc", "--version"]))
    return found[1] if found else ""


def census(listing: str) -> list[tuple[int, str]]:
    """What a loop is made of: how many there are of each instruction."""
    line = re.search(r"^  in the loop: (.*)$", listing, re.MULTILINE)
    parts = [part.split() for part in line[1].split(", ")] if line else []
    return [(int(count), opcode) for count, opcode in parts]


def loops(listings: dict[str, str], versions: str) -> str:
    """What the three loops are made of, as a CSV file."""
    lines = [
        f"# device: {ARCH}",
        f"# date: {datetime.date.today()}",
        versions,
        "# command: tools/notes/listings.py",
        "loop,instructions," + ",".join(COUNTED),
    ]
    for name, listing in listings.items():
        if name.endswith("-loop"):
            counts = {opcode: count for count, opcode in census(listing)}
            figures = [sum(counts.values()), *(counts.get(opcode, 0) for opcode in COUNTED)]
            lines.append(",".join([name, *map(str, figures)]))
    return "\n".join(lines) + "\n"


def undated(text: str) -> list[str]:
    return [line for line in text.split("\n") if not line.startswith("# date")]


def settle(path: str, text: str, check: bool) -> bool:
    """Writes the file, or compares it; its date alone is no difference. False if it differs and is not written."""
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            if undated(file.read()) == undated(text):
                return True
    if check:
        print(f"listings: {path} is not what nvcc makes (tools/notes/listings.py)")
        return False
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    print(f"listings: {path}")
    return True


def main(arguments: list[str]) -> int:
    if arguments not in ([], ["--check"]):
        print("usage: listings.py [--check]", file=sys.stderr)
        return 2
    check = arguments == ["--check"]
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
    good = True
    listings = {}
    versions = f"# versions: nvcc {nvcc_version()}"
    for name, words in LISTINGS.items():
        listings[name] = output([LISTING, *words])
        command = f"# command: ARCH={ARCH} {LISTING} {shlex.join(words)}"
        good = settle(f"results/nvcc/{name}.txt", f"{command}\n{versions}\n{listings[name]}", check) and good
    good = settle(LOOPS, loops(listings, versions), check) and good
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
