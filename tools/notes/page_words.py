"""The words of pages that scripts draw, English and Chinese: what is missing, and what no source says any longer.

A script says what it says by say`Step ${n}. `, or said("a word") where there is nothing to put in. The table of the
Chinese is a script itself, CHINESE = {"Step {1}. ": "第 {1} 步。"}; the texts, titles and labels of the page's HTML are
in it as they are, each from tag to tag. A literal elsewhere that reads as prose is named: it should be said.
"""

from __future__ import annotations

import glob
import html.parser
import json
import re
from collections.abc import Iterator
from typing import NamedTuple

from .chinese import typography_of

PROSE = re.compile(r"[A-Za-z]\w*[,:;]? +[a-z]")
ROW = re.compile(r'^\s*("(?:[^"\\]|\\.)*"): ("(?:[^"\\]|\\.)*"),$', re.MULTILINE)
BEFORE_A_PATTERN = "(,=:[!&|?{};>" + "\n"  # what a / follows that begins a regular expression


class Page(NamedTuple):
    table: str
    scripts: list[str]
    markup: str
    not_said: re.Pattern[str]  # literals that nobody reads as a message
    others: list[str] = []  # C sources whose texts the scripts look up


class Literal(NamedTuple):
    line: int
    tag: str  # "say", "said" or ""
    text: str  # of a template with {1} for its first value


PAGES = [
    Page(
        "cpudevice/viewer/chinese.js",
        ["cpudevice/viewer/*.js"],
        "cpudevice/viewer/page.html",
        re.compile(
            r"px system-ui|^(meter bad|card finding|shared store|shared atomic)$|^(unsigned|long|short|signed) "
            r'|[.#]\w+ \w|prefers-color-scheme|class="\w+ \w+"'
        ),
        ["cpudevice/viewer/*.c"],
    ),
    Page(
        "tools/profiler/cuprof_chinese.js",
        ["tools/profiler/cuprof.html"],
        "tools/profiler/cuprof.html",
        re.compile(
            r"px system-ui|prefers-color-scheme|[.#]\w+ \w|^(Self C|CPU |CUDA )|^flush_kernel|^use strict$|^ncu "
        ),
        ["tools/profiler/*.c"],
    ),
]


def template(source: str, start: int, found: list[Literal], line: int) -> tuple[str, int]:
    """The text of the template that begins after a backtick, with a hole for each value, and where it ends. Literals
    within its values are found as well."""
    text, i, holes = "", start, 0
    while source[i] != "`":
        if source[i] == "\\":
            text += source[i : i + 2]
            i += 2
        elif source.startswith("${", i):
            holes += 1
            text += f"{{{holes}}}"
            i = literals_within(source, i + 2, found, line + source.count("\n", start, i))
        else:
            text += source[i]
            i += 1
    return text, i + 1


def literals_within(source: str, i: int, found: list[Literal], line: int) -> int:
    """Finds the literals up to the brace that closes this one, or to the end; returns the place behind it."""
    depth, last, begun = 0, "\n", i

    def here() -> int:
        return line + source.count("\n", begun, i)

    while i < len(source):
        c = source[i]
        if source.startswith("/*", i):
            i = source.index("*/", i) + 2
            continue
        if source.startswith("//", i):
            i = source.find("\n", i) if "\n" in source[i:] else len(source)
            continue
        tag = re.search(r"\bsaid\($|\bsay$", source[max(0, i - 8) : i])
        named = tag[0].removesuffix("(") if tag else ""
        if c in "\"'":
            literal = re.compile(rf"{c}((?:[^{c}\\\n]|\\.)*){c}").match(source, i)
            if literal is None:
                raise ValueError(f"line {here()}: a text without an end")
            found.append(Literal(here(), named, literal[1]))
            i, last = literal.end(), c
        elif c == "`":
            at = here()
            text, end = template(source, i + 1, found, at)
            found.append(Literal(at, named, text))
            i, last = end, c
        elif c == "/" and last in BEFORE_A_PATTERN:
            pattern = re.compile(r"/(?:[^/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/\w*").match(source, i)
            i, last = (pattern.end() if pattern else i + 1), "/"
        else:
            if c == "}" and not depth:
                return i + 1
            depth += (c == "{") - (c == "}")
            last = c if not c.isspace() else last
            i += 1
    return i


