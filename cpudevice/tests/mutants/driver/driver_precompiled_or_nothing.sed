# file: cpudevice/driver/precompiled.c
# test: cpudevice/tests/compiler/driver_precompiled of_damaged
s/if (!d->precompiled || !refused)/if (said)/
