"""What compiled kernels and our headers call in the runtime and the checker is declared once.

That is in cpudev_abi.h, which both sides include, so that the compiler compares declarations with definitions.
"""

from __future__ import annotations

import collections
import os
import re
import sys
from collections.abc import Iterator
from typing import NamedTuple

from tap import check, said, skip, status

ABI = "cpudevice/include/cpudev_abi.h"
PARTS = ("include", "runtime", "checker", "viewer", "libraries")
ELSEWHERE = (
    ("cpudev_assert_fail", "cpudevice/include/assert.h"),  # <assert.h> may come anywhere, so ours includes nothing
    ("cpudev_switch", None),  # fibers are switched in assembly, or by a function
)


class Function(NamedTuple):
    defined: bool
    name: str
    file: str


def functions_in(path: str) -> Iterator[Function]:
    """The functions cpudev_*, declared or defined, by what ends the text that begins in the first column."""
    text = ""
    with open(path, encoding="latin-1") as file:
        for line in file.read().split("\n"):
            line = re.sub(r"/\*[^*]*\*/", "", re.sub("//.*", "", line))
            if re.match(r"#| *\*| */\*", line):
                continue
            if text or re.match("[a-zA-Z_]", line):
                text += " " + (re.sub('^(extern )?"C" ', "", line) if not text else line)
            end = re.search("[;{]", text)
            if not end:
                continue
            head, text = text[: end.end()], ""
            name = re.search(r"[ *](cpudev_[a-z0-9_]*)\(", head)
            if name and not re.search("[=}]|static|inline|CPUDEV_|template|typedef|alias|__asm__", head):
                yield Function(head.endswith("{"), name[1], path)


def sources() -> Iterator[str]:
    for part in PARTS:
        for folder, _, names in os.walk("cpudevice/" + part):
            yield from (
                os.path.join(folder, name) for name in names if part == "include" or name.endswith((".c", ".h"))
            )


def holds_alone() -> None:
    include = f'#include "{os.path.basename(ABI)}"'
    for language, compiler, flags in (
        ("C11", os.environ.get("CUCC_CC", "gcc"), "-x c -std=c11 -pedantic"),
        ("C++", os.environ.get("CUCC_CXX", "g++"), "-x c++ -std=c++14"),
    ):
        flags += " -Wall -Wextra -Werror -Icpudevice/include -fsyntax-only -"
        failed, words = said([compiler, *flags.split()], input=include)
        check(f"cpudev_abi.h alone is {language}", failed == 0, words)


def main() -> int:
    if sys.argv[1:] not in ([], ["cpu"]):
        skip("abi: for the CPU device")
        return 0
    holds_alone()
    found = [function for path in sources() for function in functions_in(path)]
    declared = [
        f for f in found if not f.defined and (f.name, f.file) not in ELSEWHERE and (f.name, None) not in ELSEWHERE
    ]
    count = sum(f.file == ABI for f in declared)
    check(f"cpudev_abi.h declares the functions ({count})", count > 100)
    in_c = [f"{f.name} {f.file}" for f in declared if f.file.endswith(".c")]
    check("no .c file declares such a function", not in_c, *in_c)
    twice = [name for name, times in collections.Counter(f.name for f in declared).items() if times > 1]
    check("none is declared twice", not twice, *twice)
    names = {f.name for f in declared} | {"cpudev_switch"}
    unknown = [f"{f.name} {f.file}" for f in found if f.defined and f.file.endswith(".c") and f.name not in names]
    check("each that is defined is declared in a header", not unknown, *unknown)
    _, upward = said(["grep", "-rln", r'#include "[^"]*\(runtime\|checker\)/', "cpudevice/include"])
    check("no header of include/ includes one of the runtime or the checker", not upward, upward)
    return status()


sys.exit(main())
