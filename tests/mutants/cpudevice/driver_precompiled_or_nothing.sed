# file: cpudevice/driver/precompiled.c
# test: driver_precompiled
s/if (!d->precompiled || !refused)/if (said)/
