# file: cpudevice/toolkit/bin/ncu
# test: cpudevice/tests/toolkit/nvcc4jupyter.sh cells
s/TOOLS:-counters/TOOLS:-none/
