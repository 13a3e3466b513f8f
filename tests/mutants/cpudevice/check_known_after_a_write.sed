# file: cpudevice/checker/core/access.c
# test: check_loops.sh
s/forget(a, bytes);$/(void)0;/
