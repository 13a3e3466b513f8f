# file: cpudevice/runtime/texture/texture_fetch.c
# test: cpudevice_textures
s|sum += (float)weight\[corner\] / 256 \* \*(const float|sum += *(const float|
