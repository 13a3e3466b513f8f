"""make serve: which saves have the site made again, and what its server says. The saves are scripted: each takes the
place of a second of waiting."""

import contextlib
import io
import os
import sys
import tempfile
import urllib.request

import tap
from tap import check

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../tools/site"))
import make  # noqa: E402
import serve  # noqa: E402
import tree  # noqa: E402


def write(name: str, text: str) -> None:
    path = os.path.join(tree.TOP, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    write.count += 1
    os.utime(path, ns=(write.count, write.count))  # a clock would be too coarse


write.count = 0


def makes(saves: list, while_made=None) -> list[int]:
    """How often the site was made by then, before the first save and after each."""
    made, counts, left = [], [], list(saves)

    def make_it() -> None:
        made.append(1)
        if while_made and len(made) == 1:
            while_made()

    def wait() -> None:
        counts.append(len(made))
        if not left:
            raise KeyboardInterrupt
        left.pop(0)()

    with contextlib.suppress(KeyboardInterrupt):
        serve.at_each_save(make_it, wait)
    return counts


def saves_test() -> None:
    write("docs/served_a.md", "text")
    cases = {
        "nothing": (lambda: None, 1),
        "a page": (lambda: write("docs/served_a.md", "changed"), 2),
        "a new page": (lambda: write("docs/served_new.md", "text"), 2),
        "a page that goes": (lambda: os.remove(os.path.join(tree.TOP, "docs/served_new.md")), 2),
        "a header that a page shows": (lambda: write("common/x.cuh", "int x;"), 2),
        "a script of the site": (lambda: write("tools/site/static/x.js", "x"), 2),
        "what was built": (lambda: write("build/site/x.md", "text"), 1),
    }
    for what, (save, wanted) in cases.items():
        counts = makes([save, lambda: None])
        check(f"saved: {what}", counts == [1, wanted, wanted], counts)
    counts = makes([lambda: None], lambda: write("docs/served_a.md", "changed while the site is made"))
    check("saved while the site is made", counts == [1, 2], counts)
    listed = tree.listed
    tree.listed = lambda: [*listed(), "docs/served_renamed.md"]
    counts = makes([lambda: None])
    tree.listed = listed
    check("a file that is renamed while it is saved", counts == [1, 1], counts)


def server_test() -> None:
    with serve.served(os.path.join(tree.TOP, "docs"), serve.Fresh) as address:
        with urllib.request.urlopen(f"{address}/served_a.md") as answer:
            text, caching = answer.read().decode(), answer.headers["Cache-Control"]
        write("docs/served_a.md", "second")
        with urllib.request.urlopen(f"{address}/served_a.md") as answer:
            again = answer.read().decode()
        port = int(address.split(":")[2].split("/")[0])
        try:
            with serve.served(tree.TOP, serve.Fresh, port):
                said = "two servers"
        except OSError as problem:
            said = str(problem)
    check("the server has the page as it is now", (text, again) == ("changed while the site is made", "second"), again)
    check("and the browser is to ask for it each time", caching == "no-cache", caching)
    check("a port that is in use is an error", "in use" in said, said)


def mistakes_test() -> None:
    """What make_site raises does not end make serve."""
    before = make.make_site
    for problem in (make.SiteError("a page"), FileNotFoundError("gone"), ValueError("a style sheet")):

        def fails(problem: Exception = problem) -> None:
            raise problem

        make.make_site = fails
        out = io.StringIO()
        try:
            with contextlib.redirect_stderr(out):
                make.make_again()
        except Exception as raised:
            out.write(f"raised {raised!r}")
        check(f"make serve outlives {problem!r}, and says it", out.getvalue() == f"site: {problem}\n", out.getvalue())
    make.make_site = before


with tempfile.TemporaryDirectory() as top:
    tree.TOP = top
    os.chdir(top)
    saves_test()
    server_test()
    mistakes_test()
sys.exit(tap.failed)
