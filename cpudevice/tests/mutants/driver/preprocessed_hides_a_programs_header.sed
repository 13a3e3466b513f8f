# file: cpudevice/driver/preprocessed.c
# test: cpudevice/tests/compiler/driver_preprocessed
s/if (!access(other, F_OK) && !is_watched(lines, other))/if (0)/
