"""The Chinese pages beside the English ones: X.zh.md beside X.md, block by block.

Usage: PYTHONPATH=tools python3 -m notes.chinese [--begin PAGE.md | --mark | --list]

A block is a paragraph, a list, a table or a heading between blank lines, or a whole piece of code. Each block of text
in the Chinese page has the key of its English block on the line above it:

    <!-- en 1a2b3c4d -->
    网格、线程块和线程

The key is a hash of the English block without the values of its figures, so a figure that is measured again changes no
key. Code, generated tables and pictures' markers are the same in both pages and have no key. A page may begin with a
line that leads back: [English](X.md). The texts of exercises and labs have Chinese pages too (notes.texts), which
./run and make print.

Without an option it prints each block whose English has changed, come or gone, what breaks the rules of typography, a
term whose English is said more than once on a page, and what leads to an English page that has a Chinese twin, and ends
with 1 if there is something. --begin writes a page to be translated, with the English text in its blocks. --mark puts a
line above each block that is older than the English, and removes the lines that are no longer right. --list prints each
English page and how much of it is translated.
"""

from __future__ import annotations

import difflib
import glob
import hashlib
import os
import re
import sys
from collections.abc import Iterator

from . import texts
from .blocks import MADE, Block, blocks
from .prose import FIGURE

PAGES = [
    "README.md",
    "CONTRIBUTING.md",
    "docs/*.md",
    "lecture[0-9][0-9]_*/*.md",
    "cpudevice/*.md",
    "cpudevice/docs/*.md",
    "cpudevice/viewer/*.md",
]
KEY = re.compile(r"<!-- en ([0-9a-f]{8}) -->")
OLDER = "> *（本段译文早于英文原文。）*"

HAN = r"[\u3400-\u9fff]"
NOT_PROSE = re.compile(r"`[^`]*`|\$[^$]*\$|<[^>]*>|\]\([^)]*\)|https?://\S+")
RULES = [
    (re.compile(rf"{HAN}[A-Za-z0-9]|[A-Za-z0-9%]{HAN}"), "no blank between Chinese and Latin"),
    (re.compile(rf"{HAN}\s*[,;:!?](?!\S*\))|[,;:!?]\s*{HAN}"), "English punctuation in a Chinese sentence"),
    (re.compile(rf"{HAN} +{HAN}"), "a blank within Chinese"),
    (re.compile(rf"{HAN}\.(?:\s|$)"), "a full stop that is not 。"),
    (re.compile(rf"{HAN}\([^)]|\({HAN}"), "brackets that are not （）"),
    (re.compile(r"[，。；：？！）] (?=[^\s|])|\S (?=[，。；：？！])"), "a blank beside full-width punctuation"),
]


def key_of(block: Block) -> str:
    text = FIGURE.sub(r"<!--= \1 -->", "\n".join(block.text))
    if MADE.match(text):
        text = block.text[0]  # what is generated below it is the same in both languages
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def english_blocks(text: str) -> list[Block]:
    found = list(blocks(text.split("\n")))
    for block in found:
        block.key = key_of(block)
    return found


def chinese_blocks(text: str) -> list[Block]:
    """The blocks with the keys that they name; a line that says that a block is older is no part of it."""
    found = []
    for block in blocks(text.split("\n")):
        named = KEY.fullmatch(block.text[0])
        if named:
            block = Block(block.line, [one for one in block.text[1:] if one != OLDER], True, named[1])
        elif not block.is_text:
            block.key = key_of(block)
        found.append(block)
    return found


def read(path: str) -> str:
    if path in texts.pages():
        return texts.page(path)
    with open(path, encoding="utf-8", newline="") as file:
        return file.read()


def chinese_of(page: str) -> str:
    return page.removesuffix(".md") + ".zh.md"


def differences(page: str, english: list[Block], chinese: list[Block]) -> Iterator[tuple[str, Block | None]]:
    """What is wrong, in words, and the Chinese block that is older than the English, if it is one."""
    other = chinese_of(page)
    switch = f"[English]({os.path.basename(page)})"
    for block in chinese:
        if block.is_text and not block.key and block.text != [switch]:
            yield f"{other}:{block.line}: a block without the key of its English", None
    chinese = [b for b in chinese if b.key]
    matcher = difflib.SequenceMatcher(None, [b.key for b in english], [b.key for b in chinese], autojunk=False)
    for what, a, a_end, b, b_end in matcher.get_opcodes():
        if what == "equal":
            continue
        for k in range(max(a_end - a, b_end - b)):
            of_english = english[a + k] if a + k < a_end else None
            of_chinese = chinese[b + k] if b + k < b_end else None
            if of_english and of_chinese:
                yield f"{other}:{of_chinese.line}: older than {page}:{of_english.line}", of_chinese
            elif of_english:
                yield f"{page}:{of_english.line}: not translated", None
            elif of_chinese:
                yield f"{other}:{of_chinese.line}: its English is gone", of_chinese


def typography_of(line: str) -> Iterator[str]:
    prose = NOT_PROSE.sub("\0", line)
    for rule, what in RULES:
        found = rule.search(prose)
        if found:
            yield f"{what}: {found[0].replace(chr(0), '...')}"


