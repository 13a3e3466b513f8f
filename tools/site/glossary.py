"""The glossary's terms: an anchor for each, and a link from its first use on a page."""

from __future__ import annotations

import functools
import re

from markdown import outside_spans, pieces
from tree import read

ROW = re.compile(r"^\| (?!word \||英文 \||---)(.+?) \|(?: (.+?) \|)?", re.M)
WITHOUT_LINKS = ("<a ", "<summary>")  # what opens at a click itself
HAN = r"[\u3400-\u9fff]"
NOT_LINKED = {
    "host",
    "device",
    "kernel",
    "block",
    "cold",
    "warm",
    "in flight",
    "event",
    "range",
    "fuse",
    "mask",
    "median",
}


def anchor(term: str) -> str:
    return "term-" + re.sub(r"\W+", "-", term.lower()).strip("-")


def with_anchors(text: str) -> str:
    """The glossary's page with an anchor in each row; in both languages the English term names it."""
    return ROW.sub(lambda row: f'| <span id="{anchor(row[1])}"></span>{row[0][2:]}', text)


@functools.cache
def terms(language: str = "en") -> dict[str, str]:
    """Each word that is looked for, in lower case, and its anchor."""
    found = {}
    chinese = language == "zh"
    for row in ROW.finditer(read("docs/glossary.zh.md" if chinese else "docs/glossary.md")):
        if chinese and row[1] in NOT_LINKED:
            continue
        for word in re.split("、", row[2]) if chinese else re.sub(r" \(.*", "", row[1]).split(", "):
            fits = re.search(HAN, word) if chinese else re.fullmatch(r"[A-Za-z][\w -]{3,}", word)
            if fits and len(word) > 1 and word not in NOT_LINKED:
                found[word.lower()] = anchor(row[1])
    return found


def linked(text: str, page: str, language: str = "en") -> str:
    """A page of the notes in which each term's first use in a sentence leads to the glossary."""
    seen: set[str] = set()
    words = terms(language)
    longest = "|".join(map(re.escape, sorted(words, key=len, reverse=True)))
    word = rf"({longest})" if language == "zh" else rf"\b({longest})s?\b"
    # A link around emphasis, not within it: *<a> begins none after a letter.
    pattern = re.compile(rf"(<[^>]*>)|(?P<stars>\*+){word}(?P=stars)|(?<!\*){word}(?!\*)", re.I)
    depth = [0]

    def link(use: re.Match[str]) -> str:
        if use[1]:
            depth[0] += use[1].startswith(WITHOUT_LINKS) - (use[1] in ("</a>", "</summary>"))
            return use[0]
        word = (use[3] or use[4]).lower()
        if word in seen or depth[0]:
            return use[0]
        seen.add(word)
        return f'<a class="term" href="{page}#{words[word]}">{use[0]}</a>'

    def lines(plain: str) -> str:
        skipped = ("#", "|", "!", "<span", "*from")
        return "".join(part if part.startswith(skipped) else pattern.sub(link, part) for part in plain.splitlines(True))

    return "".join(outside_spans(piece, lines) if prose else piece for prose, piece in pieces(text))
