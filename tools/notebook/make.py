#!/usr/bin/env python3
"""A notebook per lecture, notebooks/lectureNN.ipynb, from the lecture's notes.

  make.py            writes them
  make.py --check    says which are not what the notes make; status 1
  make.py --run [NN] executes them, or lecture NN's, in this Python, and says which cell failed; status 1

The text is the notes' own, with generated tables and code as they are. A section that is about a lab ends with a cell
that runs the lab; where the text names an exercise there is a cell with its stub, which `%%cuda --exercise` grades.
The packages that this takes are installed into build/notebook-env.
"""

from __future__ import annotations

import glob
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(TOP / "tools"), str(TOP / "tools" / "python")]
import environment  # noqa: E402
from notes.blocks import blocks  # noqa: E402

ENV = "build/notebook-env"
SECTION = re.compile(r"^## .*?(?:\(`(?P<lab>[a-z0-9_]+)`\))?$")
EXERCISE = re.compile(r"\*\*[Ee]xercise (\d+)\.(\d+)\*\*")
COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
LINK = re.compile(r"(\]\(|<img src=\")(?![a-z]+:|#|/)([^)\"\s]+)(?=[)\"])")  # not C++'s [&](int k)
SECONDS = 1200  # that one cell may take on a slow machine: the first one builds the CPU device

START = """\
# The course's folder, which has the notes, the labs and the exercises, is this one or one above it. Where there is
# none, as in Colab, write the address of the course's repository here, and it is fetched.
REPOSITORY = ""
from pathlib import Path
folders = [f for f in [Path.cwd(), *Path.cwd().parents] if (f / "cpudevice" / "cucc").exists()]
if not folders and not REPOSITORY:
    raise FileNotFoundError("no course here: write the address of its repository into REPOSITORY")
course = folders[0] if folders else Path.cwd() / "course"
if not course.exists():
    !git clone -q --depth 1 {REPOSITORY} {course}
%cd -q {course}
%pip install -q ./tools/notebook
%load_ext cuda_notebook"""


def markdown(lines: list[str], folder: str) -> str:
    """Text without the notes' markers; links lead from notebooks/ to where they led."""
    text = COMMENT.sub("", "\n".join(lines))
    text = LINK.sub(lambda link: link[1] + os.path.normpath(f"../{folder}/{link[2]}"), text)
    return re.sub(r"\n{3,}", "\n\n", text).strip()


def exercise_cell(lecture: str, number: int) -> str:
    found = sorted(glob.glob(f"{TOP}/lecture{lecture}_*/exercises/ex{number:02}_*.cu"))
    stub = Path(found[0]).read_text(encoding="utf-8")
    return f"%%cuda --exercise {int(lecture)}.{number}\n{stub.rstrip()}"


def lab_cell(folder: str, lab: str) -> str | None:
    """Runs a lab on its small shapes, as the tests do; nothing for a name that is no lab of this lecture."""
    return f"%%bash\n./run {lab} --verify --small" if (TOP / folder / f"{lab}.cu").exists() else None


def cells(folder: str) -> Iterator[tuple[str, str]]:
    """The kind and the text of each cell of a lecture's notebook."""
    lecture = folder[len("lecture") :][:2]
    text: list[str] = []
    lab: str | None = None
    yield "code", START
    yield "code", f"%%bash\nmake -s lecture{lecture}"

    def flush() -> Iterator[tuple[str, str]]:
        words = markdown(text, folder)
        text.clear()
        if words:
            yield "markdown", words

    page = (TOP / folder / "README.md").read_text(encoding="utf-8")
    for block in (found.text for found in blocks(page.split("\n"))):
        section = SECTION.fullmatch(block[0])
        if section:
            yield from flush()
            command = lab_cell(folder, lab) if lab else None
            if command:
                yield "code", command
            lab = section["lab"]
        text += [*block, ""]
        for of_lecture, number in EXERCISE.findall("\n".join(block)):
            if int(of_lecture) == int(lecture):
                yield from flush()
                yield "code", exercise_cell(lecture, int(number))
    yield from flush()
    command = lab_cell(folder, lab) if lab else None
    if command:
        yield "code", command


def notebook(folder: str) -> str:
    import nbformat
    from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

    made = []
    for number, (kind, text) in enumerate(cells(folder)):
        new = new_code_cell if kind == "code" else new_markdown_cell
        made.append(new(text, id=f"cell-{number}"))
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return nbformat.writes(new_notebook(cells=made, metadata={"kernelspec": kernel})) + "\n"


def said(cell) -> str:
    return "".join(o.text for o in cell.outputs if o.output_type == "stream")


def execute(path: Path) -> bool:
    """Runs each cell in order. False if one raised; what it printed is shown."""
    import nbformat
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError

    book = nbformat.read(path, as_version=4)
    try:
        NotebookClient(book, timeout=SECONDS, resources={"metadata": {"path": str(path.parent)}}).execute()
    except CellExecutionError as problem:
        print(f"{path.name}: {problem}")
        return False
    code = [cell for cell in book.cells if cell.cell_type == "code"]
    wrong = [cell for cell in code if "%%cuda --exercise" in cell.source and "to do" not in said(cell)]
    for cell in wrong:
        print(f"{path.name}: a stub is not 'to do': {said(cell)[:200]}")
    print(f"{path.name}: {len(code)} cells ran")
    return not wrong


def main(arguments: list[str]) -> int:
    folders = sorted(os.path.basename(f) for f in glob.glob(f"{TOP}/lecture[0-9][0-9]_*"))
    mode, only = (arguments[0] if arguments else ""), arguments[1:]
    if mode not in ("", "--check", "--run") or len(only) > (mode == "--run"):
        print(__doc__, file=sys.stderr)
        return 2
    good = True
    for folder in folders:
        path = TOP / "notebooks" / f"{folder[:9]}.ipynb"
        if mode == "--run":
            good = (bool(only) and folder[7:9] != only[0]) or (execute(path) and good)
            continue
        text = notebook(folder)
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        if mode == "--check":
            print(f"notebooks: {path.relative_to(TOP)} is not what the notes make (make notebooks)")
            good = False
        else:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
            print(f"notebooks: {path.relative_to(TOP)}")
    return 0 if good else 1


def in_environment(arguments: list[str]) -> int:
    """This program again, with the Python that has the packages."""
    os.chdir(TOP)
    try:
        python = environment.make(ENV, "tools/notebook/requirements.txt")
    except environment.NoEnvironment as problem:
        print(f"notebooks: {problem}", file=sys.stderr)
        return 2
    return subprocess.run([python, __file__, *arguments], check=False).returncode


if __name__ == "__main__":
    inside = os.path.abspath(sys.prefix) == str(TOP / ENV)
    sys.exit(main(sys.argv[1:]) if inside else in_environment(sys.argv[1:]))
