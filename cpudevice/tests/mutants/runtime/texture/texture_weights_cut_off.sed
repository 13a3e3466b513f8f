# file: cpudevice/runtime/texture/texture_fetch.c
# test: cpudevice/tests/runtime/textures
s/between\[d\] = (int)floorf((c - whole) \* 256 + 0.5f);/between[d] = (int)((c - whole) * 256);/
