"""What the notes say of the viewer holds: each "See it." names commands, lines of code, and figures. The commands are
run as they stand; a figure is that of the page's line, and the page's sums are the counters'. In TAP. Arguments: the
folder for what is written, then the notes.

    **See it.** `./run LAB ... --view`: at `CODE` there are 16 sectors per store, where 2 would do ...

CODE is a line of the source, or a part of one. Figures: "N sectors per load (store, atomic)", "N turns per shared load
(...)", "N of 32 lanes". Where a sentence speaks of a tree or of a shuffle, there is a picture of it; where copies begin
or are waited for, the page says so of that line."""

import json
import os
import re
import shutil
import subprocess
import sys

from counters import counted, same
from tap import check, status

NAMES = ["requests", "sectors", "ideal", "lanes", "instructions", "wavefronts", "conflicts"]
CLAIMS = [  # pattern, memory (None: any), what of the sums of a line
    (r"([\d.]+) sectors? per (load|store|atomic)", "global", lambda s: s["sectors"] / s["requests"]),
    (
        r"sectors per (?=(load|store|atomic))\w+, where ([\d.]+) would do",
        "global",
        lambda s: s["ideal"] / s["requests"],
    ),
    (r"([\d.]+) turns? per shared (load|store|atomic)", "shared", lambda s: s["wavefronts"] / s["instructions"]),
    (r"([\d.]+) of 32 lanes", None, lambda s: s["lanes"] / (s["requests"] + s["instructions"])),
]


def sentences(path):
    """(command, code, what is said of it), in the order of the notes."""
    with open(path) as f:
        paragraphs = f.read().split("\n\n")
    for words in (" ".join(p.split()) for p in paragraphs if p.startswith("**See it.**")):
        spans = re.split(r"`([^`]*)`", words)
        command = None
        for span, said in zip(spans[1::2], spans[2::2]):
            if span.startswith("./run"):
                command = span
                yield command, None, ""
            elif command:
                yield command, span, said


def page_of(command, folder):
    """Runs it; (the page's data, the counters' row of its launch)."""
    stem = os.path.join(folder, re.sub(r"\W+", "_", command).strip("_"))
    html, table = stem + ".html", stem + ".csv"
    env = dict(os.environ, CUDA_CPU_COUNTERS=os.path.abspath(table))
    ran = subprocess.run(
        [*command.split(), os.path.abspath(html)], env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    if ran.returncode or not os.path.exists(html):
        check(f"{command}: runs", False, ran.stdout[-300:])
        return None, None
    with open(html) as f:
        data = json.loads(f.read().split('id="data">')[1].split("</script>")[0])
    return data, counted(table, data["launch"]["number"])


def lines_with(data, code):
    return {
        (f, i + 1)
        for f, file in enumerate(data["files"])
        for i, line in enumerate(file["text"].split("\n"))
        if code in line
    }


def sums_at(data, lines, kind, memory):
    total = dict.fromkeys(NAMES, 0)
    for s in data["sites"]:
        if (
            (s["file"], s["line"]) in lines
            and (kind is None or s["kind"] == kind)
            and (memory is None or s["memory"] == memory)
        ):
            for name, value in zip(NAMES, s["sums"]):
                total[name] += value
    return total


def check_figures(command, data, code, said):
    lines = lines_with(data, code)
    for pattern, memory, value_of in CLAIMS:
        for m in re.finditer(pattern, said):
            words = [g for g in m.groups() if g]
            figure = next(w for w in words if w[0].isdigit()).rstrip(".")
            sums = sums_at(data, lines, next((w for w in words if w.isalpha()), None), memory)
            name = f"{command}: `{code}`: {m.group(0)}"
            if not sums["requests"] + sums["instructions"]:
                check(name, False, "no such access at such a line")
                continue
            decimals = len(figure.partition(".")[2])
            value = value_of(sums)
            check(name, abs(value - float(figure)) <= 0.5 * 10**-decimals + 1e-9, f"it is {value:.4g}")


def check_async(command, data, code, said):
    for words, part in ("copies begin", "begins"), ("they are waited for", "arrives"):
        if words in said:
            lines = lines_with(data, code)
            there = any((s["file"], s["line"]) in lines and s["async"] == part for s in data["sites"])
            check(f"{command}: `{code}`: {words}", there)


def check_picture(command, data, code, said, folder):
    view = "exchange" if "shuffle" in said else "tree" if "tree" in said else None
    if not view or not any(map(shutil.which, ("node", "qjs"))):
        return
    places = {tuple(p) for p in data["places"]} | {(s["file"], s["line"]) for s in data["sites"]}
    lines = sorted(lines_with(data, code) & places)
    svg = os.path.abspath(os.path.join(folder, "notes.svg"))
    words = command.replace(" --view", "").split()
    ran = subprocess.run(
        [*words, f"--view={svg}", "--view-svg", f"{lines[0][1] if lines else 0}:{view}"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    check(f"{command}: `{code}`: a picture of the {view}", ran.returncode == 0 and bool(lines), ran.stdout[-200:])


def main():
    folder, pages = sys.argv[1], {}
    for notes in sys.argv[2:]:
        seen = 0
        for command, code, said in sentences(notes):
            if command not in pages:
                pages[command] = page_of(command, folder)
                data, row = pages[command]
                if data:
                    sums = [
                        {"kind": s["kind"], "shared": s["memory"] == "shared", "told": dict(zip(NAMES, s["sums"]))}
                        for s in data["sites"]
                    ]
                    why = same(sums, "told", row)
                    check(f"{command}: the page's sums are the counters'", not why, why)
            data, _ = pages[command]
            if data and code:
                check_figures(command, data, code, said)
                check_async(command, data, code, said)
                check_picture(command, data, code, said, folder)
            seen += 1
        check(f"{notes}: says where to look", seen > 0)
    sys.exit(status())


main()
