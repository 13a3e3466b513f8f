"""No circle between the files of a part, no dead code, and no call that goes up but by the hooks.

A part is a folder with its rooms. NAME.c and NAME.h are one unit, and a unit that includes or calls another is above
it. What a file calls is what its object leaves undefined and another object of the folder defines.

    sh tests/house/layers.sh cpu                     the parts below
    sh tests/house/layers.sh arrows FOLDER           a folder's arrows, one per line: FROM TO WHY
"""

from __future__ import annotations

import glob
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tap import check, skip, status

# A part, and the objects that the build has left of it: their folder, and what makes ROOM/NAME a name there.
PARTS = {
    "cpudevice/runtime": ("build/cpu/objects/libcudacpu.a/runtime", "-", ".o"),
    "common": ("build/cpu/common", "/", ".c.o"),
    "cpudevice/checker": ("build/cpu/objects/libcudacpu_check.a/checker", "-", ".o"),
    "cpudevice/compiler": ("build/cpu/objects/cucc-compile/compiler", "-", ".o"),
    "cpudevice/libraries": ("build/cpu/objects/libcudacpu_libraries.a/libraries", "-", ".o"),
}
BUILD = "MAKEFLAGS= make -s DEVICE=cpu device-parts build/cpu/libcourse.a"
USERS = ("cpudevice", "common", "tools", "tests", *sorted(glob.glob("lecture*")), "solutions")
SOURCES = (".c", ".h", ".cu", ".cuh", ".cc", ".sh", ".py")

Arrow = tuple[str, str, str]


class Symbol(NamedTuple):
    unit: str
    name: str
    kind: str


def lines_of(path: str) -> list[str]:
    with open(path, encoding="latin-1") as file:
        return file.read().split("\n")


def below(folder: str, endings: tuple[str, ...]) -> list[str]:
    return sorted(
        os.path.join(at, name) for at, _, names in os.walk(folder) for name in names if name.endswith(endings)
    )


def unit_of(path: str) -> str:
    return os.path.basename(path).split(".")[0]


# ---- circles ----------------------------------------------------------------------------------------------------


def objects_of(folder: str, made: str) -> list[str] | None:
    """The objects of a folder's sources, of a part those of the build. None: one is missing, or does not compile."""
    if folder in PARTS:
        built, between, ending = PARTS[folder]
        names = [os.path.relpath(path, folder)[: -len(".c")].replace("/", between) for path in below(folder, (".c",))]
        objects = [f"{built}/{name}{ending}" for name in names]
        return objects if all(os.path.exists(path) for path in objects) else None
    objects = []
    for path in below(folder, (".c",)):
        objects.append(f"{made}/{unit_of(path)}.o")
        command = [os.environ.get("CUCC_CC", "gcc"), "-O0", "-w", "-I" + folder, "-c", path, "-o", objects[-1]]
        if subprocess.run(command, check=False).returncode:
            return None
    return objects


def symbols_of(folder: str) -> list[Symbol] | None:
    """What the objects of a folder define and need."""
    with tempfile.TemporaryDirectory() as made:
        objects = objects_of(folder, made)
        if objects is None:
            return None
        listed = subprocess.run(["nm", "-P", "-A", *objects], capture_output=True, check=True, text=True).stdout
    found = []
    for line in listed.splitlines():
        path, name, kind = line.split()[:3]
        found.append(Symbol(unit_of(path.rstrip(":")).rpartition("-")[2], name, kind))
    return found


def arrows_of(folder: str) -> tuple[list[Arrow], set[str]] | None:
    """The arrows between a folder's units, and the names that they define; None if a source has no object."""
    headers = {unit_of(path) for path in below(folder, (".h",))}
    found: set[Arrow] = set()
    for path in below(folder, (".c", ".h")):
        for line in lines_of(path):
            included = re.match(r'#include "([a-z_0-9/]*\.[a-z]*)"', line)
            if included and unit_of(included[1]) in headers - {unit_of(path)}:
                found.add((unit_of(path), unit_of(included[1]), "includes " + included[1]))
    symbols = symbols_of(folder)
    if symbols is None:
        return None
    home = {symbol.name: symbol.unit for symbol in symbols if re.fullmatch("[A-TV-Z]", symbol.kind)}
    for symbol in symbols:
        if symbol.kind in ("U", "w") and home.get(symbol.name, symbol.unit) != symbol.unit:
            found.add((symbol.unit, home[symbol.name], "calls " + symbol.name))
    return sorted(found), {symbol.name for symbol in symbols if symbol.kind in tuple("BDRTVW")}


def circle_of(arrows: Sequence[Arrow]) -> list[str]:
    """The arrows of one circle, as words; none if there is no circle."""
    why: dict[tuple[str, str], str] = {}
    to: dict[str, list[str]] = {}
    for start, end, reason in arrows:
        if why.setdefault((start, end), reason) is reason:
            to.setdefault(start, []).append(end)
    seen: set[str] = set()

    def visit(path: list[str]) -> list[str]:
        for following in to.get(path[-1], ()):
            if following in path:
                round_trip = [*path[path.index(following) :], following]
                return [f"{a} {why[a, b]} of {b}" for a, b in zip(round_trip, round_trip[1:])]
            if following not in seen:
                found = visit([*path, following])
                if found:
                    return found
        seen.add(path[-1])
        return []

    for start in to:
        found = [] if start in seen else visit([start])
        if found:
            return found
    return []


# ---- dead code --------------------------------------------------------------------------------------------------


