# file: cpudevice/runtime/texture/texture_fetch.c
# test: cpudevice_textures
s/linear ? rounded(t, sum\[c\])/linear ? sum[c]/
