"""A page of the notes cut into blocks: paragraphs, lists, tables, headings, pieces of code, generated parts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

MADE = re.compile(r"<!-- (table|code|listing) ")


@dataclass
class Block:
    """Lines of a page, from `line` on. `key` names a block of text for its translation (chinese.py)."""

    line: int
    text: list[str]
    is_text: bool
    key: str = ""


def blocks(lines: list[str]) -> Iterator[Block]:
    """The blocks of a page. A piece of code and a generated part are one each, whatever blank lines they hold."""
    at = 0
    while at < len(lines):
        line = lines[at]
        if not line.strip():
            at += 1
            continue
        end = at + 1
        made, fence = MADE.match(line), re.match(r"\s*(```+)", line)
        if made:
            while end < len(lines) and not lines[end - 1].startswith("<!-- end -->"):
                end += 1
        elif fence:
            while end < len(lines) and not lines[end - 1].strip() == fence[1] or end == at + 1:
                end += 1
        else:
            while end < len(lines) and lines[end].strip() and not MADE.match(lines[end]):
                end += 1
        text = lines[at:end]
        comments = all(re.fullmatch(r"\s*<(?:!--.*--|/?[a-z]+)>\s*", one) for one in text)
        yield Block(at + 1, text, is_text=not (made or fence or comments))
        at = end
