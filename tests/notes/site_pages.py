"""The sidebar of a page lists what is near it, compared with a walk over random trees; a front page has those of its
styles that apply to it; a folder that is no clone has the files that its clone has."""

import os
import random
import shutil
import subprocess
import sys
import tempfile
from xml.etree import ElementTree

import tap
from tap import check

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../tools/site"))
import first_page  # noqa: E402
import prune  # noqa: E402
import sidebar  # noqa: E402
import tree  # noqa: E402

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
    page = '<head><link rel="stylesheet" type="text/css" href="a/one.css?v=1" />\n<title>x</title></head><p>text</p>'
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
            styles = '<style data-from="a/one.css">p{color: red;background: url(data:a)}</style>\n<title>'
            wanted = styles if fits else "cannot be in a page"
            check(f"styles in the page: {what}", wanted in said and "<link" not in said, said)


PAGE = """<p class="one two" id="first">text <b>bold</b></p><script src="a.js?v=1"></script>
<script>document.body.dataset.theme = "dark"</script>"""
SCRIPT = "x.classList.add('added'); y = `<kbd>`"
RULES = [  # a rule, and what of it stays
    ("p{a:b}", "p{a:b}"),
    ("table{a:b}", ""),
    (".one.two > b{a:b}", ".one.two > b{a:b}"),
    (".one .three{a:b}", ""),
    ("#first::before, #second{a:b}", "#first::before{a:b}"),
    (".added:hover kbd{a:b}", ".added:hover kbd{a:b}"),
    ("p:not(.three, .four){a:b}", "p:not(.three, .four){a:b}"),
    ("p:is(.three, .one) b, i{a:b}", "p:is(.three, .one) b{a:b}"),
    ("[data-x='a,.b{']{a:b}", "[data-x='a,.b{']{a:b}"),
    ("body[data-theme=dark] .one{a:b}", "body[data-theme=dark] .one{a:b}"),
    ("@media print{.one{a:b}.three{a:b}}", "@media print{.one{a:b}}"),
    ("@media print{.three{a:b}}", ""),
    ("@media print{@media (x){.three{a:b}}p{a:b}}", "@media print{p{a:b}}"),
    ("@font-face{a:b}", "@font-face{a:b}"),
    ("p{a:url(data:x;y{)}", "p{a:url(data:x;y{)}"),
    ("p::after{content:'}/'}", "p::after{content:'}/'}"),
    ("p{--u:1;a:b}", "p{a:b}"),
    ("p{--u:1;--v:var(--u);a:var(--v)}", "p{--u:1;--v:var(--u);a:var(--v)}"),
    ("p{--u:1}i{a:var(--u)}", ""),
    ("p{--u:1;--v:var(--u);a:b}", "p{a:b}"),
    (".a\\:b{a:b}", ".a\\:b{a:b}"),
    ("/* i{} */ *{a:b}", "*{a:b}"),
]


def pruned_test() -> None:
    for rule, wanted in RULES:
        said = prune.pruned([rule], PAGE, {"a.js": SCRIPT}.__getitem__)[0]
        check(f"of {rule} stays {wanted or 'nothing'}", said == wanted, said)


def files_test() -> None:
    """Of files in a clone, and of the same without git, less what git leaves out."""
    if not shutil.which("git"):
        tap.skip("no git here")
        return
    with tempfile.TemporaryDirectory() as folder:
        for name in ("a.md", "b/c.cu", "build/d.md", "b/__pycache__/e.py", ".hidden/f.md"):
            os.makedirs(os.path.dirname(f"{folder}/{name}"), exist_ok=True)
            with open(f"{folder}/{name}", "w", encoding="utf-8") as file:
                file.write("text")
        with open(f"{folder}/.gitignore", "w", encoding="utf-8") as file:
            file.write("build/\n__pycache__/\n")
        before, tree.TOP = tree.TOP, folder
        without = tree.listed()
        subprocess.run(["git", "init", "-q", folder], check=True)
        clone = tree.listed()
        tree.TOP = before
    check("a clone's files", clone == [".gitignore", ".hidden/f.md", "a.md", "b/c.cu"], *clone)
    check("which a folder has that is no clone", without == clone, *without)


tree_test()
styles_test()
pruned_test()
files_test()
sys.exit(tap.failed)
