"""What pages and comments name is there: files, headings, and the labs, targets and mutants that readers are to use."""

import glob
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable

import dead_links
from tap import check, said, status

PAGES = [
    p
    for pattern in (
        "*.md",
        "docs/*.md",
        "lecture*/*.md",
        "cpudevice/*.md",
        "cpudevice/docs/*.md",
        "cpudevice/tests/*/*.md",
        "data/*.md",
    )
    for p in glob.glob(pattern)
]


def read(path: str) -> str:
    with open(path, encoding="utf-8") as file:
        return file.read()


def holds(what: str, words: set[str], is_there: Callable[[str], object]) -> None:
    """Checks that each of the words leads to something."""
    missing = [word for word in sorted(words) if not is_there(word)]
    check(what, not missing, *missing)


def can_run(word: str) -> bool:
    """Is there something that ./run WORD runs?"""
    if re.match(r"\d.*\.\d", word):
        return subprocess.run(["tools/course.sh", "path", word], capture_output=True, check=False).returncode == 0
    if word.startswith("lecture"):
        return bool(glob.glob(word + "*"))
    if word.startswith(("pytorch/", "triton/")):
        return bool(glob.glob(f"lecture*/{word}.py"))
    return bool(glob.glob(f"lecture*/{word}.cu"))


def can_make(word: str) -> bool:
    """Has the Makefile a rule for the target?"""
    if word.startswith("lecture"):
        return bool(glob.glob(word + "_*"))
    return re.search(rf"^([a-z-]+ )*{word}( [a-z-]+)*:", makefile, re.MULTILINE) is not None


pages = {page: read(page) for page in PAGES}
text = "\n".join(pages.values())
labs = "\n".join(read(lab) for lab in glob.glob("lecture*/*.cu"))
makefile = read("Makefile")
CODE = re.compile(r"^```.*?^```$|`[^`\n]*`", re.MULTILINE | re.DOTALL)  # where brackets make no link


def leads_somewhere(link: str) -> bool:
    """Is the file there, and the heading in it?"""
    path, _, anchor = links[link].partition("#")
    return os.path.exists(path) and (not anchor or anchor in dead_links.anchors_of(path))


links = {
    f"{page}: {link}": os.path.join(os.path.dirname(page), link) if not link.startswith("#") else page + link
    for page, of_page in pages.items()
    for link in re.findall(r"\]\(([^)]*)\)", CODE.sub("", of_page))
    if not link.startswith("http")
}
holds("every link leads somewhere", set(links), leads_somewhere)
holds(
    "what ./run is given can be run",
    {word.removesuffix(".") for word in re.findall(r"\./run ([a-z0-9_./]+)", text + labs)},
    can_run,
)
holds(
    "what make is given can be made",
    set(re.findall(r"(?:^    |`)make ([a-z][a-z0-9-]*)", text, re.MULTILINE)),
    can_make,
)
holds(
    "the mutants that are named are there",
    set(re.findall(r"mutant `([a-z0-9_]*)`", text)),
    lambda word: any(
        glob.glob(f"{top}mutants/**/{word}.sed", recursive=True) for top in ("tests/", "cpudevice/tests/")
    ),
)

# The headings of a page by GitHub's rule, and a page whose second link leads to a heading that its twin no longer has.
PAGE = """# Why warm up?
## 2. 启动不等于运行（`async`）
## cp.async, `a_b` and [TMA](x.md)
## 来源
```sh
# a comment
```
<a id="set-here"></a>
## 来源
"""
NAMED = {"why-warm-up", "2-启动不等于运行async", "cpasync-a_b-and-tma", "来源", "来源-1", "set-here"}
found = dead_links.anchors_in(PAGE)
check("headings are named as GitHub names them", found == NAMED, *sorted(found ^ NAMED))
with tempfile.TemporaryDirectory() as dead_links.TOP:
    with open(os.path.join(dead_links.TOP, "b.zh.md"), "w", encoding="utf-8") as file:
        file.write(PAGE)
    with open(os.path.join(dead_links.TOP, "a.md"), "w", encoding="utf-8") as file:
        file.write("[1](b.zh.md#来源)\n[2](b.zh.md#出处)\n[3](#here)\n# Here\n[4](#there)\n")
    tree = dead_links.Tree(["a.md", "b.zh.md"])
    stale = list(dead_links.dead_in(tree, re.compile(r"(?!)()()"), "a.md"))
check("a link to a heading that is gone is found", stale == [(2, "b.zh.md#出处"), (5, "#there")], str(stale))
dead, which = said(["tools/dead_links.py"])
check("no file names a path that is dead", dead == 0, which)
sys.exit(status())
