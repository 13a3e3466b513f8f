"""The repository as the site sees it: which files are tracked, and which page of the site shows each."""

from __future__ import annotations

import functools
import os
import re
import subprocess
from collections.abc import Iterator

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PAGES_LEFT_OUT = (".github/", "tests/course/", "data/")  # Markdown that is no page for a reader
REFERENCE = ["docs/pieces", "docs/glossary", "docs/sources", "docs/measuring", "docs/grading"]
ZH = "zh/"  # what the names of pages in Chinese begin with
NOT_OURS = {"build", ".git", "__pycache__", ".course", "kept"}  # folders
SOURCE_ENDINGS = (".cu", ".cuh", ".c", ".h", ".py", ".sh", ".csv", ".txt")


def listed() -> list[str]:
    """The files that git knows or would add, sorted; without git or a clone, all but what is built."""
    command = ["git", "-C", TOP, "ls-files", "-coz", "--exclude-standard"]
    try:
        names = subprocess.run(command, capture_output=True, check=True, text=True).stdout.split("\0")
    except (OSError, subprocess.CalledProcessError):
        names = []
    if not any(names):  # git knows nothing of a copy in a folder that the clone around it ignores
        names = [os.path.relpath(name, TOP) for name in below(TOP)]
    return sorted(name for name in names if name and os.path.isfile(os.path.join(TOP, name)))


def below(top: str) -> Iterator[str]:
    for folder, folders, names in os.walk(top):
        folders[:] = [name for name in folders if name not in NOT_OURS]
        yield from (os.path.join(folder, name) for name in names)


@functools.cache
def tracked() -> tuple[str, ...]:
    """The files of the course, as they were when this program began."""
    return tuple(listed())


def read(name: str) -> str:
    with open(os.path.join(TOP, name), encoding="utf-8") as file:
        return file.read()


@functools.cache
def notes() -> tuple[str, ...]:
    """Every page in Markdown that the site shows: the English ones."""
    left_out = PAGES_LEFT_OUT
    return tuple(name for name in tracked() if re.search(r"(?<!\.zh)\.md$", name) and not name.startswith(left_out))


@functools.cache
def chinese() -> tuple[str, ...]:
    """The pages in Chinese: X.zh.md beside X.md, and the table of terms, which is in Chinese only. Texts of exercises
    and labs (told.py) are on the pages of those."""
    of_lectures = re.compile(r"/(exercises|labs)\.zh\.md$")
    names = [name for name in tracked() if name.endswith(".zh.md") and not name.startswith(PAGES_LEFT_OUT)]
    return tuple(name for name in names if not of_lectures.search(name))


@functools.cache
def in_chinese() -> frozenset[str]:
    """The names of the English pages that are there in Chinese as well, each below zh/."""
    pages = {(page_of(name) or "").removeprefix(ZH) for name in chinese()} & {page_of(name) or "" for name in notes()}
    lists = {f"{folder}/{kind}/index" for folder in lectures() for kind in ("labs", "exercises")}
    return frozenset(pages | lists | {page_of(name) or "" for name in labs() + exercises()})


@functools.cache
def labs() -> tuple[str, ...]:
    return tuple(name for name in tracked() if re.fullmatch(r"lecture\d\d_\w+/\w+\.cu", name))


@functools.cache
def exercises() -> tuple[str, ...]:
    return tuple(name for name in tracked() if re.fullmatch(r"lecture\d\d_\w+/exercises/\w+\.cu", name))


def solution_of(exercise: str) -> str:
    return "solutions/" + exercise.replace("/exercises/", "/")


@functools.cache
def page_of(name: str) -> str | None:
    """The page that shows a file or a folder, without its ending, or None where none does."""
    if name in ("", "."):
        return "index"
    if name in notes():
        folder, base = os.path.split(name)
        return os.path.join(folder, "index" if base == "README.md" else base[: -len(".md")])
    if name + "/README.md" in tracked():
        return name + "/index"
    if name in chinese():
        folder, base = os.path.split(name)
        base = base[: -len(".zh.md")]
        return ZH + os.path.join(folder, "index" if base == "README" else base)
    if name in labs():  # in a folder of their own: a lecture may have attention.cu and attention.md
        folder, base = os.path.split(name)
        return f"{folder}/labs/{base[: -len('.cu')]}"
    if name in exercises() or (name.startswith("solutions/") and name.endswith(".cu")):
        return name[: -len(".cu")]
    return "source/" + name if name in tracked() and name.endswith(SOURCE_ENDINGS) else None


def lectures() -> list[str]:
    return sorted({name.split("/")[0] for name in labs()})


def further(folder: str) -> list[str]:
    """The further pages of a lecture's notes."""
    return [page_of(n) or "" for n in notes() if n.startswith(folder + "/") and not n.endswith("/README.md")]


def rest() -> tuple[list[str], list[str]]:
    """The pages on the CPU device, and those on the project."""
    device = [page_of(n) or "" for n in notes() if n.startswith("cpudevice/")]
    listed = {*device, *REFERENCE, "index", *(p for f in lectures() for p in [f + "/index", *further(f)])}
    return device, [page_of(n) or "" for n in notes() if page_of(n) not in listed]


def book() -> list[str]:
    """The pages of the book: front page, lectures with their further pages, reference, the CPU device."""
    of_lectures = [page for folder in lectures() for page in [folder + "/index", *further(folder)]]
    return ["index", *of_lectures, *(page for page in REFERENCE if page != "docs/pieces"), *rest()[0]]
