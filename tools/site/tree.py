"""The repository as the site sees it: which files are tracked, and which page of the site shows each."""

from __future__ import annotations

import functools
import os
import re
import subprocess

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PAGES_LEFT_OUT = (".github/", "tests/course/", "data/")  # Markdown that is no page for a reader
SOURCE_ENDINGS = (".cu", ".cuh", ".c", ".h", ".py", ".sh", ".csv", ".txt")


@functools.cache
def tracked() -> tuple[str, ...]:
    """The files that git knows or would add, sorted."""
    command = ["git", "-C", TOP, "ls-files", "-coz", "--exclude-standard"]
    listed = subprocess.run(command, capture_output=True, check=True, text=True).stdout
    return tuple(sorted(name for name in listed.split("\0") if name and os.path.isfile(os.path.join(TOP, name))))


def read(name: str) -> str:
    with open(os.path.join(TOP, name), encoding="utf-8") as file:
        return file.read()


@functools.cache
def notes() -> tuple[str, ...]:
    """Every page in Markdown that the site shows."""
    return tuple(name for name in tracked() if name.endswith(".md") and not name.startswith(PAGES_LEFT_OUT))


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
    if name in labs():  # in a folder of their own: a lecture may have attention.cu and attention.md
        folder, base = os.path.split(name)
        return f"{folder}/labs/{base[: -len('.cu')]}"
    if name in exercises() or (name.startswith("solutions/") and name.endswith(".cu")):
        return name[: -len(".cu")]
    return "source/" + name if name in tracked() and name.endswith(SOURCE_ENDINGS) else None
