"""Writes the source of the site, build/site-source, from the repository: `python3 tools/site` (make site calls it).

Each page of the notes is taken as it is, with its markers removed and its links turned to pages of the site. Labs,
exercises, solutions and the files that the notes link to get pages made from the files themselves.
"""

from __future__ import annotations

import os
import re
import shutil
import sys

import code_page as code
import glossary
from markdown import Links, title_of, to_page
from tree import TOP, exercises, labs, notes, page_of, read, solution_of, tracked

import results

HERE = os.path.dirname(os.path.abspath(__file__))
REFERENCE = ["docs/pieces", "docs/glossary", "docs/sources", "docs/measuring", "docs/grading"]


class Site:
    """The folder that the pages are written to, and what they ask for."""

    def __init__(self, out: str) -> None:
        self.out = out
        self.sources: set[str] = set()
        self.pictures: set[str] = set()

    def write(self, name: str, text: str) -> None:
        path = os.path.join(self.out, name)
        if os.path.exists(path):
            sys.exit(f"site: two pages are called {name}")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def converted(self, name: str, page: str) -> str:
        links = Links(name, page)
        text = links.converted(read(name))
        self.sources |= links.sources
        self.pictures |= links.pictures
        return text

    def code(self, name: str, page: str) -> str:
        """The directive that shows a file's lines, after writing them beside the page."""
        shown = page + ".code.html"
        self.write(shown, code.as_html(read(name), name.rpartition(".")[2]))
        return f"```{{raw}} html\n:file: {os.path.basename(shown)}\n```\n"


def contents(pages: list[str], caption: str = "") -> str:
    """A hidden table of contents: the pages' place in the sidebar."""
    head = "```{toctree}\n:hidden:\n" + (f":caption: {caption}\n" if caption else "")
    return "\n\n" + head + "\n" + "\n".join("/" + page for page in pages) + "\n```\n"


def lectures() -> list[str]:
    return sorted({name.split("/")[0] for name in labs()})


def below(folder: str) -> list[str]:
    """What a lecture has besides its notes: further pages, then labs, then exercises."""
    further = [page_of(n) or "" for n in notes() if n.startswith(folder + "/") and not n.endswith("/README.md")]
    return further + [folder + "/labs/index", folder + "/exercises/index"]


def rest() -> tuple[list[str], list[str]]:
    """The pages on the CPU device, and those on the project."""
    device = [page_of(n) or "" for n in notes() if n.startswith("cpudevice/")]
    listed = {*device, *REFERENCE, "index", *(p for f in lectures() for p in [f + "/index", *below(f)])}
    return device, [page_of(n) or "" for n in notes() if page_of(n) not in listed]


def note(site: Site, name: str) -> None:
    page = page_of(name) or ""
    text = site.converted(name, page)
    if name == "docs/glossary.md":
        text = glossary.with_anchors(text)
    elif name.startswith("lecture") and not name.endswith("measured.md"):
        text = glossary.linked(text, to_page(page, "docs/glossary"))
    if page == "index":
        device, project = rest()
        text += contents([f + "/index" for f in lectures()], "Lectures") + contents(REFERENCE, "Reference")
        text += contents(device, "CPU device") + contents(project, "The project")
    elif name.startswith("lecture") and name.endswith("/README.md"):
        text += contents(below(name.split("/")[0]))
    site.write(page + ".md", text)


def list_page(site: Site, page: str, title: str, names: list[str]) -> None:
    """A page that lists others with the first line of each."""
    lines = [f"- {{doc}}`/{page_of(name)}`" for name in names]
    site.write(page + ".md", f"# {title}\n\n" + "\n".join(lines) + contents([page_of(n) or "" for n in names]))


def lab(site: Site, name: str) -> None:
    page = page_of(name) or ""
    lines = code.first_comment(read(name))
    short = os.path.basename(page)
    measured = results.sections(name)
    site.write(
        page + ".md",
        f"# {short}\n\n{code.as_text(lines)}\n\n"
        f"    ./run {short}                # measure it;  --counters, --view, --help\n\n"
        f"{measured}\n\n## Source\n\n`{name}`; a line's number is a link to it.\n\n{site.code(name, page)}",
    )


def exercise(site: Site, name: str) -> None:
    page, solution = page_of(name) or "", solution_of(name)
    lines, solved = code.first_comment(read(name)), code.first_comment(read(solution))
    title = re.sub(r"^Exercise ", "", lines[0])
    number = title.split()[0]
    first_hint = next((i for i, line in enumerate(solved) if line.startswith("Hint ")), len(solved))
    answer = to_page(page, page_of(solution) or "")
    site.write(
        page + ".md",
        f"# {code.escaped(title)}\n\n{code.as_text(lines[1:])}\n\n{code.as_text(solved[first_hint:])}\n\n"
        f"    ./run {number}          # grades it\n\n## What you begin with\n\n`{name}`\n\n{site.code(name, page)}\n"
        f'## When you have tried\n\n<a href="{answer}">The solution of exercise {number}</a>\n',
    )
    shown = page_of(solution) or ""
    site.write(
        shown + ".md",
        f'---\norphan: true\n---\n# Solution of {number}\n\n<a href="{to_page(shown, page)}">Exercise {number}</a>; '
        f"`{solution}`\n\n{site.code(solution, shown)}",
    )


def source(site: Site, name: str) -> None:
    page = page_of(name) or ""
    site.write(page + ".md", f"---\norphan: true\n---\n# {code.escaped(name)}\n\n{site.code(name, page)}")


def copy(site: Site, name: str, to: str) -> None:
    path = os.path.join(site.out, to)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    shutil.copyfile(os.path.join(TOP, name), path)


def main() -> int:
    site = Site(os.path.join(TOP, "build/site-source"))
    shutil.rmtree(site.out, ignore_errors=True)
    for name in notes():
        note(site, name)
    for folder in lectures():
        lecture = title_of(read(folder + "/README.md"), folder).split(":")[0].lower()
        list_page(site, folder + "/labs/index", f"Labs of {lecture}", mine(labs(), folder))
        list_page(site, folder + "/exercises/index", f"Exercises of {lecture}", mine(exercises(), folder))
    for name in labs():
        lab(site, name)
    for name in exercises():
        exercise(site, name)
    for name in sorted(site.sources):
        source(site, name)
    for name in sorted(site.pictures):
        copy(site, name, name)
    for name in tracked():
        if name.startswith("tools/site/static/"):
            copy(site, name, "_static/" + os.path.basename(name))
    copy(site, "tools/site/conf.py", "conf.py")
    return 0


def mine(names: tuple[str, ...], folder: str) -> list[str]:
    return [name for name in names if name.startswith(folder + "/")]


if __name__ == "__main__":
    sys.exit(main())
