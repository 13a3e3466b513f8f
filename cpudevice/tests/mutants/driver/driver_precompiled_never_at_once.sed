# file: cpudevice/driver/precompiled.c
# test: cpudevice/tests/compiler/driver_precompiled of_at_once
s/if (!written || !wants_kept("1"))/if (written || !wants_kept("1"))/
