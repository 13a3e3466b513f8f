# file: cpudevice/shared/libcuda.c
# test: cpudevice/tests/toolkit/shared.sh loads
s/if (flags == PER_THREAD) {/if (0) {/