def literals(path: str) -> list[Literal]:
    """The texts of a script, or of the scripts of a page."""
    with open(path, encoding="utf-8") as file:
        source = file.read()
    found: list[Literal] = []
    if path.endswith(".js"):
        literals_within(source, 0, found, 1)
    else:
        for script in re.finditer(r"<script>\n(.*?)</script>", source, re.DOTALL):
            literals_within(script[1], 0, found, source.count("\n", 0, script.start(1)) + 1)
    return found


class Markup(html.parser.HTMLParser):
    """What a page says before a script has run."""

    def __init__(self) -> None:
        super().__init__()
        self.inside: list[str] = []
        self.said: list[tuple[int, str]] = []

    def keep(self, text: str | None) -> None:
        text = re.sub(r"\s+", " ", text or "").strip()
        if re.search(r"[A-Za-z]{2}|[;:]", text):
            self.said.append((self.getpos()[0], text))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("title", "aria-label", "placeholder"):
                self.keep(value)
        if tag not in ("meta", "input", "br"):
            self.inside.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in self.inside:
            self.inside.pop()

    def handle_data(self, data: str) -> None:
        if not {"script", "style", "title", "kbd"} & set(self.inside):
            self.keep(data)


def markup(path: str) -> list[tuple[int, str]]:
    parser = Markup()
    with open(path, encoding="utf-8") as file:
        parser.feed(file.read())
    return parser.said


def rows(path: str) -> list[tuple[int, str, str]]:
    with open(path, encoding="utf-8") as file:
        text = file.read()
    return [
        (text.count("\n", 0, found.start(1)) + 1, json.loads(found[1]), json.loads(found[2]))
        for found in ROW.finditer(text)
    ]


def row_problems(page: Page, known: dict[str, int]) -> Iterator[str]:
    """Of the table: what it has twice, a value that the English has not, and typography."""
    for line, english, chinese in rows(page.table):
        if english in known:
            yield f"{page.table}:{line}: as in line {known[english]}"
        known[english] = line
        for hole in re.findall(r"\{(\d)\}", chinese):
            if f"{{{hole}}}" not in english:
                yield f"{page.table}:{line}: {{{hole}}} is not in the English"
        lost = {hole for hole in re.findall(r"\{\d\}", english) if hole not in chinese}
        lost -= set(re.findall(r"[a-z](\{\d\})", english))  # a plural's s
        if lost:
            yield f"{page.table}:{line}: without {', '.join(sorted(lost))}"
        plain = re.sub(r"[A-Z_]{4,}[\w=]*", "\0", re.sub(r"\s?[◂▸▶⏸✕⚠⋯·/×]\s?", "", chinese))
        yield from (f"{page.table}:{line}: {what}" for what in typography_of(re.sub(r"\{\d\}", "\0", plain)))


def problems(page: Page) -> Iterator[str]:
    known: dict[str, int] = {}
    yield from row_problems(page, known)
    scripts = [path for pattern in page.scripts for path in sorted(glob.glob(pattern))]
    used = set()
    for path in [path for path in scripts if path != page.table]:
        for line, tag, text in literals(path):
            used.add(text)
            plain = re.sub(r"<[^>]*>?", " ", text)
            if tag and text not in known:
                yield f"{path}:{line}: not in {page.table}: {text}"
            elif not tag and text not in known and PROSE.search(plain) and not page.not_said.search(text):
                yield f"{path}:{line}: not said: {text}"
    for line, text in markup(page.markup):
        used.add(text)
        if text not in known:
            yield f"{page.markup}:{line}: not in {page.table}: {text}"
    for path in [path for pattern in page.others for path in sorted(glob.glob(pattern))]:
        with open(path, encoding="utf-8") as file:
            used |= set(re.findall(r'"((?:[^"\\\n]|\\.)*)"', file.read()))
    for english, line in known.items():
        if english not in used:
            yield f"{page.table}:{line}: said no longer: {english}"
