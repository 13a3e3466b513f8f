"""Writes the source of the site from the repository: `python3 tools/site` (make site calls it).

The pages in English are in build/site-source, those in Chinese in build/site-source-zh; the names of the latter begin
with zh/, where the site has them.

Each page of the notes is taken as it is, with its markers removed and its links turned to pages of the site. Labs,
exercises, solutions and the files that the notes link to get pages made from the files themselves.
"""

from __future__ import annotations

import functools
import json
import os
import re
import shutil
import subprocess
import sys

import code_page as code
import glossary
import search
import told
import views
from markdown import Links, title_of, to_page
from tree import (
    REFERENCE,
    TOP,
    ZH,
    chinese,
    exercises,
    further,
    in_chinese,
    labs,
    lectures,
    notes,
    page_of,
    read,
    rest,
    solution_of,
    tracked,
)
from words import WORDS

import results

SOURCE_ANCHOR = "the-source"


class Site:
    """The folder that the pages of a language are written to, and what they ask for."""

    def __init__(self, out: str, language: str) -> None:
        self.out, self.language = out, language
        self.words = WORDS[language]
        self.prefix = ZH if language == "zh" else ""  # of the names of its pages
        self.sources: set[str] = set()
        self.pictures: set[str] = set()
        shutil.rmtree(out, ignore_errors=True)

    def write(self, name: str, text: str) -> None:
        path = os.path.join(self.out, name.removeprefix(self.prefix))
        if os.path.exists(path):
            sys.exit(f"site: two pages are called {name}")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def copy(self, name: str, to: str) -> None:
        path = os.path.join(self.out, to)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        shutil.copyfile(os.path.join(TOP, name), path)

    def converted(self, name: str, page: str) -> str:
        links = Links(name, page)
        text = links.converted(read(name))
        self.sources |= links.sources
        self.pictures |= links.pictures
        return text

    def code(self, name: str, page: str) -> str:
        """The directive that shows a file's lines, after writing them beside the page."""
        if self.prefix:  # once is enough
            return f'<a href="{to_page(page, page.removeprefix(ZH))}#{SOURCE_ANCHOR}">{code.escaped(name)}</a>\n'
        shown = page + ".code.html"
        self.write(shown, code.as_html(read(name), name.rpartition(".")[2]))
        return f"```{{raw}} html\n:file: {os.path.basename(shown)}\n```\n"

    def heading_of_source(self, text: str) -> str:
        return f'<span id="{SOURCE_ANCHOR}"></span>\n\n## {text}'


def contents(pages: list[str], caption: str = "") -> str:
    """A hidden table of contents: the pages' place in the sidebar."""
    if not pages:
        return ""
    head = "```{toctree}\n:hidden:\n" + (f":caption: {caption}\n" if caption else "")
    return "\n\n" + head + "\n" + "\n".join("/" + page for page in pages) + "\n```\n"


@functools.cache
def repository() -> str:
    """OWNER/NAME of the course at GitHub, as the workflow says it or as this clone's origin has it; else empty."""
    command = ["git", "-C", TOP, "remote", "get-url", "origin"]
    origin = subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()
    named = re.search(r"github\.com[:/]([\w.-]+/[\w.-]+?)(?:\.git)?$", origin)
    return os.environ.get("COURSE_REPOSITORY") or (named[1] if named else "")


def button(site: Site, here: str) -> str:
    """Where the front page or a lecture can be run in a browser; nothing while the repository has no address."""
    if not repository():
        return ""
    if here == "index":
        kind, address = "codespaces", f"https://codespaces.new/{repository()}"
    else:
        kind, notebook = "colab", f"notebooks/{here[: len('lecture01')]}.ipynb"
        address = f"https://colab.research.google.com/github/{repository()}/blob/main/{notebook}"
    return f'\n<p><a class="button" href="{address}">{site.words[kind]}</a></p>\n'


def there(site: Site, pages: list[str]) -> list[str]:
    """Those of the pages that the site's language has."""
    return [page for page in pages if site.language == "en" or page in in_chinese()]


