# file: cpudevice/compiler/emit/arithmetic_instructions.c
# test: cpudevice/tests/model/model.sh 'what is constant costs nothing'
s/(Sum){CPUDEV_OF_KERNEL, /(Sum){0, /
