"""Cells of nvcc4jupyter in a shell of IPython: what they print, against what Python computes."""

# BUILD: find_nvcc4jupyter
# SKIPS: not here
# TEST: %%cuda prints what the program prints
# RUN: in_ipython cuda
# MATCHES: ^right$
# TEST: --compiler-args go to nvcc: macros, a standard, a library
# RUN: in_ipython compiler_args
# MATCHES: ^right$
# TEST: files of a group, of the group shared and their headers make one program
# RUN: in_ipython group
# MATCHES: ^right$
# TEST: a compiler's error names the cell's line
# RUN: in_ipython error
# MATCHES: ^right$
# TEST: a mistake under --check names the cell's line
# RUN: in_ipython check
# MATCHES: ^right$
# TEST: --timeit times the program
# RUN: in_ipython timeit
# MATCHES: ^right$
# TEST: --profile counts in a program built with --check
# RUN: in_ipython profile_checked
# MATCHES: ^right$
# TEST: --profile of another program, with ncu's options or by nsys says why not
# RUN: in_ipython profile_refused
# MATCHES: ^right$
from __future__ import annotations

import contextlib
import io
import re
import sys

from IPython.core.interactiveshell import InteractiveShell

SQUARES = """#include <cstdio>
#ifndef N
#define N 40
#endif
__global__ void squares(long long *p, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        p[i] = (long long)i * i * i;
}
int main()
{
    long long *p, cubes[N];
    cudaMalloc(&p, sizeof cubes);
    squares<<<(N + 31) / 32, 32>>>(p, N);
    cudaMemcpy(cubes, p, sizeof cubes, cudaMemcpyDeviceToHost);
    for (long long x : cubes)
        printf("%lld\\n", x);
    return cudaFree(p) != cudaSuccess;
}
"""

LIBRARY = """#include <cstdio>
#include <cublas_v2.h>
static_assert(__cplusplus >= 202002L);
int main()
{
    float *x, sum;
    cublasHandle_t handle;
    cudaMallocManaged(&x, N * sizeof *x);
    for (int i = 0; i < N; i++)
        x[i] = i - SHIFT;
    cublasCreate(&handle);
    cublasSasum(handle, N, x, 1, &sum);
    printf("%g\\n", sum);
}
"""

GROUP = {
    "main.cu": '#include "scale.h"\n#include "size.h"\n#include <cstdio>\n'
    '__global__ void print() { printf("%d\\n", scale(threadIdx.x)); }\n'
    "int main() { print<<<1, SIZE>>>(); cudaDeviceSynchronize(); host(); }\n",
    "scale.h": "__device__ int scale(int);\nvoid host();\n",
    "scale.cu": '#include "scale.h"\n__device__ int scale(int x) { return 7 * x - 3; }\n',
}
SHARED = {
    "size.h": "#define SIZE 45\n",
    "host.cu": '#include <cstdio>\nvoid host() { puts("host"); }\n',
}

shell = InteractiveShell.instance()
shell.run_line_magic("load_ext", "nvcc4jupyter")


def printed(magic: str, line: str, cell: str | None = None) -> str:
    with contextlib.redirect_stdout(io.StringIO()) as output:
        if cell is None:
            shell.run_line_magic(magic, line)
        else:
            shell.run_cell_magic(magic, line, cell)
    return output.getvalue()


def cuda() -> None:
    assert printed("cuda", "", SQUARES).split() == [str(i**3) for i in range(40)]


def compiler_args() -> None:
    assert printed("cuda", '--compiler-args "-DN=70 -O1"', SQUARES).split() == [str(i**3) for i in range(70)]
    got = printed("cuda", '-c "-std=c++20 -DN=9,SHIFT=4 -lcublas"', LIBRARY)
    assert float(got) == sum(abs(i - 4) for i in range(9)), got


def group() -> None:
    for name, files in (("one", GROUP), ("shared", SHARED)):
        for file, text in files.items():
            assert printed("cuda_group_save", f"--name {file} --group {name}", text) == ""
    got = printed("cuda_group_run", '--group one --compiler-args "-rdc=true"').split()
    assert got[-1] == "host" and got[:-1] == [str(7 * i - 3) for i in range(45)], got


def error() -> None:
    wrong = SQUARES.replace("p[i] =", "q[i] =")
    line = wrong.split("\n").index(next(text for text in wrong.split("\n") if "q[i]" in text)) + 1
    got = printed("cuda", "", wrong)
    assert re.search(rf"single_file\.cu:{line}: error: .*'q'", got), got


def check() -> None:
    wrong = SQUARES.replace("i < n", "i <= n")
    line = wrong.split("\n").index(next(text for text in wrong.split("\n") if "p[i] =" in text)) + 1
    got = printed("cuda", '-c "--check"', wrong)
    assert re.search(rf"^memcheck: .*past the end.*\n(.*\n)*?.*single_file\.cu:{line}$", got, re.MULTILINE), got
    assert "1 error " in got, got
    assert "0 errors" in printed("cuda", '-c "--check"', SQUARES)


def timeit() -> None:
    assert re.search(r"^[0-9.]+ .*s .* per loop", printed("cuda", "--timeit", SQUARES))


def profile_checked() -> None:
    got = printed("cuda", '--profile --compiler-args "--check -DN=64"', SQUARES)
    # 2 warps, each with 32 values of 8 bytes in sectors of 32
    assert re.search(r"single_file\.cu:9 +global store +2 +16 +8\.00", got), got
    assert [line for line in got.split("\n") if line.isdigit()] == [str(i**3) for i in range(64)], got


def profile_refused() -> None:
    got = printed("cuda", "--profile", SQUARES)
    assert re.search("^ncu: Nsight Compute needs a GPU; .*built with --check, and .* is not", got), got
    got = printed("cuda", '--profile --profiler-args "--set full"', SQUARES)
    assert re.search(r"^ncu: Nsight Compute needs a GPU; .*\(here: --set\)", got), got
    got = printed("cuda", "--profile --profiler nsys", SQUARES)
    assert re.search("^nsys: Nsight Systems needs a GPU", got), got


globals()[sys.argv[1]]()
print("right")
