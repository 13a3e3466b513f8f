# file: cpudevice/checker/access.c
# test: checker.sh loops
s/forget(a, bytes);$/(void)0;/
