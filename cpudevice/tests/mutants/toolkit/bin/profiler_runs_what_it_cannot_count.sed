# file: cpudevice/toolkit/bin/ncu
# test: cpudevice/tests/toolkit/nvcc4jupyter.sh cells
s/^grep -q CUDA_CPU_COUNTERS/true/
