# file: cpudevice/runtime/texture/mipmap.c
# test: cpudevice/tests/runtime/mipmaps
s/if (!(flags & (cudaArrayLayered | cudaArrayCubemap)))/if (1)/
