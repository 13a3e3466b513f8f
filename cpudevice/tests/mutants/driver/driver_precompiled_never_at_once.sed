# file: cpudevice/driver/precompiled.c
# test: cpudevice/tests/compiler/driver_precompiled
s/if (!written || !wants_kept("1"))/if (written || !wants_kept("1"))/
