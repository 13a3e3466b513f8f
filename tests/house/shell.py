"""Shell is glue: all scripts together, with .sh or without, have few lines. What is longer is a program in C or Python.

A script is a file that is named .sh, or whose first line says that a shell runs it.
"""

import os
import re
import sys

from tap import check, status

MOST = 2500
NOT_OURS = (".git", "build")


def lines_of(path: str) -> int:
    """How many, if it is a script."""
    with open(path, "rb") as file:
        if not path.endswith(".sh") and not re.match(rb"#!.*sh\b", file.readline(80)):
            return 0
        file.seek(0)
        return file.read().count(b"\n")


def scripts() -> dict[str, int]:
    found = {}
    for folder, folders, names in os.walk("."):
        folders[:] = [name for name in folders if folder != "." or name not in NOT_OURS]
        for path in (os.path.realpath(os.path.join(folder, name)) for name in names):
            if os.path.isfile(path) and (lines := lines_of(path)):
                found[path] = lines  # once, however many links it has
    return found


found = scripts()
total = sum(found.values())
longest = sorted(found, key=lambda path: -found[path])[:10]
check(f"all shell has fewer than {MOST} lines", total < MOST, f"{total}; the longest:", *longest)
check("there are scripts with .sh and without", {".sh", ""} <= {os.path.splitext(path)[1] for path in found})
sys.exit(status())
