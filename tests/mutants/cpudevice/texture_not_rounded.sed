# file: cpudevice/runtime/texture.c
# test: cpudevice_textures
s/linear ? rounded(t, sum\[c\])/linear ? sum[c]/
