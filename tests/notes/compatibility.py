"""cpudevice/docs/COMPATIBILITY.md agrees with itself.

What it says of a section is what the section's tables add up to, and the programs that it names by their reason are as
many of each repository as the table says. A program that does not pass may end with status 0: it is counted, and not
named.
"""

from __future__ import annotations

import collections
import re
import sys

from tap import check, status

PAGE = "cpudevice/docs/COMPATIBILITY.md"
NAMED_ALL = ("time", "library", "dropped", "nvcc", "data")  # these do not end with status 0

with open(PAGE, encoding="utf-8") as file:
    TEXT = file.read()


def section(heading: str) -> str:
    """A section of the page, from its heading to the next one."""
    found = re.search(rf"^## {re.escape(heading)}.*?(?=^## |\Z)", TEXT, re.MULTILINE | re.DOTALL)
    assert found, heading
    return found[0]


def results(text: str) -> collections.Counter[str]:
    """How many rows of a section's tables have each result."""
    words = "passes|fails|does not build|waived|package|data|wrong|not tried"
    rows = re.findall(rf"^\| (?!program )[^|]+ \| ({words}) \|", text, re.MULTILINE)
    return collections.Counter(rows)


def says(heading: str, sentence: str) -> None:
    """The section says this sentence, which was made of its table's rows."""
    check(f"{heading}: {sentence}", sentence in " ".join(section(heading).split()))


def samples() -> None:
    text = section("NVIDIA cuda-samples")
    count = results(text)
    says(
        "NVIDIA cuda-samples",
        f"{count['passes']} of {sum(count.values())} pass, {count['waived']} waive themselves, "
        f"{count['not tried']} are not tried.",
    )
    count = results(section("NVIDIA-developer-blog/code-samples"))
    says("NVIDIA-developer-blog/code-samples", f"{count['passes']} of {sum(count.values())} pass.")
    count = results(section("llm.c, dev/cuda").split("Three programs ")[0])
    says("llm.c, dev/cuda", f"{count['passes']} of {sum(count.values())} kernels pass")
    count = results(section("Sixty programs drawn at random"))
    lacking = count["package"] + count["data"]
    says("Sixty programs drawn at random", f"{count['passes']} pass,")
    says(
        "Sixty programs drawn at random", f"{lacking} need packages or data, and {count['wrong']} are wrong themselves"
    )
    count = results(section("Sixty more, drawn at random"))
    says(
        "Sixty more, drawn at random",
        f"{count['passes']} pass; {count['package']} need other packages or headers; "
        f"{count['wrong']} are wrong themselves",
    )


def books() -> None:
    text = section("Books and courses")
    table = re.findall(r"^\| ([^|]+/[^|]+) \(\w{7}\) \| [^|]* \| (\d+) \| (\d+) \| ([^|]*)\|$", text, re.MULTILINE)
    counted: dict[str, collections.Counter[str]] = {}
    for repository, programs, passes, others in table:
        owner_less = repository.split("/")[1]
        reasons = collections.Counter({reason: int(n) for n, reason in re.findall(r"(\d+) (\w+)", others)})
        total = int(passes) + sum(reasons.values())
        check(f"{repository}: {passes} pass and {sum(reasons.values())} do not", total == int(programs), programs)
        name = "CUDA-by-Example" if owner_less.startswith("CUDA-by-Example") else owner_less
        counted.setdefault(name, collections.Counter()).update(reasons)
    programs, passes = sum(int(row[1]) for row in table), sum(int(row[2]) for row in table)
    reason_of: collections.Counter[str] = collections.Counter()
    for reasons in counted.values():
        reason_of.update(reasons)
    cannot = sum(reason_of[reason] for reason in ("dropped", "gaps", "nvcc", "meant", "devices", "data"))
    able = programs - cannot
    says("Books and courses", f"{passes} of {programs} programs pass,")
    says(
        "Books and courses",
        f"Of the {programs - passes} others, {cannot} cannot pass as they are (dropped, gaps, nvcc, meant, devices, "
        f"data); of the remaining {able} programs, {passes} ({100 * passes / able:.0f} %) pass.",
    )
    silent: collections.Counter[str] = collections.Counter(reason_of)
    for reason, names in re.findall(r"^- \*(\w+)\*: (`.*)$", text, re.MULTILINE):
        named = collections.Counter(
            name.split("/")[0] for name in re.findall(r"`([^`]+)`", re.sub(r"\([^)]*\)", "", names))
        )
        silent[reason] -= sum(named.values())
        for name, count in named.items():
            of_table = counted[name][reason]
            good = count == of_table if reason in NAMED_ALL else count <= of_table
            check(f"{reason}: {count} named of {name}", good, f"the table counts {of_table}")
        missing = [name for name in counted if counted[name][reason] and name not in named]
        check(f"{reason}: every repository that has it is named", reason not in NAMED_ALL or not missing, missing)
    left = {reason: count for reason, count in silent.items() if count}
    words = ", ".join(f"{count} *{reason}*" for reason, count in sorted(left.items(), key=lambda kept: -kept[1]))
    says("Books and courses", f"are counted in the table but not named here: {words}.")


samples()
books()
sys.exit(status())
