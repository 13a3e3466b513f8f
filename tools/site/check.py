#!/usr/bin/env python3
"""Looks at a built site: `check.py FOLDER [--browser [PART]] [--screens FOLDER]`.

Without a browser: every link and anchor within the site leads somewhere, and no page asks for anything outside it.
With --browser (Playwright and Debian's chromium): each page whose name holds PART, opened from file:// at three widths,
light and dark, has no script error, no failed or outside request, no sideways scrolling and no picture that is missing.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import runpy
import shutil
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from urllib.parse import unquote

WIDTHS = (390, 820, 1440)
LOADED = {"img": "src", "script": "src", "iframe": "src", "source": "src", "video": "src"}
LIMITS = {"a page": 1 << 20, "the site": 60 << 20}


class Page(HTMLParser):
    """The anchors of a page, where it links to, and what it loads."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: set[str] = set()
        self.loads: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {key: value or "" for key, value in attrs}
        self.anchors |= {given[key] for key in ("id", "name") if key in given}
        if tag == "a" and "href" in given:
            self.links.add(given["href"])
        elif tag in LOADED and given.get(LOADED[tag]):
            self.loads.add(given[LOADED[tag]])
        elif tag == "link" and given.get("rel") in ("stylesheet", "icon", "preload"):
            self.loads.add(given["href"])


def files_below(folder: str, ending: str) -> list[str]:
    found = (os.path.join(where, f) for where, _, files in os.walk(folder) for f in files if f.endswith(ending))
    return sorted(found)


def is_outside(address: str) -> bool:
    return re.match(r"[a-z][a-z0-9+.-]*:|//", address, re.I) is not None and not address.startswith("data:")


def dead_links(path: str, pages: dict[str, Page]) -> Iterator[str]:
    """What a page links to or loads that is not there."""
    for address in sorted(pages[path].links | pages[path].loads):
        if is_outside(address) or address.startswith("data:"):
            continue
        name, _, anchor = address.partition("#")
        name = unquote(name.partition("?")[0])
        target = os.path.normpath(os.path.join(os.path.dirname(path), name)) if name else path
        if not os.path.exists(target):
            yield f"links to {address}, which is not there"
        elif anchor and target in pages and unquote(anchor) not in pages[target].anchors:
            yield f"links to {address}, which has no such anchor"


def findings(folder: str) -> Iterator[str]:
    """All that is wrong without looking at a page in a browser."""
    pages = {}
    for path in files_below(folder, ".html"):
        with open(path, encoding="utf-8") as file:
            pages[path] = Page(file.read())
        if os.path.getsize(path) > LIMITS["a page"]:
            yield f"{path}: {os.path.getsize(path)} bytes"
    for path, page in pages.items():
        yield from (f"{path}: loads {address} from outside" for address in sorted(page.loads) if is_outside(address))
        yield from (f"{path}: {what}" for what in dead_links(path, pages))
    for path in files_below(folder, ".css"):
        with open(path, encoding="utf-8") as file:
            for address in re.findall(r"url\([\"']?([^\"')]+)|@import [\"']([^\"']+)", file.read()):
                if is_outside("".join(address)):
                    yield f"{path}: loads {''.join(address)[:80]} from outside"
    weight = sum(os.path.getsize(path) for path in files_below(folder, ""))
    if not pages or weight > LIMITS["the site"]:
        yield f"{folder}: {len(pages)} pages, {weight} bytes"


MEASURE = """() => ({
    wide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    gone: [...document.images].filter(i => i.offsetParent && (!i.complete || !i.naturalWidth)).map(i => i.src),
})"""


def looked_at(tab, path: str, said: list[str]) -> Iterator[str]:
    """What is wrong with one page at the tab's width; `said` collects what the tab's events report."""
    said.clear()
    tab.goto("file://" + os.path.abspath(path))
    tab.evaluate("document.querySelectorAll('img').forEach(i => { i.loading = 'eager' })")
    tab.wait_for_load_state("load")
    seen = tab.evaluate(MEASURE)
    if seen["wide"] > 0:
        yield f"is {seen['wide']} pixels too wide"
    yield from (f"does not show {picture}" for picture in seen["gone"])
    yield from said


def new_tab(browser, width: int, scheme: str, said: list[str]):
    tab = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme).new_page()
    tab.on("pageerror", lambda error: said.append(f"script error: {error}"))
    tab.on("console", lambda line: said.append(f"console: {line.text}") if line.type == "error" else None)
    tab.on("requestfailed", lambda request: said.append(f"failed request: {request.url}"))
    tab.on("request", lambda r: None if r.url.startswith(("file:", "data:")) else said.append(f"asks for {r.url}"))
    return tab


def pieces_disagree(tab, path: str) -> Iterator[str]:
    """Compares the rules of the interactive pieces with those of the notes (tools/notes/warp.py) on 10,000 inputs."""
    rule = runpy.run_path(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../notes/warp.py"))
    draw = random.Random(40)
    cases = [(draw.randrange(512), draw.randrange(1025), draw.choice((1, 2, 4, 8, 16))) for _ in range(10000)]
    tab.goto("file://" + os.path.abspath(path))
    found = tab.evaluate("cases => cases.map(c => [sectors(...c).size, turns(...c)])", cases)
    for case, (touched, waited) in zip(cases, found):
        if touched != rule["sectors"](*case) or waited != rule["turns"](*case):
            yield f"{path}: {case} gives {touched} sectors and {waited} turns"


def browsed(folder: str, part: str, screens: str | None) -> Iterator[str]:
    """All that is wrong in Chromium."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        sys.exit("check: Playwright is missing: build/site-env/bin/pip install playwright; apt-get install chromium")

    paths = [path for path in files_below(folder, ".html") if part in os.path.relpath(path, folder)]
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for width in WIDTHS:
            for scheme in ("light", "dark"):
                said: list[str] = []
                tab = new_tab(browser, width, scheme, said)
                for path in paths:
                    yield from (f"{path} at {width}, {scheme}: {what}" for what in looked_at(tab, path, said))
                    if screens:
                        name = os.path.relpath(path, folder).replace("/", "-")
                        tab.screenshot(path=os.path.join(screens, f"{name}-{width}-{scheme}.png"))
                if width == WIDTHS[0] and scheme == "light":
                    yield from pieces_disagree(tab, os.path.join(folder, "docs", "pieces.html"))
                tab.context.close()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--browser", nargs="?", const="", metavar="PART")
    parser.add_argument("--screens", metavar="FOLDER")
    options = parser.parse_args()
    count = 0
    for finding in findings(options.folder):
        print(finding)
        count += 1
    if options.browser is not None:
        for finding in browsed(options.folder, options.browser, options.screens):
            print(finding)
            count += 1
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
