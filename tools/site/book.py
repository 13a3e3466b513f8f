"""The notes as one PDF, build/book/book.pdf: `book.py` (make book calls it, after the site is there).

The pages are the site's, one after the other in one file of HTML, with its own style for paper. Chromium prints it
twice. The first printing says on which page each heading is; the second has these numbers in the table of contents.
"""

from __future__ import annotations

import html
import os
import shutil
import sys
from html.parser import HTMLParser

from tree import TOP, book, read

SITE, OUT = "build/site", "build/book"
TITLE = "CUDA, lecture by lecture"
EMPTY = {"br", "hr", "img", "input", "meta", "link", "wbr", "col"}
LEFT_OUT = {"script", "label", "input", "select", "output"}  # of an interactive piece: nothing to choose on paper
MEASURED = (
    "/measured"  # how the name ends of the pages that have every table: they are the last, without their sections
)


def key_of(page: str) -> str:
    """What the anchors of a page begin with in the book."""
    return "page-" + page.replace("/", "-")


class Article(HTMLParser):
    """What a page of the site says, as a part of the book: anchors with the page's name, links to pages of the book."""

    def __init__(self, page: str, book: set[str]) -> None:
        super().__init__(convert_charrefs=False)
        self.page, self.book = page, book
        self.out: list[str] = []
        self.depth = 0  # of elements within the article; 0 is outside
        self.left_out = 0  # as deep within an element that the book leaves out
        self.open_links: list[bool] = []  # for each open <a>, whether it is in the book
        self.headings: list[tuple[str, str, str]] = []  # level, anchor, text
        self.heading: list[str] | None = None
        self.anchor = ""  # of the innermost section

    def target(self, address: str) -> str | None:
        """Where a link leads in the book; None for a page that is not in it."""
        if address.startswith(("http:", "https:", "mailto:")):
            return address
        name, _, anchor = address.partition("#")
        path = os.path.normpath(os.path.join(os.path.dirname(self.page), name)) if name else self.page + ".html"
        page = path.removesuffix(".html")
        if page not in self.book:
            return None
        return "#" + key_of(page) + (f"--{anchor}" if anchor else "")

    def attributes(self, tag: str, given: dict[str, str | None]) -> dict[str, str | None]:
        if "id" in given:
            given["id"] = f"{key_of(self.page)}--{given['id']}"
        if tag == "img":
            source = os.path.join(SITE, os.path.dirname(self.page), given.get("src") or "")
            given["src"] = os.path.relpath(source, OUT)
            given.pop("loading", None)
        elif tag == "details":
            given["open"] = None
        elif tag == "a" and "href" in given:
            given["href"] = self.target(given["href"] or "")
        return given

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "article":
            self.depth = 1
            return
        if not self.depth:
            return
        if tag not in EMPTY:
            self.depth += 1
        unwanted = tag in LEFT_OUT or "headerlink" in (given.get("class") or "")
        if self.left_out or unwanted:
            self.left_out += tag not in EMPTY
            return
        if tag == "section":
            self.anchor = f"{key_of(self.page)}--{given.get('id', '')}"
        given = self.attributes(tag, given)
        if tag == "a":
            self.open_links.append(given.get("href", "") is not None)
            if not self.open_links[-1]:
                return
        if tag in ("h1", "h2"):
            self.heading = []
            given.setdefault("id", self.anchor + "-heading")
        written = "".join(f" {k}" if v is None else f' {k}="{html.escape(v)}"' for k, v in given.items())
        self.out.append(f"<{tag}{written}>")

    def handle_endtag(self, tag: str) -> None:
        if not self.depth or tag in EMPTY:
            return
        self.depth -= 1
        if tag == "article":
            self.depth = 0
            return
        if self.left_out:
            self.left_out -= 1
            return
        if tag == "a" and not self.open_links.pop():
            return
        if tag in ("h1", "h2") and self.heading is not None:
            self.headings.append((tag, self.anchor + "-heading", "".join(self.heading).strip()))
            self.heading = None
        self.out.append(f"</{tag}>")

    def text(self, words: str) -> None:
        if self.depth and not self.left_out:
            self.out.append(words)
            if self.heading is not None:
                self.heading.append(words)

    def handle_data(self, data: str) -> None:
        self.text(data)

    def handle_entityref(self, name: str) -> None:
        self.text(f"&{name};")

    def handle_charref(self, name: str) -> None:
        self.text(f"&#{name};")


