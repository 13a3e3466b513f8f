"""What the model costs: the CPU time of labs with the model, over that with the counters alone.

    python3 tools/model/cost.py LAB...     writes results/cpu/model_cost.csv

Each lab runs all its rungs at its own shapes, on one core, ROUNDS times in turns; the least of the times counts.
"""

from __future__ import annotations

import glob
import os
import resource
import subprocess
import sys

from records import today

ROUNDS = 3
COUNTERS = {"CUDA_CPU_TOOLS": "counters", "CUDA_CPU_WORKERS": "1"}
MODEL = {"CUDA_CPU_TOOLS": "counters", "CUDA_CPU_MODEL": "h100", "CUDA_CPU_MODEL_QUIET": "1"}


def seconds_of(program: str, environment: dict[str, str]) -> float:
    """The program's own time on the CPU."""
    words = [program, "--verify", "--ladder-only", "--no-vendor"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    silent = subprocess.DEVNULL
    subprocess.run(words, env=os.environ | environment, stdout=silent, stderr=silent, check=True)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def main() -> int:
    lines = []
    for lab in sys.argv[1:]:
        program = glob.glob(f"build/model/lecture*/{lab}")[0]
        checked = program.replace("/model/", "/check/")
        times = [(seconds_of(checked, COUNTERS), seconds_of(program, MODEL)) for _ in range(ROUNDS)]
        counters, model = (min(column) for column in zip(*times))
        lines.append((model / counters, f"{lab},{counters:.2f},{model:.2f},{model / counters:.2f}\n"))
    with open("results/cpu/model_cost.csv", "w", encoding="utf-8") as file:
        file.write(f"# device: CPU device, one core\n{today()}# command: python3 tools/model/cost.py LAB...\n")
        file.write("lab,counters s,model s,times as long\n")
        file.writelines(line for _, line in sorted(lines, reverse=True))
    return 0


if __name__ == "__main__":
    sys.exit(main())
