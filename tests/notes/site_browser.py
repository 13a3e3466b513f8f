"""The checks of the site in Chromium see what they are to see.

The quick use of axe finds, on random pages with one element whose colours differ, what axe finds that looks at every
element. A front page that waits for a style on a slow line is late; one that has its styles is not. What
paper would cut off is found.
"""

import json
import os
import random
import shutil
import sys
import tempfile

import axe
import check as site_check
import first_paint
import tap
from axe_playwright_python.sync_playwright import Axe
from tap import check

PAGES = 28
STYLE = """body { color: #111; background: white; } .n { color: #005; } .s { background: #eee; } .pale { color: #ccc; }
.far { position: absolute; left: 20px; top: 5px; }
.dark { position: absolute; left: 0; top: 0; width: 400px; height: 40px; background: #333; }
main { margin-top: 60px; } """
ELEMENTS = 60


def odd(draw: random.Random, way: str, elements: list[str]) -> str:
    """Makes one of the elements another than those like it, in that way; what the style sheet says of it."""
    at = draw.randrange(10, len(elements))
    text, rule = elements[at], ""
    if way == "style":
        elements[at] = text.replace("<p", '<p style="color: #ddd"')
    elif way == "class":
        elements[at] = text.replace('class="', 'class="pale ')
    elif way == "number":
        rule = f"main > p:nth-child({at + 1}) {{ color: #ddd }}"
    elif way == "ground":
        rule = f"main > p:nth-child({at + 1}) {{ background: #222 }}"
    elif way == "around":
        rule = f"main > p:nth-child({at + 1}) {{ opacity: 0.2 }}"
    elif way == "place":  # each is placed by a rule, and one of them over a dark box
        elements[:] = [f'<p class="far">text {i}</p>' for i in range(len(elements))]
        tops = [5 if i == at else 100 + 30 * i for i in range(len(elements))]
        rule = "".join(f"main > p:nth-child({i + 1}) {{ top: {top}px }}" for i, top in enumerate(tops))
    return rule


def page(draw: random.Random, way: str) -> str:
    elements = [f'<p class="{draw.choice("ns")}">text <b>{number}</b></p>' for number in range(ELEMENTS)]
    rule = odd(draw, way, elements)
    body = f"<div class=dark></div><main>{''.join(elements)}</main>"
    return f'<!doctype html><html lang="en"><title>t</title><style>{STYLE}{rule}</style><body>{body}</body></html>'


def axe_test(browser) -> None:
    draw = random.Random(7)
    ways = ("style", "class", "number", "ground", "around", "place", "none")
    tab = browser.new_page()
    wrong, seen = [], 0
    for number in range(PAGES):
        way = ways[number % len(ways)]
        tab.set_content(page(draw, way))
        whole = Axe().run(tab, options={"runOnly": list(axe.SELECTORS)}).response["violations"]
        all_of_them = {node["html"] for rule in whole for node in rule["nodes"]}
        axe.load(tab)
        quick = {text for _, elements in axe.found(tab, colours=True) for text in elements}
        seen += bool(all_of_them)
        if bool(quick) != bool(all_of_them) or not quick <= all_of_them:
            wrong.append((way, quick, all_of_them))
    right = not wrong and seen == PAGES - PAGES // len(ways)
    check(f"axe, asked for a few of each look, finds what it finds on {PAGES} pages", right, seen, *wrong)
    tab.close()


def paint_test(browser) -> None:
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(f"{folder}/zh")
        for name in first_paint.FRONT:
            link = "<style>p { color: red }</style>"
            if name.startswith("zh"):
                link = '<link rel="stylesheet" href="one.css">'
            with open(f"{folder}/{name}", "w", encoding="utf-8") as file:
                file.write(f'<!doctype html><html lang="en"><title>t</title>{link}<body><p>text</p></body></html>')
        with open(f"{folder}/zh/one.css", "w", encoding="utf-8") as file:
            file.write("p { color: red }")
        said = list(first_paint.late(browser, folder, runs=3))
        late = len(said) == 2 and all("zh/index" in what for what in said)
        check("a page that waits for its style is late", late, *said)


def print_test(browser) -> None:
    """A page as the site has it, printed with the site's style and without."""
    with open("tools/site/static/course.css", encoding="utf-8") as file:
        style = file.read()
    cells = "".join(f"<td>column {number}</td>" for number in range(16))
    body = f"""<a class="skip-to-content" style="position: fixed">Skip to content</a>
        <article><div class="highlight"><pre>{"word " * 40}{"w" * 200}</pre></div>
        <div class="results"><table><tr>{cells}</tr></table></div></article>"""
    theme = "pre { overflow: auto } .results { overflow: auto }"
    tab = browser.new_page()
    found = []
    for ours in ("", style):
        tab.set_content(f'<html lang="zh-CN"><style>{theme}{ours}</style>{body}')
        found.append([what.split(": ")[1] for what in site_check.on_paper(tab)])
        after = tab.evaluate("matchMedia('screen').matches")
    tab.close()
    cut, sheet = "cut at the right", "on each sheet"
    check("printed, code and tables are cut off without the site's style", found[0] == [cut, cut, sheet], found[0])
    check("and are not with it", not found[1], found[1])
    check("the page is shown on the screen again", after)


def bars_test(browser) -> None:
    """The longest bar that a ladder can have, with its value, on a telephone and on a wide screen."""
    rungs = [["1", "one", "uint8", "512x512x512", "interleaved", 0.5, 0, 1474.5, 0]]
    rungs.append(["2", "two", "uint8", "512x512x512", "interleaved", 500, 0, 1.5, 0])
    scripts = ""
    for name in ("ladder", "pieces"):
        with open(f"tools/site/static/{name}.js", encoding="utf-8") as file:
            scripts += f"<script>{file.read()}</script>"
    with open("tools/site/static/course.css", encoding="utf-8") as file:
        style = file.read()
    data = json.dumps({"NVIDIA H200": rungs})
    piece = f'<div class="piece" data-piece="ladder"><script type="application/json">{data}</script></div>'
    tab = browser.new_page()
    tab.set_content(f'<!doctype html><html lang="en"><style>{style}</style><body>{piece}{scripts}</body></html>')
    for width in (360, 390, 1440):
        tab.set_viewport_size({"width": width, "height": 900})
        seen = tab.evaluate(site_check.MEASURE)
        value, bars = tab.evaluate("""() => [document.querySelector(".value").textContent,
            [...document.querySelectorAll(".bar")].map(bar => bar.getBoundingClientRect().width)]""")
        said = not seen["out"] and value == "1475 TFLOP/s" and bars[0] > width / 3 and bars[1] == 2
        check(f"a bar and its value are within their piece at {width} pixels", said, seen, value, *bars)
    tab.evaluate("document.querySelector('.bar').style.width = '90%'")
    tab.set_viewport_size({"width": 390, "height": 900})
    seen = tab.evaluate(site_check.MEASURE)
    check("and what is over the edge is found", seen["out"] == ["1475 TFLOP/s"], seen)
    tab.close()


def main() -> None:
    if not shutil.which("chromium"):
        tap.skip("no chromium here")
        return
    with site_check.chromium() as browser:
        axe_test(browser)
        paint_test(browser)
        print_test(browser)
        bars_test(browser)


main()
sys.exit(tap.failed)
