"""The catalogues of what programs here say, English and Chinese: what is missing, and what no source says any longer.
Those of pages that scripts draw are read by notes.page_words, those of pictures by notes.picture_words. Turns of phrase
that our English pages avoid are in notes.plain_words.

Usage: PYTHONPATH=tools python3 -m notes.words

A catalogue is a file of rows SAY("English", "Chinese"); the English is a text of the sources as it stands there, so a
message that changes loses its Chinese, and both are named here: the old text as said no longer, the new one as
missing. Rows JOINED("English", "Chinese") are texts that the sources put together out of several; rows OTHERS are what
a library says.
Ends with 1 if there is something to say.
"""

from __future__ import annotations

import glob
import re
import sys
from collections.abc import Iterator
from typing import NamedTuple

from . import lab_words, page_words, picture_words, plain_words
from .chinese import typography_of

ONE = r'"((?:[^"\\\n]|\\.)*)"'
TOKEN = re.compile(
    rf"/\*.*?\*/|//[^\n]*|'(?:[^'\\]|\\.)'|^\s*#\s*include[^\n]*|{ONE}(?:\s*{ONE})*",
    re.DOTALL | re.MULTILINE,
)
ROW = re.compile(
    rf"\b(SAY|JOINED|OTHERS)\(\s*({ONE}(?:\s*{ONE})*),\s*({ONE}(?:\s*{ONE})*)\s*\)",
    re.DOTALL,
)
OPTION = (  # of argp's tables: {"csv", KEY_CSV, "FILE", 0, "write the figures to FILE as well", 0}
    r'\{"[\w-]+",\s*(?:[A-Z_\d]+|\'.\'),\s*(?:"[^"]*"|0),\s*(?:0|OPTION_\w+),'
    r'\s*("(?:[^"\\\n]|\\.)*"(?:\s*"(?:[^"\\\n]|\\.)*")*)'
)
CLAIM = r'lab_claim\([^"]*("(?:[^"\\\n]|\\.)*"(?:\s*"(?:[^"\\\n]|\\.)*")*)'
COMMAND = r'^    \{"\w+",\s*("(?:[^"\\\n]|\\.)*"),'
REFUSED = r'\berror_at\([^";]*("(?!%s")(?:[^"\\\n]|\\.)*"(?:\s*"(?:[^"\\\n]|\\.)*")*)'
PROSE = re.compile(r"[A-Za-z]\w*[,:;]? +[a-z]")


class Catalogue(NamedTuple):
    path: str
    sources: list[str]  # what says it
    all_of: list[str]  # of these every sentence must be in the catalogue
    not_said: re.Pattern[str]  # texts in them that nobody reads as a message
    printed: list[str] = []  # of these every line that say() prints
    named: list[tuple[str, str]] = []  # files and a pattern: each of its names in them


class Row(NamedTuple):
    kind: str
    english: str
    chinese: str
    line: int


