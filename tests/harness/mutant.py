"""What a mutant says of itself, in the comments that it begins with: tools/course/testing/mutants.c reads them too."""

from __future__ import annotations

import glob
import itertools
import re

HOMES = ("tests/mutants", "cpudevice/tests/mutants")


def mutants() -> list[str]:
    """The paths of all mutants, a room after the other."""
    return [path for home in HOMES for path in sorted(glob.glob(home + "/**/*.sed", recursive=True))]


def keys_of(mutant: str) -> dict[str, str]:
    """The values of "# file: F", "# test: T" and "# caught by: B" of the mutant at that path."""
    with open(mutant, encoding="utf-8") as lines:
        first = "".join(itertools.takewhile(lambda line: line.startswith("#"), lines))
    return dict(re.findall(r"^# (file|test|caught by): *(.*)$", first, re.MULTILINE))