def note(site: Site, name: str) -> None:
    page = page_of(name) or ""
    here, words = page.removeprefix(site.prefix), site.words
    text = site.converted(name, page)
    if here == "docs/glossary":
        text = glossary.with_anchors(text)
    elif here.startswith("lecture") and not here.endswith("measured"):
        text = glossary.linked(text, to_page(page, site.prefix + "docs/glossary"), site.language)
    if here == "index" or re.fullmatch(r"lecture\d\d_\w+/index", here):
        text = re.sub(r"^# .*\n", lambda title: title[0] + button(site, here), text, count=1, flags=re.M)
    if here == "index":
        device, project = rest()
        reference = there(site, REFERENCE) + (["docs/terms"] if site.language == "zh" else [])
        text += contents([f + "/index" for f in lectures()], words["lectures"])
        text += contents(reference, words["reference"])
        text += contents(there(site, device), words["device"]) + contents(there(site, project), words["project"])
    elif here.startswith("lecture") and here.endswith("/index"):
        folder = here.split("/")[0]
        text += contents(there(site, further(folder)) + [folder + "/labs/index", folder + "/exercises/index"])
    site.write(page + ".md", text)


def list_page(site: Site, page: str, title: str, names: list[str]) -> None:
    """A page that lists others by their first lines; in Chinese a lab's title is beside its name."""
    titles = [told.lab(name)[0] if site.prefix and name in labs() else "" for name in names]
    lines = [f"- {{doc}}`/{page_of(n)}` {code.escaped(title)}" for n, title in zip(names, titles, strict=True)]
    site.write(page + ".md", f"# {title}\n\n" + "\n".join(lines) + contents([page_of(n) or "" for n in names]))


def lab(site: Site, name: str) -> None:
    page, words = site.prefix + (page_of(name) or ""), site.words
    text, short = code.as_text(code.first_comment(read(name)), words), os.path.basename(page)
    if site.prefix:
        english = f"<details><summary>{words['comment']}</summary>\n\n{text}\n\n</details>"
        text = code.as_text(told.lab(name), words) + "\n\n" + english
    site.write(
        page + ".md",
        f"# {short}\n\n{text}\n\n"
        f"    ./run {short}                # {words['measure']}\n\n"
        f"{link_to_view(page, short, words)}{results.sections(name, words)}\n\n"
        f"{site.heading_of_source(words['source'])}\n\n"
        f"{words['lines'].format(name)}\n\n{site.code(name, page)}",
    )


def link_to_view(page: str, lab: str, words: dict[str, str]) -> str:
    """The way to the viewer's page of the lab, if `make.py views` has recorded one."""
    if not os.path.exists(os.path.join(TOP, views.VIEWS, f"{lab}.html")):
        return ""
    return f'<a href="{to_page(page, f"views/{lab}")}">{words["view"]}</a>: `{views.command(lab)}`\n\n'


def exercise(site: Site, name: str) -> None:
    page, solution, words = site.prefix + (page_of(name) or ""), solution_of(name), site.words
    solved = code.first_comment(read(solution))
    title = re.sub(r"^Exercise ", "", solved[0])
    number = title.split()[0]
    first_hint = next((i for i, line in enumerate(solved) if line.startswith("Hint ")), len(solved))
    asked, helps = code.first_comment(read(name))[1:], solved[first_hint:]
    if site.prefix:
        chinese_title, lines = told.exercise(solution, number)
        title = f"{number} {chinese_title}"
        first_hint = next((i for i, line in enumerate(lines) if line.startswith("提示 ")), len(lines))
        asked, helps = [*lines[:first_hint], *told.limits(solved)], lines[first_hint:]
    answer = to_page(page, page_of(solution) or "")
    file = "" if site.prefix else f"`{name}`\n\n"  # in Chinese the link has the name
    site.write(
        page + ".md",
        f"# {code.escaped(title)}\n\n{code.as_text(asked, words)}\n\n{code.as_text(helps, words)}\n\n"
        f"    ./run {number}          # {words['grades']}\n\n{site.heading_of_source(words['begin'])}\n\n{file}"
        f'{site.code(name, page)}\n## {words["tried"]}\n\n<a href="{answer}">{words["solution"].format(number)}</a>\n',
    )
    if site.language == "en":
        shown = page_of(solution) or ""
        site.write(
            shown + ".md",
            f"---\norphan: true\n---\n# {words['solution of'].format(number)}\n\n"
            f'<a href="{to_page(shown, page)}">{words["exercise"].format(number)}</a>; '
            f"`{solution}`\n\n{site.code(solution, shown)}",
        )


