"""Puts the styles that a front page needs into the page: on a slow line each file that it waits for costs a round trip,
and each rule that it does not need costs time."""

from __future__ import annotations

import os
import re

import prune

LINK = re.compile(r'<link rel="stylesheet" type="text/css" href="([^"?]+)[^"]*" />')
ADDRESS = re.compile(r"url\((?!['\"]?(?:data:|#))")


def with_styles(page: str, folder: str) -> str:
    """The text of a page of that folder, with the styles that it loads, as far as they apply to it."""

    def read(name: str) -> str:
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            return file.read()

    sheets = LINK.findall(page)
    styles = dict(zip(sheets, prune.pruned([read(name) for name in sheets], page, read), strict=True))
    for name, text in styles.items():
        if ADDRESS.search(text) or "</style" in text:
            raise ValueError(f"{name} cannot be in a page: it loads a file of its own, or ends the element")
    return LINK.sub(lambda link: f'<style data-from="{link[1]}">{styles[link[1]]}</style>', page)


def rewrite(path: str) -> None:
    with open(path, encoding="utf-8") as file:
        page = file.read()
    with open(path, "w", encoding="utf-8") as file:
        file.write(with_styles(page, os.path.dirname(path)))
