# file: cpudevice/compiler/emit/print_constants.c
# test: cpudevice/tests/ptx/ptx_unsupported.sh space
s/append(sum, format/free(*sum), *sum = format("%s", ""), append(sum, format/
