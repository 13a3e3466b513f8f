# file: cpudevice/runtime/warp/ptx_mma.c
# test: cpudevice/tests/ptx/ptx
s/here ? here->selector % (4 \/ lanes_meant) \* lanes_meant : 0/0/
