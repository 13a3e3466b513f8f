# file: cpudevice/runtime/texture/texture_fetch.c
# test: cpudevice/tests/runtime/mipmaps
s/lod + t->how.mipmapLevelBias/lod/
