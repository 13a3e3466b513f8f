# file: cpudevice/driver/precompiled.c
# test: cpudevice/tests/compiler/driver_precompiled of_texts
s/ || !has_text(kept\[1\], part.first, size))/)/
