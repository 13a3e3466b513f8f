# file: cpudevice/driver/compiler.c
# test: cpudevice/tests/compiler/driver options
s/ && !memcmp(text, elf, strlen(elf))//
