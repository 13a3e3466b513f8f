# file: cpudevice/runtime/warp/warp.c
# test: cpudevice_lockstep
s/o->src < first->src/o->src > first->src/
