"""The first use of a term on a page leads to the glossary, but not from where a click does something else."""

import os
import re
import sys

import tap
from tap import check

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../tools/site"))
try:
    import glossary
except ImportError as missing:
    tap.skip(f"the site's glossary: {missing}")
    sys.exit(0)

PAGE = """# A warp in a heading

<details><summary><b>Question.</b> What does a warp fetch?</summary>

The warp fetches sectors. [A warp](other.md) and `warp` stay.

</details>

A warp once more, and a barrier.
"""
made = glossary.linked(PAGE, "glossary.html")
links = re.findall(r'<a class="term" href="glossary.html#term-(\w+)">(\w+)</a>', made)
expected = [("barrier", "barrier"), ("sector", "sectors"), ("warp", "warp")]
check("each term has one link", sorted(links) == expected, links)
check("none is in a heading or a summary", "<a" not in made.partition("</summary>")[0], made)
first = 'The <a class="term" href="glossary.html#term-warp">warp</a> fetches'
check("the link is at the first use", first in made, made)
sys.exit(tap.failed)
