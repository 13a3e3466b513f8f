"""A piece of a source file: what is between "// notes: NAME" (Python: #) and "// notes end", or a whole function."""

from __future__ import annotations

import re

from .csv_file import NoteError

BEGINS = re.compile(r"[ \t]*(?://|#) notes: [a-z_0-9]+")
ENDS = re.compile(r"[ \t]*(?://|#) notes end")


def read_lines(path: str) -> list[str]:
    """The lines of a file; none if it cannot be read."""
    try:
        with open(path, encoding="utf-8", newline="") as file:
            lines = file.read().split("\n")
    except OSError:
        return []
    return lines[:-1] if lines[-1] == "" else lines


def marked(lines: list[str], path: str, name: str) -> list[str] | None:
    """The piece of that name, or None. Pieces may lie within each other: the markers of inner ones are left out."""
    begin = re.compile(r"[ \t]*(?://|#) notes: " + re.escape(name))
    depth, found = 0, False
    piece: list[str] = []
    for line in lines:
        if begin.fullmatch(line):
            if found:
                raise NoteError(f"{path} has two pieces called {name}")
            found, depth = True, 1
        elif depth and BEGINS.fullmatch(line):
            depth += 1
        elif depth and ENDS.fullmatch(line):
            depth -= 1
        elif depth:
            piece.append(line)
    if depth:
        raise NoteError(f"{path}: the piece {name} is not closed")
    return piece if found else None


def function(lines: list[str], path: str, name: str) -> list[str] | None:
    """The definition that begins at the left margin and names it, to the brace that closes it there, or None."""
    called = re.compile(r"[ *]" + re.escape(name) + r"\(")
    begins = re.compile(r"[a-zA-Z_].*[ *]" + re.escape(name) + r"\(")
    inside, found, last = False, False, ""
    piece: list[str] = []
    for line in lines:
        if not inside and begins.match(line) and not line.rstrip(" \t").endswith(";"):
            if found:
                raise NoteError(f"{path} defines {name} twice")
            inside = found = True
            if last.startswith("template"):
                piece.append(last)
        if inside and not BEGINS.fullmatch(line) and not ENDS.fullmatch(line):
            piece.append(line)
        if line.startswith("}") or (line.rstrip(" \t").endswith("}") and called.search(line)):
            inside = False
        last = line
    return piece if found else None


def outdented(piece: list[str]) -> list[str]:
    """The lines without the indentation that all have; the preprocessor's lines stand at the margin."""
    depths = [len(line) - len(line.lstrip(" ")) for line in piece if line.strip(" \t") and not line.startswith("#")]
    least = min(depths, default=99)
    return [line if line.startswith("#") else line[least:] for line in piece]


def excerpt(path: str, name: str) -> list[str]:
    """The piece or the function of that name in a source file."""
    lines = read_lines(path)
    piece = marked(lines, path, name)
    if piece is None:
        piece = function(lines, path, name)
    if piece is None:
        raise NoteError(f"{path} has no piece and no function called {name}")
    return outdented(piece)
