# file: cpudevice/runtime/texture/texture_fetch.c
# test: cpudevice_textures
s/mode == cudaAddressModeMirror ? 2L \* n : n/(long)n/
