"""How soon the front pages can be read on a slow line, in Chromium.

The line is the "Slow 4G" of Chromium's developer tools (once called "Fast 3G"): 1.44 Mbit/s, and 562.5 ms from each
request to its answer. The server compresses as GitHub Pages does. Each run begins with an empty cache.
"""

from __future__ import annotations

import gzip
import os
import statistics
from collections.abc import Iterator

from serve import Quiet, served

LINE = {"offline": False, "latency": 562.5, "downloadThroughput": 180_000, "uploadThroughput": 84_375}  # bytes/s
FRONT = ("index.html", "zh/index.html")
RUNS = 9
LIMIT_MS = 1000
COMPRESSED = (".html", ".css", ".js", ".svg")
PAINTED = """() => new Promise(done => new PerformanceObserver(list => {
    const paint = list.getEntriesByName("first-contentful-paint")[0];
    if (paint) done(paint.startTime);
}).observe({type: "paint", buffered: true}))"""
LARGEST = """() => new Promise(done => new PerformanceObserver(list => done(list.getEntries().at(-1).startTime))
    .observe({type: "largest-contentful-paint", buffered: true}))"""


class Compressing(Quiet):
    """A server that sends pages, styles and scripts as gzip."""

    def do_GET(self) -> None:
        path = self.translate_path(self.path)
        if not path.endswith(COMPRESSED) or not os.path.isfile(path):
            super().do_GET()
            return
        with open(path, "rb") as file:
            content = gzip.compress(file.read())
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(path))
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


def painted(browser, address: str) -> tuple[float, float]:
    """When a page shows its first text, and its largest block, in ms after the request."""
    context = browser.new_context(viewport={"width": 390, "height": 844})
    tab = context.new_page()
    line = context.new_cdp_session(tab)
    line.send("Network.enable")
    line.send("Network.emulateNetworkConditions", LINE)
    tab.goto(address, wait_until="load")
    times = tab.evaluate(PAINTED), tab.evaluate(LARGEST)
    context.close()
    return times


def late(browser, folder: str, runs: int = RUNS) -> Iterator[str]:
    """The front pages whose largest block of text, in the median, is later than a second. Prints the times."""
    with served(folder, Compressing) as address:
        painted(browser, f"{address}/{FRONT[0]}")  # the first page of a browser takes longer
        for page in FRONT:
            seen = [painted(browser, f"{address}/{page}") for _ in range(runs)]
            for what, times in zip(("first text", "largest block"), zip(*seen, strict=True), strict=True):
                middle = statistics.median(times)
                said = f"{what} after {middle:.0f} ms ({min(times):.0f} to {max(times):.0f}, {runs} runs)"
                print(f"{page} on a slow line: {said}", flush=True)
                if middle > LIMIT_MS:
                    yield f"{folder}/{page}: {said}, later than {LIMIT_MS} ms"
