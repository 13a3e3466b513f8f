# file: cpudevice/runtime/texture/texture_fetch.c
# test: cpudevice/tests/runtime/textures
s/k < 2 ? high\[1\] : low\[1\]/k < 2 ? low[1] : high[1]/
