"""One Markdown file in, the same with its generated parts out."""

from __future__ import annotations

import os
import re
from collections.abc import Callable

from .csv_file import NoteError, Results
from .excerpt import excerpt, read_lines
from .prose import prose
from .table import table

ASKS = re.compile(r"^<!-- (table|code|listing) |<!--= ", re.MULTILINE)


def source_link(page: str, path: str) -> str:
    """A link from a page to a file, which is in its folder or beside that."""
    folder = os.path.dirname(page)
    path = path.removeprefix("./")
    inside = path.startswith(folder + "/") if folder else True
    target = path if not folder else path[len(folder) + 1 :] if inside else "../" + path
    return f"[{os.path.basename(path)}]({target})"


class Note:
    """A page, the results that it cites, and what was found wrong with it."""

    def __init__(self, page: str, results: Results, lesson: bool = False, accept: bool = False) -> None:
        self.page = page
        self.results = results
        self.lesson = lesson  # a long table is refused: it belongs on the lecture's page of measurements
        self.accept = accept  # figures in the prose are rewritten instead of compared
        self.problems: list[str] = []

    def table(self, words: list[str]) -> list[str]:
        """<!-- table FILE [columns NAMES] [where CONDITION] -->; a blank in a value of the condition is written _."""
        columns = where = ""
        for key, value in zip(words[3:], words[4:], strict=False):
            if key == "columns":
                columns = value
            if key == "where":
                where = value.replace("_", " ")
        return table(self.results.load(words[2]), columns, where, self.lesson)

    def code(self, words: list[str]) -> list[str]:
        """<!-- code FILE NAME -->"""
        piece = excerpt(words[2], words[3])
        language = "python" if words[2].endswith(".py") else "cuda"
        return [f"```{language}", *piece, "```", "", f"*from {source_link(self.page, words[2])}*"]

    def listing(self, words: list[str]) -> list[str]:
        """<!-- listing FILE -->: a recorded text, whose lines "# command: ..." stand below it."""
        text, about = [], []
        for line in read_lines(words[2]):
            if not line.startswith("# "):
                text.append(line)
            elif re.match(r"# (command|versions): ", line):
                about.append(line[2:])
        if not about:
            raise NoteError(f"cannot read {words[2]}")
        return ["```text", *text, "```", "", f"*{source_link(self.page, words[2])}. {'; '.join(about)}*"]

    def filled(self, lines: list[str]) -> str:
        """The page with its generated parts made anew."""
        parts: dict[str, Callable[[list[str]], list[str]]] = {
            "<!-- table ": self.table,
            "<!-- code ": self.code,
            "<!-- listing ": self.listing,
        }
        out: list[str] = []
        skipping = False
        for at, line in enumerate(lines, 1):
            problems: list[str] = []
            part = next((parts[begin] for begin in parts if line.startswith(begin)), None)
            if part:
                out.append(line)
                skipping = True
                try:
                    out += part(line.split())
                except NoteError as problem:
                    problems.append(str(problem))
            else:
                skipping = skipping and not line.startswith("<!-- end -->")
                if not skipping:
                    out.append(prose(self.results, line, self.accept, problems))
            self.problems += [f"notes: {self.page}:{at}: {problem}" for problem in problems]
        if skipping:
            self.problems.append(f"notes: {self.page}:{len(lines)}: a generated part is not closed")
        return "\n".join(out) + "\n"
