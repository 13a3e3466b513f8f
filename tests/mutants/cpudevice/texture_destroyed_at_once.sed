# file: cpudevice/runtime/texture/texture.c
# test: cpudevice_textures
/wait_for_all_work/d
