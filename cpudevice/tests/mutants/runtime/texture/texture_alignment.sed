# file: cpudevice/runtime/texture/texture.c
# test: cpudevice/tests/runtime/textures
s/(uintptr_t)t->data % TEXTURE_ALIGNMENT/0/
