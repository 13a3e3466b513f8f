# file: cpudevice/runtime/texture/mipmap.c
# test: cpudevice_mipmaps
s/if (!(flags & (cudaArrayLayered | cudaArrayCubemap)))/if (1)/
