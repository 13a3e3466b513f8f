#!/usr/bin/env python3
"""Builds and runs other people's CUDA programs with cucc, unmodified, and prints what works as a Markdown table.

NVIDIA's cuda-samples; with --llmc llm.c's dev/cuda; with --files every .cu with a main below a folder. The programs
are yours to fetch; nothing of them is kept. What a sample loads at run time (.fatbin, .ptx) is made beside its source,
where it looks for it.

With --files a program whose functions are missing is built again with the files beside it, and in src, that have no
main.

A sample is run with the arguments that the checkout's own test_args.json gives it, once for each list there; those that
draw are tried where that file has them compare with a file instead of opening a window.

A sample passes when it builds, exits with 0 and prints no "FAILED". One that exits with 2 waives itself (it found that
the device lacks something); one that ends with its usage wants arguments that nobody gave it. The reason given for a
failure is the first thing that the compiler or the program said.
"""

from __future__ import annotations

import argparse
import datetime
import glob
import os
import platform
import re
import shutil
import subprocess
import sys
import time

from programs import MAIN, Campaign, Result, read, reason, run_logged
from samples import samples

ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), "../../.."))


def run_llmc(campaign: Campaign, name: str, folder: str, version: str) -> Result:
    """Runs a version of one of llm.c's programs until it says that all results match.

    The programs check themselves, then time each kernel hundreds of times, which on a CPU is not worth the wait.
    """
    program, log = f"{campaign.out}/{name}", campaign.log(f"{name}.{version}", "run")
    line_by_line = ["stdbuf", "-oL"] if shutil.which("stdbuf") else []
    started = time.time()
    with open(log, "wb") as out:
        process = subprocess.Popen(
            [*line_by_line, program, version],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
        )
    while process.poll() is None:
        if "results match" in read(log) or time.time() - started >= campaign.limit_s:
            process.kill()
            break
        time.sleep(1)
    status = process.wait()
    seconds = int(time.time() - started)
    if "results match" in read(log):
        return Result("passes", f"{seconds} s", seconds)
    if seconds >= campaign.limit_s:
        return Result("fails", f"not done after {campaign.limit_s} s")
    return Result("fails", f"{reason(log)}, exit {128 - status if status < 0 else status}")


def llmc(campaign: Campaign, checkout: str, pattern: str) -> None:
    """llm.c's dev/cuda, with every numbered kernel that a program offers on its command line."""
    folder = f"{checkout}/dev/cuda"
    for file in sorted(glob.glob(f"{folder}/*.cu")):
        name = os.path.basename(file).removesuffix(".cu")
        if pattern not in name:
            continue
        options = [
            "-O3",
            "-std=c++17",
            "-w",
            "-o",
            f"{campaign.out}/{name}",
            f"{name}.cu",
            "-lcublas",
            "-lcublasLt",
            "-lm",
        ]
        if run_logged([campaign.cucc[0], *options], campaign.log(name, "build"), 300, folder):
            campaign.report(name, Result("does not build", reason(campaign.log(name, "build"))))
            continue
        for version in sorted(set(re.findall(r"case ([0-9]+):", read(file))), key=int) or ["1"]:
            campaign.report(f"{name} {version}", run_llmc(campaign, name, folder, version))


def without_main(folder: str) -> list[str]:
    """The sources in a folder and its src that have no main of their own."""
    patterns = ("*.cu", "*.cpp", "*.cc", "*.c", "src/*.cu", "src/*.cpp")
    files = [f for pattern in patterns for f in sorted(glob.glob(f"{folder}/{pattern}"))]
    return [os.path.relpath(f, folder) for f in files if " " not in f and not MAIN.search(read(f))]


def files(campaign: Campaign, checkout: str, pattern: str, include: list[str]) -> None:
    """Every .cu with a main below a folder."""
    flags = ["-I..", "-Iinclude", "-I../include", *include]
    for path in sorted(glob.glob(f"{glob.escape(checkout)}/**/*.cu", recursive=True)):
        if pattern not in path or not MAIN.search(read(path)):
            continue
        folder, source = os.path.split(path)
        name = f"{os.path.basename(folder)}/{source.removesuffix('.cu')}"
        log = re.sub(r"[/ ]", "-", name)
        result = campaign.try_one(log, folder, [source], flags)
        # What it lacks may stand in the files beside it that have no main of their own.
        if "undefined reference" in read(campaign.log(log, "build")):
            result = campaign.try_one(log, folder, [source, *without_main(folder)], flags)
        campaign.report(name, result)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", dest="out", metavar="DIR", default=f"{ROOT}/build/cpu/samples", help="programs and logs")
    parser.add_argument("-t", dest="limit_s", metavar="SECONDS", type=int, default=120, help="a program's time (120)")
    parser.add_argument("-I", dest="include", metavar="DIR", help="where --files looks for headers too")
    parser.add_argument("--check", action="store_true", help="build with cucc --check, use small sizes, count findings")
    kind = parser.add_mutually_exclusive_group()
    kind.add_argument("--llmc", action="store_true", help="llm.c's dev/cuda")
    kind.add_argument("--files", action="store_true", help="every .cu with a main")
    parser.add_argument("checkout", help="the folder of a checkout")
    parser.add_argument("pattern", nargs="?", default="", help="only programs whose path contains it")
    asked = parser.parse_args()
    if not os.path.isdir(asked.checkout):
        parser.error(f"there is no folder {asked.checkout}")
    checkout = os.path.realpath(asked.checkout)
    campaign = Campaign(f"{ROOT}/cpudevice/cucc", os.path.realpath(asked.out), asked.limit_s, asked.check)
    print("| program | result | time, or reason |\n| --- | --- | --- |")
    if asked.llmc:
        llmc(campaign, checkout, asked.pattern)
    elif asked.files:
        include = [f"-I{os.path.realpath(asked.include)}"] if asked.include else []
        files(campaign, checkout, asked.pattern, include)
    else:
        samples(campaign, checkout, ROOT, asked.pattern)
    tally = campaign.tally
    compiler = subprocess.run(["g++", "--version"], capture_output=True, text=True, check=False).stdout.split("\n")[0]
    print(f"\n{tally['passes']} of {tally['tried']} pass, {tally['waived']} waive themselves. ", end="")
    print(f"{datetime.datetime.now(datetime.timezone.utc):%Y-%m-%d}, {compiler}, {platform.machine()}.")


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    main()
