"""What labs print, against their catalogues: common/lab/chinese.inc and each lectureNN/chinese.inc.

A text is every literal of a lab's sources that has a word, but for those that nobody reads as the lab's output: what is
computed with (a library's function, a file, assembly), what a file gets (CSV), what only a compiler says
(static_assert), and the title and look that labs.zh.md has. A table's header is taken apart at its bars.
"""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterator
from typing import NamedTuple

SHARED = "common/lab/chinese.inc"
TEXT = r'"(?:[^"\\\n]|\\.)*"'
TEXTS = rf"{TEXT}(?:\s*{TEXT})*"
NOT_PRINTED = [
    rf"\.(?:title|look|name|dims|(?:cpu_|small_|test_)?sizes?|(?:cpu_)?sweep|page)\s*=\s*{TEXTS}",
    r"\b(?:static_assert|_Static_assert)\((?:[^;\"]|" + TEXT + r")*?\);",
    r"\b(?:asm|__asm__)\b(?:\s*volatile)?\s*\((?:[^;\"]|" + TEXT + r")*?\);",
    r"\basm\b[^;]*;",
    rf"\b(?:fprintf|fputs|fputc)\((?:s->)?(?:csv|f|file|g)\b(?:[^;\"]|{TEXT})*;",
    rf"\bfputs\({TEXTS},\s*(?:csv|f|g)\)",
    rf"\bside_csv\((?:[^;\"]|{TEXT})*;",
    r"#\s*(?:include|pragma|define\s+\w*(?:ASM|asm)\w*)[^\n]*",
    # argp's tables: an option's text is in the runner's catalogue, which says --help
    rf'\{{"[\w-]+",\s*(?:[A-Z_\d]+|\'.\'),\s*(?:{TEXT}|0),\s*(?:0|OPTION_\w+),\s*(?:{TEXTS}|0),\s*\d+\s*\}}',
    rf"\b(?:dlopen|dlsym|fopen|getenv|strcmp|strncmp|strstr|strrchr|mkstemp|setenv|access|find|symbol)\((?:[^;\"]|{TEXT})*?;",
]
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
WORD = re.compile(r"[A-Za-z]{3}|\bto\b|\bof\b")
CONVERSION = re.compile(r"%[-+# 0-9.lzj*]*[a-zA-Z%]")


class Shown(NamedTuple):
    path: str
    line: int
    text: str


