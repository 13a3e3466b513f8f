"""For tests in Python: each check is one line, "ok WHAT" or "not ok WHAT", as make check counts them.

A test NAME.py is run by NAME.sh, which says SKIP where there is no python3.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import traceback
from collections.abc import Callable, Mapping, Sequence

failed = False
# A mutant is caught by one failure: the test ends with it. What it starts does not see the variable.
to_first_failure = os.environ.pop("COURSE_FIRST_FAILURE", None) is not None


def check(what: str, good: bool, *details: object) -> None:
    """One check; the details are printed if it fails."""
    global failed
    if good:
        print(f"ok {what}", flush=True)
        return
    failed = True
    print(f"not ok {what}")
    for detail in details:
        print("    " + str(detail).rstrip("\n").replace("\n", "\n    "))
    print(end="", flush=True)
    if to_first_failure:
        sys.exit(1)


def skip(why: str) -> None:
    print(f"ok # SKIP {why}", flush=True)


def said(command: Sequence[str], **options: object) -> tuple[int, str]:
    """The exit status of a command, and what it says on both of its outputs."""
    done = subprocess.run(  # type: ignore[call-overload]
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", check=False, **options
    )
    return done.returncode, done.stdout


def expect(
    what: str, command: Sequence[str] | str, text: str = "", status: int = 0, env: Mapping[str, str] | None = None
) -> str:
    """A check of a command, or of a text for the shell: its exit status, and a regular expression that what it says
    must match. What it says is the result.
    """
    got, words = said(command, shell=isinstance(command, str), env={**os.environ, **(env or {})})
    good = got == status and re.search(text, words, re.MULTILINE) is not None
    check(what, good, f"status {got}, not {status}, or it does not say '{text}' but:", *words.splitlines()[-12:])
    return words


def run_functions(module: Mapping[str, object]) -> None:
    """Each function test_NAME of a module is a check: that none of its assertions fails. NAMEs behind the device on the
    command line run alone.
    """
    asked = sys.argv[2:]
    for name, function in module.items():
        if asked and name[5:] not in asked:
            continue
        if name.startswith("test_") and isinstance(function, Callable):  # type: ignore[arg-type]
            try:
                function()
                check(name[5:].replace("_", " "), True)
            except Exception:  # whatever it is, the test has failed
                check(name[5:].replace("_", " "), False, traceback.format_exc())


def status() -> int:
    """The exit status of the test."""
    return 1 if failed else 0
