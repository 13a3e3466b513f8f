"""The texts of exercises and labs as pages, which are no files: what their Chinese pages are compared with.

A page of exercises has a section for each exercise of a lecture: what is asked, the hints, and what is said after a
pass. One of labs has one for each lab: its title, and what to look at.
"""

from __future__ import annotations

import glob
import os
import re

EXERCISES, LABS = "exercises.md", "labs.md"
STRING = r'"((?:[^"\\\n]|\\.)*)"'


def source(path: str) -> str:
    with open(path, encoding="utf-8") as file:
        return file.read()


def exercise(path: str) -> str:
    """The section of an exercise, from the first comment of its solution."""
    comment = re.match(r"/\*(.*?)\*/", source(path), re.DOTALL)[1]
    text = "\n".join(re.sub(r"^ \* ?", "", line).rstrip() for line in comment.split("\n")).strip()
    heading, _, rest = text.partition("\n")
    rest = re.sub(r"^Limits.*:\n(?:.+\n)*\n?", "", rest, flags=re.MULTILINE)
    return f"## {heading.removeprefix('Exercise ').strip()}\n\n{rest.strip()}\n"


def lab(path: str) -> str:
    """The section of a lab, or "" for a file that has none."""
    text = source(path)
    name, title = (
        re.search(r'\.name = "(\w+)"', text),
        re.search(rf"^\s+\.title =\s*{STRING}", text, re.MULTILINE),
    )
    look = re.search(rf"\.look =\s*((?:{STRING}\s*)+),", text)
    if not name or not title:
        return ""
    words = "".join(re.findall(STRING, look[1])) if look else ""
    said = words.replace("\\n", " ").replace('\\"', '"')
    return f"## {name[1]}\n\n{title[1]}\n\n{said}\n"


def pages() -> list[str]:
    """The pages that are no files."""
    return [f"{folder}/{EXERCISES}" for folder in sorted(glob.glob("solutions/lecture[0-9][0-9]_*"))] + [
        f"{folder}/{LABS}" for folder in sorted(glob.glob("lecture[0-9][0-9]_*"))
    ]


def page(path: str) -> str:
    folder, name = os.path.split(path)
    lecture = int(re.search(r"lecture(\d\d)_", path)[1])
    of = exercise if name == EXERCISES else lab
    sections = [of(one) for one in sorted(glob.glob(f"{folder}/*.cu"))]
    what = "exercises" if name == EXERCISES else "labs"
    return f"# Lecture {lecture}: the {what}\n\n" + "\n".join(filter(None, sections))
