"""On a disk that is full tools/grade, cucc and the programs that it makes say so; no answer is failed, and what could
not be graded is graded when there is room again. The disk is a tmpfs of a few KB."""

import sys
from pathlib import Path

from sandbox import disk, grade, hand_in, has, needs_sandbox, on_disk, page, work
from tap import check, said, status

SOLUTION = "solutions/lecture03_cuda_basics/ex01_index.cu"
NAMED = "No space left on device|disk is full"
HELLO = """#include <cstdio>
__global__ void hello(float *x) { x[threadIdx.x] = 1; }
int main()
{
    float *x;
    cudaMalloc(&x, 128);
    hello<<<1, 32>>>(x);
    cudaDeviceSynchronize();
    cudaFree(x);
}
"""


def the_grader() -> None:
    honest, later = work / "honest", work / "later"
    hand_in(honest, SOLUTION)
    _, words = grade("3.1", honest)
    check("with room it passes", "1 passed" in words, words)
    got, words = on_disk(4096, f"tools/grade -o {disk}/grades -e 3.1 {honest}")
    check("no room for the reports: the grader says so", got == 1 and has(words, NAMED), got, words)
    _, words = on_disk(65536, f"tools/grade -o {disk}/grades -e 3.1 {honest}; cp -r {disk}/grades {later}")
    good = has(words, "0 failed.* 1 not graded", NAMED)
    check("no room for the program: not graded, and the cause is named", good, words)
    report = page("honest", later)
    check("the student's report says so too", ": not graded" in report and ": failed" not in report, report)
    _, words = grade("3.1", honest, to=later)
    check("with room again it is graded, and passes", "1 passed" in words, words)
    got, words = on_disk(65536, f"tools/grade -e 3.1 {honest}", Path.cwd() / "build")
    check("no room in build: the grader's own compiler says so", got != 0 and has(words, NAMED), got, words)


def programs() -> None:
    source, hello = work / "hello.cu", work / "hello"
    source.write_text(HELLO)
    got, words = on_disk(65536, f"cpudevice/cucc --check -o {disk}/hello {source}")
    check("cucc: no room for the program", got != 0 and has(words, NAMED), got, words)
    said(["cpudevice/cucc", "--check", "-o", str(hello), str(source)])
    for file in ("REPORT", "COUNTERS", "COUNTER_LINES", "VIEW"):
        tools = f"CUDA_CPU_TOOLS=memcheck,counters CUDA_CPU_{file}={disk}/file"
        _, words = on_disk(4096, f"head -c 4096 /dev/zero >{disk}/zeros; {tools} {hello}")
        good = has(words, f"CUDA_CPU_{file}: cannot write .*: No space left on device")
        check(f"CUDA_CPU_{file}: no room for it", good, words)
    # g++ names the file that it cannot write; under ccache with an errno that something else has left.
    named = f"{NAMED}|when writing output to .*{disk}"
    for size in (4096, 65536, 262144, 1048576, 2097152):
        got, words = on_disk(size, f"TMPDIR={disk} cpudevice/cucc --check -g -o {hello} {source}")
        check(f"cucc: no room for its own files in {size} bytes", got == 1 and has(words, named), got, words)


needs_sandbox(
    "a full disk", "bwrap --bind / / --unshare-user --size 4096 --tmpfs /tmp bwrap --unshare-all --ro-bind / / true"
)
the_grader()
programs()
sys.exit(status())
