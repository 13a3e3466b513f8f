# file: cpudevice/checker/memory/copies.c
# test: cpudevice/tests/checker/findings.sh advice
s/a->kind == CPUDEV_MEM_HEAP \&\& !cpudev_on_device()/false/
