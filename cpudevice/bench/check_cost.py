#!/usr/bin/env python3
"""Measures what `cucc --check` and the counters cost, in CPU time.

Usage: cpudevice/bench/check_cost.py [--no-bulk] [N]      (a matmul of N x N; 256)

As multiples of the plain build and of the plain build on fibers. "empty" is the checked program with callbacks that
return at once: what the compiler's instrumentation costs by itself, the least that a checker with a callback for each
access can cost. --no-bulk: no region is checked in bulk, so that each access has a callback.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys

from timing import CUCC, ROOT, heading

OUT = f"{ROOT}/build/cpu/check_cost"
SOURCE = f"{ROOT}/cpudevice/bench/check_cost.cu"
WAYS = ["plain", "fibers", "empty", "check", "counters"]
FLAGS = {"plain": [], "fibers": ["--no-split"], "check": ["--check"]}
IN_USE = 3 * 16777216  # bytes of the program's arrays
COLUMNS = (
    "kernel,plain_ms,fibers_ms,empty_ms,check_ms,counters_ms,empty_over_plain,check_over_plain,counters_over_plain,"
    "check_over_fibers,counters_over_fibers,check_ns_per_access,counters_ns_per_access"
)


def empty_callbacks() -> str:
    """C functions in place of the checker's callbacks."""
    lines = []
    for what in ("read", "write"):
        heads = [(f"void __tsan_{what}{size}(void *a)", "(void)a;") for size in (1, 2, 4, 8, 16)]
        heads.append((f"void __tsan_{what}_range(void *a, unsigned long n)", "(void)a; (void)n;"))
        lines += [f"{head};\n{head} {{ {body} }}\n" for head, body in heads]
    return "".join(lines)


def build_empty() -> None:
    """Builds the checked program with the library's callbacks replaced."""
    folder, cpu = f"{OUT}/empty", f"{ROOT}/build/cpu"
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    for name in ("cucc-driver", "cucc-compile", "built_for", "libcudacpu_check.a"):
        shutil.copy(f"{cpu}/{name}", folder)
    shutil.copytree(f"{cpu}/objects", f"{folder}/objects")
    for command in (
        ["ar", "x", "libcudacpu_check.a", "checker.o"],
        ["objcopy", "--wildcard", "-W", "__tsan_read*", "-W", "__tsan_write*", "checker.o"],
        ["ar", "rs", "libcudacpu_check.a", "checker.o"],
        ["touch", "cucc-driver", "cucc-compile", "libcudacpu_check.a"],  # newer than the sources
    ):
        subprocess.run(command, cwd=folder, stderr=subprocess.DEVNULL, check=True)
    with open(f"{OUT}/empty.c", "w", encoding="utf-8") as file:
        file.write(empty_callbacks())
    subprocess.run(["gcc", "-O2", "-c", "-o", f"{OUT}/empty.o", f"{OUT}/empty.c"], check=True)
    command = [CUCC, "--check", "-O3", "-o", f"{OUT}/cost_empty", SOURCE, f"{OUT}/empty.o"]
    subprocess.run(command, env={**os.environ, "CUCC_BUILD": folder}, check=True)


def run(way: str, n: str, bulk: bool) -> tuple[list[list[str]], str]:
    """A run: kernel, ms and accesses in each row, and what the checker says."""
    program = "check" if way == "counters" else way
    settings = {"CUDA_CPU_TOOLS": "counters" if way == "counters" else "", "CUDA_CPU_SHADOW": "1"}
    settings["CUDA_CPU_BULK"] = "1" if bulk and way != "empty" else "0"
    done = subprocess.run(
        [f"{OUT}/cost_{program}", n], capture_output=True, text=True, check=False, env={**os.environ, **settings}
    )
    return [line.split() for line in done.stdout.splitlines()], done.stderr


def main(arguments: list[str]) -> int:
    bulk = arguments[:1] != ["--no-bulk"]
    numbers = arguments if bulk else arguments[1:]
    n = numbers[0] if numbers else "256"
    if not n.isdigit() or len(numbers) > 1:
        print("usage: check_cost.py [--no-bulk] [N]", file=sys.stderr)
        return 2
    os.makedirs(OUT, exist_ok=True)
    for way, flags in FLAGS.items():
        subprocess.run([CUCC, *flags, "-O3", "-o", f"{OUT}/cost_{way}", SOURCE], check=True)
    build_empty()
    least: dict[tuple[str, str], float] = {}
    accesses: dict[str, float] = {}
    shadow = ""
    for _ in range(3):  # in turn, so that a busy moment of the machine meets all
        for way in WAYS:
            rows, said = run(way, n, bulk)
            shadow = said if way == "check" else shadow
            for kernel, ms, count in (row[:3] for row in rows):
                least[way, kernel] = min(least.get((way, kernel), float(ms)), float(ms))
                accesses.setdefault(kernel, float(count))
    print(heading(" ".join(["cpudevice/bench/check_cost.py", *([] if bulk else ["--no-bulk"]), n])))
    print(COLUMNS)
    for kernel, count in accesses.items():
        plain, fibers, empty, check, counters = (least[way, kernel] for way in WAYS)
        times = f"{plain:.2f},{fibers:.1f},{empty:.1f},{check:.1f},{counters:.1f}"
        ratios = [empty / plain, check / plain, counters / plain, check / fibers, counters / fibers]
        of_an_access = f"{1e6 * check / count:.2f},{1e6 * counters / count:.2f}"
        print(f"{kernel},{times},{','.join(f'{ratio:.1f}' for ratio in ratios)},{of_an_access}")
    found = re.search(r"^cucc --check: (\d+) bytes of shadow", shadow, re.MULTILINE)
    if found:
        print(f"# Shadow memory: {int(found[1]) / IN_USE:.2f} bytes for each byte in use.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
