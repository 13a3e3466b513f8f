#!/usr/bin/env python3
"""Finds paths, and headings of pages, that are named in the repository and do not exist.

Usage: tools/dead_links.py [FOLDER|FILE ...]      (all tracked files when none is given)

Four kinds of mention are checked in every tracked text file:

1. a link in Markdown, `[text](path)` or `<img src="path">`, and the heading in it, `[text](page.md#heading)`;
2. any `folder/more/file.c` whose first part is a top-level folder of the repository;
3. a path with the ending of a source file whose first part is any folder that is tracked (`runtime/stream.c`);
4. the headers of mutants, `# file: F` and `# test: T`.

A path counts as alive when it exists below the top; in Markdown and for the third kind also when it exists below the
folder of the file that names it, or below a folder above that one; in a file of `cpudevice/`, which stands alone, also
when it exists below that folder. A program may be named without the ending of its source. Placeholders (`NN`, `NAME`,
`*`, `{a,b}`, `$x`) match anything. The output is one line for each dead path,
`FILE:LINE: path`; the exit status is 1 if there is one.
"""

from __future__ import annotations

import fnmatch
import functools
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from urllib.parse import unquote

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
while TOP != "/" and not os.path.exists(os.path.join(TOP, ".git")):
    TOP = os.path.dirname(TOP)

# What may be named though it is not tracked: a pattern of paths, and the reason.
ALLOWED = {
    "results/*/x*.csv": "an example in a comment",
    "results/h200/model_times*.csv": "made by tools/model/record.py on that GPU",
    "results/h200/lecture99*": "an example in a test",
    "results/h200/lecture01/a.csv": "made by the test that names it, in its own folder",
    "results/h200/lecture77*": "made by the test that names it, in its own folder",
    "lecture*/ex[0-9][0-9]*": "an answer in the folder of a submission that the test makes",
    "common/copy.cuh": "made by the test that names it, in its own folder",
    "docs/served_*.md": "made by the test that names it, in its own folder",
    "common/common.c": "of Rodinia, which bench/twins.py reads",
    "cuda/lud*.cu": "of Rodinia, which bench/twins.py reads",
    "kernel/kernel_*": "of Rodinia, which bench/twins.py reads",
    "first/*": "a folder that the script that names it makes",
    "tests/verdicts.csv": "written by make check-all",
    "tests/labs": "below build/, where the tests of labs are made",
    "tests/labs/*": "below build/, where the tests of labs are made",
    "results/*/*.svg": "made by tools/notes/pictures.py, not kept",
    "site/torch.py": "made by the test that names it, in its own folder",
    "nvtx3/nvtx3.hpp": "of NVIDIA's toolkit",
    "include/cuda_helpers.h": "what a user's folder may hold, in a comment",
}

# Files that name paths of other projects: below these only paths from the top are checked.
OTHERS_PATHS = ("*COMPATIBILITY.md", "*COMPATIBILITY.zh.md")

# Files whose text is data or somebody else's words, not mentions of our files.
NOT_READ = (
    "tools/dead_links.py",
    "tests/course/remembered.c",
    "*.svg",
    "*.ppm",
    "*.dict",
    "notebooks/*",
    "results/*.csv",
    "data/*",
    ".git*",
    "LICENSE",
)

