"""Puts the styles of a front page into the page: on a slow line each file that it waits for costs a round trip."""

from __future__ import annotations

import os
import re

LINK = re.compile(r'<link rel="stylesheet" type="text/css" href="([^"?]+)[^"]*" />')
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
ADDRESS = re.compile(r"url\((?!['\"]?(?:data:|#))")


def with_styles(page: str, folder: str) -> str:
    """The text of a page of that folder, with the styles that it loads."""

    def style(link: re.Match[str]) -> str:
        with open(os.path.join(folder, link[1]), encoding="utf-8") as file:
            text = COMMENT.sub("", file.read())
        if ADDRESS.search(text) or "</style" in text:
            raise ValueError(f"{link[1]} cannot be in a page: it loads a file of its own, or ends the element")
        return f"<style>{text}</style>"

    return LINK.sub(style, page)


def rewrite(path: str) -> None:
    with open(path, encoding="utf-8") as file:
        page = file.read()
    with open(path, "w", encoding="utf-8") as file:
        file.write(with_styles(page, os.path.dirname(path)))
