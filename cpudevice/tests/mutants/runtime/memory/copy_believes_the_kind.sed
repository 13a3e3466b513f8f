# file: cpudevice/runtime/memory/copy.c
# test: cpudevice/tests/runtime/core
/static bool side_ok/,/^}/s/^    return true;/    return device || k != R_DEVICE;/
