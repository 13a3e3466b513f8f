"""The sidebar of a page. It lists the labs or exercises of the reader's own lecture; of the others, the pages that list
them. All of them would be 20 KB on every page."""

from __future__ import annotations

import re

# A page below a lecture that has pages itself and is not on the way to this one: its link, then what unfolds it.
FOLDED = re.compile(
    r'(<li class="toctree-l2) has-children("><a [^>]*>(?:(?!</a>).)*</a>)'
    r"<input(?:(?!<ul>).)*<ul>(?:(?!<ul>).)*?</ul>\s*</li>",
    re.DOTALL,
)


def near(tree: str) -> str:
    """The theme's tree of all pages, without those that are two steps from this page's way."""
    return FOLDED.sub(r"\1\2</li>", tree)
