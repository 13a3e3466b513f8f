# file: cpudevice/driver/flags.c
# test: cpudevice/tests/compiler/driver options
s/if (o->relaxed_constexpr)$/if (o)/
