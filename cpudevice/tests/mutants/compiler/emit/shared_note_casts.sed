# file: cpudevice/compiler/emit/print_shared.c
# test: cpudevice/tests/compiler/driver strict
s/cpudev_check_shared(&/cpudev_check_shared((void *)\&/
