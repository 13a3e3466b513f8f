# file: cpudevice/runtime/memory/copy.c
# test: cpudevice_core
/static bool side_ok/,/^}/s/^    return true;/    return device || k != R_DEVICE;/
