# file: cpudevice/driver/precompiled.c
# test: cpudevice/tests/compiler/driver_precompiled
s/if (!written || !is_wanted("1"))/if (written || !is_wanted("1"))/
