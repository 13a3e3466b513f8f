# file: cpudevice/runtime/texture/texture_fetch.c
# test: cpudevice/tests/runtime/textures
s/a\[0\] \* a\[other\] + 128) >> 8/a[0] * a[other]) >> 8/
