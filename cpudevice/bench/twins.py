#!/usr/bin/env python3
"""Compares other people's programs that exist for CUDA and for OpenMP.

The CUDA one is built by cucc, the OpenMP one by gcc -O3 -march=native; both get the same input and two threads, and run
in turn. Prints CSV: medians of the processor time in seconds (a machine may have other work), and their ratio; OpenMP's
threads wait without spinning. PolyBench prints the time of its kernels, which is taken (in float, as its CUDA programs
are); of the others it is the whole program's.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
from dataclasses import dataclass, field

from timing import CUCC, ROOT, cpu_seconds, lower_median

# PolyBench's clock, replaced by the processor time of the process.
CLOCK = """#include <sys/time.h>
#include <time.h>
int gettimeofday(struct timeval *t, void *zone)
{
    struct timespec now;
    (void)zone;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    t->tv_sec = now.tv_sec;
    t->tv_usec = now.tv_nsec / 1000;
    return 0;
}
"""
OPENMP = ["-O3", "-march=native", "-fopenmp", "-w"]
# The CUDA program, the OpenMP program, the sizes.
POLYBENCH = [
    ("2MM/2mm.cu", "linear-algebra/kernels/2mm", "NI=768 NJ=768 NK=768 NL=768"),
    ("GEMM/gemm.cu", "linear-algebra/kernels/gemm", "NI=1000 NJ=1000 NK=1000"),
    ("ATAX/atax.cu", "linear-algebra/kernels/atax", "NX=4000 NY=4000"),
    ("MVT/mvt.cu", "linear-algebra/kernels/mvt", "N=4000"),
    ("SYRK/syrk.cu", "linear-algebra/kernels/syrk", "NI=800 NJ=800"),
    ("COVAR/covariance.cu", "datamining/covariance", "M=800 N=800"),
    ("2DCONV/2DConvolution.cu", "stencils/convolution-2d", "NI=8000 NJ=8000"),
    ("3MM/3mm.cu", "linear-algebra/kernels/3mm", "NI=600 NJ=600 NK=600 NL=600 NM=600"),
    ("CORR/correlation.cu", "datamining/correlation", "M=800 N=800"),
    ("SYR2K/syr2k.cu", "linear-algebra/kernels/syr2k", "NI=600 NJ=600"),
    ("GRAMSCHM/gramschmidt.cu", "linear-algebra/solvers/gramschmidt", "NI=512 NJ=512"),
]
# Of the Parallel Research Kernels: the name and the arguments.
KERNELS = [("nstream", "40 10000000"), ("stencil", "20 2000"), ("transpose", "10 4000")]


@dataclass
class Suite:
    """A program of Rodinia."""

    name: str
    cuda: str  # its files
    openmp: str
    arguments: str
    openmp_arguments: str
    options: list[str] = field(default_factory=list)
    compiler: str = "g++"  # of the OpenMP program


RODINIA = [
    Suite(
        "lud",
        "cuda/lud.cu cuda/lud_kernel.cu common/common.c -Icommon",
        "omp/lud.c omp/lud_omp.c common/common.c -Icommon",
        "-s 2048",
        "-n 2 -s 2048",
        compiler="gcc",
    ),
    Suite("nw", "needle.cu", "needle.cpp", "8192 10", "8192 10 2"),
    Suite("pathfinder", "pathfinder.cu", "pathfinder.cpp", "200000 200 20", "200000 200"),
    Suite(
        "lavaMD",
        "main.c kernel/kernel_gpu_cuda_wrapper.cu util/timer/timer.c util/num/num.c util/device/device.cu",
        "main.c kernel/kernel_cpu.c util/timer/timer.c util/num/num.c",
        "-boxes1d 10",
        "-cores 2 -boxes1d 10",
        compiler="gcc",
    ),
    Suite(
        "particlefilter",
        "ex_particle_CUDA_float_seq.cu",
        "ex_particle_OPENMP_seq.c",
        "-x 128 -y 128 -z 10 -np 100000",
        "-x 128 -y 128 -z 10 -np 100000",
        compiler="gcc",
    ),
    Suite(
        "backprop",
        "backprop_cuda.cu backprop.c facetrain.c imagenet.c",
        "backprop_kernel.c backprop.c facetrain.c imagenet.c",
        "524288",
        "524288",
        compiler="gcc",
    ),
]


class Twins:
    """Where programs and logs go, how often they run, and which are wanted."""

    def __init__(self, out: str, runs: int, pattern: str) -> None:
        self.out = out
        self.runs = runs
        self.pattern = pattern
        os.makedirs(out, exist_ok=True)
        command = ["gcc", "-shared", "-fPIC", "-O1", "-x", "c", "-o", f"{out}/clock.so", "-"]
        subprocess.run(command, input=CLOCK, text=True, check=True)

    def build(self, name: str, folder: str, command: list[str]) -> bool:
        """Builds OUT/NAME in a folder; one that is not there fails."""
        if not os.path.isdir(folder):
            print(f"{name} does not build: there is no {folder}", file=sys.stderr)
            return False
        with open(f"{self.out}/{name}.build", "wb") as log:
            to = ["-o", f"{self.out}/{name}"]
            done = subprocess.run([*command, *to], cwd=folder, stdout=log, stderr=subprocess.STDOUT, check=False)
        if done.returncode:
            print(f"{name} does not build", file=sys.stderr)
        return done.returncode == 0

    def seconds(self, name: str, arguments: str, printed: bool) -> float | None:
        """The processor time of one run; with `printed` the first line that is nothing but a number."""
        log = f"{self.out}/log"
        clock = {"LD_PRELOAD": f"{self.out}/clock.so"} if printed else {}
        # The limit is timeout's, which ends what the program has started, too.
        command = ["timeout", "120", f"{self.out}/{name}", *arguments.split()]
        took = cpu_seconds(command, log, self.out, clock)
        if took is None or not printed:
            return took
        with open(log, encoding="utf-8", errors="replace") as file:
            line = re.search(r"^[0-9.]+$", file.read(), re.MULTILINE)
        return float(line[0]) if line else None

    def compare(self, name: str, arguments: tuple[str, str], size: str, printed: bool = False) -> None:
        """Runs both programs in turn, and prints a row."""
        times: dict[str, list[float | None]] = {"cuda": [], "openmp": []}
        for _ in range(self.runs):
            for way, of_way in zip(times, arguments, strict=True):
                times[way].append(self.seconds(f"{name}.{way}", of_way, printed))
        cuda, openmp = ([t for t in of_way if t is not None] for of_way in times.values())
        if len(cuda) < self.runs or len(openmp) < self.runs:
            print(f"{name},,,failed", file=sys.stderr)
            return
        ours, theirs = lower_median(cuda), lower_median(openmp)
        print(f"{name},{size},{ours:.3f},{theirs:.3f},{ours / theirs:.2f}", flush=True)

    def wants(self, name: str) -> bool:
        return self.pattern in name

    def polybench(self, checkout: str, cuda: str, openmp: str, size: str) -> None:
        folder, source = os.path.split(cuda)
        name = f"polybench-{source.removesuffix('.cu')}"
        if not self.wants(name):
            return
        sizes = [f"-D{definition}" for definition in size.split()]
        theirs = f"{checkout}/OpenMP"
        float_type = ["-DDATA_TYPE=float", '-DDATA_PRINTF_MODIFIER="%f "', "-DPOLYBENCH_TIME"]
        files = [f"{os.path.basename(openmp)}.c", f"{theirs}/utilities/polybench.c", "-lm"]
        include = f"-I{theirs}/utilities"
        if self.build(
            f"{name}.cuda", f"{checkout}/CUDA/{folder}", [CUCC, "-O3", "-w", "-DN", *sizes, source]
        ) and self.build(
            f"{name}.openmp", f"{theirs}/{openmp}", ["gcc", *OPENMP, *float_type, *sizes, include, *files]
        ):
            self.compare(name, ("", ""), size, printed=True)

    def kernel(self, checkout: str, kernel: str, arguments: str) -> None:
        name, folder, version = f"prk-{kernel}", f"{checkout}/Cxx11", '-DPRKVERSION="2020"'
        cuda = [CUCC, "-O3", "-std=c++20", "--extended-lambda", "-w", version, f"{kernel}-cuda.cu"]
        openmp = ["g++", *OPENMP, "-std=c++20", version, f"{kernel}-openmp.cc"]
        if (
            self.wants(name)
            and self.build(f"{name}.cuda", folder, cuda)
            and self.build(f"{name}.openmp", folder, openmp)
        ):
            self.compare(name, (arguments, arguments), arguments)

    def suite(self, checkout: str, suite: Suite) -> None:
        name = f"rodinia-{suite.name}"
        cuda = [CUCC, "-O3", "-w", *suite.options, *suite.cuda.split(), "-lm"]
        openmp = [suite.compiler, *OPENMP, *suite.openmp.split(), "-lm"]
        if (
            self.wants(name)
            and self.build(f"{name}.cuda", f"{checkout}/cuda/{suite.name}", cuda)
            and self.build(f"{name}.openmp", f"{checkout}/openmp/{suite.name}", openmp)
        ):
            self.compare(name, (suite.arguments, suite.openmp_arguments), suite.arguments)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-n", dest="runs", type=int, default=3, help="runs of each program (3)")
    parser.add_argument("-o", dest="out", metavar="DIR", default=f"{ROOT}/build/cpu/twins", help="programs and logs")
    parser.add_argument("polybench", help="a checkout of polybenchGpu")
    parser.add_argument("prk", help="a checkout of the Parallel Research Kernels")
    parser.add_argument("rodinia", help="a checkout of gpu-rodinia")
    parser.add_argument("pattern", nargs="?", default="", help="only programs whose name contains it")
    asked = parser.parse_args()
    os.environ.update(LC_ALL="C", OMP_NUM_THREADS="2", OMP_WAIT_POLICY="passive", CUDA_CPU_WORKERS="2")
    twins = Twins(os.path.realpath(asked.out), asked.runs, asked.pattern)
    print("program,size,cucc_s,openmp_s,ratio")
    for cuda, openmp, size in POLYBENCH:
        twins.polybench(os.path.realpath(asked.polybench), cuda, openmp, size)
    for kernel, arguments in KERNELS:
        twins.kernel(os.path.realpath(asked.prk), kernel, arguments)
    for suite in RODINIA:
        twins.suite(os.path.realpath(asked.rodinia), suite)


if __name__ == "__main__":
    main()
