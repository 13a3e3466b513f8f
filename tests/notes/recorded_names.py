"""The rungs of a recorded ladder have the names that the lab gives them now: who changes one changes results/ too."""

from __future__ import annotations

import csv
import glob
import os
import re
import sys

from tap import check, status

LABS: dict[str, set[str]] = {}
for path in glob.glob("lecture*/*.cu"):
    with open(path, encoding="utf-8") as source:
        LABS[os.path.basename(path)[:-3]] = set(re.findall(r'"([^"\n]+)"', source.read()))

ladders = 0
for path in sorted(glob.glob("results/**/*.csv", recursive=True)):
    with open(path, encoding="utf-8") as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    if not rows or not {"lab", "rung", "name"} <= set(rows[0]):
        continue
    ladders += 1
    # In a record a comma of a name is a semicolon. What a lab adds to its ladder, such as a read, is no rung: number 0.
    strange = {
        f"{row['lab']}: {row['name']}"
        for row in rows
        if row["rung"] != "0" and row["name"].replace("; ", ", ") not in LABS[row["lab"]]
    }
    check(f"{path}: its names are the lab's", not strange, *sorted(strange))
check(f"{ladders} ladders are recorded", ladders >= 60)
sys.exit(status())
