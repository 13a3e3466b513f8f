"""A page of the site becomes a part of the book: anchors are the page's, links stay in the book, answers are open."""

import os
import sys

import tap
from tap import check

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../tools/site"))
import book  # noqa: E402

PAGE = """<html><body><nav><a href="index.html">not the page's</a></nav><article role="main"><section id="sum">
<h1>A &amp; B<a class="headerlink" href="#sum">#</a></h1>
<p><a href="../terms/list.html#term-warp">warp</a> <a href="labs/sum.html">the <b>lab</b></a> <a href="#end">end</a></p>
<details><summary>Q</summary><img src="../_images/a.svg" loading="lazy">&lt;x&gt;</details>
<div class="piece"><label>stride <input name="stride"></label><output>none</output></div>
<section id="end"><h2>The <code>end</code></h2></section></section></article><p>after</p></body></html>"""

part = book.Article("lecture03/index", {"lecture03/index", "terms/list"})
part.feed(PAGE)
made = "".join(part.out)


def holds(text: str, name: str) -> None:
    check(name, text in made, made)


holds('<section id="page-lecture03-index--sum">', "an anchor begins with its page")
holds('<a href="#page-terms-list--term-warp">warp</a>', "a link to a page of the book leads there")
holds(" the <b>lab</b> <a", "a link to another page is plain text")
holds('<a href="#page-lecture03-index--end">end</a>', "a link within the page stays there")
holds("<details open>", "an answer is open")
pictures = os.path.relpath(book.SITE, book.OUT) + "/_images"
holds(f'<img src="{pictures}/a.svg">&lt;x&gt;', "a picture is the site's, and text stays as it is")
check("an interactive piece has no fields", "stride" not in made and "none" not in made, made)
check("only the article is taken", "not the page's" not in made and "after" not in made, made)
check(
    "headings have their section's anchor and no sign of a link",
    part.headings
    == [
        ("h1", "page-lecture03-index--sum-heading", "A &amp; B"),
        ("h2", "page-lecture03-index--end-heading", "The end"),
    ],
    part.headings,
)
check(
    "a heading without a page and a wrong number are found",
    book.findings([part], {"page-lecture03-index--sum-heading": 3}, {"page-lecture03-index--sum-heading": 4})
    == [
        "page-lecture03-index--end-heading is on no page",
        "page-lecture03-index--sum-heading is on page 4, not 3",
    ],
)
numbered = book.contents([part], {"page-lecture03-index--end-heading": 12})
check("the contents have the number of the page", "<span>12</span>" in numbered, numbered)
sys.exit(tap.failed)
