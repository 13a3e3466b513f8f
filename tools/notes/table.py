"""A CSV file as a table in Markdown, with its source below it."""

from __future__ import annotations

import re

from .csv_file import CsvFile, NoteError, number, place

HEADINGS = {
    "time_ms": "time, ms",
    "gbps": "GB/s",
    "tflops": "TFLOP/s",
    "of_copy": "of copy",
    "vs_vendor": "vs vendor",
    "vs_before": "vs rung before",
}
LADDER = "rung,name,type,size,mode,time_ms,gbps,tflops,of_copy,vs_vendor,vs_before"
RATIOS = ("of_copy", "vs_vendor", "vs_before")
FIGURE = re.compile(r"[-+]?[0-9.]*(e[-+]?[0-9]+)?x?( %)?")
MOST_ROWS = 8  # that a lesson may show


def heading(column: str) -> str:
    return HEADINGS.get(column, column.replace("_", " "))


def power_of_two(value: int) -> int | None:
    """The k of 2^k = value, if there is one."""
    return value.bit_length() - 1 if value > 0 and value & (value - 1) == 0 else None


def figure(column: str, value: str) -> str:
    """A cell as the table shows it."""
    if value == "" or (column in RATIOS and number(value) == 0):
        return ""
    if column == "vs_before":
        return f"{number(value):.2f}x"
    if column == "of_copy" or (column.startswith("vs_") and re.fullmatch(r"[0-9.]+", value)):
        return f"{number(value):.3f}"
    if column in ("gbps", "tflops"):
        return f"{number(value):.4g}" if number(value) != 0 else ""
    if column == "time_ms":
        return f"{number(value):.4g}"
    if column == "size" and re.fullmatch(r"[0-9]+", value):
        power = power_of_two(int(value))
        return f"2^{power}" if power and int(value) >= 65536 else value
    if column == "size" and re.fullmatch(r"[0-9]+(x[0-9]+)+", value):
        return value.replace("x", "\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}")
    return value


def wanted_columns(csv: CsvFile, columns: str) -> tuple[list[str], list[str]]:
    """The columns that `columns` asks for, and their titles: NAME or NAME=TITLE, separated by commas."""
    names, titles = [], []
    for asked in columns.split(","):
        asked_name, equals, title = asked.partition("=")
        name = csv.column(asked_name)
        if name is None:
            raise NoteError(f"{csv.path} has no column {asked_name}")
        names.append(name)
        titles.append(title.replace("_", " ") if equals else heading(asked))
    return names, titles


def source(csv: CsvFile, lesson: bool) -> str:
    """The line below a table: what it was measured with."""
    device, date = csv.about.get("device", ""), csv.about.get("date", "")
    if lesson:
        return f"*{device}, {date}; [how, and all rows](measured.md#{place(csv.path)[0]})*"
    versions = f"; versions: {csv.about['versions']}" if "versions" in csv.about else ""
    remark = f". {csv.remark}" if csv.remark else ""
    return f"*{csv.path}. device: {device}{versions}; date: {date}; command: {csv.about.get('command', '')}{remark}*"


def table(csv: CsvFile, columns: str, where: str, lesson: bool) -> list[str]:
    """The lines of a table. A column that is empty in every row shown is left out, unless it was asked for by name."""
    asked = columns != ""
    if not asked:
        wide = "rung" in csv.columns and "vs_vendor" in csv.columns
        columns = LADDER if wide else ",".join(csv.columns)
    names, titles = wanted_columns(csv, columns)
    rows: list[list[str]] = []
    shown, text = set(names if asked else ()), set()
    for row in csv.rows:
        if not csv.agrees(row, where):
            continue
        cells = []
        for name in names:
            cell = figure(name, row.get(name, ""))
            if name == "mode" and cell == "interleaved" and not asked:
                cell = ""
            if not FIGURE.fullmatch(cell):
                text.add(name)
            if name == "time_ms" and cell == "" and "check" in csv.columns:  # not timed: why
                cell = row.get("check", "")
            if cell:
                shown.add(name)
            cells.append(cell)
        rows.append(cells)
    if not rows:
        raise NoteError(f"{csv.path} has no row where {where}")
    if lesson and len(rows) > MOST_ROWS:
        raise NoteError(f"a table of {len(rows)} rows: choose some (where ...); all are on the page of measurements")
    rule = ["---" if name in text else "---:" for name in names]
    lines = []
    for cells in [titles, rule, *rows]:
        lines.append("|" + "".join(f" {cell} |" for name, cell in zip(names, cells, strict=True) if name in shown))
    return [*lines, "", source(csv, lesson)]
