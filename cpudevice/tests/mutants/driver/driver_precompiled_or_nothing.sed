# file: cpudevice/driver/precompiled.c
# test: cpudevice/tests/compiler/driver_precompiled
s/if (!d->precompiled || !refused)/if (said)/
