"""The CSV files below results/: comment lines that say how they were measured, a line of names, rows."""

from __future__ import annotations

import csv as comma_separated
import os
import re
from dataclasses import dataclass, field

ABOUT = re.compile(r"(device|date|command|versions): ")
NUMBER = re.compile(r"\s*[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")


class NoteError(Exception):
    """What is wrong with a note; the caller adds the file and the line."""


def number(text: str) -> float:
    """The number that a text begins with, or 0."""
    found = NUMBER.match(text)
    return float(found[0]) if found else 0.0


def is_number(text: str) -> bool:
    return NUMBER.fullmatch(text.rstrip()) is not None


def same(a: str, b: str) -> bool:
    """Are two values equal, as numbers where both are numbers?"""
    return a == b or (is_number(a) and is_number(b) and number(a) == number(b))


@dataclass
class CsvFile:
    """One file: `rows` are dictionaries by the name of the column."""

    path: str
    columns: list[str] = field(default_factory=list)
    rows: list[dict[str, str]] = field(default_factory=list)
    about: dict[str, str] = field(default_factory=dict)
    remark: str = ""

    def column(self, name: str) -> str | None:
        """The column of that name, in which a note writes _ for a blank."""
        for candidate in (name, name.replace("_", " ")):
            if candidate in self.columns:
                return candidate
        return None

    def agrees(self, row: dict[str, str], where: str) -> bool:
        """Does a row agree with a condition such as rung=1|2&size=8192x8192?"""
        for condition in where.split("&") if where else []:
            name, equals, values = condition.partition("=")
            if not equals:
                raise NoteError(f"a condition without =: {condition}")
            # The whole condition of a table has blanks for _, the names of columns too.
            column = name if name in self.columns else self.column(name.replace(" ", "_"))
            if column is None:
                raise NoteError(f"{self.path} has no column {name.replace(' ', '_')}")
            value = row.get(column, "")
            if not any(same(value, v) or same(value, v.replace(" ", "_")) for v in values.split("|")):
                return False
        return True


def read(path: str) -> CsvFile:
    """Reads a file of results."""
    csv = CsvFile(path)
    try:
        with open(path, encoding="utf-8", newline="") as file:
            lines = file.read().split("\n")
    except OSError:
        raise NoteError(f"cannot read {path}") from None
    if lines[-1] == "":
        lines.pop()
    for line in lines:
        line = line.removesuffix("\r")
        if line.startswith("# "):
            key = ABOUT.match(line, 2)
            if key:
                csv.about[key[1]] = line[key.end() :]
            else:
                csv.remark += (" " if csv.remark else "") + line[2:]
        elif not csv.columns:
            csv.columns = line.split(",")
        else:
            cells = next(comma_separated.reader([line]), [""])
            csv.rows.append(dict(zip(csv.columns, cells, strict=False)))
    if not csv.columns:
        raise NoteError(f"cannot read {path}")
    return csv


def path_of(name: str) -> str:
    """The file that a note calls h200/lecture03-add: of its device, in its lecture's folder or beside that. A name that
    begins with cpudevice/ is a path: the CPU device keeps its own records."""
    if name.startswith("cpudevice/"):
        return name + ".csv"
    device, _, file = name.rpartition("/")
    lecture = re.match(r"(lecture\d\d)-(.*)", file)
    path = os.path.join("results", device, lecture[1], lecture[2] + ".csv") if lecture else ""
    return path if os.path.exists(path) else os.path.join("results", device, file + ".csv")


def label(path: str) -> str:
    """A file's name on the page of measurements, such as lecture03-add."""
    folder, _, file = path.removesuffix(".csv").rpartition("/")
    lecture = os.path.basename(folder)
    return f"{lecture}-{file}" if lecture.startswith("lecture") else file


def place(path: str) -> tuple[str, str]:
    """A file's anchor on the page of measurements, and its heading there. Both name the device, unless that is an H200,
    or no table of an H200 has this name."""
    if path.startswith("results/cpu/"):
        return f"cpu-{label(path)}", f"{label(path)}, on the CPU device"
    if path.startswith("results/h100/") and os.path.exists(path.replace("h100", "h200", 1)):
        return f"h100-{label(path)}", f"{label(path)}, on an H100"
    return label(path), label(path)


class Results:
    """Files of results, each read once."""

    def __init__(self) -> None:
        self._files: dict[str, CsvFile] = {}

    def load(self, path: str) -> CsvFile:
        if path not in self._files:
            self._files[path] = read(path)
        return self._files[path]
