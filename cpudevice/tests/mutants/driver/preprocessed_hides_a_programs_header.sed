# file: cpudevice/driver/preprocessed.c
# test: cpudevice/tests/compiler/driver_preprocessed of_folders
s/if (!access(other, F_OK) && !is_watched(lines, other))/if (0)/
