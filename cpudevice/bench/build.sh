#!/bin/sh
# build.sh PROGRAM: builds the benchmark of the CPU device against C with OpenMP.
export LC_ALL=C
set -eu
here=$(cd "$(dirname "$0")" && pwd)
exec "$here/../cucc" -O3 -Xcompiler -fopenmp -o "$1" "$here/bench.cu"
