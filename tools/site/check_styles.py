"""The front pages, which have of each style sheet only what applies to them, look as they do with the whole sheets."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator

from first_paint import FRONT

WIDTHS = (390, 1000, 1440)
DRAWERS = ("", "__navigation", "__toc")  # the boxes that open a drawer on a narrow window
STILL = "* { transition: none !important }"
OPEN = """(id) => document.querySelectorAll(".sidebar-toggle").forEach(box => { box.checked = box.id === id })"""
LOOKS = """() => [...document.querySelectorAll("body, body *")].map(element => {
    let look = element.tagName + "." + element.getAttribute("class") + " ";
    for (const part of [null, "::before", "::after"]) {
        const style = getComputedStyle(element, part);
        if (part && style.content === "none") continue;
        for (const property of style)
            if (!property.startsWith("--")) look += property + ":" + style.getPropertyValue(property) + ";";
    }
    return look;
})"""
WHOLE = """() => Promise.all([...document.querySelectorAll("style[data-from]")].map(style => {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = style.dataset.from;
    const loaded = new Promise((done, failed) => { link.onload = done; link.onerror = failed; });
    style.replaceWith(link);
    return loaded;
})).then(sheets => sheets.length)"""


def looks(tab) -> Iterator[tuple[str, list[str]]]:
    """The computed style of each element, for each way to show the page."""
    for width, scheme in itertools.product(WIDTHS, ("light", "dark")):
        tab.set_viewport_size({"width": width, "height": 900})
        tab.emulate_media(media="screen", color_scheme=scheme)
        for drawer in DRAWERS if width < WIDTHS[-1] else DRAWERS[:1]:
            tab.evaluate(OPEN, drawer)
            yield f"at {width}, {scheme}, {drawer or 'closed'}", tab.evaluate(LOOKS)
    tab.emulate_media(media="print", color_scheme="light")
    yield "printed", tab.evaluate(LOOKS)


def changed(browser, folder: str) -> Iterator[str]:
    """The first element of a front page that the rules left out would change, for each way to show the page."""
    for page in FRONT:
        tab = browser.new_page()
        tab.goto("file://" + os.path.abspath(f"{folder}/{page}"))
        tab.add_style_tag(content=STILL)
        short = dict(looks(tab))
        if not tab.evaluate(WHOLE):
            yield f"{folder}/{page}: has no styles in the page"
        for how, whole in looks(tab):
            for one, other in zip(short[how], whole, strict=True):
                if one != other:
                    seen, wanted = next(p for p in zip(one.split(";"), other.split(";"), strict=False) if p[0] != p[1])
                    yield f"{folder}/{page} {how}: {one.split()[0]} has {seen}, with the whole sheets {wanted}"
                    break
        tab.close()
