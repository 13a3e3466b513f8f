"""Two graders that begin at once, where none is built yet, build one: the second one's would take the first one's place
while it runs."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from tap import check, status

COMPILER = """#!/bin/sh
case " $* " in
*" -c "*) ;;
*) echo linked >>"$LINKS" && sleep 1 ;;
esac
exec gcc "$@" -O0
"""

with tempfile.TemporaryDirectory() as folder:
    work = Path(folder)
    for name in ("MAKEFLAGS", "MAKELEVEL"):
        os.environ.pop(name, None)
    tree = subprocess.check_output(["tools/setup/mirror.sh", str(work / "tree")], text=True).strip()
    (work / "cc").write_text(COMPILER)
    (work / "cc").chmod(0o755)
    os.environ.update(LINKS=str(work / "links"), CC=str(work / "cc"))
    command = [f"{tree}/tools/grade", "--help"]
    graders = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) for _ in range(2)]
    said = [grader.communicate()[0] for grader in graders]
    built = (work / "links").read_text().count("linked")
    good = built == 1 and "SUBMISSION" in said[0] and said[0] == said[1]
    check("one is built", good, f"{built} were built", *said)
sys.exit(status())
