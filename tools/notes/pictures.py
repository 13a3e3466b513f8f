"""Draws the pictures of the notes, lectureNN_name/pictures/*.svg.

The programs in tools/pictures/ draw them out of the labs' own kernels, and tools/notes/plot.c draws bars out of
results/. A note asks for bars with a line

  <!-- plot NAME GB/s|TFLOP/s results/h200/FILE.csv CONDITION VENDOR the title in words -->

and shows the file as an image. Each picture NAME.svg is drawn a second time with its words in Chinese, NAME.zh.svg,
which the Chinese pages show (tools/notes/picture_words.py). With `check` nothing in the course is written: a picture is
wrong if it differs from what its program draws, is drawn by none, or is shown by no page.
"""

from __future__ import annotations

import glob
import os
import re
import shutil
import subprocess
import sys

from .csv_file import NoteError
from .excerpt import excerpt, read_lines

WORK = "build/pictures"
SOURCES = "tools/pictures"
FLAGS = "-O1 -g -Wall -Wextra -Wno-unknown-pragmas -Icommon".split() + [
    f"-I{SOURCES}",
    f"-I{WORK}",
    f"-I{WORK}/include",
]
GCC = ["gcc", "-std=c11", "-D_GNU_SOURCE"]
# Each access of a kernel calls a function, which replay.c provides.
KERNELS = ["g++", "-std=c++17", "-fsanitize=thread", "-fno-threadsafe-statics", "-w"]
LIBRARY = ["common/sparse/*.c", "common/device/types.c"]  # of the course's library
PLOT = re.compile(r"<!-- plot (\S+) +(\S+) +(\S+) +(\S+) +(\S+) +(.*?) *-->")
LAUNCH = re.compile(r"(\w*)<<<.*>>>\(")


def write_excerpts() -> None:
    """Writes WORK/NAMESPACE.inc for each line of excerpts.txt, where its text changed."""
    for line in read_lines(f"{SOURCES}/excerpts.txt"):
        if line.startswith("#"):
            continue
        namespace, path, *names = line.split()
        lines = [text for name in names for text in excerpt(path, name)]
        # kernel<<<...>>>(arguments) becomes REPLAY_LAUNCH kernel(arguments), a loop over the threads
        text = LAUNCH.sub(r"REPLAY_LAUNCH \1(", "\n".join(lines)) + "\n"
        to = f"{WORK}/{namespace}.inc"
        if text != "\n".join(read_lines(to)) + "\n":
            with open(to, "w", encoding="utf-8") as file:
                file.write(text)


def compiled(source: str, compiler: list[str]) -> str:
    """The object of a source file, compiled anew if anything is newer than it."""
    made = f"{WORK}/{os.path.basename(source)}.o"
    inputs = [source] + [f for ending in ("h", "c", "cc") for f in glob.glob(f"{SOURCES}/*.{ending}")]
    inputs += glob.glob(f"{WORK}/*.inc")
    if source == f"{SOURCES}/svg.c":
        inputs += [f"{SOURCES}/chinese.inc", "cpudevice/runtime/device/forms.h"]
    newest = max(os.path.getmtime(f) for f in inputs)
    if not os.path.exists(made) or os.path.getmtime(made) < newest:
        subprocess.run([*compiler, *FLAGS, "-c", source, "-o", made], check=True)
    return made


def build() -> None:
    """Builds WORK/pictures, which draws out of kernels, and WORK/plot, which draws bars."""
    os.makedirs(f"{WORK}/include", exist_ok=True)
    write_excerpts()
    for header in ("cuda_runtime.h", "cuda_bf16.h"):  # shim.h has what is needed
        open(f"{WORK}/include/{header}", "w", encoding="utf-8").close()
    objects = [compiled(f, GCC) for f in sorted(glob.glob(f"{SOURCES}/*.c"))]
    objects += [compiled(f, KERNELS) for f in sorted(glob.glob(f"{SOURCES}/*.cc"))]
    objects += [compiled(f, GCC) for pattern in LIBRARY for f in sorted(glob.glob(pattern))]
    subprocess.run(["gcc", *objects, "-o", f"{WORK}/pictures", "-lstdc++", "-lm"], check=True)
    plot = [compiled("tools/notes/plot.c", GCC), f"{WORK}/svg.c.o"]
    subprocess.run(["gcc", *plot, "-o", f"{WORK}/plot"], check=True)


def draw(to: str, quiet: bool) -> bool:
    """Draws all pictures below the folder `to`, in both languages. False if one cannot be drawn."""
    return all([drawn_in(language, to, quiet) for language in ("en", "zh")])


def drawn_in(language: str, to: str, quiet: bool) -> bool:
    out = subprocess.DEVNULL if quiet else None
    environment = os.environ | {"COURSE_LANG": language}
    if subprocess.run([f"{WORK}/pictures", to], stdout=out, check=False, env=environment).returncode:
        return False
    good = True
    for page in sorted(glob.glob("lecture[0-9][0-9]_*/*.md")):
        folder = f"{to}/{page.partition('/')[0]}/pictures"
        os.makedirs(folder, exist_ok=True)
        for line in read_lines(page):
            asked = PLOT.fullmatch(line)
            if asked:
                name, unit, csv, condition, vendor, title = asked.groups()
                command = [f"{WORK}/plot", f"{folder}/{name}.svg", title, unit, csv, condition, vendor]
                good = subprocess.run(command, check=False, env=environment).returncode == 0 and good
    return good


def content(path: str) -> bytes | None:
    """The bytes of a file, or None if there is none."""
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None


def compared(drawn: str) -> bool:
    """Are the course's pictures those below the folder `drawn`, and is each one shown by a page?"""
    good = True
    here = glob.glob("lecture*/pictures/*.svg")
    there = [os.path.relpath(f, drawn) for f in glob.glob(f"{drawn}/lecture*/pictures/*.svg")]
    for picture in sorted({*here, *there}):
        if content(picture) != content(f"{drawn}/{picture}"):
            print(f"pictures: {picture} is not what its program draws (make notes)")
            good = False
    pages = [
        page for pattern in ("*.md", "docs/*.md", "lecture*/*.md", "cpudevice/*.md") for page in glob.glob(pattern)
    ]
    text = "\n".join(line for page in pages for line in read_lines(page))
    for picture in sorted(here) + sorted(glob.glob("results/*/*.svg")):
        if "pictures/" + os.path.basename(picture) not in text and picture not in text:
            print(f"pictures: no page shows {picture}")
            good = False
    return good


def pictures(check: bool) -> bool:
    """Draws the course's pictures, or compares them with what would be drawn. False if something is wrong."""
    if not os.path.isdir(SOURCES):  # a course whose notes have none
        return True
    try:
        build()
    except (NoteError, subprocess.CalledProcessError) as problem:
        print(f"pictures: {problem}", file=sys.stderr)
        return False
    if not check:
        return draw(".", quiet=False)
    drawn = f"{WORK}/drawn"
    shutil.rmtree(drawn, ignore_errors=True)
    os.makedirs(drawn)
    return draw(drawn, quiet=True) and compared(drawn)
