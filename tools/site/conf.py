"""How Sphinx builds the site from the pages and settings that `tools/site/__main__.py` has written beside this."""

from __future__ import annotations

import json
import os
import posixpath
import sys
from gettext import NullTranslations

from sphinx.search import SearchLanguage

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(TOP, "tools/site"))
import search  # noqa: E402
import sidebar  # noqa: E402
from words import THEME  # noqa: E402

with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "settings.json"), encoding="utf-8") as file:
    settings = json.load(file)
language = settings["language"]
chinese = language != "en"
project = settings["title"]
author = ""
extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
exclude_patterns: list[str] = []
myst_heading_anchors = 6
myst_links_external_new_tab = False

smartquotes = False  # they would make one dash of the two before an option

html_theme = "furo"
html_use_index = False
html_title = project
html_show_sourcelink = False
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
html_static_path = ["_static"]
html_favicon = "_static/icon.svg"
templates_path = ["_templates"]
html_search_language = "course"
html_css_files = ["course.css"]
html_js_files = ["copy.js"]  # pages that have a piece load what it needs
html_theme_options = {"navigation_with_keys": True, "top_of_page_buttons": []}
pygments_style = "default"  # its comments have enough contrast on a light page
pygments_dark_style = "native"


PIECES = ["warp.js", "occupancy.js", "ring.js", "tiles.js", "roofline.js", "ladder.js", "pieces.js"]


class CourseSearch(SearchLanguage):
    """Every word as it is, and Chinese cut by the table of terms; static/search.js looks for parts of words."""

    lang = "course"
    known = frozenset(settings["lexicon"])
    js_splitter_code = search.SCRIPT.format(lexicon=json.dumps(settings["lexicon"], ensure_ascii=False))

    def split(self, input: str) -> list[str]:
        return search.words_of(input, self.known)


def other_language(page: str) -> str | None:
    """The address of the same page in the other language, from the page."""
    if page not in settings["both"]:
        return None
    here = posixpath.dirname("zh/" + page if chinese else page)
    return posixpath.relpath((page if chinese else "zh/" + page) + ".html", here or ".")


def prepared(app, page: str, template: str, context: dict, doctree) -> None:
    """The page's scripts, and the way to the other language. What scrolls sideways can be reached by the keyboard, and
    the sidebar's captions say their level."""
    context["other_language"] = other_language(page)
    if page == "search":
        app.add_js_file("search.js")
    if "body" in context:
        body = context["body"].replace("<pre>", '<pre tabindex="0">')
        context["body"] = body.replace('<div class="table-wrapper', '<div tabindex="0" class="table-wrapper')
        if 'class="piece"' in body:
            for name in [*(["chips.js", "results.js"] if page == "docs/pieces" else []), *PIECES]:
                app.add_js_file(name)
    if "furo_navigation_tree" in context:
        tree = sidebar.near(context["furo_navigation_tree"])
        context["furo_navigation_tree"] = tree.replace('role="heading"', 'role="heading" aria-level="2"')


class Translated(NullTranslations):
    """The theme's words, which Sphinx does not translate; the others as it does."""

    def gettext(self, message: str) -> str:
        return THEME.get(message) or super().gettext(message)


def setup(app) -> dict[str, bool]:
    if chinese:
        translated = Translated()
        translated.add_fallback(app.translator)
        app.translator = translated
    app.add_search_language(CourseSearch)
    app.connect("html-page-context", prepared, priority=900)  # after the theme has made the tree
    return {"parallel_read_safe": True, "parallel_write_safe": True}
