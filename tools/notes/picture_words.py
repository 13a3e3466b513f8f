"""The words within pictures, English and Chinese: what is missing, and what no picture says any longer.

svg.c puts each text of a picture into Chinese by tools/pictures/chinese.inc as it draws NAME.zh.svg beside NAME.svg;
both are compared with the files as pictures are. Here each text of NAME.svg must have a row, and each row a text. A
Chinese page shows the Chinese picture.
"""

from __future__ import annotations

import glob
import html
import os
import re
from collections.abc import Iterator

from .chinese import typography_of

CATALOGUE = "tools/pictures/chinese.inc"
ONE = r'"((?:[^"\\\n]|\\.)*)"'
ROW = re.compile(rf"^SAY\({ONE},\s*{ONE}\)", re.MULTILINE)
TEXT = re.compile(r"<title>([^<]*)</title>|<text(?P<class>[^>]*)>(?P<words>[^<]*)</text>")
CONVERSION = re.compile(r"%[-0-9.lz]*([a-z%])")
# names of functions, formats, files and libraries, formulas, and words of code
NAMES = re.compile(
    r"^(\.?[\w~./]+\.cu|~/\.nv/ComputeCache|ptxas|fatbinary|cp\.async|cuBLAS(Lt)?|cuSPARSE|stream-K|row_start"
    r"|gelu(\(n2 w1\))?|[dhx]_x|(n1 )?w(qkv|o|\d)|dot|exp|u = .*|da( \+ \d)?)$"
)


def texts(path: str) -> list[str]:
    """What a picture says, in its order; code is left out."""
    with open(path, encoding="utf-8") as file:
        found = TEXT.finditer(file.read())
    return [html.unescape(one[1] or one["words"] or "") for one in found if 'class="c"' not in (one["class"] or "")]


def rows() -> list[tuple[int, str, str]]:
    with open(CATALOGUE, encoding="utf-8") as file:
        text = file.read()
    return [
        (text.count("\n", 0, found.start()) + 1, found[1].replace('\\"', '"'), found[2]) for found in ROW.finditer(text)
    ]


def pattern_of(english: str) -> re.Pattern[str]:
    """What the row's English stands for."""
    parts = CONVERSION.split(english)
    kinds = {"%": "%", "s": ".*"}
    return re.compile(
        "".join(re.escape(part) if i % 2 == 0 else kinds.get(part, r"[-\d.]+") for i, part in enumerate(parts))
    )


def of_pictures(pictures: list[str]) -> Iterator[str]:
    known = [pattern_of(english) for _, english, _ in rows()]
    for path in pictures:
        chinese = path.removesuffix(".svg") + ".zh.svg"
        if not os.path.exists(chinese):
            yield f"{path}: there is no {chinese} (make notes)"
        for text in dict.fromkeys(texts(path)):
            named = not re.search(r"[a-z]{3}", text) or NAMES.search(text)
            if not named and not any(pattern.fullmatch(text) for pattern in known):
                yield f"{path}: not in {CATALOGUE}: {text}"


def of_rows(said: set[str]) -> Iterator[str]:
    known: dict[str, int] = {}
    for line, english, chinese in rows():
        if english in known:
            yield f"{CATALOGUE}:{line}: as in line {known[english]}"
        known[english] = line
        pattern, holes = pattern_of(english), len([kind for kind in CONVERSION.findall(english) if kind != "%"])
        if not any(pattern.fullmatch(text) for text in said):
            yield f"{CATALOGUE}:{line}: said no longer: {english}"
        if {int(hole) for hole in re.findall(r"\{(\d)\}", chinese)} != set(range(1, holes + 1)):
            yield f"{CATALOGUE}:{line}: {holes} values in English, others in Chinese"
        plain = re.sub(r"__\w+\([^)]*\)|\{\d\}", "\0", chinese)
        yield from (f"{CATALOGUE}:{line}: {what}" for what in typography_of(plain))


def of_pages() -> Iterator[str]:
    for page in sorted(glob.glob("*.zh.md") + glob.glob("docs/*.zh.md") + glob.glob("lecture*/*.zh.md")):
        with open(page, encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                for picture in re.findall(r"[\w/.-]*pictures/[\w-]+\.svg", line):
                    yield f"{page}:{number}: shows the English {picture}"


def problems() -> Iterator[str]:
    pictures = [path for path in sorted(glob.glob("lecture*/pictures/*.svg")) if not path.endswith(".zh.svg")]
    yield from of_pictures(pictures)
    yield from of_rows({text for path in pictures for text in texts(path)})
    yield from of_pages()
