# file: cpudevice/runtime/texture/texture_fetch.c
# test: cpudevice/tests/runtime/textures
s/linear ? rounded(t, sum\[c\])/linear ? sum[c]/