def unused(names: set[str], folders: Sequence[str]) -> list[str]:
    """The names that a part defines for others and that nobody uses.

    NVIDIA's own names, and those that compilers and the C++ library call, are used by programs. A line that begins in
    the first column declares or defines what is before its { or =.
    """
    wanted = {name for name in names if not re.match("cu|nccl|nvml|nvrtc|__|_Z", name)}
    pasted: set[str] = set()
    for folder in folders:
        for path in below(folder, ("",)):
            if not path.endswith(SOURCES) and "/include/" not in path or os.path.islink(path):
                continue
            for line in lines_of(path):
                line = re.sub(r"/\*[^*]*(\*/|$)", "", re.sub("//.*", "", re.sub(r"^ *\*( .*|/.*)?$", "", line)))
                if re.match("[a-zA-Z_]", line) and "__asm__(" not in line and not path.endswith((".sh", ".py")):
                    line = re.sub("^[^{=]*", "", line)
                wanted.difference_update(re.split("[^a-zA-Z0-9_]+", line))
                part = re.search("([a-z_0-9]+)##", line)
                if part:
                    pasted.add(part[1])
    return sorted(name for name in wanted if not name.startswith(tuple(pasted)))


# ---- calls that go up -------------------------------------------------------------------------------------------


def hooks_of(path: str) -> list[str]:
    return [hook[1] for line in lines_of(path) if (hook := re.match(r"    [a-z].*\(\*([a-z_]*)\)\(", line))]


def pointers_in(path: str) -> Iterator[int]:
    """The lines with a function pointer at file scope, or in the struct of a variable there."""
    inside = False
    for number, line in enumerate(lines_of(path), 1):
        if re.match(r"(extern|static)? *(const )?struct [a-z_]* *\{|struct [a-z_]* \{", line):
            inside = line.startswith(("extern", "static"))
        if re.match(r"[a-z][a-z_ *]*\(\*(_Atomic )?[a-z_]+(\[[^]]*\])?\)\([^{]*(;| =.*)$", line):
            if not line.startswith("typedef"):
                yield number
        if inside and re.match(r" +[a-z].*\(\*[a-z_]+\)\(", line):
            yield number
        if line.startswith("}"):
            inside = False


def pointers(folders: Sequence[str]) -> list[str]:
    return [
        f"{path}:{number}"
        for folder in folders
        for path in below(folder, (".c", ".h"))
        if os.path.basename(path) not in ("hooks.h", "observer.h")
        for number in pointers_in(path)
    ]


# ---- the tests, and the test of them ----------------------------------------------------------------------------


def made(folder: str, files: dict[str, str]) -> str:
    os.makedirs(folder)
    for name, content in files.items():
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(content + "\n")
    return folder


def circles_are_found(top: str) -> None:
    high = "int high(void); int high(void) { int low(void); return low(); }"
    low = "int low(void); int low(void) { return 1; }"
    back = "int high(void); int middle(void) { return high(); } int low(void) { return middle(); }"
    includes = {"a.h": '#include "b.h"', "b.h": '#include "a.h"', "c.c": "int none;"}
    for name, files, expected in (
        ("layers", {"a.c": high, "b.c": low}, []),
        ("calls", {"a.c": high, "b.c": back}, ["a calls low of b", "b calls high of a"]),
        ("includes", includes, ["a includes b.h of b", "b includes a.h of a"]),
    ):
        found = arrows_of(made(f"{top}/{name}", files))
        got = sorted(circle_of(found[0])) if found else "it does not compile"
        check(f"a made folder: {name}", got == expected, got)


def the_rest_is_found(top: str) -> None:
    uses = (
        "void called(void);\nvoid none(void) { /* not none() */ called(); }\nint pasted_here;\n"
        "#define USE(x) pasted_##x"
    )
    got = unused({"called", "pasted_here", "none"}, [made(f"{top}/dead", {"a.c": uses})])
    check("a made folder: dead code", got == ["none"], got)
    declared = (
        "static void (*sleeps)(void);\nvoid (*told)(int number);\nextern struct all {\n    void (*spawn)(void);\n"
        "} all;\nvoid run(void (*body)(void));\nstruct one {\n    void (*free)(struct one *);\n};"
    )
    lines = [place.rpartition(":")[2] for place in pointers([made(f"{top}/pointers", {"a.h": declared})])]
    check("a made folder: function pointers", lines == ["1", "2", "4"], lines)


def main() -> int:
    if sys.argv[1:2] == ["arrows"]:
        found = arrows_of(sys.argv[2].rstrip("/"))
        print("\n".join(" ".join(arrow) for arrow in found[0]) if found else "a source has no object")
        return found is None
    if sys.argv[1:] not in ([], ["cpu"]):
        skip("layers: for the CPU device")
        return 0
    defined: set[str] = set()
    built = subprocess.run(BUILD, shell=True, check=False).returncode == 0
    check("the parts are built", built)
    for part in PARTS:
        found = arrows_of(part) if built else None
        circle = circle_of(found[0]) if found else ["a source has no object"]
        check(f"{part}: no circle between its files", not circle, *circle)
        defined |= found[1] if found else set()
    dead = unused(defined, USERS)
    check("nothing is defined for others and not used", not dead, *dead)
    # The listener of profile.c, which a tool gives by cpudev_subscribe(), is the one function pointer beside the hooks.
    for table in ("cpudevice/runtime/device/hooks.h", "cpudevice/checker/core/hooks.h"):
        hooks = hooks_of(table)
        check(f"{table}: {len(hooks)} calls go up: {' '.join(hooks)}", True)
    others = [
        at for at in pointers(("cpudevice/runtime", "cpudevice/checker", "cpudevice/viewer")) if "/profile.c:" not in at
    ]
    check("no call goes up in another way", not others, *others)
    with tempfile.TemporaryDirectory() as top:
        circles_are_found(top)
        the_rest_is_found(top)
    return status()


sys.exit(main())
