"""What the tools of this folder share: records, and the GPU that is here."""

from __future__ import annotations

import csv
import datetime
import subprocess


def records(path: str) -> list[dict[str, str]]:
    """The rows of a CSV; lines that begin with # are no rows."""
    with open(path, encoding="utf-8") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def is_input(row: dict[str, str]) -> bool:
    """Does this launch of a CUDA_CPU_MODEL_CSV make a lab's input? Such kernels are named setup_..."""
    return row["kernel"].removeprefix("void ").startswith("setup_")


def said(*command: str) -> str:
    """What a command prints; it must succeed."""
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def gpu() -> tuple[str, str]:
    """The name of the GPU that is here, and the folder of results/ that has its records."""
    name = said("nvidia-smi", "--query-gpu=name", "--format=csv,noheader").splitlines()[0]
    return name, "results/h200" if "H200" in name else "results/h100"


def today() -> str:
    """The line of a record that dates it."""
    return f"# date: {datetime.date.today()}\n"
