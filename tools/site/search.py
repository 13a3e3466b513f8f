"""The words that the search's index has of a text, and the terms that are one word in Chinese.

Chinese has no blanks between its words. A term of docs/terms.zh.md is one word of the index; beside the terms it has
each pair of neighbouring characters, so that every part of a text is found. static/search.js cuts a query the same way.
"""

from __future__ import annotations

import re

HAN = r"[\u3400-\u9fff]"
RUN = re.compile(rf"({HAN}+)|((?:(?!{HAN})\w)+)")
SCRIPT = """const LEXICON = new Set({lexicon});
var splitQuery = (query) => words_of_query(query, LEXICON);
"""  # for Sphinx's language_data.js


def lexicon(terms: str) -> list[str]:
    """The Chinese terms of the table of terms, its second column, without what is in other letters."""
    found: set[str] = set()
    for row in re.findall(r"^\| [^|]+ \| ([^|]+) \|", terms, re.M):
        found |= {word for word in re.findall(rf"{HAN}+", row) if len(word) > 1}
    return sorted(found - {"中文"})


def terms_in(run: str, known: frozenset[str], longest: int) -> list[str]:
    """The terms in a run of Chinese characters: the longest at each place, one after the other."""
    found, at = [], 0
    while at < len(run):
        size = next((n for n in range(min(longest, len(run) - at), 1, -1) if run[at : at + n] in known), 0)
        if size:
            found.append(run[at : at + size])
        at += max(size, 1)
    return found


def pairs_in(run: str) -> list[str]:
    return [run[i : i + 2] for i in range(len(run) - 1)] or [run]


def words_of(text: str, known: frozenset[str]) -> list[str]:
    """The words of a text, in lower case."""
    longest = max(map(len, known), default=0)
    words: list[str] = []
    for chinese, other in RUN.findall(text):
        words += [*terms_in(chinese, known, longest), *pairs_in(chinese)] if chinese else [other.lower()]
    return words
