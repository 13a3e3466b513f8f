# file: cpudevice/runtime/exec/wait.c
# test: cpudevice/tests/runtime/core polling
s/w->poll\.rounds > SPINS/w->yields > 256ull * cpudev_tls.live/