def typography(page: str, chinese: list[Block]) -> Iterator[str]:
    for block in chinese:
        if not block.is_text:
            continue
        for number, line in enumerate(block.text, block.line + 1):
            yield from (f"{page}:{number}: {what}" for what in typography_of(line))


def links(page: str, chinese: list[Block]) -> Iterator[str]:
    """A Chinese page leads to Chinese pages where there are any."""
    for block in chinese:
        for number, line in enumerate(block.text if block.is_text else [], block.line + 1):
            for name in re.findall(r"\]\(([^)#:]+)\.md[)#]", line):
                twin = os.path.normpath(os.path.join(os.path.dirname(page), name + ".zh.md"))
                if not line.startswith("[English](") and os.path.exists(twin):
                    yield f"{page}:{number}: leads to {name}.md, which is {name}.zh.md in Chinese"


def terms(table: str = "docs/terms.zh.md") -> list[tuple[str, str]]:
    """Each term with its English."""
    rows = [line.split("|") for line in read(table).split("\n") if line.count("|") > 4] if os.path.exists(table) else []
    return [
        (one.strip(), of.strip())
        for _, english, of_it, *_ in rows
        for of, one in zip(english.split(","), of_it.split("、"))
    ]


def repeated_terms(page: str, chinese: list[Block]) -> Iterator[str]:
    """A term's English stands in brackets where a page has it first, and nowhere else."""
    lines = [
        (number, line) for block in chinese if block.is_text for number, line in enumerate(block.text, block.line + 1)
    ]
    for term, english in terms():
        named = [number for number, line in lines for _ in re.findall(rf"{term}\**（{english}）", line)]
        yield from (f"{page}:{number}: {term}（{english}） once more, as in line {named[0]}" for number in named[1:])


def old_marks(page: str, chinese: list[Block], older: list[Block]) -> Iterator[str]:
    """Lines that say that a block is older, where it is not."""
    lines, at = read(page).split("\n"), {block.line for block in older}
    for block in chinese:
        if block.line not in at and lines[block.line : block.line + 1] == [OLDER]:
            yield f"{page}:{block.line + 1}: says that the block is older than its English, and it is not"


def english_pages() -> list[str]:
    found = [path for pattern in PAGES for path in sorted(glob.glob(pattern))]
    return [path for path in found if not path.endswith((".zh.md", "/measured.md"))] + texts.pages()


def problems(page: str) -> Iterator[str]:
    other = chinese_of(page)
    if not os.path.exists(other):
        return
    english, chinese = english_blocks(read(page)), chinese_blocks(read(other))
    found = list(differences(page, english, chinese))
    yield from (words for words, _ in found)
    yield from old_marks(other, chinese, [block for _, block in found if block])
    yield from typography(other, chinese)
    yield from links(other, chinese)
    yield from repeated_terms(other, chinese)


def begin(page: str) -> None:
    """Writes the page to be translated; what is translated already stays."""
    other = chinese_of(page)
    known = {b.key: b.text for b in chinese_blocks(read(other)) if b.is_text} if os.path.exists(other) else {}
    leads_back = page != "README.md" and page not in texts.pages()
    out = [f"[English]({os.path.basename(page)})", ""] if leads_back else []
    for block in english_blocks(read(page)):
        out += [f"<!-- en {block.key} -->"] if block.is_text else []
        out += [*(known.get(block.key, block.text) if block.is_text else block.text), ""]
    with open(other, "w", encoding="utf-8", newline="") as file:
        file.write("\n".join(out))


def marked(page: str) -> str:
    """The Chinese page with a line in each block that is older than the English, and in no other."""
    english, text = english_blocks(read(page)), read(chinese_of(page))
    older = {block.line for _, block in differences(page, english, chinese_blocks(text)) if block}
    out = []
    for number, line in enumerate(text.split("\n"), 1):
        if line != OLDER:
            out.append(line)
        if number in older:
            out.append(OLDER)
    return "\n".join(out)


def mark() -> None:
    for page in english_pages():
        if os.path.exists(chinese_of(page)):
            text = marked(page)
            if text != read(chinese_of(page)):
                with open(chinese_of(page), "w", encoding="utf-8", newline="") as file:
                    file.write(text)


def listed() -> None:
    for page in english_pages():
        english = [b for b in english_blocks(read(page)) if b.is_text]
        other = chinese_of(page)
        keys = {b.key for b in chinese_blocks(read(other)) if b.is_text} if os.path.exists(other) else set()
        print(f"{page}: {sum(b.key in keys for b in english)} of {len(english)} blocks")


def main(arguments: list[str]) -> int:
    if arguments[:1] == ["--begin"] and len(arguments) == 2 and arguments[1] in english_pages():
        begin(arguments[1])
    elif arguments == ["--mark"]:
        mark()
    elif arguments == ["--list"]:
        listed()
    elif arguments:
        print(__doc__, file=sys.stderr)
        return 2
    else:
        found = [words for page in english_pages() for words in problems(page)]
        print("\n".join(found), end="\n" if found else "")
        return 1 if found else 0
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
