"""The glossary's terms: an anchor for each, and a link from its first use on a page."""

from __future__ import annotations

import functools
import re

from markdown import outside_spans, pieces
from tree import read

ROW = re.compile(r"^\| (?!word \||---)(.+?) \|", re.M)
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
    """The glossary's page with an anchor in each row."""
    return ROW.sub(lambda row: f'| <span id="{anchor(row[1])}"></span>{row[1]} |', text)


@functools.cache
def terms() -> dict[str, str]:
    """Each word that is looked for, in lower case, and its anchor."""
    found = {}
    for row in ROW.findall(read("docs/glossary.md")):
        for word in re.sub(r" \(.*", "", row).split(", "):
            if re.fullmatch(r"[A-Za-z][\w -]{3,}", word) and word not in NOT_LINKED:
                found[word.lower()] = anchor(row)
    return found


def linked(text: str, page: str) -> str:
    """A page of the notes in which each term's first use in a sentence leads to the glossary."""
    seen: set[str] = set()
    longest = sorted(terms(), key=len, reverse=True)
    pattern = re.compile(r"(<[^>]*>)|\b(" + "|".join(map(re.escape, longest)) + r")s?\b", re.I)
    depth = [0]

    def link(use: re.Match[str]) -> str:
        if use[1]:
            depth[0] += (use[1].startswith("<a ")) - (use[1] == "</a>")
            return use[0]
        word = use[2].lower()
        if word in seen or depth[0]:
            return use[0]
        seen.add(word)
        return f'<a class="term" href="{page}#{terms()[word]}">{use[0]}</a>'

    def lines(plain: str) -> str:
        skipped = ("#", "|", "!", "<span", "*from")
        return "".join(part if part.startswith(skipped) else pattern.sub(link, part) for part in plain.splitlines(True))

    return "".join(outside_spans(piece, lines) if prose else piece for prose, piece in pieces(text))
