# file: cpudevice/src/texture.c
# test: cpudevice_textures
s|weight\[d\] = floorf((c - whole) \* 256 + 0.5f) / 256;|weight[d] = c - whole;|