CATALOGUES = [
    Catalogue(
        "cpudevice/runtime/device/chinese.inc",
        ["cpudevice/runtime/*/*.[ch]", "cpudevice/shared/*.c"],
        ["cpudevice/runtime/*/*.[ch]", "cpudevice/shared/*.c"],
        # what is in the checker's, since it prints it; CUDA's own texts; parts of lines; static assertions
        re.compile(
            r"^(a|the) (dimension|block|grid|cluster|cooperative grid|stream) |^more threads than|^too much dynamic"
            r"|^the kernel has more|^a kernel cannot call it: nvcc|%sthread %u waits|^the swizzle's pattern"
            r"|^unrecognized error|Assertion `|^CPU device \(%d|^cuda module|^// CPU device image"
            r"|^the cluster's barrier|^a named barrier|^a sync of a tile"
            r"|^the phase with parity|^no progress in|^ have come|^, %d of %u bytes"
            r"|^, though barriers|^ and no barrier|^: the CPU device cannot share pools"
            r"|^it fits in|^a key fits|^events lie|^an event can be|^pages lie"
        ),
    ),
    Catalogue(
        "cpudevice/checker/report/chinese.inc",
        [
            "cpudevice/checker/*/*.[ch]",
            "cpudevice/runtime/*/*.[ch]",
            "cpudevice/include/cpudev_abi.h",
            "cpudevice/viewer/*.c",
            "cpudevice/model/*.c",
        ],
        ["cpudevice/checker/*/*.[ch]", "cpudevice/viewer/*.c", "cpudevice/model/*.c"],
        # JSON, a table's columns, C's words, and ptxas's
        re.compile(
            r'\\"|^out of memory|%-28s|^%12s|bank confl|per req'
            r"|^global (load|store|atomic|red)$|^shared (load|store|atomic)$|^TMA |^ ?\(discriminator|^cudaError_t"
            r"|unsigned|^(short|long) int|^volatile $|^movq|^    (kernel|memory|note|usual cause): ?%s"
            r"|^ (of|at|has) $|^s have$|^; registers are assumed|^other than accesses"
            r"|^, (the %u%s of|called at) |^%s%s%zu bytes, |^%s%s%s:"
            r"|^\(anonymous namespace\)$|^entry function '|^Used %u registers$"
        ),
    ),
    Catalogue(
        "cpudevice/driver/chinese.inc",
        ["cpudevice/driver/*.[ch]"],
        ["cpudevice/driver/*.[ch]"],
        # options of other programs, C, what is read in g++'s words, and what CMake reads
        re.compile(
            r"^-|^void probe|^ar rcs|^home driver/|^const char cpudev|^<cucc precompiled>|#pragma GCC|^#|^\\n  vector"
            r"|^pragma once|^GCC poison|^search starts here:|^End of search list"
            r"|^cucc: kernel $|^a variable length array|^the CPU device does not have Thrust|^ all-warnings"
            r"|: (note|error|fatal error|sorry, unimplemented): |^: CUDA C/C\+\+ compiler driver"
        ),
    ),
    Catalogue(
        "cpudevice/compiler/front/chinese.inc",
        ["cpudevice/compiler/*/*.c"],
        ["cpudevice/compiler/analysis/reject*.c", "cpudevice/compiler/ptx/ptx_[!t]*.c"],
        # C that it prints
        re.compile(r"cpudev_|^cucc: out of memory"),
        named=[("cpudevice/compiler/emit/*.c", REFUSED)],
    ),
    Catalogue(
        "tools/profiler/chinese.inc",
        ["tools/profiler/cuprof.c", "tools/profiler/cuprof_model.c"],
        ["tools/profiler/cuprof.c", "tools/profiler/cuprof_model.c"],
        re.compile("^$"),
    ),
    Catalogue(
        "tools/course/chinese.inc",
        ["tools/course/*.[ch]", "tools/course/listing/*.c", "common/*/*.c", "solutions/*/*.cu"],
        ["tools/course/limits.c", "tools/course/stages.c", "tools/course/listing/listing_meaning.c"],
        # what a limit is called in an exercise, and what its author has done wrong
        re.compile(
            r"^(sectors / possible|lanes per request|sectors|calls) |^memory turns|^bank conflicts$|^double prom"
            r"|^copies under way|^bytes of shared memory$|^(global|shared) (red|atomics)$|^the limit '"
            r"|^the stages? |^a project has|^stage $|^right numbers; but $"
            r"|^%s(stage )?%d of %d points|^%sstage %d"
        ),
        ["tools/course/*.c", "tools/course/listing/*.c"],
        [
            ("solutions/*/*.cu", r"^ \*   stage \d+, (.*) \(\d+ points?\):$"),
            ("common/lab/lab_options.c", OPTION),
            ("lecture*/*.cu", OPTION),
            ("solutions/*/*.cu", CLAIM),
            ("tools/course/main.c", COMMAND),
        ],
    ),
    Catalogue(
        "tools/grading/chinese.inc",
        ["tools/grading/*.[ch]", "tools/course/limits.c"],
        ["tools/grading/*.c"],
        # lists of names, commands, and what a grader looks for in others' words; formats of tables; parts of lines
        re.compile(
            r"^ (alignas|__global__|std|half|cudaError_t|cudaMalloc|cudaEvent_t|malloc|cluster_group|mbarrier_init) "
            r"|^if command"
            r"|^\\?\"\$(archive|1\\?\" -o)|^installed|^mkdir /tmp|^find \. -type|^cat /tmp|^\{ \[ "
            r"|^cpudevice/cucc --check -O1|^-x cu /dev/null|^exec build/tools/grade|<\?xml|^<test|^><%s message"
            r"|^was not declared|^is not a member|^does not name|^has not been|^is not a type|^there are no arg"
            r"|^# pragma"
            r"|^judge: %d of|^undefined ref|^multiple def|^out of memory$|^memory exhausted|^Cannot fork"
            r"|^error while load|^cucc: error|^nested so|^fatal error: templ|^required from|^first defined"
            r"|^File size limit|^: out of memory|^libgomp|^Submitted batch|^to do$|^it does not build$"
            r"|^%\.0f s$|^ \(and others|^the program ended before"
        ),
        ["tools/grading/*.c"],
        [("tools/grading/main.c", OPTION)],
    ),
]
# What a student or a teacher runs.
SCRIPTS = [
    *("Makefile", "run", "tools/grade", "cpudevice/cucc", "cpudevice/device.mk", "tools/course.sh", "tools/cuprof"),
    *("tools/setup/mirror.sh", "tools/setup/need.sh", "tools/setup/doctor.sh", "tools/python/python.sh"),
    "tools/profiler/counters.sh",
]
SENTENCE = re.compile(r"[A-Za-z]\w* +[a-z]{2,}")
HAN = re.compile(r"[\u3400-\u9fff]")
COMMANDS = re.compile(r"int (main|part)\b|__global__|apt-get install \$1|head -1")  # C, and what is typed
LABS = [lab_words.SHARED, *sorted(glob.glob("lecture*/chinese.inc"))]


