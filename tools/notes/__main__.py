"""Fills what the notes generate, from results/ and from the labs' own files.

Usage: tools/notes/notes.sh [--check | --accept | --pictures]

A note may ask for these, each up to the next <!-- end -->: a CSV file as a table; the piece of a source file between
"// notes: NAME" and "// notes end", or the whole function of that name; a recorded text.

  <!-- table results/h200/FILE.csv [columns rung,name,gbps=GB/s] [where type=bf16&rung=1|2] -->
  <!-- code lecture03_cuda_basics/add.cu NAME -->
  <!-- listing results/nvcc/FILE.txt -->

and for a figure in the prose, which must be its cells, rounded:

  <!--= FILE[rung=4].gbps / FILE[rung=1].gbps -->9.5<!--/-->

It also marks what is older than the English in the Chinese pages (chinese.py), writes each lecture's page of
measurements, measured.md, out of all of its CSV files, and draws each lecture's pictures. With --check nothing is
written; with --accept a figure in the prose that differs is rewritten (read the sentence!); with --pictures only the
pictures are drawn.
The exit status is 1 if something is not what its sources make.
"""

from __future__ import annotations

import glob
import os
import sys

from . import chinese
from .csv_file import Results
from .excerpt import read_lines
from .measured import page as measured_page
from .note import ASKS, Note
from .pictures import pictures

PAGES = ["README.md", "README.zh.md", "docs/*.md", "lecture[0-9][0-9]_*/*.md", "cpudevice/*.md", "cpudevice/docs/*.md"]


def settle(note: Note, text: str, check: bool) -> bool:
    """Writes what was made for a page, or says with `check` that it differs. False if something is wrong."""
    for problem in note.problems:
        print(problem, file=sys.stderr)
    if note.problems:
        return False
    try:
        with open(note.page, encoding="utf-8", newline="") as file:
            if file.read() == text:
                return True
    except FileNotFoundError:
        pass
    if check:
        print(f"notes: {note.page} is not what its sources make (make notes)")
        return False
    with open(note.page, "w", encoding="utf-8", newline="") as file:
        file.write(text)
    print(f"notes: {note.page}")
    return True


def main(arguments: list[str]) -> int:
    mode = arguments[0] if arguments else ""
    if mode not in ("", "--check", "--accept", "--pictures"):
        print("usage: notes.sh [--check | --accept | --pictures]", file=sys.stderr)
        return 2
    if mode == "--pictures":
        return 0 if pictures(check=False) else 1
    check = mode == "--check"
    results = Results()
    good = True
    for path in [path for pattern in PAGES for path in sorted(glob.glob(pattern))]:
        if os.path.basename(path) == "measured.md" or not ASKS.search("\n".join(read_lines(path))):
            continue
        note = Note(path, results, lesson=path.startswith("lecture"), accept=mode == "--accept")
        good = settle(note, note.filled(read_lines(path)), check) and good
    for lecture in sorted(glob.glob("lecture[0-9][0-9]_*")):
        lines = measured_page(lecture)
        if lines:
            note = Note(f"{lecture}/measured.md", results)
            good = settle(note, note.filled(lines), check) and good
    if not check:
        chinese.mark()
    sys.stdout.flush()
    good = pictures(check) and good
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
