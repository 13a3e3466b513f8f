"""How long the device lay idle between the kernels of a chain, from Chrome traces (./run LAB --trace FILE).

gaps.py KERNEL COUNT TRACE...    a row a trace on stdout: chains of COUNT kernels whose names contain KERNEL,
                                 with nothing else on the device in between; the first chain is a warm-up
"""

from __future__ import annotations

import json
import statistics
import sys
from pathlib import Path

DEVICE = {"kernel", "gpu_memcpy", "gpu_memset"}


def chains(path: Path, name: str, count: int) -> list[list[tuple[float, float]]]:
    """(begin, end) in us of each kernel of each chain."""
    events = [e for e in json.loads(path.read_text())["traceEvents"] if e.get("ph") == "X" and e.get("cat") in DEVICE]
    found: list[list[tuple[float, float]]] = []
    chain: list[tuple[float, float]] = []
    for event in sorted(events, key=lambda e: float(e["ts"])):
        if name not in event["name"]:
            chain = []
            continue
        chain.append((float(event["ts"]), float(event["ts"]) + float(event["dur"])))
        if len(chain) == count:
            found.append(chain)
            chain = []
    return found


def worked(chain: list[tuple[float, float]]) -> float:
    """us in which at least one of the kernels ran: with PDL they overlap."""
    total, until = 0.0, chain[0][0]
    for begin, end in chain:
        total += max(0.0, end - max(begin, until))
        until = max(until, end)
    return total


def main() -> int:
    """Prints the table."""
    if len(sys.argv) < 4:
        print(__doc__, file=sys.stderr)
        return 2
    name, count = sys.argv[1], int(sys.argv[2])
    print("trace,chains,kernels,kernel_us,gap_us,us_per_kernel,busy")
    for path in map(Path, sys.argv[3:]):
        found = chains(path, name, count)[1:]
        if not found:
            print(f"gaps.py: {path}: no chain of {count} kernels {name}", file=sys.stderr)
            return 1
        kernel = statistics.median(end - begin for chain in found for begin, end in chain)
        gap = statistics.median(b[0] - a[1] for chain in found for a, b in zip(chain, chain[1:]))
        whole = statistics.median(chain[-1][1] - chain[0][0] for chain in found)
        busy = statistics.median(worked(chain) / (chain[-1][1] - chain[0][0]) for chain in found)
        print(f"{path.stem},{len(found)},{count},{kernel:.3f},{gap:.3f},{whole / count:.3f},{busy:.3f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
