"""Nobody uses what malloc and its like return without a question.

In the runtime, checker, viewer and libraries a result goes through must() (cpudev_must.h), or is tested where it is taken
or within the next lines, or is the function's own result.
"""

from __future__ import annotations

import os
import re
import sys

from tap import check, skip, status

CALL = re.compile(r"[^a-z_.>](malloc|calloc|realloc|strdup|strndup|aligned_alloc)\(")
ASKED_AT_ONCE = re.compile(r'must\($|//|/\*|"|(!|&& )\([^()]*= (\([a-z_ ]*\*\))?$|return [^;]*$')
WITHIN_LINES = 7
PARTS = ("runtime", "checker", "viewer", "libraries")


def is_asked(name: str, ahead: str) -> bool:
    name = re.escape(name)
    tests = (
        rf"!\*?{name}[^a-z_0-9[.-]",
        rf"[^a-z_.>]\*?{name}( \?| &&)",
        rf"(if \(|&& |\|\| )\*?{name}[ ;)]",
        f"return {name};",
    )
    return any(re.search(test, ahead) for test in tests)


def unasked(lines: list[str]) -> list[int]:
    """The numbers of the lines whose allocation nobody asks for."""
    found = []
    for number, line in enumerate(lines):
        call = CALL.search(line)
        if not call or ASKED_AT_ONCE.search(line[: call.start() + 1]):
            continue
        taker = re.sub(r" *= *(\([a-z_ ]*\*\)|[^;=,]*[?:] )?$", "", line[: call.start() + 1])
        name = re.sub(r"^\*+", "", re.sub(".*[ (!,]", "", taker))
        ahead = "".join(text + "\n" for text in lines[number : number + WITHIN_LINES])
        if not name or not is_asked(name, ahead):
            found.append(number + 1)
    return found


SAMPLE = """p->list = realloc(p->list, n);
p->list[0] = 1;
*to = calloc(n, 1);
memset(*to, 0, n);
e = must(malloc(1));
if (!(f = malloc(1))) abort();
g = malloc(1);
if (!g)
 abort();
h = x ? strdup(x) : 0;
h[0] = 1;"""


def main() -> int:
    if sys.argv[1:] not in ([], ["cpu"]):
        skip("allocations: for the CPU device")
        return 0
    got = unasked(SAMPLE.split("\n"))
    check("what is used without a question is found", got == [1, 3, 10], got)
    found = []
    for part in PARTS:
        for folder, _, names in os.walk("cpudevice/" + part):
            for path in (os.path.join(folder, name) for name in names if name.endswith((".c", ".h"))):
                with open(path, encoding="latin-1") as file:
                    lines = file.read().split("\n")
                found += [f"{path}:{number}: {lines[number - 1]}" for number in unasked(lines)]
    check("every allocation's result is asked for", not found, *found)
    return status()


sys.exit(main())
