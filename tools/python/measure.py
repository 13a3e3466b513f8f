#!/usr/bin/env python3
"""Records every lesson in PyTorch and Triton and the lab cdist, on a machine with a GPU.

Usage: tools/python/measure.py FOLDER

Each is verified and timed. The tables go to FOLDER as CSV, what was printed to FOLDER/log; the last line says which of
them failed.
"""

from __future__ import annotations

import os
import subprocess
import sys

from recording import Recorder

CDIST = "build/cuda/lecture01_profiling/cdist"
LESSONS = {
    "lecture01": ("pytorch", "square profiler gelu gelu_peers kernels cdist load_inline cpp_extension"),
    "lecture14": ("triton", "vector_copy grey softmax matmul attention"),
}


def lessons(recorder: Recorder, to: str, lecture: str) -> None:
    """The lessons of one lecture."""
    folder, names = LESSONS[lecture]
    for name in names.split():
        csv = f"{to}/{lecture}-{folder}_{name}.csv"
        recorder.run(90, f"{lecture}-{folder}_{name}", ["./run", f"{folder}/{name}", "--csv", csv])


def main(arguments: list[str]) -> int:
    if len(arguments) != 1:
        print("usage: measure.py FOLDER", file=sys.stderr)
        return 2
    to = os.path.abspath(arguments[0])
    os.makedirs(to, exist_ok=True)
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
    recorder = Recorder(f"{to}/log")
    # What nvcc and torch.compile need minutes for on one core is begun at once.
    with open(f"{to}/make.log", "wb") as log:
        made = subprocess.Popen(["timeout", "100", "make", "-s", "-j4", "DEVICE=cuda", CDIST], stdout=log, stderr=log)
    lessons(recorder, to, "lecture01")
    made.wait()
    recorder.run(60, "lecture01-cdist", [CDIST, "--csv", f"{to}/lecture01-cdist.csv"])
    lessons(recorder, to, "lecture14")
    print(recorder.last_line())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
