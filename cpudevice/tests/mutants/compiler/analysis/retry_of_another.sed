# file: cpudevice/compiler/analysis/harmful.c
# test: cpudevice/tests/compiler/compiler_test golden dumps
s/ || named(call->kid\[2\]) != a//
