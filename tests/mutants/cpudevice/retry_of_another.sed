# file: cpudevice/compiler/analysis/harmful.c
# test: compiler_test
s/ || named(call->kid\[2\]) != a//
