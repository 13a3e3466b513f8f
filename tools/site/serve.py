"""A folder on a server of this machine, and the site made again when a file that it is made from is saved."""

from __future__ import annotations

import contextlib
import functools
import http.server
import os
import threading
import time
from collections.abc import Callable, Iterator

import tree

MADE_FROM = (".md", ".svg", *tree.SOURCE_ENDINGS)


class Quiet(http.server.SimpleHTTPRequestHandler):
    """A page that is left before its answer has come is no mistake."""

    def log_message(self, format: str, *args: object) -> None:
        pass

    def copyfile(self, source, outputfile) -> None:
        with contextlib.suppress(ConnectionError):
            super().copyfile(source, outputfile)


class Fresh(Quiet):
    """A browser asks for a page again each time it shows it, and so shows none from before the last save."""

    def end_headers(self) -> None:
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()


@contextlib.contextmanager
def served(folder: str, handler: type[Quiet] = Quiet, port: int = 0) -> Iterator[str]:
    """The address of the folder on a server of this machine, which has it under its name; port 0 is a free one."""
    above, name = os.path.split(os.path.abspath(folder))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", port), functools.partial(handler, directory=above))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/{name}"
    finally:
        server.shutdown()
        server.server_close()


def saved() -> dict[str, int]:
    """The files that the site is made from, and when each was saved."""
    times = {}
    for name in tree.listed():
        if name.endswith(MADE_FROM) or name.startswith("tools/site/"):
            with contextlib.suppress(FileNotFoundError):  # an editor renames a file while it saves
                times[name] = os.stat(os.path.join(tree.TOP, name)).st_mtime_ns
    return times


def at_each_save(make: Callable[[], None], wait: Callable[[], None] = lambda: time.sleep(1)) -> None:
    """Makes the site now and after each save, also after one that comes while the site is being made. Never ends."""
    seen: dict[str, int] | None = None
    while True:
        now = saved()
        if now != seen:
            seen = now
            make()
        wait()
