"""What the front page shows of a mistake, in English and in Chinese, is what its own commands say, and it counts the
exercises right. What CHECK.md shows is what a program with that mistake says."""

import glob
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from tap import check, skip, status

ROTATE = """#include <cstdio>

__global__ void rotate(int *x)
{
    __shared__ int tile[64];

    tile[threadIdx.x] = x[threadIdx.x];
    x[threadIdx.x] = tile[(threadIdx.x + 1) % 64];
}

int main()
{
    int *x;
    cudaMallocManaged(&x, 64 * sizeof *x);
    for (int i = 0; i < 64; i++)
        x[i] = i;
    rotate<<<1, 64>>>(x);
    cudaDeviceSynchronize();
    printf("%d\\n", x[0]);
    cudaFree(x);
}
"""


def exit_and_errors(command: str, **env: str) -> tuple[int, str]:
    """What a text for the shell says as an error, but for the line of a first use."""
    env = {**os.environ, "CUCC_BUILD": f"{top}/build/cpu", **env}
    done = subprocess.run(command, shell=True, cwd=work, capture_output=True, text=True, env=env, check=False)
    return done.returncode, re.sub(r"(?m)^cucc: first use: .*\n", "", done.stderr)


def shows(page: str, count: int) -> None:
    """The commands are the indented lines before the first fenced block, which shows what the program says."""
    before, _, rest = Path(page).read_text().partition("```")
    commands = re.findall("(?m)^    ((?:export|mkdir|cpudevice).*)", before)
    shown = re.match(r"text\n(.*?)^```", rest, re.DOTALL | re.MULTILINE)
    check(f"{page} has {count} commands and what they say", len(commands) == count and shown, *commands)
    got, words = exit_and_errors("\n".join(commands))
    check(f"{page}: the program that they make fails with 99", got == 99, got, words)
    check(f"{page} shows what cucc --check says", shown and shown[1] == words, words)


def explains(page: str, **env: str) -> None:
    """Its block from the finding to the count of errors."""
    block = re.search(r"(?ms)^    racecheck.*?^    cucc --check[^\n]*\n", Path(page).read_text())
    shown = re.sub("(?m)^    ", "", block[0]) if block else ""
    _, words = exit_and_errors("./rotate", **env)
    check(f"{page} shows what cucc --check says", shown != "" and shown == words, words)


top = os.getcwd()
os.environ.pop("COURSE_LANG", None)
exercises = len(glob.glob("lecture*/exercises/ex*.cu"))
front = re.sub("<!--[^>]*-->", "", Path("README.md").read_text())
what = f"the front page says how many exercises there are: {exercises}"
check(what, re.search(f"[^0-9]{exercises} exercises", front) is not None)
if sys.argv[1:2] not in ([], ["cpu"]):
    skip("cucc --check is the CPU device's")
    sys.exit(status())
with tempfile.TemporaryDirectory() as folder:
    work = Path(folder)
    (work / "build").mkdir()
    for name in ("lecture05_shared_memory", "cpudevice"):
        (work / name).symlink_to(f"{top}/{name}")
    shows("README.md", 2)
    shows("README.zh.md", 3)
    (work / "rotate.cu").write_text(ROTATE)
    exit_and_errors("cpudevice/cucc --check -g -o rotate rotate.cu")
    explains("cpudevice/docs/CHECK.md")
    explains("cpudevice/docs/CHECK.zh.md", COURSE_LANG="zh")
sys.exit(status())
