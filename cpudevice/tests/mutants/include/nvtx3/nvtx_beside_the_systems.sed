# file: cpudevice/include/nvtx3/nvToolsExt.h
# test: cpudevice/tests/toolkit/toolkit.sh ranges
s/^#ifdef __has_include_next/#if 0/
