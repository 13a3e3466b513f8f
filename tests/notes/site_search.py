"""The site's search finds the terms of tools/site/search_terms.csv, and random parts of the pages' words.

Each page is cut into words by tools/site/search.py, and static/search.js searches in Chromium, as on the site.
"""

import csv
import html
import json
import os
import random
import re
import shutil
import sys
import tempfile
from typing import Any

import tap
from tap import check, said

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../tools/site"))
try:
    import search
    from markdown import COMMENT, title_of
    from tree import ZH, chinese, labs, notes, page_of, read
except ImportError as missing:
    tap.skip(f"the site's search: {missing}")
    sys.exit(0)

MOST = 10  # a page is among so many that are found first
PARTS = 1000  # random parts of words, in each language
KNOWN = frozenset(search.lexicon(read("docs/terms.zh.md")))

PAGE = """<!doctype html><meta charset="utf-8"><body><pre id="said"></pre><script>{script}
const sites = {sites}, queries = {queries}, lexicon = new Set({lexicon});
const found = ([language, query]) => {{
  const pages = [...pages_found(sites[language], words_of_query(query, lexicon))];
  return pages.sort((a, b) => b[1] - a[1]).map(([page]) => page);
}};
said.textContent = JSON.stringify(queries.map(found));
</script></body>"""


def texts(language: str) -> dict[str, str]:
    """The pages of a language by name."""
    names = chinese() if language == "zh" else notes() + labs()
    return {page_in_language(name): COMMENT.sub("", read(name)) for name in names}


def page_in_language(name: str) -> str:
    """The page of a file, by its name among those of its language."""
    return (page_of(name) or "").removeprefix(ZH)


def index_of(pages: dict[str, str]) -> dict[str, Any]:
    """An index as Sphinx writes it: of each word the numbers of the pages that have it."""
    index: dict[str, Any] = {"docnames": list(pages), "terms": {}, "titleterms": {}}
    for number, (name, text) in enumerate(pages.items()):
        for kind, of in (("terms", text), ("titleterms", title_of(text, name))):
            for word in set(search.words_of(of, KNOWN)):
                index[kind].setdefault(word, []).append(number)
    return index


def parts(language: str, pages: dict[str, str]) -> list[tuple[str, str, str]]:
    """Random parts of words, each with a page that has it."""
    draw = random.Random(41)
    word = rf"{search.HAN}{{2,}}" if language == "zh" else r"(?:(?!" + search.HAN + r")\w){2,}"
    found = []
    while len(found) < PARTS:
        name = draw.choice(sorted(pages))
        run = draw.choice(re.findall(word, pages[name]))
        begin = draw.randrange(len(run) - 1)
        found.append((language, run[begin : begin + draw.randrange(2, 8)], name))
    return found


def asked(folder: str, sites: dict[str, dict[str, str]], queries: list[tuple[str, str, str]]) -> list[list[str]]:
    """The names of the pages that the search finds for each query, the best first."""
    page = os.path.join(folder, "page.html")
    indexes = {language: index_of(pages) for language, pages in sites.items()}
    with open(page, "w", encoding="utf-8") as file:
        file.write(
            PAGE.format(
                script=read("tools/site/static/search.js"),
                sites=json.dumps(indexes).replace("<", "\\u003c"),
                queries=json.dumps([query[:2] for query in queries]).replace("<", "\\u003c"),
                lexicon=json.dumps(sorted(KNOWN)),
            )
        )
    command = [shutil.which("chromium"), "--headless", "--no-sandbox", "--disable-gpu", "--timeout=120000"]
    _, shown = said([*command, f"--user-data-dir={folder}/profile", "--dump-dom", page], timeout=300)
    answers = json.loads(html.unescape(re.search(r'<pre id="said">(.*?)</pre>', shown, re.S)[1]))
    names = {language: list(pages) for language, pages in sites.items()}
    return [[names[query[0]][n] for n in answer] for query, answer in zip(queries, answers, strict=True)]


def main() -> None:
    words = search.words_of("同一个线程束（warp）", KNOWN)
    check("a term is one word", {"线程束", "warp"} <= set(words) and "同一个线程束" not in words, words)
    if not shutil.which("chromium"):
        tap.skip("no chromium here, which runs the site's scripts")
        return
    sites = {language: texts(language) for language in ("en", "zh")}
    with open("tools/site/search_terms.csv", encoding="utf-8", newline="") as file:
        given = [(row["language"], row["query"], page_in_language(row["file"])) for row in csv.DictReader(file)]
    random_parts = [part for language, pages in sites.items() for part in parts(language, pages)]
    with tempfile.TemporaryDirectory() as folder:
        found = asked(folder, sites, given + random_parts)
    for language, least in (("en", 30), ("zh", 40)):
        of = [(term[1], term[2], names) for term, names in zip(given, found, strict=False) if term[0] == language]
        missed = [(q, page, names[:MOST]) for q, page, names in of if page not in names[:MOST]]
        check(f"{language}: {len(of)} terms find their pages", not missed and len(of) >= least, *missed)
    missed = [q for q, names in zip(random_parts, found[len(given) :], strict=True) if q[2] not in names]
    check(f"{len(random_parts)} random parts of words are found", not missed, len(missed), *missed[:5])


main()
sys.exit(tap.failed)
