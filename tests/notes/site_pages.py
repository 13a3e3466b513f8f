"""The sidebar of a page lists what is near it, compared with a walk over random trees; a front page has its styles."""

import os
import random
import sys
import tempfile
from xml.etree import ElementTree

import tap
from tap import check

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../tools/site"))
import first_page  # noqa: E402
import sidebar  # noqa: E402

TREES = 300


def level(draw: random.Random, depth: int, path: str, here: str, near: bool) -> tuple[str, list[str]]:
    """A list of the theme's tree as HTML, and the links that a page `here` keeps. `near`: its parent is kept whole."""
    text, kept = "<ul>\n", []
    for number in range(draw.randint(1, 4)):
        name = f"{path}/{number}"
        on_the_way = here == name or here.startswith(name + "/")
        below, links = ("", [])
        if depth < 3 and draw.random() < 0.7:
            below, links = level(draw, depth + 1, name, here, depth == 1 or on_the_way)
        kept += [name] * near + links
        kind = f"toctree-l{depth}" + (" current" if on_the_way else "") + (" has-children" if below else "")
        mark = f"<em>{number}</em>" if draw.random() < 0.3 else str(number)
        box = f'<input id="{name}" type="checkbox"/><label><span><svg><use href="#a"></use></svg></span></label>'
        text += f'<li class="{kind}"><a class="reference" href="{name}">{mark}</a>{box + below if below else ""}</li>\n'
    return text + "</ul>\n", kept


def tree_test() -> None:
    draw = random.Random(40)
    wrong, folded = [], 0
    for _ in range(TREES):
        here = "/".join([""] + [str(draw.randint(0, 3)) for _ in range(draw.randint(0, 3))])
        text, kept = level(draw, 1, "", here, True)
        near = sidebar.near(text)
        links = [link.get("href") for link in ElementTree.fromstring(near).iter("a")]
        boxes = [box.get("id") for box in ElementTree.fromstring(near).iter("input")]
        folded += len(near) < len(text)
        if links != kept or any(not any(link.startswith(box + "/") for link in links) for box in boxes):
            wrong.append((here, set(links) ^ set(kept)))
    check(f"the sidebars of {TREES} trees keep what is near", not wrong and folded > TREES / 2, folded, *wrong[:3])


def styles_test() -> None:
    page = '<head><link rel="stylesheet" type="text/css" href="a/one.css?v=1" />\n<title>x</title></head>'
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(f"{folder}/a")
        path = f"{folder}/a/one.css"
        contents = {
            "plain": ("/* why */ p { color: red; background: url(data:a) }", True),
            "file": ("p { background: url('b.png') }", False),
            "end": ('p::after { content: "</style>" }', False),
        }
        for what, (text, fits) in contents.items():
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            try:
                said = first_page.with_styles(page, folder)
            except ValueError as problem:
                said = str(problem)
            styles = "<style> p { color: red; background: url(data:a) }</style>\n<title>"
            wanted = styles if fits else "cannot be in a page"
            check(f"styles in the page: {what}", wanted in said and "<link" not in said, said)


tree_test()
styles_test()
sys.exit(tap.failed)
