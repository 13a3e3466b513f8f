"""The texts of exercises and labs in Chinese: the pages that ./run prints from, solutions/LECTURE/exercises.zh.md and
LECTURE/labs.zh.md. Each has a section "## NAME TITLE" for an exercise, "## NAME" for a lab."""

from __future__ import annotations

import functools
import os
import re
import unicodedata

from markdown import COMMENT
from tree import read


@functools.cache
def sections(page: str) -> dict[str, tuple[str, list[str]]]:
    """By the name of an exercise or a lab: its heading without the name, and its lines."""
    found = {}
    for part in re.split(r"^## ", COMMENT.sub("", read(page)), flags=re.M)[1:]:
        heading, _, body = part.partition("\n")
        name, _, title = heading.strip().partition(" ")
        found[name] = title, re.sub(r"\n{3,}", "\n\n", body.strip()).split("\n")
    return found


def folded(line: str, columns: int = 76) -> list[str]:
    """A line that is set in columns, in several where it is long: none begins with a closing sign. A wide character
    counts two."""
    indent = re.match(r" *(?:\d+\. )?", line)[0]
    out, wide, last = [""], 0, ""
    for part in re.findall(r"[\x21-\x7e]+|.", line):
        width = sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in part)
        if wide + width > columns and part not in "，。；：？！）、”" and last not in "（“":
            out[-1] = out[-1].rstrip()
            out.append(" " * len(indent) + part.lstrip())
            wide = len(indent) + width
        else:
            out[-1] += part
            wide += width
        last = part
    return out


def exercise(solution: str, number: str) -> tuple[str, list[str]]:
    """The title of an exercise, and the lines of what is asked, the hints and what is said after a pass."""
    title, lines = sections(os.path.dirname(solution) + "/exercises.zh.md")[number]
    return title, [part for line in lines for part in (folded(line) if line.startswith("  ") else [line])]


def lab(name: str) -> list[str]:
    """What a lab is, a paragraph each: its title, and what to look at."""
    folder, base = os.path.split(name)
    return sections(folder + "/labs.zh.md")[base.removesuffix(".cu")][1]


def limits(lines: list[str]) -> list[str]:
    """The limits among the lines of an exercise's English text: they name what is counted, as the reports do."""
    first = next((i for i, line in enumerate(lines) if re.match(r"Limits.*:$", line)), len(lines))
    last = next((i for i, line in enumerate(lines) if i > first and not line), len(lines))
    return [
        re.sub(r"^Limits at (.*):", r"规模 \1 的限值：", line).replace("Limits:", "限值：")
        for line in lines[first:last]
    ]