SOURCE = r"\.(?:c|h|cc|cu|cuh|hpp|py|sh|awk|sed|md|csv|svg|txt|html|js|golden|json|inc)"
PLACEHOLDER = re.compile(
    r"NN|MM|(?<![A-Za-z])(?:NAME|ROOM|FOLDER|THEME|CASE|FORM|WHERE|WAY|FILE|LAB|WHAT|LECTURE|name|what_is_wrong|[xyN])(?![A-Za-z])"
)
MARKDOWN_LINK = re.compile(r"\]\(\s*<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\s*\)|\b(?:src|href)=\"([^\"]+)\"")
FENCED = re.compile(r"^( *)(```+|~~~+).*?^ *\2 *$", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^#{1,6} +(.*?)(?: +#+)? *$", re.MULTILINE)
OWN_ANCHOR = re.compile(r"<a (?:id|name)=\"([^\"]*)\"")
MUTANT_KEY = re.compile(r"^# (file|test):\s*(\S+)")


class Tree:
    """The tracked files, and the questions that are asked about them."""

    def __init__(self, files: list[str]) -> None:
        self.files = set(files)
        self.folders: set[str] = set()
        self.stems: set[str] = set()  # each file without what follows a dot of its last part
        for name in files:
            folder = os.path.dirname(name)
            while folder and folder not in self.folders:
                self.folders.add(folder)
                folder = os.path.dirname(folder)
            stem = name
            while "." in os.path.basename(stem)[1:]:
                stem = stem.rpartition(".")[0]
                self.stems.add(stem)
        self.entries = self.files | self.folders | self.stems
        self.listing = "\n" + "\n".join(sorted(self.entries)) + "\n"
        self.tops = {name.split("/")[0] for name in files if "/" in name}
        self.parts = {part for folder in self.folders for part in folder.split("/")}

    @functools.cache
    def matches(self, path: str) -> bool:
        """Is there an entry of that name, in which *, ?, [...] stand for a part of a name?"""
        if not any(c in path for c in "*?["):
            return path in self.entries
        return re.search("\n" + as_pattern(path) + "\n", self.listing) is not None

    @functools.cache
    def ends_some_path(self, path: str) -> bool:
        """Is there an entry whose last parts are these?"""
        return re.search("[/\n]" + as_pattern(path) + "\n", self.listing) is not None


def as_pattern(path: str) -> str:
    """A path with **, * and ? in it, as a regular expression."""
    return re.escape(path).replace(r"\*\*", "[^\n]*").replace(r"\*", "[^/\n]*").replace(r"\?", "[^/\n]")


def tracked() -> list[str]:
    """The names of all tracked files that are there."""
    listed = subprocess.run(
        ["git", "-C", TOP, "ls-files", "-coz", "--exclude-standard"], capture_output=True, check=True, text=True
    ).stdout
    return [name for name in listed.split("\0") if name and os.path.lexists(os.path.join(TOP, name))]


@functools.cache
def braces(path: str) -> tuple[str, ...]:
    """`a{b,c}d` becomes `abd` and `acd`; a brace that is no list stands for anything."""
    opened = re.search(r"\{([^{}]*)\}", path)
    if not opened:
        return (path,)
    before, after = path[: opened.start()], path[opened.end() :]
    choices = opened.group(1).split(",") if "," in opened.group(1) else ["*"]
    return tuple(whole for choice in choices for whole in braces(before + choice + after))


def wanted(mention: str) -> tuple[str, ...]:
    """The paths that a mention asks for, with ** in place of each placeholder: it stands for folders as well."""
    path = re.sub(r"\$\([^)]*\)|\$\{\w+\}|\$\$?\w+|%[.*\d]*[sd]|%|<[^<>/]*>|\.\.\.", "**", mention)
    path = PLACEHOLDER.sub("**", path.replace("[0-9]", "*"))
    path = re.sub(r"\.o$", "", path)
    return tuple(os.path.normpath(p) for p in braces(re.sub(r"\*{3,}", "**", path)))


def is_allowed(path: str) -> bool:
    return any(fnmatch.fnmatch(path, pattern) for pattern in ALLOWED)


def is_alive(tree: Tree, mention: str, folder: str, tail: bool) -> bool:
    """Does what is mentioned in a file of that folder exist? `tail`: the end of any tracked path will do."""
    for path in wanted(mention):
        above = folder
        while not tree.matches(os.path.normpath(os.path.join(above, path))):
            if not above:
                if (tail and tree.ends_some_path(path)) or is_allowed(path):
                    break
                return False
            above = os.path.dirname(above)
    return True


def mentions(tree: Tree) -> re.Pattern[str]:
    """Matches a path that begins with a tracked folder's name: group 1 from the top, group 2 from anywhere."""
    word = r"(?:[\w.+*?%@-]|\$\(\w+\)|\$\{\w+\}|\$\$?\w+|\{[\w.,*]*\}|\[0-9\])+"
    tops = "|".join(sorted(map(re.escape, tree.tops | {"lectureNN_*"}), key=len, reverse=True))
    parts = "|".join(sorted(map(re.escape, tree.parts), key=len, reverse=True))
    # After a variable or an option (`$root/tools/notes.sh`, `-Icommon/x`), but not in the middle of another path.
    before = r"(?:(?<![\w./$*}~)>@-])(?:\./)?|\$\w+\"?/|\$\{\w+\}\"?/|\$\(\w+\)/|(?<![\w-])-[IL]|\.\./)"
    return re.compile(rf"{before}(?:((?:{tops})(?:/{word})+)|((?:{parts})(?:/{word})*/[\w*]+{SOURCE})(?![\w/]))")


def in_mutant(tree: Tree, key: str, value: str) -> bool:
    """Is the file of a mutant, or the program that must catch it, there?"""
    if key == "file":
        return value in tree.files
    parts = value.split("/")
    if parts[0] == "conformance":
        return tree.ends_some_path("/".join(["conformance", *parts[2:]]) + ".cu")
    return tree.ends_some_path(value)


def anchors_in(text: str) -> set[str]:
    """What may follow the # of a link to this page: its headings as GitHub writes them, and the anchors that it sets.

    Small letters, a - for each blank, no punctuation; the letters of every language stay. The second of equal headings
    ends in -1, the third in -2.
    """
    anchors = set(OWN_ANCHOR.findall(text))
    times: dict[str, int] = {}
    for title in HEADING.findall(FENCED.sub("", text)):
        shown = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", re.sub(r"<!--.*?-->", "", title))  # a link shows its text
        anchor = re.sub(r"[^\w\- ]", "", shown.lower()).replace(" ", "-")
        anchors.add(f"{anchor}-{times[anchor]}" if anchor in times else anchor)
        times[anchor] = times.get(anchor, 0) + 1
    return anchors


@functools.cache
def anchors_of(path: str) -> set[str]:
    with open(path, encoding="utf-8") as file:
        return anchors_in(file.read())


def is_included(text: str, start: int) -> bool:
    """Does `#include <` precede, or a `<` in a list of headers: a header of the toolkit?"""
    return text[max(0, start - 1) : start] == "<"


def dead_in(tree: Tree, path_pattern: re.Pattern[str], name: str) -> Iterator[tuple[int, str]]:
    """The dead paths of one file, each with its line."""
    try:
        with open(os.path.join(TOP, name), encoding="utf-8") as file:
            text = file.read()
    except (UnicodeDecodeError, IsADirectoryError):
        return
    folder = os.path.dirname(name)
    top = "cpudevice" if name.startswith("cpudevice/") else ""
    markdown, mutant = name.endswith(".md"), name.endswith(".sed")
    found: list[tuple[int, str]] = []
    if mutant:
        for number, line in enumerate(text.split("\n"), 1):
            key = MUTANT_KEY.match(line)
            if not key:
                break
            if not in_mutant(tree, key[1], key[2]):
                yield number, key[2]
    if markdown:
        for link in MARKDOWN_LINK.finditer(text):
            target, _, anchor = (link[1] or link[2]).partition("#")
            if re.match(r"[a-z]+:|//", target):
                continue
            path = os.path.normpath(os.path.join(folder, target)) if target else name
            if path not in tree.files and path not in tree.folders:
                found.append((link.start(), target))
            elif anchor and path.endswith(".md") and unquote(anchor) not in anchors_of(os.path.join(TOP, path)):
                found.append((link.start(), f"{target}#{anchor}"))
    elsewhere = any(fnmatch.fnmatch(name, pattern) for pattern in OTHERS_PATHS)
    for named in path_pattern.finditer(text):
        from_top = named[1] is not None and not named[0].startswith("../") and not elsewhere
        mention = (named[1] or named[2]).rstrip(".,:;?-/")
        if text[named.start() - 1 : named.start()] == "'":
            mention = mention.replace(
                "*", "**"
            )  # a pattern of git or find, not of the shell: * stands for folders, too
        if mention.endswith("_") or re.match(r"\"?[%$[]", text[named.end() : named.end() + 2]):
            mention += "*"  # the beginning of a name
        if "/" not in mention or (not from_top and (elsewhere or is_included(text, named.start()))):
            continue
        if not is_alive(tree, mention, top if from_top and not markdown else folder, not from_top):
            found.append((named.start(), mention))
    for start, mention in sorted(set(found)):
        yield text.count("\n", 0, start) + 1, mention


def main(arguments: list[str]) -> int:
    if arguments and arguments[0] in ("-h", "--help"):
        print(__doc__.strip())
        return 0
    files = tracked()
    tree = Tree(files)
    pattern = mentions(tree)
    within = [os.path.relpath(os.path.abspath(a), TOP) for a in arguments]
    count = 0
    for name in files:
        if any(fnmatch.fnmatch(name, skip) for skip in NOT_READ) or os.path.islink(os.path.join(TOP, name)):
            continue
        if within and not any(w == "." or name == w or name.startswith(w + "/") for w in within):
            continue
        for line, path in dead_in(tree, pattern, name):
            print(f"{name}:{line}: {path}")
            count += 1
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