def source(site: Site, name: str) -> None:
    page = page_of(name) or ""
    site.write(page + ".md", f"---\norphan: true\n---\n# {code.escaped(name)}\n\n{site.code(name, page)}")


def chips() -> dict[str, dict[str, float]]:
    """The figures of each chip of the CPU device's model, by the chip's name."""
    found = {}
    for name in tracked():
        if name.startswith("cpudevice/model/chips/"):
            head, *lines = read(name).splitlines()
            rows = [line.split(",") for line in lines[1:]]
            found[head.removeprefix("# chip: ")] = {row[0]: float(row[1]) for row in rows}
    return found


def settings(site: Site) -> dict[str, object]:
    """What tools/site/conf.py is told."""
    return {
        "language": {"en": "en", "zh": "zh_CN"}[site.language],
        "title": site.words["title"],
        "both": sorted(in_chinese()),
        "lexicon": search.lexicon(read("docs/terms.zh.md")),
    }


def scripts(site: Site) -> None:
    for name in tracked():
        if name.startswith("tools/site/static/"):
            site.copy(name, "_static/" + os.path.basename(name))
        elif name.startswith("tools/site/templates/"):
            site.copy(name, "_templates/" + os.path.basename(name))
    site.write("_static/chips.js", f"const CHIPS = {json.dumps(chips(), indent=1)};\n")
    measured = {os.path.basename(page_of(name) or ""): results.rungs(name) for name in labs()}
    kept = {name: rungs for name, rungs in measured.items() if rungs}
    # Lecture 11 counts the operations of the dense product that a sparse one replaces.
    as_dense = [os.path.basename(page_of(name) or "") for name in labs() if name.startswith("lecture11")]
    data = f"const RESULTS = {results.as_script(kept)};\nconst AS_DENSE = {results.as_script(as_dense)};\n"
    site.write("_static/results.js", data)


def language(site: Site, names: tuple[str, ...]) -> None:
    """The pages of a language, from the notes with these names."""
    for name in names:
        note(site, name)
    for folder in lectures():
        beside = folder + ("/README.zh.md" if site.prefix else "/README.md")
        title = title_of(read(beside), folder)
        lecture = title.split(":")[0].lower() if site.language == "en" else title
        for kind, of in (("labs", labs()), ("exercises", exercises())):
            list_page(site, f"{folder}/{kind}/index", site.words[kind].format(lecture), mine(of, folder))
    for name in labs():
        lab(site, name)
    for name in exercises():
        exercise(site, name)


def main() -> int:
    english = Site(os.path.join(TOP, "build/site-source"), "en")
    translated = Site(os.path.join(TOP, "build/site-source-zh"), "zh")
    language(english, notes())
    language(translated, chinese())
    for name in sorted(english.sources | translated.sources):
        source(english, name)
    for site in (english, translated):
        for name in sorted(site.pictures):
            site.copy(name, name)
        scripts(site)
        site.copy("tools/site/conf.py", "conf.py")
        site.write("settings.json", json.dumps(settings(site), ensure_ascii=False, indent=1))
    return 0


def mine(names: tuple[str, ...], folder: str) -> list[str]:
    return [name for name in names if name.startswith(folder + "/")]


if __name__ == "__main__":
    sys.exit(main())
