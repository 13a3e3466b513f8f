"""The notes show each word of CUDA, and each function of the profiler, that an exercise or a lab uses.

For an exercise of lectures 1, 3 and 5 they do so before the line that first names it (Exercise 3.2), in this lecture's
notes or an earlier one's; for a lab anywhere in this lecture's notes or an earlier one's.
"""

import glob
import os
import re
import sys

from tap import check, status

WORDS = re.compile(
    r"\b(cuda[A-Z][A-Za-z0-9]*|__[a-z][a-z_0-9]*|blockIdx\.[xyz]|threadIdx\.[xyz]|blockDim\.[xyz]|gridDim\.[xyz]|dim3"
    r"|atomic[A-Z][A-Za-z]*|u?(?:float|int|char)[24]|make_[a-z0-9]+|profiler_[a-z_]+|extern __shared__)\b"
)
CPU_DEVICE_ALONE = re.compile(r"^#ifdef __CUCC__.*?(?=^#(?:else|endif))", re.MULTILINE | re.DOTALL)
NOT_CODE = re.compile(r'//.*|/\*.*\*/|^ \*.*|^/\*.*|"[^"\n]*"', re.MULTILINE)


def read(path: str) -> str:
    with open(path, encoding="utf-8") as file:
        return file.read()


def names(text: str, word: str) -> bool:
    """Is the word in the text, not as a part of a longer one?"""
    return re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text) is not None


def used(path: str) -> set[str]:
    """The words in a file's code; comments, strings and what the CPU device alone compiles do not count."""
    code = NOT_CODE.sub("", CPU_DEVICE_ALONE.sub("", read(path)))
    return {word.removeprefix("extern ") for word in WORDS.findall(code)} - own


def holds(what: str, path: str, notes: str) -> None:
    """Checks that each word used in a file stands in the notes."""
    missing = [word for word in sorted(used(path)) if not names(notes, word)]
    check(what, not missing, *(f"{what} uses {word}, which the notes have not shown" for word in missing))


def number_of(name: str) -> int:
    """The number of a lecture's folder or an exercise's file."""
    return int(re.sub(r"\D*(\d+).*", r"\1", name))


def main() -> None:
    seen = ""
    for lecture in sorted(f for f in os.listdir(".") if re.match(r"lecture(01|03|05)_", f)):
        notes = read(f"{lecture}/README.md")
        for solution in sorted(glob.glob(f"solutions/{lecture}/ex*.cu")):
            exercise = f"{number_of(lecture)}.{number_of(os.path.basename(solution))}"
            named = re.search(rf"exercise {exercise}(?:\D|$)", notes, re.IGNORECASE)
            if not named:
                check(f"the notes name exercise {exercise}", False)
            before = notes[: notes.rfind("\n", 0, named.start()) + 1] if named else notes
            holds(f"exercise {exercise}", solution, before + seen)
        seen += "".join(read(page) for page in sorted(glob.glob(f"{lecture}/*.md")))
        for lab in sorted(glob.glob(f"{lecture}/*.cu")):
            holds(lab, lab, seen)


# Names of a lab's own that begin as the profiler's do.
profiler = read("common/profiler.h")
labs = "".join(read(lab) for lab in glob.glob("lecture0*/*.cu"))
own = {word for word in re.findall(r"profiler_[a-z_]+", labs) if not names(profiler, word)}
main()
sys.exit(status())
