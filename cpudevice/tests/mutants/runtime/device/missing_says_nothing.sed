# file: cpudevice/runtime/device/missing.c
# test: cpudevice/tests/runtime/missing names
s/if (!atomic_flag_test_and_set(said))/if (0)/