def joined(literals: str) -> str:
    return "".join(re.findall(ONE, literals))


def texts(path: str) -> list[tuple[int, str]]:
    """The texts of a C source, each with its line; neighbours are one."""
    with open(path, encoding="utf-8") as file:
        source = file.read()
    return [
        (source.count("\n", 0, found.start()) + 1, joined(found[0]))
        for found in TOKEN.finditer(source)
        if found[0].startswith('"')
    ]


def rows(path: str) -> list[Row]:
    with open(path, encoding="utf-8") as file:
        text = file.read()
    return [
        Row(
            found[1],
            joined(found[2]),
            joined(found[5]),
            text.count("\n", 0, found.start()) + 1,
        )
        for found in ROW.finditer(text)
    ]


def said_lines(path: str) -> Iterator[tuple[int, str]]:
    """The lines of prose in calls of say(), say_words() and die()."""
    with open(path, encoding="utf-8") as file:
        source = file.read()
    for call in re.finditer(r"\b(?:say(?:_words)?|die)\((?:[^\";]|\"(?:[^\"\\\n]|\\.)*\")*;", source):
        for text in re.finditer(rf"{ONE}(?:\s*{ONE})*", call[0]):
            for line in joined(text[0]).split("\\n"):
                if PROSE.search(line):
                    yield source.count("\n", 0, call.start()) + 1, line.strip(" ")


def long_words(english: str) -> list[str]:
    """Of a text that is put together: all of these must be in the sources."""
    return re.findall(r"[A-Za-z]{4,}", re.sub(r"%[-0-9.lz*]*[a-z]", " ", english))


def lines_of(text: str) -> list[str]:
    return [line.strip(" ") for line in text.split("\\n")]


def names_in(path: str, pattern: str) -> set[str]:
    with open(path, encoding="utf-8") as file:
        found = re.finditer(pattern, file.read(), re.MULTILINE)
    return {joined(name[1]) if name[1].startswith('"') else name[1] for name in found}


def files(patterns: list[str]) -> list[str]:
    return [path for pattern in patterns for path in sorted(glob.glob(pattern)) if not path.endswith("/chinese.h")]


