#!/usr/bin/env python3
"""Draws CUDA programs by lot from checkouts of other people's repositories.

Usage: tools/setup/draw_programs.py SEED COUNT AT_MOST CHECKOUT...

Of every .cu file with a main those are drawn whose sha256 of "SEED/REPOSITORY/FILE" is smallest, with at most so many
of one repository. The same seed and the same commits draw the same programs. Prints "REPOSITORY FILE", a line each, in
the order drawn.
"""

from __future__ import annotations

import collections
import hashlib
import os
import re
import sys
from collections.abc import Iterator

MAIN = re.compile(rb'^[ \t\r\f\v]*(int|void|auto|extern "C" int)?[ \t\r\f\v]*main[ \t\r\f\v]*\(', re.MULTILINE)


def programs(checkout: str) -> Iterator[tuple[str, str]]:
    """The .cu files of a checkout that have a main, each with the repository's name."""
    repository = os.path.basename(os.path.abspath(checkout))
    for folder, _, names in os.walk(checkout):
        for name in names:
            path = os.path.join(folder, name)
            if name.endswith(".cu") and os.path.isfile(path):
                with open(path, "rb") as file:
                    if MAIN.search(file.read()):
                        yield repository, os.path.relpath(path, checkout)


def lot(seed: str, repository: str, file: str) -> str:
    """What decides when a program is drawn."""
    return hashlib.sha256(f"{seed} {repository} {file}".replace(" ", "/").encode()).hexdigest()


def main(arguments: list[str]) -> int:
    if len(arguments) < 4 or not (arguments[1].isdigit() and arguments[2].isdigit()):
        print("usage: draw_programs.py SEED COUNT AT_MOST CHECKOUT...", file=sys.stderr)
        return 2
    seed, count, at_most = arguments[0], int(arguments[1]), int(arguments[2])
    found = [program for checkout in arguments[3:] for program in programs(checkout)]
    drawn: collections.Counter[str] = collections.Counter()
    for repository, file in sorted(found, key=lambda program: (lot(seed, *program), program)):
        if drawn[repository] < at_most and drawn.total() < count:
            drawn[repository] += 1
            print(repository, file)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
