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
links = {
    f"{page}: {link}": os.path.join(os.path.dirname(page), link)
    for page, of_page in pages.items()
    for link in (link.partition("#")[0] for link in re.findall(r"\]\(([^)]*)\)", of_page))
    if not link.startswith("http")
}
holds("every link leads somewhere", set(links), lambda link: os.path.exists(links[link]))
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
    lambda word: glob.glob(f"tests/mutants/*/{word}.sed") or glob.glob(f"cpudevice/tests/mutants/*/{word}.sed"),
)
dead, which = said(["tools/dead_links.py"])
check("no file names a path that is dead", dead == 0, which)
sys.exit(status())