def _blank(found: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", found[0])


def source_of(path: str) -> str:
    """The source without its comments and without what is not printed; lines keep their numbers."""
    with open(path, encoding="utf-8") as file:
        source = file.read()
    source = re.sub(
        rf"{TEXT}|'(?:[^'\\]|\\.)'|{COMMENT.pattern}",
        lambda found: found[0] if found[0][0] in "\"'" else _blank(found),
        source,
        flags=re.DOTALL,
    )
    for pattern in NOT_PRINTED:
        source = re.sub(pattern, _blank, source, flags=re.DOTALL)
    return source


def joined(literals: str) -> str:
    return "".join(part[1:-1] for part in re.findall(TEXT, literals))


def parts_of(text: str) -> Iterator[str]:
    """Lines, and the cells of a table's header or row."""
    for line in text.replace("\\t", "\\n").split("\\n"):
        for cell in re.split(r"\||  +", line):
            yield cell.lstrip("~>").strip(" ")


def shown_in(path: str) -> Iterator[Shown]:
    source = source_of(path)
    for found in re.finditer(TEXTS, source):
        line = source.count("\n", 0, found.start()) + 1
        for part in parts_of(joined(found[0])):
            if WORD.search(CONVERSION.sub("", part)):
                yield Shown(path, line, part)


def sources_of(lecture: str) -> list[str]:
    found = glob.glob(f"{lecture}/*.cu")
    for folder in glob.glob(f"{lecture}/*/"):
        if os.path.basename(folder.rstrip("/")) not in ("exercises", "pictures", "pytorch", "triton", "mpi"):
            found += [path for end in ("cu", "cuh", "h") for path in glob.glob(f"{folder}*.{end}")]
    return sorted(found)


# ---- what is missing ----------------------------------------------------------------------------------------------

# Of the files that all labs share those that print. A grader's reports, traces and NVIDIA's tables are none.
SHARED_SOURCES = [
    *("common/lab/*.c", "common/sparse/*.c", "common/measure/table.c", "common/device/*.c"),
    *(f"common/profiler/profiler_{name}.c" for name in ("report", "result", "session", "cpu", "cupti", "events")),
]
NOBODY_READS = ("lab_judge.c", "words.c")
# Names: of functions, types, instructions, files, libraries, options, CSV's columns, algorithms.
NAMES = re.compile(
    "|".join(
        (
            r"[\w./*%\[\]-]*(?:[/_.%][\w./*%\[\]-]*)+",
            r"[a-z0-9]+(?:-[a-z0-9]+)*-ubyte",
            r"cu(?:sparse|pti)?[A-Z]\w+|cuda[A-Z]\w*\(?\)?|nccl\w+|lib\w+|--[a-z-]+|[A-Z_]+|[a-z]+\d+|name,kind,calls,.*",
            r"[\w ]*mma[\w. ]*|2:4 mma\.sp|mma\.sp, multistage|mma\.\w+ from registers|mma\.sync, ldmatrix",
            r"cp\.async|powf|split-K|stream-K|CUB|CSR|NCCL|PDL|SR-STE|Hilbert|Blelloch|Hillis-Steele",
            r"MHz|IQR|TFLOP/s|gbps|tflops|cuBLAS(?:Lt)?(?: %d.*)?|cuSPARSE(?:Lt)?|ProfilerStep\S*|A device",
            r"gelu\(n2 w1\)|n1 wqkv|norm \d|wqkv|call(?: \d)?|add|grey",
            r"blockDim\.x .*|block\.z = 65|grid\.y = 65536|32 x 8, float4",
            r"(?:offs = )?(?:pid \* \w+ \+ )?arange(?:\(2\))?",
            r"python3 -c .*|#.*|\./run %s|set \w.*|unset tics|/\*/.*",
        )
    )
)
# Texts that a file's code handles and does not print, and those that only a plot's file gets.
HANDLED = {
    "common/device/device.c": ["unknown processor"],
    "common/device/vendor.c": ["none", "no cuBLAS"],
    "common/lab/lab_ladder.c": ["sweep"],
    "common/lab/lab_options.c": ["lab", "none", "optional", "needed", "This lab's own:"],
    "common/lab/lab_time.c": ["interleaved"],
    "common/profiler/profiler_cupti.c": ["lib"],
    "common/profiler/profiler_report.c": ["name", "count", "range", "api", "kernel", "memory"],
    "common/profiler/profiler_result.c": ["all", "host"],
    "common/profiler/profiler_session.c": ["none", "events"],
    "lecture01_profiling/graphs.cu": ["host"],
    "lecture01_profiling/occupancy.cu": ["limits", "residency"],
    "lecture01_profiling/profiler.cu": ["forward"],
    "lecture11_sparsity/allreduce.cu": ["floor", "halves"],
    "lecture11_sparsity/training_vs_inference.cu": ["tokens", "width"],
    "lecture14_tiling/blocks.cu": ["yes"],
    "lecture14_tiling/block/differences.h": ["norm1", "norm2"],
    "lecture14_tiling/blocks/block.cuh": ["unroll"],
    "lecture14_tiling/hopper/12_choose.cuh": [
        *("128 x 256 in pairs", "128 x 256 in pairs, stream-K", "256 x 192 in pairs side by side"),
        *("256 x 192 in pairs", "ping-pong, height by waves", "128 x 128, K in parts", "128 x 192, K in parts"),
        *("128 x 128, K in parts added together", "128 x 64, K in parts added together"),
        *(f"batch of {m}, {k}" for m in (16, 32, 64) for k in ("whole K", "K in 2", "K in 4")),
    ],
    "lecture14_tiling/hopper_clocks.cu": [
        *("consumer 0", "consumer 1", "producer", "watcher", "wait", "got", "fill", "landed", "multiply", "done"),
        *("done but one", "arrive", "store", "stored", "full", "empty", "turn %d,"),
    ],
    "lecture14_tiling/roofline.cu": ["lab", "name", "type", "size", "rung", "gbps", "tflops", "results", "cpu"],
}


def shared_sources() -> list[str]:
    found = [path for pattern in SHARED_SOURCES for path in sorted(glob.glob(pattern))]
    return [path for path in found if os.path.basename(path) not in NOBODY_READS]


def is_joined(text: str, joined_rows: list[str]) -> bool:
    """Whether a row has all of the text, between its conversions, in whole words."""
    parts = [part.strip() for part in CONVERSION.split(text) if WORD.search(part)]
    whole = [re.compile(rf"(?<![A-Za-z])(?=\w){re.escape(part)}(?![A-Za-z])|(?=\W){re.escape(part)}") for part in parts]
    return any(all(part.search(CONVERSION.sub("%", row)) for part in whole) for row in joined_rows)


def missing(paths: list[str], english: set[str], joined_rows: list[str]) -> Iterator[Shown]:
    """What is printed and has no row."""
    for path in paths:
        for shown in shown_in(path):
            if shown.text in english or NAMES.fullmatch(shown.text) or shown.text in HANDLED.get(path, ()):
                continue
            if not is_joined(shown.text, joined_rows):
                yield shown
