"""The measured tables of a lab, by device."""

from __future__ import annotations

import csv
import html
import re

from tree import labs, read, tracked

DEVICES = {"cpu": "CPU device", "h100": "NVIDIA H100", "h200": "NVIDIA H200"}


def lab_of(result: str) -> str | None:
    """The lab that wrote a file of results: the one with the longest name that the file's name begins with."""
    named = re.fullmatch(r"results/\w+/(?:counts/)?(lecture\d\d)[-/]([\w-]+)\.csv", result)
    fits = [
        lab
        for lab in labs()
        if named
        and lab.startswith(named[1])
        and re.match(re.escape(lab.split("/")[1][: -len(".cu")]) + r"(?![A-Za-z0-9])", named[2])
    ]
    return max(fits, key=len, default=None)


def table(text: str) -> tuple[str, str]:
    """The remarks of a file of results, and its rows as HTML on one line."""
    lines = text.splitlines()
    remarks = "; ".join(line[1:].strip() for line in lines if line.startswith("#"))
    rows = list(csv.reader(line for line in lines if line and not line.startswith("#")))
    cells = [[html.escape(cell) for cell in row] for row in rows] or [[]]
    head = "".join(f'<th scope="col">{cell}</th>' for cell in cells[0])
    body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in cells[1:])
    return remarks, f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def sections(lab: str) -> str:
    """A section per device with each of the lab's tables, folded but for the first; empty if none was measured."""
    out = []
    for device, name in sorted(DEVICES.items(), reverse=True):
        files = [f for f in tracked() if f.startswith(f"results/{device}/") and lab_of(f) == lab]
        files.sort(key=len)  # the ladder's own table has the shortest name
        if files:
            out.append(f"## Results on {name}")
        for number, file in enumerate(files):
            remarks, rows = table(read(file))
            folded = "" if number else " open"
            out.append(
                f"<details{folded}><summary>{html.escape(file)}</summary>"
                f'<p>{html.escape(remarks)}</p><div class="results" tabindex="0">{rows}</div></details>'
            )
    return "\n\n".join(out)
