# file: cpudevice/runtime/texture/texture_fetch.c
# test: cpudevice/tests/runtime/textures
s/mode == cudaAddressModeMirror ? 2L \* n : n/(long)n/
