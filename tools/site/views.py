"""Records a launch of each lab as a page of the viewer, in build/site-views: `python3 tools/site/views.py [LAB...]`.

What is recorded is the first `./run LAB ... --view` that the lecture's notes tell the reader to try, else the lab's
first kernel, or what OPTIONS says where that is too much for a page. A lab that launches nothing on the CPU device, or
whose page would be larger than 1 MB, gets none.
"""

from __future__ import annotations

import functools
import os
import re
import subprocess
import sys

from tree import TOP, labs, lectures, read

VIEWS = "build/site-views"
MOST = 1 << 20  # bytes of a page
OPTIONS = {  # one block instead of three, or a launch that is the lab's own: not the first, which asks for an sm_90a
    "attention_decode": " --view-block 0,0,0",
    "data_parallel": " --view-launch 2",
    "hopper": " --view-launch 2",
    "hopper_fp8": " --view-launch 2",
    "hopper_sparse": " --view-launch 2",
    "layouts": " --view-launch 2",
    "norms": " --view-block 0,0,0",
    "swizzle": " --view-block 0,0,0",
    "tensor_parallel": " --view-launch 2",
    "training_vs_inference": " --view-launch 12",
    "w4a16": " --view-block 0,0,0",
}


@functools.cache
def printed() -> dict[str, str]:
    """The command of each lab that the notes have one for."""
    found: dict[str, str] = {}
    for folder in lectures():
        for command, lab in re.findall(r"`(\./run (\w+)(?: --\w+ \w+)* --view)`", read(folder + "/README.md")):
            found.setdefault(lab, command)
    return found


def command(lab: str) -> str:
    return printed().get(lab, f"./run {lab}{OPTIONS.get(lab, '')} --view")


def shows_a_launch(path: str) -> bool:
    """Whether the page has launches to show; a program that launched nothing leaves a page without."""
    with open(path, encoding="utf-8") as file:
        return re.search(r'"launches":\[\s*\[', file.read()) is not None


def record(lab: str) -> str:
    """Writes the lab's page; what is wrong, if there is none."""
    path = os.path.join(VIEWS, f"{lab}.html")
    words = [*command(lab).split(), path, "--device", "cpu"]
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if os.path.exists(path) and not shows_a_launch(path):
        os.remove(path)
    if not os.path.exists(path):
        return f"no page: {(done.stdout.strip().splitlines() or ['nothing said'])[-1]}"
    if os.path.getsize(path) > MOST:
        size = os.path.getsize(path)
        os.remove(path)
        return f"its page has {size} bytes"
    return ""


def main(names: list[str]) -> int:
    os.chdir(TOP)
    os.makedirs(VIEWS, exist_ok=True)
    for lab in names or [os.path.basename(lab).removesuffix(".cu") for lab in labs()]:
        wrong = record(lab)
        print(f"views: {lab}: {wrong or command(lab)}", flush=True)
    return 0 if os.listdir(VIEWS) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
