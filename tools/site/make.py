#!/usr/bin/env python3
"""The course as pages for a browser, in build/site, made from the notes as they are.

make.py site     makes the environment build/site-env where it is missing, then the site
make.py serve    makes the site, serves it on port 8000 of this machine, and makes it again when a file is saved
make.py slides   makes a deck per lecture, in build/slides, and in Chinese in build/slides/zh
make.py book     makes the site, then the notes as a PDF, build/book/book.pdf
make.py views    records a launch of each lab as a page, in build/site-views, which the next site has; needs g++
make.py check    looks at the site that is there, by tools/site/check.py, whose options it takes

One of them makes things at a time: another waits until it is done, for they write into the same folders.
"""

from __future__ import annotations

import contextlib
import fcntl
import glob
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
import environment  # noqa: E402
import first_page  # noqa: E402
from serve import Fresh, at_each_save, served  # noqa: E402

ENV = "build/site-env"
PYTHON = f"{ENV}/bin/python"
WANTED = "tools/site/requirements.txt"
SITE = "build/site"
SLIDES = "build/slides"
VIEWS = "build/site-views"
LOCK = "build/site.lock"
PORT = 8000


class SiteError(Exception):
    """What kept the site from being made."""


@contextlib.contextmanager
def alone() -> Iterator[None]:
    os.makedirs(os.path.dirname(LOCK), exist_ok=True)
    with open(LOCK, "w", encoding="utf-8") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print("waiting for another build of the site, slides or book", flush=True)
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def run(*command: str) -> bool:
    return subprocess.run(command, check=False).returncode == 0


def environment_of(env: str, wanted: str) -> str:
    """The Python of a folder with those packages."""
    try:
        return environment.make(env, wanted)
    except environment.NoEnvironment as problem:
        raise SiteError(str(problem)) from None


def make_environment() -> None:
    environment_of(ENV, WANTED)


def sphinx(source: str, doctrees: str, out: str) -> subprocess.Popen[bytes]:
    command = [PYTHON, "-m", "sphinx", "-q", "-W", "--keep-going", "-E", "-d", doctrees, "-b", "html", source, out]
    return subprocess.Popen(command)


def make_site() -> None:
    """Sphinx builds beside the site and the result is moved, so that a failed build leaves the last site in place."""
    make_environment()
    if not run(PYTHON, "tools/site"):
        raise SiteError("the pages could not be written")
    new, chinese = SITE + ".new", SITE + ".zh"
    for folder in (new, chinese):
        shutil.rmtree(folder, ignore_errors=True)
    builds = [
        sphinx("build/site-source", "build/site-doctrees", new),
        sphinx("build/site-source-zh", "build/site-doctrees-zh", chinese),
    ]
    if any([build.wait() for build in builds]):
        raise SiteError("Sphinx found mistakes: see above")
    os.rename(chinese, f"{new}/zh")
    if os.path.isdir(VIEWS):
        shutil.copytree(VIEWS, f"{new}/views")
    for unwanted in (".buildinfo", "objects.inv", "zh/.buildinfo", "zh/objects.inv"):
        if os.path.exists(f"{new}/{unwanted}"):
            os.remove(f"{new}/{unwanted}")
    for page in ("index.html", "zh/index.html"):
        first_page.rewrite(f"{new}/{page}")
    shutil.rmtree(SITE, ignore_errors=True)
    os.rename(new, SITE)
    if not run(PYTHON, "tools/site/check.py", SITE):
        raise SiteError("the site has the mistakes above")
    files = [os.path.join(folder, name) for folder, _, names in os.walk(SITE) for name in names]
    size = sum(map(os.path.getsize, files)) / (1 << 20)
    pages = sum(name.endswith(".html") for name in files)
    print(f"{SITE}/index.html: {size:.0f} MB, {pages} pages")


def make_slides() -> None:
    make_environment()
    if not run(PYTHON, "tools/site/slides.py"):
        raise SiteError("the slides could not be written")
    new = SLIDES + ".new"
    shutil.rmtree(new, ignore_errors=True)
    command = [PYTHON, "-m", "sphinx", "-q", "-W", "--keep-going", "-E", "-b", "revealjs"]
    for source, out in (("build/slides-source", new), ("build/slides-source-zh", f"{new}/zh")):
        if not run(*command, source, out):
            raise SiteError("Sphinx found mistakes: see above")
    shutil.rmtree(SLIDES, ignore_errors=True)
    os.rename(new, SLIDES)
    print(f"{SLIDES}/index.html: {len(glob.glob(SLIDES + '/**/lecture*/index.html', recursive=True))} decks")


def browser_environment() -> str:
    """The Python with Playwright, whose Chromium is the system's."""
    if not shutil.which("chromium"):
        with contextlib.suppress(OSError), open("/etc/os-release", encoding="utf-8") as file:
            if "ID=ubuntu\n" in file.read():
                raise SiteError("Chromium is missing: sudo snap install chromium")
        raise SiteError("Chromium is missing: sudo apt-get install chromium")
    return environment_of("build/browser-env", "tools/site/browser.txt")


def make_book() -> None:
    python = browser_environment()  # before the site, which takes minutes
    make_site()
    if not run(python, "tools/site/book.py"):
        raise SiteError("the book could not be made")


def make_views() -> None:
    if not run(sys.executable, "tools/site/views.py"):
        raise SiteError("not every lab could be recorded")


def make_again() -> None:
    """A save that breaks a page leaves the last site in place, and the next save is waited for."""
    try:
        with alone():
            make_site()
    except (SiteError, OSError, ValueError) as problem:
        print(f"site: {problem}", file=sys.stderr, flush=True)


def serve() -> None:
    with alone():
        make_environment()
    try:
        with served(SITE, Fresh, PORT) as address:
            print(f"{address}/ as soon as it is made (Ctrl-C ends it)", flush=True)
            at_each_save(make_again)
    except OSError as problem:
        raise SiteError(f"port {PORT}: {problem.strerror}") from None
    except KeyboardInterrupt:
        return


def check(arguments: list[str]) -> int:
    program = (
        ["tools/site/check_slides.py", SLIDES]
        if arguments == ["--slides"]
        else ["tools/site/check.py", SITE, *arguments]
    )
    python = sys.executable
    if {"--slides", "--browser", "--search", "--first"} & set(arguments):
        python = browser_environment()
    return subprocess.run([python, *program], check=False).returncode


def main() -> int:
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
    commands = {"site": make_site, "slides": make_slides, "book": make_book, "views": make_views}
    command, arguments = (sys.argv[1] if len(sys.argv) > 1 else ""), sys.argv[2:]
    try:
        if command in commands and not arguments:
            with alone():
                commands[command]()
        elif command == "serve" and not arguments:
            serve()
        elif command == "check":
            return check(arguments)
        else:
            print(__doc__, end="", file=sys.stdout if command in ("-h", "--help") else sys.stderr)
            return 0 if command in ("-h", "--help") else 2
    except SiteError as error:
        print(f"site: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
