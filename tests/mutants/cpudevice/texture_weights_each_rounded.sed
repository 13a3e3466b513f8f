# file: cpudevice/runtime/texture.c
# test: cpudevice_textures
s/a\[0\] \* a\[other\] + 128) >> 8/a[0] * a[other]) >> 8/
