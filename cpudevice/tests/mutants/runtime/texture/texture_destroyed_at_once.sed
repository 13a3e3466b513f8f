# file: cpudevice/runtime/texture/texture.c
# test: cpudevice/tests/runtime/textures
/wait_for_all_work/d
