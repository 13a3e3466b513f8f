# file: cpudevice/compiler/emit/print_constants.c
# test: cpudevice/tests/compiler/compiler_test rejects constant_space
s/scope = format("::%s%s", path, outer);/scope = format("::");/
