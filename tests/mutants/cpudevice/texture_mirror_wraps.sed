# file: cpudevice/runtime/texture.c
# test: cpudevice_textures
s/mode == cudaAddressModeMirror ? 2L \* n : n/(long)n/
