#!/usr/bin/env python3
"""Random forms of access, many: what `cucc --check` was told of each byte is compared with what the programs do.

cpudevice/tests/random/random_accesses.c makes and judges the programs; a test runs 80 of them, a campaign as many as
are asked for, with the compiler that CUCC_CC and CUCC_CXX name and further options of cucc's. One row per run goes to
the table: it takes the place of the row with the same compiler and options.

    CUCC_CC=clang CUCC_CXX=clang++ cpudevice/tests/campaigns/accesses.py --programs 20000 -j 16 --csv FILE -O3

Exit status: 0 if all programs are right, 1 if not (they are left in build/accesses), 2 if nothing could be run.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import datetime
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
TEST = "build/cpu/cpudevice/tests/random/random_accesses"
FOLDER = Path("build/accesses")
PER_FILE, FILES = 20, 4  # programs in a file, and files that a run of the test makes at least (random_programs.h)
HEAD = "compiler,options,first_seed,last_seed,programs,wrong_files,wall_s,date"


def compiler() -> str:
    """The compiler's name and version, without commas."""
    name = os.environ.get("CUCC_CXX", "g++")
    says = subprocess.run([name, "--version"], capture_output=True, text=True, check=True).stdout.splitlines()[0]
    return re.sub(r"^(Debian|Ubuntu) ", "", says).replace(",", " ")


def run(seed: int, options: str) -> list[str]:
    """Runs the files of four seeds; returns what is wrong in them."""
    wrong = []
    end = seed + FILES
    while seed < end:
        folder = FOLDER / str(seed)
        environment = {**os.environ, "ACCESSES_FOLDER": str(folder), "RANDOM_KERNELS_SEED": str(seed)}
        environment |= {"NVCC_APPEND_FLAGS": options, "RANDOM_FILES": str(end - seed)}
        done = subprocess.run([TEST], env=environment, capture_output=True, text=True, check=False)
        failed = re.search(r"/seed(\d+)\.cu (.*)", done.stdout + done.stderr)
        if not done.returncode:
            shutil.rmtree(folder)
            break
        if not failed:
            sys.exit(f"accesses.py: {TEST} says\n{done.stdout}{done.stderr}")
        wrong.append(f"{folder}/seed{failed[1]}.cu {failed[2]}")
        seed = int(failed[1]) + 1  # the rest of the four
    return wrong


def write_row(path: str, row: str) -> None:
    """Puts the row into the table, in the place of an older one of the same compiler and options."""
    table = Path(path)
    old = table.read_text().splitlines() if table.exists() else []
    key = ",".join(row.split(",")[:2]) + ","
    rows = [line for line in old if not line.startswith(("#", "compiler,", key))]
    model = re.search(r"^model name\s*: (.*)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    head = [f"# device: {model[1] if model else 'unknown'}, {os.cpu_count()} cores", f"# date: {datetime.date.today()}"]
    head += ["# command: cpudevice/tests/campaigns/accesses.py --programs N -j JOBS --csv FILE [OPTIONS]", HEAD]
    table.write_text("\n".join(head + sorted([*rows, row])) + "\n")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=int, default=2000, metavar="N", help="at least so many (default: 2000)")
    parser.add_argument("--seed", type=int, default=1, metavar="SEED", help="the first one (default: 1)")
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count(), metavar="N", help="(default: the cores)")
    parser.add_argument("--csv", metavar="FILE", help="the table, from the repository's root")
    wish, options = parser.parse_known_args()
    os.chdir(ROOT)
    if wish.programs < 1 or wish.jobs < 1:
        parser.error("--programs and --jobs must be at least 1")
    if wish.csv and not Path(wish.csv).parent.is_dir():
        parser.error(f"no folder for {wish.csv}")
    if subprocess.run(["make", "-s", "DEVICE=cpu", TEST], check=False).returncode:
        return 2
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    begin, last, wrong = time.time(), wish.seed + -(-wish.programs // PER_FILE) - 1, []
    seeds = range(wish.seed, last + 1, FILES)
    last = seeds[-1] + FILES - 1
    with concurrent.futures.ThreadPoolExecutor(wish.jobs) as pool:
        for i, files in enumerate(pool.map(lambda seed: run(seed, " ".join(options)), seeds), 1):
            for file in files:
                print(f"not ok - {file}", flush=True)
            wrong += files
            if sys.stderr.isatty():
                print(f"\r{i * FILES * PER_FILE} of {len(seeds) * FILES * PER_FILE} ", end="", file=sys.stderr)
    programs = (last - wish.seed + 1) * PER_FILE
    row = f"{compiler()},{' '.join(options) or 'none'},{wish.seed},{last},{programs},{len(wrong)}"
    row += f",{int(time.time() - begin)},{datetime.date.today()}"
    print(row, flush=True)
    if wish.csv:
        write_row(wish.csv, row)
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
