# file: cpudevice/runtime/texture.c
# test: cpudevice_textures
s|sum += (float)weight\[corner\] / 256 \* \*(const float|sum += *(const float|
