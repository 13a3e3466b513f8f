"""What pages and comments name is there: files, and the labs, targets and mutants that a reader is told to use."""

import glob
import os
import re
import subprocess
import sys
from collections.abc import Callable

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


def anchors(page: str) -> set[str]:
    """The headings of a page, as GitHub names them in a link, and the anchors that it sets itself."""
    ids = set(re.findall(r'<a id="([^"]*)">', read(page)))
    titles = re.findall(r"^#+ (.*)$", CODE.sub(lambda code: code[0].strip("`"), read(page)), re.MULTILINE)
    return ids | {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def leads_somewhere(link: str) -> bool:
    """Is the file there, and the heading in it?"""
    path, _, anchor = links[link].partition("#")
    return os.path.exists(path) and (not anchor or anchor in anchors(path))


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
dead, which = said(["tools/dead_links.py"])
check("no file names a path that is dead", dead == 0, which)
sys.exit(status())
