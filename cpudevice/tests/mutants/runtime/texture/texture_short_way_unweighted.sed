# file: cpudevice/runtime/texture/texture_fetch.c
# test: cpudevice/tests/runtime/textures
s|sum += (float)weight\[corner\] / 256 \* \*(const float|sum += *(const float|
