# file: cpudevice/runtime/texture/texture_fetch.c
# test: cpudevice/tests/runtime/mipmaps
s/floorf(lod + 0.5f), dims/floorf(lod), dims/
