# file: cpudevice/driver/precompiled.c
# test: driver_precompiled
s/ || !has_text(kept\[1\], part.first, size))/)/
