# file: cpudevice/include/nvtx3/nvToolsExt.h
# test: toolkit.sh
s/^#ifdef __has_include_next/#if 0/
