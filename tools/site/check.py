#!/usr/bin/env python3
"""Looks at a built site: `check.py FOLDER [--browser [PART]] [--search] [--first] [--screens FOLDER]`.

Without a browser: every link and anchor within the site leads somewhere, and no page asks for anything outside it.
With --browser (Playwright and Debian's chromium): each page whose name holds PART, opened from file:// at three widths,
light and dark, has no script error, no failed or outside request, no sideways scrolling, no picture that is missing,
and nothing that axe calls serious; printed, nothing is cut off or on each sheet. stderr says how far it is. With
--first the front pages are readable within a second on a slow line (tools/site/first_paint.py). With --search the terms
of search_terms.csv find their pages, from file:// and from a server.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import contextlib
import itertools
import os
import re
import shutil
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from urllib.parse import unquote

import axe
import check_search
import check_styles
import first_paint

WIDTHS, HEIGHT = (390, 820, 1440), 900
PAPER = 718  # pixels of A4 between the margins that Chromium leaves
AT_A_TIME = 16  # pages per browser
PATIENCE_MS = 300_000  # on a machine that is busy otherwise
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


def of_viewer(path: str, folder: str) -> bool:
    """Whether the page is a recorded launch, which may be larger than others."""
    return os.path.relpath(path, folder).startswith("views/")


def findings(folder: str) -> Iterator[str]:
    """All that is wrong without looking at a page in a browser."""
    pages = {}
    for path in files_below(folder, ".html"):
        with open(path, encoding="utf-8") as file:
            pages[path] = Page(file.read())
        if os.path.getsize(path) > LIMITS["a page"] and not of_viewer(path, folder):
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
    out: [...document.querySelectorAll(".piece *")].filter(e => e.getBoundingClientRect().right >
        e.closest(".piece").getBoundingClientRect().right).map(e => e.textContent || e.tagName),
})"""


# What paper would cut off, and what would be on each sheet.
PRINTED = """() => ({
    cut: [...document.querySelectorAll("article pre, article .results, article .table-wrapper")]
        .filter(e => e.clientWidth && e.scrollWidth > e.clientWidth + 1).map(e => e.textContent.trim().slice(0, 60)),
    fixed: [...document.body.querySelectorAll("*")]
        .filter(e => getComputedStyle(e).position === "fixed" && e.offsetWidth && e.offsetHeight).map(e => e.className),
})"""


def on_paper(tab) -> Iterator[str]:
    """What is wrong with the page when it is printed on A4."""
    tab.set_viewport_size({"width": PAPER, "height": HEIGHT})
    tab.emulate_media(media="print", color_scheme="light")
    seen = tab.evaluate(PRINTED)
    yield from (f"printed: cut at the right: {text}" for text in seen["cut"])
    yield from (f"printed: on each sheet: {name}" for name in seen["fixed"])
    tab.emulate_media(media="null")


def looked_at(tab, path: str, said: list[str], screen: str | None) -> Iterator[str]:
    """What is wrong with one page, which is opened once; `said` collects what the tab's events report."""
    said.clear()
    tab.set_viewport_size({"width": WIDTHS[0], "height": HEIGHT})
    tab.goto("file://" + os.path.abspath(path))
    tab.evaluate("document.querySelectorAll('img').forEach(i => { i.loading = 'eager' })")
    tab.wait_for_load_state("load")
    axe.load(tab)
    for width, scheme in itertools.product(WIDTHS, ("light", "dark")):
        at = f"at {width}, {scheme}"
        tab.set_viewport_size({"width": width, "height": HEIGHT})
        tab.emulate_media(color_scheme=scheme)
        seen = tab.evaluate(MEASURE)
        if seen["wide"] > 0:
            yield f"{at}: {seen['wide']} pixels too wide"
        yield from (f"{at}: does not show {picture}" for picture in seen["gone"])
        yield from (f"{at}: over the edge of its piece: {text}" for text in seen["out"])
        for rule, elements in axe.found(tab, colours=scheme == "dark"):  # where it differs from the light page
            yield f"{at}: {rule}, {len(elements)} places: {'; '.join(text[:100] for text in elements[:3])}"
        if screen:
            tab.screenshot(path=f"{screen}-{width}-{scheme}.png")
    yield from on_paper(tab)
    yield from said


def failed(request, said: list[str]) -> None:
    if request.failure != "net::ERR_ABORTED":  # the page was left before its icon had come
        said.append(f"failed request: {request.url}")


def new_tab(browser, width: int, said: list[str]):
    tab = browser.new_context(viewport={"width": width, "height": HEIGHT}).new_page()
    tab.set_default_timeout(PATIENCE_MS)
    tab.on("pageerror", lambda error: said.append(f"script error: {error}"))
    tab.on("console", lambda line: said.append(f"console: {line.text}") if line.type == "error" else None)
    tab.on("requestfailed", lambda request: failed(request, said))
    tab.on("request", lambda r: None if r.url.startswith(("file:", "data:")) else said.append(f"asks for {r.url}"))
    return tab


@contextlib.contextmanager
def chromium():
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        sys.exit("check: Playwright is missing; tools/site/make.py check --browser installs it")
    with sync_playwright() as play:
        yield play.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])


def browsed(folder: str, paths: list[str], screens: str | None) -> list[str]:
    """All that is wrong with these pages, in a Chromium of their own."""
    said: list[str] = []
    wrong: list[str] = []
    with chromium() as browser:
        tab = new_tab(browser, WIDTHS[0], said)
        for path in paths:
            screen = os.path.join(screens, os.path.relpath(path, folder).replace("/", "-")) if screens else None
            wrong += [f"{path}: {what}" for what in looked_at(tab, path, said, screen)]
    return wrong


def in_browsers(folder: str, part: str, screens: str | None) -> Iterator[str]:
    """The pages with `part` in their name, in as many browsers as there are cores. Says on stderr how far it is."""
    paths = [path for path in files_below(folder, ".html") if part in os.path.relpath(path, folder)]
    parts = [paths[i : i + AT_A_TIME] for i in range(0, len(paths), AT_A_TIME)]
    with concurrent.futures.ProcessPoolExecutor() as workers:
        found = workers.map(browsed, itertools.repeat(folder), parts, itertools.repeat(screens))
        for done, wrong in enumerate(found, 1):
            print(f"{min(done * AT_A_TIME, len(paths))} of {len(paths)} pages", file=sys.stderr, flush=True)
            yield from wrong


def in_browser(options: argparse.Namespace) -> Iterator[str]:
    if options.browser is not None:
        yield from in_browsers(options.folder, options.browser, options.screens)
    if options.search:
        with chromium() as browser:
            yield from check_search.searched(browser, options.folder, new_tab)
    if options.first:
        with chromium() as browser:
            yield from check_styles.changed(browser, options.folder)
            yield from first_paint.late(browser, options.folder)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--browser", nargs="?", const="", metavar="PART")
    parser.add_argument("--search", action="store_true")
    parser.add_argument("--first", action="store_true")
    parser.add_argument("--screens", metavar="FOLDER")
    options = parser.parse_args()
    wrong = [findings(options.folder)]
    if options.browser is not None or options.search or options.first:
        wrong.append(in_browser(options))
    count = 0
    for count, finding in enumerate(itertools.chain(*wrong), 1):
        print(finding, flush=True)
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
