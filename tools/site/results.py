"""The measured tables of a lab, by device, and what the interactive pieces read of them."""

from __future__ import annotations

import functools
import html
import json
import os
import re
import sys

from tree import TOP, labs, tracked

sys.path.insert(0, os.path.join(TOP, "tools"))
from notes.csv_file import CsvFile, number, read  # noqa: E402
from notes.table import figure, heading  # noqa: E402

DEVICES = {"cpu": "CPU device", "h100": "NVIDIA H100", "h200": "NVIDIA H200"}
# The columns of a rung; the last four are numbers.
LADDER = ("rung", "name", "type", "size", "mode", "time_ms", "gbps", "tflops", "of_copy")


@functools.cache
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


@functools.cache
def files() -> dict[tuple[str, str], list[str]]:
    """The files of results of each lab and device, first the ladder's own table: it has the shortest name."""
    found: dict[tuple[str, str], list[str]] = {}
    for file in tracked():
        lab = lab_of(file) if file.startswith("results/") and file.endswith(".csv") else None
        if lab:
            found.setdefault((lab, file.split("/")[1]), []).append(file)
    return {key: sorted(names, key=len) for key, names in found.items()}


@functools.cache
def loaded(file: str) -> CsvFile:
    return read(os.path.join(TOP, file))


def table(csv: CsvFile) -> tuple[str, str]:
    """How a file of results was measured, and its rows as HTML on one line."""
    remarks = [f"{key}: {value}" for key, value in csv.about.items()] + ([csv.remark] if csv.remark else [])
    head = "".join(f'<th scope="col">{html.escape(heading(name))}</th>' for name in csv.columns)
    rows = ([html.escape(figure(name, row.get(name, ""))) for name in csv.columns] for row in csv.rows)
    body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return "; ".join(remarks), f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def rungs(lab: str) -> dict[str, list[list[str | float]]]:
    """The timed rungs of a lab by device, each with the columns of LADDER; the first file that has a rung counts."""
    found: dict[str, dict[tuple[str, ...], list[str | float]]] = {}
    for device, name in DEVICES.items():
        for file in files().get((lab, device), []):
            csv = loaded(file)
            if not {"lab", *LADDER} <= set(csv.columns):
                continue
            for row in csv.rows:
                cells = [row.get(column, "") for column in LADDER]
                if number(cells[5]) > 0:
                    found.setdefault(name, {}).setdefault(tuple(cells[:5]), [*cells[:5], *map(number, cells[5:])])
    return {name: list(rows.values()) for name, rows in found.items()}


def as_script(value: object) -> str:
    """JSON that may be within a page: nothing in it ends the script."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def ladder(lab: str, words: dict[str, str]) -> str:
    """The lab's rungs as bars, if any was timed: static/ladder.js draws them."""
    found = rungs(lab)
    if not found:
        return ""
    return (
        f'## {words["bars"]}\n\n<div class="piece" data-piece="ladder">'
        f'<script type="application/json">{as_script(found)}</script></div>\n\n'
    )


def sections(lab: str, words: dict[str, str]) -> str:
    """The bars, then a section per device with each of the lab's tables, folded but for the first; empty if none was
    measured."""
    out = []
    for device, name in sorted(DEVICES.items(), reverse=True):
        names = files().get((lab, device), [])
        if names:
            out.append("## " + words["results on"].format(name))
        for count, file in enumerate(names):
            remarks, rows = table(loaded(file))
            folded = "" if count else " open"
            out.append(
                f"<details{folded}><summary>{html.escape(file)}</summary>"
                f'<p>{html.escape(remarks)}</p><div class="results" tabindex="0">{rows}</div></details>'
            )
    return ladder(lab, words) + "\n\n".join(out)
