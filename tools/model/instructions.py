"""A lower bound of the instructions that a launch issues, beside the model's count: what a warp issues that finds no
data, in nvcc's machine code.

    python3 tools/model/instructions.py      writes results/cpu/model_instructions.csv

Compiles the labs for sm_90a, and follows each kernel in what nvdisasm prints, as a warp does whose every question
"is there anything for me?" is answered by no: a conditional branch forward is taken, and a loop has the trips given
below. Such a warp issues the least, so that the time to issue as many instructions for all warps of the busiest
multiprocessor, 4 a cycle, is too short rather than too long. Times by the model and of the GPU are those of
model_h200.csv; the model counts again, by the labs in build/model. It takes nvcc and nvdisasm (tools/setup/need.sh
nvdisasm).
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from typing import NamedTuple

from records import records, said, today
from validate import CHIPS, launches_of

ARCH = "sm_90a"
SIZE = "1024x1024"
WRITTEN = "results/cpu/model_instructions.csv"


class Case(NamedTuple):
    lab: str
    rung: str
    type: str
    kernel: str  # what its name has in the machine code
    warps: int  # of a block
    blocks: int
    trips: int  # of its loops


FLOAT, BF16 = "IfLb0E", "I13__nv_bfloat16Lb0E"
CASES = [
    Case("softmax", "7", "fp32", "softmax_kernel7" + FLOAT, 32, 1024, 3),
    Case("softmax", "7", "bf16", "softmax_kernel7" + BF16, 32, 1024, 3),
    Case("softmax", "8", "fp32", "softmax_kernel8" + FLOAT, 16, 1024, 3),
    Case("softmax", "8", "bf16", "softmax_kernel8" + BF16, 16, 1024, 3),
    Case("norms", "5", "fp32", "norm_kernel5" + FLOAT + "Li1ELi2ELb0E", 16, 1024, 1),
    Case("norms", "5", "bf16", "norm_kernel5" + BF16 + "Li1ELi2ELb0E", 16, 1024, 1),
    Case("norms", "6", "fp32", "norm_kernel5" + FLOAT + "Li4ELi1ELb0E", 16, 256, 1),
    Case("norms", "6", "bf16", "norm_kernel5" + BF16 + "Li4ELi1ELb0E", 16, 256, 1),
]

Code = list[tuple[str, str]]  # ("label", its name) or ("instruction", its text)


def kernels(printed: str) -> dict[str, Code]:
    """The kernels of what nvdisasm printed."""
    found: dict[str, Code] = {}
    code: Code = []
    for line in printed.splitlines():
        if section := re.match(r"\s*\.section\s+\.text\.([^,\s]+)", line):
            code = found.setdefault(section[1], [])
        elif label := re.match(r"\s*(\.L_x_\d+):", line):
            code.append(("label", label[1]))
        elif instruction := re.match(r"\s+/\*[0-9a-f]{4,}\*/\s+(.*?);", line):
            code.append(("instruction", instruction[1]))
    return found


def path_of(code: Code, trips: int) -> list[str]:
    """The instructions that a warp issues that finds no data."""
    place = {text: i for i, (kind, text) in enumerate(code) if kind == "label"}
    passed: dict[int, int] = {}
    path: list[str] = []
    at = 0
    while at < len(code):
        kind, text = code[at]
        if kind == "instruction":
            path.append(text)
        if text.startswith("EXIT"):
            break
        branch = re.search(r"\bBRA\b.*`\((\.L_x_\d+)\)", text)
        to = place[branch[1]] if branch else at + 1
        if to <= at:
            passed[at] = passed.get(at, 0) + 1
            to = to if passed[at] < trips else at + 1
        at = to
    return path


def compiled(lab: str, folder: str) -> tuple[dict[str, Code], str]:
    """The lab's kernels, and what ptxas says of them."""
    cubin = os.path.join(folder, f"{lab}.cubin")
    words = ["nvcc", "-O3", "-std=c++17", f"-arch={ARCH}", "-DLAB_CUDA", "-Icommon", "-Xptxas", "-v", "-cubin"]
    command = [*words, "-o", cubin, f"lecture05_shared_memory/{lab}.cu"]
    told = subprocess.run(command, check=True, capture_output=True, text=True).stderr
    return kernels(said("nvdisasm", "-c", cubin)), told


def counted_us(case: Case) -> float:
    """How long the busiest multiprocessor issues what the model counts."""
    asked = ["--rung", case.rung, "--type", case.type, "--size", SIZE + ("x0" if case.lab == "norms" else "")]
    launches = launches_of(CHIPS["h200"], f"build/model/lecture05_shared_memory/{case.lab}", asked) or []
    return sum(float(launch["issue_us"]) for launch in launches)


def line_of(case: Case, code: dict[str, Code], told: str, chip: dict[str, float]) -> str:
    name = next(name for name in code if case.kernel in name)
    used = re.search(rf"'{name}'.*?Used (\d+) registers", told, re.DOTALL)
    count = len(path_of(code[name], case.trips))
    of_busiest = -(-case.blocks // int(chip["sms"])) * case.warps
    least = count * of_busiest / chip["issue_per_cycle"] / chip["clock_mhz"]
    pair = next(
        row
        for row in records("results/cpu/model_h200.csv")
        if (row["lab"], row["rung"], row["type"]) == case[:3] and row["size"].startswith(SIZE)
    )
    times = f"{float(pair['measured_us']):.1f},{float(pair['model_us']):.1f}"
    issue = f"{least:.1f},{counted_us(case):.1f}"
    return f"{case.lab},{case.rung},{case.type},{used[1] if used else ''},{count},{of_busiest},{issue},{times}\n"


def main() -> int:
    chip = {row["figure"]: float(row["value"]) for row in records("cpudevice/model/chips/h200.csv")}
    with tempfile.TemporaryDirectory() as folder:
        of = {lab: compiled(lab, folder) for lab in dict.fromkeys(case.lab for case in CASES)}
    lines = [line_of(case, *of[case.lab], chip) for case in CASES]
    with open(WRITTEN, "w", encoding="utf-8") as file:
        file.write(f"# device: nvcc's code for {ARCH}; an NVIDIA H200, and the model of the chip h200; {SIZE}\n")
        file.write(f"{today()}# command: python3 tools/model/instructions.py\n")
        file.write("lab,rung,type,registers,instructions of a warp without data,warps,")
        file.write("to issue them us,issue by the model us,measured us,model us\n")
        file.writelines(lines)
    return 0


if __name__ == "__main__":
    sys.exit(main())
