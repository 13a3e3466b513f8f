"""English that no page of ours should have: turns of phrase that a native writer would not use.

Each rule is a pattern and what to write instead. The texts of exercises and labs are pages, too (notes.texts). Code,
quoted words and generated pages are not looked at.
"""

from __future__ import annotations

import glob
import re
from collections.abc import Iterator

from . import chinese, texts

PAGES = [*chinese.PAGES, "*.md", "cpudevice/*/*.md", "tools/*/*.md", "tests/*.md"]  # what has no Chinese, too
NOT_OURS = re.compile(r"\.zh\.md$|/measured\.md$|^CHANGELOG\.md$")  # a history keeps its words
PART = r"(?:thread|warp|block|lane|row|column|element|pixel|tile|request|cycle|launch)"
RULES = [
    (re.compile(rf"\b(?:one|a|each) (?:thread|warp|block|lane|sector|turn) an? {PART}\b"), "per"),
    (re.compile(rf"\b(?:counted|bytes|sectors|requests|turns) an? {PART}\b"), "per"),
    (re.compile(rf"\b(?:loads|stores) an? (?!tile|row|column|block|element){PART}\b"), "per"),
    (re.compile(r"\bstands?\b(?! for\b| in for\b|-)"), "is"),
    (re.compile(r"\bshall\b"), "must, or the present tense"),
    (re.compile(r"\b(?:is|are|was|were|be) told\b"), "reported, said"),
    (re.compile(r"\bof (?:its|their) own(?=[.,;:)]| and\b| in\b| on\b|$)"), "separate, or nothing"),
    (re.compile(r"\bmend(?:s|ed|ing)?\b"), "fix"),
    (re.compile(r"\b(?:is|are) there again\b"), "is restored"),
    (re.compile(r"\bunder way\b(?! \|)"), "in flight, running"),  # a cell may hold a rung's recorded name
    (re.compile(r"\bin turns\b"), "in turn, alternately"),
    (re.compile(r"\bno (?:multiple|power) of\b"), "not a multiple of"),
    (re.compile(r"\bsays? of (?:a|an|the|what)\b"), "says about"),
    (re.compile(r"\bUnmeasured\b|\bunmeasured\."), "say what is measured, and how"),
]


def plain(line: str) -> str:
    """A line without code, generated comments and quotations."""
    return re.sub(r"``.*?``|`[^`]*`|<!--.*?-->|\"[^\"]*\"", "", line)


def problems_in(text: str) -> Iterator[tuple[int, str]]:
    code = False
    for number, line in enumerate(text.split("\n"), 1):
        if line.startswith("```"):
            code = not code
        if code or line.startswith("    "):
            continue
        for rule, instead in RULES:
            for found in rule.finditer(plain(line)):
                yield number, f"'{found[0]}': write {instead}"


def problems() -> Iterator[str]:
    for page in sorted({page for pattern in PAGES for page in glob.glob(pattern)}):
        if NOT_OURS.search(page):
            continue
        with open(page, encoding="utf-8") as file:
            yield from (f"{page}:{number}: {what}" for number, what in problems_in(file.read()))
    for page in texts.pages():
        yield from (f"{page}:{number}: {what}" for number, what in problems_in(texts.page(page)))
