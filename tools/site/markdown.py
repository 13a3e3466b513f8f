"""A page of the notes as the site needs it: markers removed, links turned to the site's pages."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator

from docutils.nodes import make_id
from tree import ZH, in_chinese, page_of

LINK = re.compile(r"(!?)\[((?:[^\[\]]|!?\[[^\[\]]*\](?:\([^)]*\))?)*)\]\(\s*([^)\s]+)\)")
COMMENT = re.compile(r"<!--.*?-->", re.S)
ALONE = re.compile(r"<!--[^>]*-->\s*")  # a comment on a line of its own, as empty as an empty line
HEADING = re.compile(r"^(#{1,6}) +(.+?)\s*$", re.M)
ANCHOR = re.compile(r'^<a id="([^"]+)"></a>$', re.M)
OTHER_LANGUAGE = re.compile(r" ?\[(?:中文|English)\]\([^)]*\)")  # the site's pages have a switch
WIDE = r"[\u3000-\u9fff\uff00-\uffef]"
CODE_SPAN = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)", re.S)


def pieces(text: str) -> Iterator[tuple[bool, str]]:
    """The page cut into prose (True) and code (False): fenced, or indented after an empty line."""
    fenced, indented, blank = False, False, True
    kind, lines = True, []
    for line in text.splitlines(keepends=True):
        fence = line.lstrip().startswith("```")
        indented = line.startswith("    ") and (blank or indented) or (indented and not line.strip())
        prose = not (fenced or fence or indented)
        if prose != kind:
            yield kind, "".join(lines)
            kind, lines = prose, []
        lines.append(line)
        fenced ^= fence
        blank = not line.strip() or ALONE.fullmatch(line) is not None
    yield kind, "".join(lines)


def one_line(text: str) -> str:
    """Lines of Chinese in one, since a browser would put a blank where they meet."""
    return re.sub(rf"(?<={WIDE})\n *(?={WIDE})", "", text)


def outside_spans(text: str, change: Callable[[str], str]) -> str:
    """Changes what is not between backticks."""
    kept: list[str] = []

    def keep(span: re.Match[str]) -> str:
        kept.append(span[0])
        return f"\0{len(kept) - 1}\0"

    changed = change(CODE_SPAN.sub(keep, text))
    return re.sub("\0(\\d+)\0", lambda number: kept[int(number[1])], changed)


def to_page(page: str, target: str) -> str:
    """The address of another page, as the page's own HTML needs it."""
    return os.path.relpath(target + ".html", os.path.dirname(page) or ".")


def slug(heading: str) -> str:
    """The anchor that a heading has where the repository is browsed."""
    return re.sub(r"[^\w\- ]", "", LINK.sub(r"\2", heading).lower()).replace(" ", "-")


def with_anchor(heading: re.Match[str]) -> str:
    """The heading, and before it its anchor where Sphinx gives it another."""
    anchor = slug(heading[2])
    return heading[0] if anchor == make_id(heading[2]) else f'<span id="{anchor}"></span>\n\n{heading[0]}'


class Links:
    """Turns the links of one file into links to pages, and remembers the files and pictures that they ask for."""

    def __init__(self, name: str, page: str) -> None:
        self.folder, self.page = os.path.dirname(name), page
        self.sources: set[str] = set()
        self.pictures: set[str] = set()

    def turned(self, link: re.Match[str]) -> str:
        picture, text, target = link.groups()
        if re.match(r"[a-z]+:|#", target):
            return link[0] if not target.startswith("#") else f'<a href="{target}">{text}</a>'
        text = LINK.sub(self.turned, text)
        path, _, anchor = target.partition("#")
        name = os.path.normpath(os.path.join(self.folder, path))
        if picture:
            self.pictures.add(name)
            return f"![{text}](/{name})"
        shown = page_of(name)
        if shown is None:
            return text
        if self.page.startswith(ZH) and shown in in_chinese():
            shown = ZH + shown
        if shown.startswith("source/"):
            self.sources.add(name)
        return f'<a href="{to_page(self.page, shown)}{"#" + anchor if anchor else ""}">{text}</a>'

    def prose(self, text: str) -> str:
        text = ANCHOR.sub(r'<span id="\1"></span>', HEADING.sub(with_anchor, COMMENT.sub("", text)))
        text = OTHER_LANGUAGE.sub("", text)
        return one_line(outside_spans(text, lambda plain: LINK.sub(self.turned, plain)))

    def converted(self, text: str) -> str:
        return "".join(self.prose(piece) if prose else piece for prose, piece in pieces(text))


def title_of(text: str, name: str) -> str:
    heading = re.search(r"^# (.+)$", text, re.M)
    return heading[1] if heading else name
