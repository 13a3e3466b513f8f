#!/usr/bin/env python3
"""Looks at the slides in build/slides with Chromium: each one fits into 1280 x 720, with all of its fragments shown and
nothing that has to be scrolled, every picture is there, and nothing is asked of a network: `check_slides.py FOLDER`."""

from __future__ import annotations

import glob
import os
import shutil
import sys
from collections.abc import Iterator

from check import new_tab
from playwright.sync_api import sync_playwright

WIDTH, HEIGHT = 1280, 720
MEASURE = """() => Reveal.getSlides().map(slide => {
    const at = Reveal.getIndices(slide);
    Reveal.slide(at.h, at.v, 99);
    const gone = [...slide.querySelectorAll("img")].filter(i => i.complete && !i.naturalWidth).map(i => i.src);
    const hidden = [...slide.querySelectorAll("*")].filter(e => getComputedStyle(e).overflowX !== "visible"
        && !e.closest("aside") && (e.scrollWidth > e.clientWidth + 1 || e.scrollHeight > e.clientHeight + 1));
    const cut = hidden.map(e => `${e.tagName.toLowerCase()} of ${e.scrollWidth} x ${e.scrollHeight} pixels`);
    return [`${at.h}/${at.v || 0}`, slide.scrollWidth, slide.scrollHeight, gone, cut];
})"""


def looked_at(tab, path: str, said: list[str]) -> Iterator[str]:
    tab.goto("file://" + os.path.abspath(path))
    tab.wait_for_function("window.Reveal && Reveal.isReady()")
    for slide, width, height, gone, cut in tab.evaluate(MEASURE):
        if width > WIDTH or height > HEIGHT:
            yield f"{path}#/{slide} is {width} x {height} pixels"
        yield from (f"{path}#/{slide} does not show {picture}" for picture in gone)
        yield from (f"{path}#/{slide} cuts off {what}" for what in cut)
    yield from (f"{path}: {what}" for what in said)


def main() -> int:
    count = 0
    decks = sorted(glob.glob(os.path.join(sys.argv[1], "**", "lecture*", "index.html"), recursive=True))
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for deck in decks:
            said: list[str] = []
            tab = new_tab(browser, WIDTH, said)
            for finding in looked_at(tab, deck, said):
                print(finding)
                count += 1
            tab.context.close()
    return 1 if count or not decks else 0


if __name__ == "__main__":
    sys.exit(main())
