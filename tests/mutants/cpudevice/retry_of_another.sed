# file: cpudevice/compiler/harmful.c
# test: compiler_test
s/ || named(call->kid\[2\]) != a//
