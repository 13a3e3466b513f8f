# file: cpudevice/checker/check.c
# test: check_loops.sh
s/if (write) forget(a, bytes);//
s/if (flags & A_WRITE) forget(a, bytes);//
