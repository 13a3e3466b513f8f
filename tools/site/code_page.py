"""Files of code on pages: their first comment as text, and their lines with numbers that one can link to."""

from __future__ import annotations

import re

from markdown import one_line
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name

LEXERS = {"cu": "cuda", "cuh": "cuda", "c": "c", "h": "c", "py": "python", "sh": "sh"}


def as_html(text: str, ending: str) -> str:
    """The code in colours; line N has the anchor L-N."""
    formatter = HtmlFormatter(linenos="inline", lineanchors="L", anchorlinenos=True, cssclass="highlight code-page")
    return highlight(text, get_lexer_by_name(LEXERS.get(ending, "text")), formatter)


def first_comment(text: str) -> list[str]:
    """The lines of the comment that the file begins with, without its stars."""
    opened = re.match(r"/\*(.*?)\*/", text, re.S)
    lines = opened[1].strip().split("\n") if opened else ["(no description)"]
    return [re.sub(r"^ \* ?", "", line).rstrip() for line in lines]


def escaped(line: str) -> str:
    """A line of plain text as Markdown; what is between backticks stays code."""
    parts = re.split(r"(`[^`]*`)", line)
    return "".join(p if p.startswith("`") else re.sub(r"([\\*_<>\[\]#|~$&])", r"\\\1", p) for p in parts)


def paragraphs(lines: list[str]) -> list[tuple[bool, list[str]]]:
    """The lines grouped into text (True) and what is set in columns (False)."""
    groups: list[tuple[bool, list[str]]] = []
    previous: bool | None = None
    for line in lines:
        if not line.strip():
            previous = None
            continue
        plain = not line.startswith("  ") and not (line.startswith(" ") and previous is False)  # 10 after 9 in a column
        if previous is None or plain != previous:
            groups.append((plain, []))
        groups[-1][1].append(line)
        previous = plain
    return groups


def as_text(lines: list[str], words: dict[str, str]) -> str:
    """The comment in Markdown: paragraphs, columns as they are; hints, and what is for after a pass, folded."""
    out, columns = [], False
    for plain, group in paragraphs(lines):
        hint = re.match(r"(?:(?:Hint|提示) (\d+)|After a pass|通过之后)(?:: *|：)", group[0]) if plain else None
        if hint:
            body = escaped(one_line("\n".join(group)[hint.end() :].strip()).replace("\n", " "))
            title = words["hint"].format(hint[1]) if hint[1] else words["passed"]
            out.append(f"<details><summary>{title}</summary>\n\n{body}\n\n</details>")
        elif plain:
            out.append(one_line("\n".join(escaped(line) for line in group)))
        elif columns and out[-1].endswith("```"):
            out[-1] = out[-1][: -len("```")] + "\n" + "\n".join(group) + "\n```"
        else:
            out.append("```text\n" + "\n".join(group) + "\n```")
        columns = not plain
    return "\n\n".join(out)
