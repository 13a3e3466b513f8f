# file: cpudevice/runtime/warp/warp.c
# test: cpudevice/tests/runtime/lockstep
s/o->src < first->src/o->src > first->src/
