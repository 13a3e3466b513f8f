# file: cpudevice/runtime/texture.c
# test: cpudevice_textures
/wait_for_all_work/d
