# file: cpudevice/driver/flags.c
# test: driver
s/if (o->relaxed_constexpr)$/if (o)/
