# file: cpudevice/driver/preprocessed.c
# test: cpudevice/tests/compiler/driver_preprocessed of_folders
s/^        if (getenv(variables\[i\]))/        if (0)/
