#!/usr/bin/env python3
"""Runs random kernels on every core, with cucc and gcc alone.

Usage: cpudevice/tests/random/kernels/campaign.py OUT FIRST_SEED SECONDS [JOBS]

(random_kernels_test is the same for one core, and reduces what is wrong.) Each seed is a file of 20 kernels, which is
compiled and run as loops, on fibers and under --check. What is written to the folder OUT grows with each seed, so that
a campaign that is ended early has left all it found:

  seeds.csv      seed,kernels,failed: the ways in which the file failed, or "none"
  failures.txt   each kernel that fails by itself: seed, number, way, what was said, and the program

RANDOM_KERNELS_WAYS="loops": in these ways only. RANDOM_KERNELS_BREAK=RULE: with a compiler of which that rule of the
whitelist is switched off (cucc-compile --break); the campaign ends at the first file that fails.
"""

from __future__ import annotations

import concurrent.futures
import csv
import glob
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time

KERNELS = 20  # in a file
WAYS = {
    "loops": ["-O3"],
    "fibers": ["-O1", "--no-split"],
    "check": ["-O1", "-g", "--check"],
}


class Campaign:
    """Where things are, and how the compiler is called."""

    def __init__(self, out: str, work: str) -> None:
        self.out = out
        self.work = work
        self.ways = os.environ.get("RANDOM_KERNELS_WAYS", " ".join(WAYS)).split()
        self.broken = os.environ.get("RANDOM_KERNELS_BREAK", "")
        self.environment = {**os.environ, "CUCC_BUILD": os.environ.get("CUCC_BUILD", os.path.abspath("build/cpu"))}
        self.lock = threading.Lock()
        gcc = ["gcc", "-std=c11", "-D_GNU_SOURCE", "-O1", "-o", f"{work}/generate"]
        subprocess.run([*gcc, *glob.glob("cpudevice/tests/random/kernels/*.c")], check=True)
        if self.broken:
            self.break_compiler()
        if not os.path.exists(f"{out}/seeds.csv"):
            self.append("seeds.csv", "seed,kernels,failed\n")

    def break_compiler(self) -> None:
        """Builds a compiler of which a rule can be switched off."""
        build = f"{self.work}/build"
        shutil.copytree(self.environment["CUCC_BUILD"], build, symlinks=True)
        sources = glob.glob("cpudevice/compiler/*.c") + glob.glob("cpudevice/compiler/*/*.c")
        flags = ["-std=c11", "-O1", "-DCUCC_BREAK", "-Icpudevice/compiler"]
        subprocess.run(["gcc", *flags, "-o", f"{build}/cucc-compile", *sources], check=True)
        self.environment.update(CUCC_BUILD=build, CUCC_BREAK=self.broken)

    def append(self, name: str, text: str) -> None:
        with self.lock, open(f"{self.out}/{name}", "a", encoding="utf-8", errors="replace") as file:
            file.write(text)

    def generate(self, *arguments: int) -> str:
        """The program that the generator makes: of a seed so many kernels, or one of them."""
        command = [f"{self.work}/generate", *map(str, arguments)]
        return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout

    def said_if_wrong(self, folder: str, program: str, way: str) -> str | None:
        """Compiles and runs a program; None if it is right, else what was said."""
        with open(f"{folder}/k.cu", "w", encoding="utf-8") as file:
            file.write(program)
        compiler = ["cpudevice/cucc", *WAYS[way], "-std=c++17", "-o", f"{folder}/k", f"{folder}/k.cu"]
        said = ""
        limits = {"CUDA_CPU_WATCHDOG": "10", "CUDA_CPU_WORKERS": "1"}
        for command, more in ((compiler, {}), (["timeout", "120", f"{folder}/k"], limits)):
            done = subprocess.run(
                command,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                errors="replace",
                check=False,
                env={**self.environment, **more},
            )
            said += done.stdout
            if done.returncode:
                return said
        return None

    def find_wrong(self, folder: str, seed: int, way: str) -> None:
        """Writes which of the file's kernels fail by themselves."""
        failures = ""
        for kernel in range(KERNELS):
            program = self.generate(seed, 1, kernel)
            said = self.said_if_wrong(folder, program, way)
            if said is not None:
                failures += f"==== seed {seed} kernel {kernel} {way}\n{said[:4000]}{program}"
        alone = f"==== seed {seed} {way}: its kernels fail together and none by itself\n"
        self.append("failures.txt", failures or alone)

    def worker(self, first_seed: int, step: int, end: float) -> None:
        """Tries every step-th seed until the time is over."""
        folder = tempfile.mkdtemp(dir=self.work)
        seed = first_seed
        while time.time() < end:
            failed = []
            for way in self.ways:
                if self.said_if_wrong(folder, self.generate(seed, KERNELS), way) is not None:
                    failed.append(way)
                    if not self.broken:
                        self.find_wrong(folder, seed, way)
            self.append("seeds.csv", f"{seed},{KERNELS},{' '.join(failed) or 'none'}\n")
            if self.broken and failed:
                return
            seed += step


def summary(out: str) -> int:
    """Prints how many kernels there were; the exit status is 1 if a file failed."""
    with open(f"{out}/seeds.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    failed = sum(row["failed"] != "none" for row in rows)
    kernels = sum(int(row["kernels"]) for row in rows)
    print(f"{kernels} random kernels in {len(rows)} files; {failed} files failed")
    return 1 if failed else 0


def main(arguments: list[str]) -> int:
    if len(arguments) not in (3, 4):
        print("usage: campaign.py OUT FIRST_SEED SECONDS [JOBS]", file=sys.stderr)
        return 2
    out = os.path.abspath(arguments[0])
    first, seconds, jobs = (int(word) for word in (*arguments[1:], str(os.cpu_count()))[:3])
    os.makedirs(out, exist_ok=True)
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../.."))
    with tempfile.TemporaryDirectory() as work:
        campaign = Campaign(out, work)
        for way in campaign.ways:  # the runtime and the checker are built once, before the workers need them
            campaign.said_if_wrong(work, campaign.generate(first, 1), way)
        end = time.time() + seconds
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            workers = [pool.submit(campaign.worker, first + job, jobs, end) for job in range(jobs)]
            for worker in workers:
                worker.result()
    return summary(out)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
