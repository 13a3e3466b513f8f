"""The rules of a style sheet that can apply to one page: its other rules only make the page come later on a slow line.

A rule stays if each class, id and element that its selector requires is in the page, or in a string of a script that
the page loads, which may add it. A custom property stays if something that stays reads it. What this module does not
understand stays.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from html.parser import HTMLParser

# Strings and addresses, in which marks mean nothing, and marks.
WHOLE = re.compile(r"\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'|url\([^)\"']*\)|[{};]", re.DOTALL)
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
QUOTED = re.compile(r"\"((?:\\.|[^\"\\\n])*)\"|'((?:\\.|[^'\\\n])*)'|`((?:\\.|[^`\\])*)`")
NAME = re.compile(r"-?[A-Za-z_][\w-]*")
REQUIRED = re.compile(r"([.#]?)(-?[A-Za-z_][\w-]*)")
OPTIONAL = re.compile(r":(?:not|is|where|has|matches)\((?:[^()]|\([^()]*\))*\)|\[[^\]]*\]|::?[\w-]+(?:\([^()]*\))?")
PROPERTY = re.compile(r"^\s*(--[\w-]+)\s*:")
READ = re.compile(r"var\(\s*(--[\w-]+)")
NESTED = ("@media", "@supports", "@layer", "@container")
Node = tuple[str, "list[Node] | None"]  # a rule's selector and its block, or a declaration


class Names(HTMLParser):
    """The elements, classes and ids of a page, and the scripts that it loads."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: set[str] = {"html", "head", "body"}
        self.scripts: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.add(tag)
        for key, value in attrs:
            if key == "class":
                self.found |= {"." + name for name in (value or "").split()}
            elif key == "id":
                self.found.add(f"#{value}")
            elif tag == "script" and key == "src" and value:
                self.scripts.append(value.partition("?")[0])


def names(page: str, script: Callable[[str], str]) -> set[str]:
    """What selectors may require: `p`, `.class`, `#id`. `script` gives the text of a script of that address."""
    seen = Names(page)
    found = set(seen.found)
    for text in [script(address) for address in seen.scripts] + re.findall(r"<script>(.*?)</script>", page, re.DOTALL):
        for quoted in QUOTED.finditer(text):
            words = NAME.findall(next((part for part in quoted.groups() if part is not None), ""))
            found |= {mark + word for word in words for mark in ("", ".", "#")}
    return found


def parsed(text: str) -> list[Node]:
    """The rules and declarations of a style sheet."""
    top: list[Node] = []
    stack, begin = [top], 0
    for mark in WHOLE.finditer(text):
        if mark[0] not in "{};":
            continue
        said = text[begin : mark.start()].strip()
        begin = mark.end()
        if mark[0] == "{":
            block: list[Node] = []
            stack[-1].append((said, block))
            stack.append(block)
            continue
        if said:
            stack[-1].append((said, None))
        if mark[0] == "}":
            stack.pop()
    if len(stack) != 1 or text[begin:].strip():
        raise ValueError("a style sheet's braces do not match")
    return top


def selectors(text: str) -> list[str]:
    """The parts of a list of selectors: its commas, but those in parentheses and strings."""
    parts, depth, begin = [], 0, 0
    for mark in re.finditer(r"\"[^\"]*\"|'[^']*'|[(\[)\],]", text):
        depth += (mark[0] in "([") - (mark[0] in ")]")
        if mark[0] == "," and not depth:
            parts.append(text[begin : mark.start()])
            begin = mark.end()
    return [part.strip() for part in [*parts, text[begin:]]]


def applies(selector: str, known: set[str]) -> bool:
    if "\\" in selector:
        return True
    required = REQUIRED.findall(OPTIONAL.sub("", selector))
    return all(kind + (name if kind else name.lower()) in known for kind, name in required)


def without_rules(nodes: list[Node], known: set[str]) -> list[Node]:
    kept: list[Node] = []
    for head, block in nodes:
        if block is None:
            kept.append((head, block))
        elif head.startswith(NESTED):
            if inner := without_rules(block, known):
                kept.append((head, inner))
        elif head.startswith("@"):
            kept.append((head, block))
        elif parts := [part for part in selectors(head) if applies(part, known)]:
            kept.append((",".join(parts), block))
    return kept


def without_properties(nodes: list[Node], read: set[str]) -> list[Node]:
    kept: list[Node] = []
    for head, block in nodes:
        if block is None:
            custom = PROPERTY.match(head)
            if not custom or custom[1] in read:
                kept.append((head, block))
        elif inner := without_properties(block, read):
            kept.append((head, inner))
    return kept


def written(nodes: list[Node]) -> str:
    parts = []
    for head, block in nodes:
        parts.append(head + ";" if block is None else f"{head}{{{written(block)}}}")
    return "".join(parts).replace(";}", "}")


def pruned(sheets: list[str], page: str, script: Callable[[str], str]) -> list[str]:
    """The sheets of a page without what cannot apply to it."""
    known = names(page, script)
    trees = [without_rules(parsed(COMMENT.sub("", sheet)), known) for sheet in sheets]
    while True:
        read = set(READ.findall(page + "".join(map(written, trees))))
        fewer = [without_properties(tree, read) for tree in trees]
        if fewer == trees:
            return [written(tree) for tree in trees]
        trees = fewer
