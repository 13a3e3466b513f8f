#!/usr/bin/env python3
"""architecture.py [--check]: draws docs/architecture.svg: the parts of the repository and which includes which, and
docs/architecture.zh.svg, the same in Chinese.

The solid arrows are read from the sources' #include lines, so that the picture cannot differ from the code; the dashed
ones, "runs", are the few processes that a part starts. --check writes nothing and fails if the picture is not what the
sources make, or if an arrow runs upwards: a part may include only what is drawn below it.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
PICTURES = {"en": "docs/architecture.svg", "zh": "docs/architecture.zh.svg"}

# name: (folders, words, column, row); a row is below those that may include it
PARTS: dict[str, tuple[tuple[str, ...], str, int, int]] = {
    "lectures": (("lecture", "solutions/"), "labs, exercises, solutions, notes", 0, 0),
    "tools": (("tools/",), "make, ./run, grading, notes", 1, 0),
    "common": (("common/",), "lab, measure, profiler, sparse", 0, 1),
    "driver": (("cpudevice/driver/",), "cucc: options, builds, links", 3, 1),
    "viewer": (("cpudevice/viewer/",), "a launch as a page", 2, 2),
    "checker": (("cpudevice/checker/",), "memory, races, barriers, counts", 2, 3),
    "libraries": (("cpudevice/libraries/",), "cuBLAS, cuFFT, cuDNN, ...", 1, 3),
    "compiler": (("cpudevice/compiler/",), "CUDA C++ to C++", 3, 3),
    "runtime": (("cpudevice/runtime/",), "blocks, streams, memory, graphs", 2, 4),
    "include": (
        ("cpudevice/include/",),
        "NVIDIA's headers under their own names, and the ABI of kernels: cpudev_*.h",
        0,
        5,
    ),
}
CHINESE = {
    "lectures": "实验、练习、答案、讲义",
    "tools": "make、./run、判分、讲义",
    "common": "实验、测量、性能分析、稀疏",
    "driver": "cucc：选项、编译、链接",
    "viewer": "把一次启动做成网页",
    "checker": "内存、数据竞争、屏障、计数",
    "libraries": "cuBLAS、cuFFT、cuDNN 等",
    "compiler": "CUDA C++ 变成 C++",
    "runtime": "线程块、流、内存、图",
    "include": "NVIDIA 的头文件，名字不变；以及核函数的 ABI：cpudev_*.h",
}
TITLE = {"en": "The parts of the repository, and which includes which", "zh": "仓库的各个部分，以及谁包含谁"}
KEY = {
    "en": "a solid arrow: includes; a dashed arrow: runs; blue boxes: cpudevice/, which stands alone",
    "zh": "实线箭头：包含；虚线箭头：运行；蓝色的框：cpudevice/，可以独立使用",
}
WIDE = {"include": 4}  # columns
COURSE = {"lectures", "tools", "common"}
RUNS = [("tools", "driver"), ("driver", "compiler")]
WIDTH, HEIGHT, COLUMN, ROW = 230, 58, 262, 105


def part_of(path: str) -> str | None:
    """The part that a file belongs to."""
    return next((name for name, (folders, *_) in PARTS.items() if path.startswith(folders)), None)


def arrows(files: list[str]) -> dict[tuple[str, str], int]:
    """How many #include lines lead from a part to another."""
    where: dict[str, list[str]] = {}
    for file in files:
        where.setdefault(file.rpartition("/")[2], []).append(file)
    found: dict[tuple[str, str], int] = {}
    for file in files:
        source = part_of(file)
        if not source or not file.endswith((".c", ".h", ".cu", ".cuh")):
            continue
        for header in re.findall(r'^#include "([^"]+)"', (TOP / file).read_text(errors="replace"), re.M):
            name = header.removeprefix("../").lstrip("./")
            targets = [t for t in where.get(header.rpartition("/")[2], []) if t.endswith("/" + name) and part_of(t)]
            parts = {part_of(t) for t in targets}
            parts &= COURSE | {"include"} if source in COURSE else set(PARTS) - COURSE  # where the compiler looks
            if parts and source not in parts:
                target = max(parts, key=lambda p: PARTS[p][3] if p else -1)
                found[source, target] = found.get((source, target), 0) + 1  # type: ignore[index]
    return found


