"""Looks for each term of search_terms.csv on the built site, from file:// and from a server under a sub-path."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterator
from urllib.parse import quote

from serve import served
from tree import page_of

TERMS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "search_terms.csv")
MOST = 10  # a page is among so many that are found first
FOUND = """() => [...document.querySelectorAll("ul.search li > a")].map(a => a.href.split(/[#?]/)[0])"""
DONE = """() => document.querySelector(".search-summary")?.textContent"""


def missed(tab, address: str) -> Iterator[str]:
    """The terms whose pages the search at that address does not find."""
    with open(TERMS, encoding="utf-8", newline="") as file:
        terms = list(csv.DictReader(file))
    for term in terms:
        site = address + ("/zh" if term["language"] == "zh" else "")
        tab.goto(f"{site}/search.html?q={quote(term['query'])}")
        tab.wait_for_function(DONE)
        pages = list(dict.fromkeys(tab.evaluate(FOUND)))  # each once, in its place
        wanted = f"{address}/{page_of(term['file'])}.html"
        if wanted not in pages[:MOST]:
            place = pages.index(wanted) + 1 if wanted in pages else "nowhere"
            yield f"{site}: {term['query']} finds {term['file']} {place}, of {len(pages)} pages"


def searched(browser, folder: str, new_tab) -> Iterator[str]:
    """The terms that are missed, and what the tab, which `new_tab` of check.py opens, reports."""
    with served(folder) as address:
        for root in ("file://" + os.path.abspath(folder), address):
            said: list[str] = []
            tab = new_tab(browser, 1440, said)
            yield from missed(tab, root)
            yield from sorted({what for what in said if f" {address}/" not in what})
            tab.context.close()