def problems(catalogue: Catalogue) -> Iterator[str]:
    found = rows(catalogue.path)
    known = {row.english for row in found}
    said = {text for path in files(catalogue.sources) for _, whole in texts(path) for text in (whole, *lines_of(whole))}
    for patterns, pattern in catalogue.named:
        for path in files([patterns]):
            names = names_in(path, pattern)
            said |= names
            yield from (f"{path}: not in {catalogue.path}: {name}" for name in sorted(names - known))
    yield from row_problems(catalogue.path, found, said)
    lines = {english.strip(" ") for english in known}
    joined_rows = [row.english for row in found if row.kind == "JOINED"]
    for path in files(catalogue.printed):
        for line, text in said_lines(path):
            if text not in lines:
                yield f"{path}:{line}: not in {catalogue.path}: {text}"
    for path in files(catalogue.all_of):
        for line, text in texts(path):
            if not PROSE.search(text) or text in known or catalogue.not_said.search(text):
                continue
            if lab_words.is_joined(text.replace("\\n", ""), joined_rows):
                continue
            if any(PROSE.search(part) and part not in lines for part in lines_of(text)):
                yield f"{path}:{line}: not in {catalogue.path}: {text}"


def lab_problems() -> Iterator[str]:
    """Of the labs' catalogues: what is printed and has no row, what no source prints, and rows that say the same."""
    shared = rows(lab_words.SHARED)
    known = {row.english for row in shared}
    for path in LABS:
        own = rows(path)
        sources = lab_words.shared_sources()
        if path != lab_words.SHARED:
            yield from (f"{path}:{row.line}: as in {lab_words.SHARED}" for row in own if row.english in known)
            sources = lab_words.sources_of(path.partition("/")[0])
        all_rows = own if path == lab_words.SHARED else own + shared
        joined_rows = [row.english for row in all_rows if row.kind != "SAY"]
        english = {text for row in all_rows for text in (row.english, row.english.replace("%%", "%"))}
        for shown in lab_words.missing(sources, english, joined_rows):
            yield f"{shown.path}:{shown.line}: not in {path}: {shown.text}"
        every = files(["common/*/*.c"]) if path == lab_words.SHARED else sources
        said = {part for source in every for _, text in texts(source) for part in (text, *lab_words.parts_of(text))}
        yield from row_problems(path, own, said | {text.replace("%", "%%") for text in said})


def script_problems(path: str) -> Iterator[str]:
    """Of the Makefile and of a script that users run: lines that print English prose, and say no Chinese beside it."""
    with open(path, encoding="utf-8") as file:
        source = file.read().replace("\\\n", " ")
    if path == "Makefile":
        source = source[: source.index("help:\n\t@sed")]  # `make help` is compared with its Chinese by a test
    for line in source.split("\n"):
        printed = re.search(r"(?:\b(?:echo|die|fail|printf) |\$\(error )(.*)", line)
        texts_of = re.findall(r"\"((?:[^\"\\]|\\.)*)\"|'([^']*)'|\$\(error (.*)", printed[0]) if printed else []
        said = any(SENTENCE.search(one) for text in texts_of for one in text)
        if said and not HAN.search(line) and not COMMANDS.search(line):
            yield f"{path}: says no Chinese: {line.strip()}"


def row_problems(path: str, found: list[Row], said: set[str]) -> Iterator[str]:
    """Of a catalogue's rows: those that no source says, and wrong Chinese."""
    everything = "\n".join(said)
    seen: dict[str, int] = {}
    for row in found:
        if row.english in seen:
            yield f"{path}:{row.line}: as in line {seen[row.english]}"
        seen[row.english] = row.line
        gone = [word for word in long_words(row.english) if word not in everything]
        if row.english not in said and row.kind != "OTHERS" and (row.kind == "SAY" or gone):
            yield f"{path}:{row.line}: said no longer: {row.english}"
        holes = len(re.findall(r"%(?!%)", row.english))
        for hole in re.findall(r"\{(\d)\}", row.chinese):
            if int(hole) > holes:
                yield f"{path}:{row.line}: {{{hole}}} of {holes}"
        yield from (f"{path}:{row.line}: {what}" for line in lines_of(row.chinese) for what in typography_of(line))


def all_problems() -> Iterator[str]:
    for path in SCRIPTS:
        yield from script_problems(path)
    for catalogue in CATALOGUES:
        yield from problems(catalogue)
    yield from lab_problems()
    for page in page_words.PAGES:
        yield from page_words.problems(page)
    yield from picture_words.problems()
    yield from plain_words.problems()


def main() -> int:
    found = list(all_problems())
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