def place(name: str) -> tuple[float, float]:
    """The upper left corner of a part's box."""
    _, _, column, row = PARTS[name]
    return 20 + column * COLUMN, 40 + row * ROW


def line(a: str, b: str, kind: str) -> str:
    """An arrow from one box to another."""
    (ax, ay), (bx, by) = place(a), place(b)
    if b in WIDE:  # straight down, each on a line of its own
        start = (ax + WIDTH * (0.2, 0.5, 0.8, 0.12, 0.5)[PARTS[a][3]], ay + HEIGHT)
        end = (start[0], by)
    elif ax == bx:
        start, end = (
            (ax + WIDTH * (0.4 if kind == "runs" else 0.5), ay + HEIGHT),
            (bx + WIDTH * (0.4 if kind == "runs" else 0.5), by),
        )
    else:
        start = (ax + WIDTH * (0.85 if bx > ax else 0.15), ay + HEIGHT)
        end = (bx + WIDTH * (0.15 if bx > ax else 0.85), by)
    return f'<line class="{kind}" x1="{start[0]:g}" y1="{start[1]:g}" x2="{end[0]:g}" y2="{end[1]:g}"/>'


def draw(found: dict[tuple[str, str], int], language: str) -> str:
    """The picture, with its words in that language."""
    height = 20 + 6 * ROW
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1060 {height}" font-family="sans-serif" font-size="12"'
        f' role="img" aria-label="{TITLE[language]}">',
        "<style>.box{fill:#f6f8fa;stroke:#57606a}.device{fill:#ddf4ff}.arrow{stroke:#57606a;marker-end:url(#tip)}"
        ".runs{stroke:#0969da;stroke-dasharray:5 4;marker-end:url(#tip)}text{fill:#1f2328}.small{fill:#57606a}</style>",
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto">'
        '<path d="M0 0 8 4 0 8z" fill="#57606a"/></marker></defs>',
        f'<rect x="0" y="0" width="1060" height="{height}" fill="#ffffff"/>',
        f'<text class="small" x="20" y="24">{KEY[language]}</text>',
    ]
    out += [line(a, b, "arrow") for a, b in sorted(found)] + [line(a, b, "runs") for a, b in RUNS]
    for name, (folders, words, *_) in PARTS.items():
        x, y = place(name)
        kind = "box device" if folders[0].startswith("cpudevice/") else "box"
        out.append(
            f'<rect class="{kind}" x="{x:g}" y="{y:g}" width="{WIDTH + (WIDE.get(name, 1) - 1) * COLUMN}"'
            f' height="{HEIGHT}" rx="6"/>'
        )
        out.append(f'<text x="{x + 12:g}" y="{y + 24:g}" font-weight="bold">{name}</text>')
        out.append(
            f'<text class="small" x="{x + 12:g}" y="{y + 43:g}">{words if language == "en" else CHINESE[name]}</text>'
        )
    return "\n".join([*out, "</svg>"]) + "\n"


def main() -> int:
    listed = subprocess.run(["git", "-C", str(TOP), "ls-files"], capture_output=True, check=True, text=True).stdout
    files = [f for f in listed.splitlines() if not f.startswith("cpudevice/tests/") and (TOP / f).is_file()]
    found = arrows(files)
    upwards = [f"{a} includes {b}, {n} times" for (a, b), n in found.items() if PARTS[a][3] >= PARTS[b][3]]
    for language, name in PICTURES.items():
        picture, there = draw(found, language), TOP / name
        if "--check" not in sys.argv:
            there.write_text(picture)
        elif not there.exists() or there.read_text() != picture:
            print(f"{name} is not what the sources make: tools/pictures/architecture.py draws it anew")
            return 1
    for words in upwards:
        print(f"an arrow runs upwards: {words}")
    return 1 if upwards else 0


if __name__ == "__main__":
    sys.exit(main())
