# file: cpudevice/checker/core/access.c
# test: cpudevice/tests/checker/check_loops.sh
s/forget(a, bytes);$/(void)0;/
