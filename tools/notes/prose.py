"""Figures in the prose: <!--= EXPRESSION -->9.5<!--/--> must be its cells, rounded to as many places as it shows.

An expression is cells and numbers, joined by / * - +, evaluated from left to right. A cell is FILE[CONDITION].COLUMN,
with FILE below results/ (h200/ where it names no folder), or the path of a record of the CPU device, without .csv;
`.rows` in place of a column is the number of rows that agree. What reads otherwise by the usual rules, a * b - c * d,
is refused. `sectors(FIRST,STRIDE,BYTES)` and `turns(...)` are
counts of one access of a warp (warp.py). `files(PATTERN)` is the number of the repository's files of a pattern,
`files(PATTERN,TEXT)` of those that hold a text.
"""

from __future__ import annotations

import glob
import re

from .csv_file import NoteError, Results, number, path_of
from .warp import FUNCTIONS

FIGURE = re.compile(r"<!--= *([^>]*?) *-->([^<]*)<!--/-->")
CELL = re.compile(r"([a-z0-9_/-]+)\[([^]]*)\]\.([A-Za-z0-9_/]+)")
COUNT = re.compile(rf"({'|'.join(FUNCTIONS)})\((\d+),(\d+),(\d+)\)")
FILES = re.compile(r"files\(([\w/*.]+)(?:,([^)]+))?\)")
WORD = re.compile(r"(?:\[[^]]*\]|[^\s\[]|\[)+")  # a blank within brackets belongs to the condition
SHOWN = re.compile(r"-?[0-9]+(\.[0-9]+)?")


def cell(results: Results, name: str, where: str, column: str) -> float:
    """The number in the one row that agrees with a condition."""
    csv = results.load(path_of(name if "/" in name else f"h200/{name}"))
    hits = [row for row in csv.rows if csv.agrees(row, where)]
    if column == "rows":
        return len(hits)
    found = csv.column(column)
    if found is None:
        raise NoteError(f"{csv.path} has no column {column}")
    if len(hits) != 1:
        raise NoteError(f"{len(hits)} rows of {csv.path} where {where}")
    return number(hits[0].get(found, ""))


def files(pattern: str, text: str | None) -> int:
    """How many files there are of a pattern, or of those that hold a text."""
    found = glob.glob(pattern)
    if not found:
        raise NoteError(f"no files: {pattern}")
    if text is None:
        return len(found)
    count = 0
    for path in found:
        with open(path, encoding="utf-8") as f:
            count += text in f.read()
    return count


def value(results: Results, word: str) -> float:
    """A number, a count of one access or of files, or a cell."""
    if re.fullmatch(r"[0-9.]+", word):
        return number(word)
    counted = COUNT.fullmatch(word)
    if counted:
        return FUNCTIONS[counted[1]](*map(int, counted.groups()[1:]))
    listed = FILES.fullmatch(word)
    if listed:
        return files(*listed.groups())
    found = CELL.fullmatch(word)
    if not found:
        raise NoteError(f"not a cell: {word}")
    return cell(results, *found.groups())


def evaluate(results: Results, expression: str) -> float:
    """The value of an expression, from left to right."""
    words = WORD.findall(expression)
    if len(words) % 2 == 0:
        raise NoteError(f"not an expression: {expression}")
    if re.search(r"[*/][-+]+[*/]", "".join(words[1::2])):
        raise NoteError(f"two products in a sum, which is evaluated from left to right: {expression}")
    left = value(results, words[0])
    for operation, word in zip(words[1::2], words[2::2], strict=True):
        right = value(results, word)
        if operation == "/":
            if right == 0:
                raise NoteError("divides by nothing")
            left /= right
        elif operation == "*":
            left *= right
        elif operation == "-":
            left -= right
        elif operation == "+":
            left += right
        else:
            raise NoteError(f"not an operation: {operation}")
    return left


def rounded(shown: str, true: float) -> str | None:
    """None if `shown` is `true`, rounded to as many places as it shows; else what it should be."""
    plain = shown.replace(",", "")
    if not SHOWN.fullmatch(plain):
        raise NoteError(f"not a figure: {shown}")
    places = len(plain) - plain.index(".") - 1 if "." in plain else 0
    unit = 10.0**-places
    zeros = len(plain) - len(plain.rstrip("0"))
    if not places and zeros and float(plain) != 0:
        unit = 10.0**zeros
    if abs(true - float(plain)) <= 0.5001 * unit:
        return None
    return f"{true:.{places}f}" if places else str(int(int(true / unit + 0.5) * unit))


def prose(results: Results, line: str, accept: bool, problems: list[str]) -> str:
    """A line of a note, with its figures compared with their cells; with `accept` they are rewritten instead."""

    def settled(found: re.Match[str]) -> str:
        expression, shown = found.groups()
        try:
            true = evaluate(results, expression)
            if FILES.fullmatch(expression):
                exact = f"{true:g}"  # 81 exercises are not "80"
                should_be = None if shown == exact else exact
            else:
                should_be = rounded(shown, true)
            if should_be is not None and accept:
                shown = should_be
            elif should_be is not None:
                problems.append(f"the text says {shown}, results/ say {true:.5g} ({expression})")
        except NoteError as problem:
            problems.append(str(problem))
        return f"<!--= {expression} -->{shown}<!--/-->"

    out = FIGURE.sub(settled, line)
    if "<!--=" in FIGURE.sub("", line):
        problems.append("a figure is not closed on its line")
    if re.match(r"[ \t]*(> *)?<!--=", out):
        problems.append("a line begins with a figure: Markdown would end the paragraph there")
    return out
