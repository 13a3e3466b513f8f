# file: cpudevice/toolkit/bin/ncu
# test: cpudevice/tests/toolkit/nvcc4jupyter.sh "--profile of another program, with ncu's options or by nsys says why not"
s/^grep -q CUDA_CPU_COUNTERS/true/
