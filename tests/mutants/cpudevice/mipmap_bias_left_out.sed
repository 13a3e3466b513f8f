# file: cpudevice/runtime/texture/texture_fetch.c
# test: cpudevice_mipmaps
s/lod + t->how.mipmapLevelBias/lod/
