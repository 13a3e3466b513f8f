"""Whether each test that is to catch a mutant passes without it, in the same tree: else it would catch any.

One mutant for each pair of a changed file and a test is tried, and the file is compiled as the mutant's would be.
That takes half as long as all mutants.

    python3 tests/house/unchanged.py [-j JOBS] [MUTANT ...]
"""

import argparse
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, "tests/harness")
import mutant


def pairs() -> list[str]:
    """One mutant for each pair that "# file:" and "# test:" name. An exercise's mutant has no test of its own."""
    chosen: dict[tuple[str, str], str] = {}
    for path in mutant.mutants():
        named = mutant.keys_of(path)
        if "test" in named:
            chosen.setdefault((named.get("file", ""), named["test"]), path)
    return list(chosen.values())


def tried(path: str) -> str:
    """What the tool says: "ok", "BROKEN: ..." or "SKIPPED: ...", and the mutant."""
    run = subprocess.run(
        ["tools/course.sh", "mutants", "--unchanged", path], capture_output=True, check=False, text=True
    )
    return run.stdout.strip() or f"BROKEN: {run.stderr.strip()} {path}"


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("-j", dest="jobs", type=int, default=os.cpu_count(), help="how many at a time")
    options.add_argument("mutants", nargs="*", metavar="MUTANT", help="these alone")
    given = options.parse_args()
    mutants = given.mutants or pairs()
    subprocess.run(["make", "-s", "DEVICE=cpu", "device-parts", "cuprof", "tests"], check=True)
    said: list[str] = []
    with ThreadPoolExecutor(given.jobs) as pool:
        for line in pool.map(tried, mutants):
            said.append(line.split(maxsplit=1)[0].rstrip(":"))
            if said[-1] != "ok":
                print(line, flush=True)
    print(f"{said.count('ok')} pass, {said.count('BROKEN')} fail, {said.count('SKIPPED')} cannot run here")
    return "BROKEN" in said


if __name__ == "__main__":
    sys.exit(main())
