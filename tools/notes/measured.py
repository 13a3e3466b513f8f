"""A lecture's page of measurements, measured.md: every CSV file of the lecture below results/, one section each."""

from __future__ import annotations

import glob
import os

from .csv_file import place
from .excerpt import read_lines

MOST_ROWS = 80  # that the page shows; of a longer file it shows a link

HEAD = """<!-- written by make notes (tools/notes/measured.py): change results/, not this page -->
# {title}: everything that was measured

This page has all rows of the tables in [the lecture's notes](README.md), and the tables that the notes leave out.
{measuring} says how the times were taken, what "interleaved", "burst" and "sustained" mean, and which figures may be
compared. A blank cell was not measured; a word in place of a time says why a rung did not run. The command under a
table measures it again."""


def files_of(lecture: str) -> list[str]:
    """The lecture's CSV files, in the order of the page."""
    number = lecture.partition("_")[0]
    patterns = [f"results/{device}/{number}{sign}*.csv" for device in ("h200", "h100", "cpu", "nvcc") for sign in "-/"]
    if number == "lecture01":
        patterns += ["results/h200/profiler_*.csv", "results/cpu/profiler_*.csv"]
    return [path for pattern in patterns for path in sorted(glob.glob(pattern))]


def section(csv: str) -> list[str]:
    """The lines of one file's section."""
    anchor, heading = place(csv)
    lines = ["", f'<a id="{anchor}"></a>', "", f"## {heading}", ""]
    rows = sum(not line.startswith("#") for line in read_lines(csv)) - 1
    if rows >= MOST_ROWS:
        return [*lines, f"{rows} rows: [{os.path.basename(csv)}](../{csv})"]
    return [*lines, f"<!-- table {csv} -->", "<!-- end -->"]


def page(lecture: str) -> list[str]:
    """The page before its tables are filled in; no lines if nothing of the lecture was measured."""
    if not files_of(lecture):
        return []
    title = read_lines(f"{lecture}/README.md")[0].lstrip("#").lstrip(" ")
    lines = HEAD.format(title=title, measuring="[measuring.md](../docs/measuring.md)").split("\n")
    for csv in files_of(lecture):
        lines += section(csv)
    return lines