# A table that is wider than the page gets smaller type, then lines that break within words. Chromium would make
# the whole book smaller to fit it.
FIT = """() => {
    const wide = (e) => e.getBoundingClientRect().right > document.body.clientWidth + 1;
    for (const table of document.querySelectorAll("table"))
        for (const look of ["wide", "wider"])
            if (wide(table)) table.classList.add(look);
    return [...document.querySelectorAll("body *")].filter(wide).map(e => e.tagName + " " + e.textContent.slice(0, 60));
}"""
PAPER = {"width": 672, "height": 970}  # CSS pixels between the margins of book.css


def listed(part: Article) -> list[tuple[str, str, str]]:
    """The headings of a page that the table of contents has."""
    return part.headings[: 1 if part.page.endswith(MEASURED) else None]


def contents(parts: list[Article], numbers: dict[str, int]) -> str:
    """The table of contents: each page's title and its sections, with the numbers of the pages in the PDF."""
    lines = []
    for part in parts:
        for level, anchor, title in listed(part):
            number = numbers.get(anchor, "000")
            kind = "page" if level == "h1" else "section"
            lines.append(f'<li class="{kind}"><a href="#{anchor}">{title}</a><span>{number}</span></li>')
    return "<nav><h1>Contents</h1><ol>" + "\n".join(lines) + "</ol></nav>"


def whole(parts: list[Article], numbers: dict[str, int]) -> str:
    styles = [os.path.relpath(f"{SITE}/_static/pygments.css", OUT), "book.css"]
    head = "".join(f'<link rel="stylesheet" href="{style}">' for style in styles)
    pages = "".join(f'<section class="page" id="{key_of(p.page)}">{"".join(p.out)}</section>\n' for p in parts)
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{TITLE}</title>{head}</head>'
        f'<body data-theme="light"><header class="title"><h1>{TITLE}</h1></header>'
        f"{contents(parts, numbers)}{pages}</body></html>"
    )


def numbers_in(pdf: str) -> tuple[dict[str, int], int]:
    """The page of each place that a link leads to, and how many pages there are."""
    from pypdf import PdfReader

    reader = PdfReader(pdf)
    numbers = {}
    for name, place in reader.named_destinations.items():
        number = reader.get_destination_page_number(place)
        if number is not None:
            numbers[name.removeprefix("/")] = number + 1
    return numbers, len(reader.pages)


def printed(text: str, name: str) -> list[str]:
    """Writes the PDF and returns what does not fit into its width."""
    from playwright.sync_api import sync_playwright

    with open(f"{OUT}/book.html", "w", encoding="utf-8") as file:
        file.write(text)
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        tab = browser.new_page(viewport=PAPER)
        tab.emulate_media(media="print")
        tab.goto("file://" + os.path.abspath(f"{OUT}/book.html"))
        too_wide = tab.evaluate(FIT)
        tab.pdf(path=f"{OUT}/{name}", prefer_css_page_size=True, print_background=True, outline=True, tagged=True)
        browser.close()
    return [f"wider than the page: {what}" for what in too_wide]


def findings(parts: list[Article], numbers: dict[str, int], after: dict[str, int]) -> list[str]:
    """Headings of the contents without a page, and numbers that are not those of the second printing."""
    anchors = [anchor for part in parts for _, anchor, _ in listed(part)]
    missing = [f"{anchor} is on no page" for anchor in anchors if anchor not in numbers]
    return missing + [f"{a} is on page {after.get(a)}, not {n}" for a, n in numbers.items() if after.get(a) != n]


def main() -> int:
    os.chdir(TOP)
    os.makedirs(OUT, exist_ok=True)
    shutil.copy("tools/site/book.css", OUT)
    pages = sorted(book(), key=lambda page: page.endswith(MEASURED))
    parts = []
    for page in pages:
        parts.append(Article(page, set(pages)))
        parts[-1].feed(read(f"{SITE}/{page}.html"))
    printed(whole(parts, {}), "new.pdf")
    numbers, _ = numbers_in(f"{OUT}/new.pdf")
    wrong = printed(whole(parts, numbers), "new.pdf")
    after, count = numbers_in(f"{OUT}/new.pdf")
    wrong += findings(parts, numbers, after)
    print("\n".join(wrong), end="\n" if wrong else "", file=sys.stderr)
    if wrong:
        return 1
    os.replace(f"{OUT}/new.pdf", f"{OUT}/book.pdf")
    print(f"{OUT}/book.pdf: {count} pages, {os.path.getsize(f'{OUT}/book.pdf') / (1 << 20):.0f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
