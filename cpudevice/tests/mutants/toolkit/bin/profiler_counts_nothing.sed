# file: cpudevice/toolkit/bin/ncu
# test: cpudevice/tests/toolkit/nvcc4jupyter.sh '--profile counts in a program built with --check'
s/TOOLS:-counters/TOOLS:-none/
