# file: cpudevice/runtime/texture/texture_fetch.c
# test: cpudevice_textures
s/a\[0\] \* a\[other\] + 128) >> 8/a[0] * a[other]) >> 8/
