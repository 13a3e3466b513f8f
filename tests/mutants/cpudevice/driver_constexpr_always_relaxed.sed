# file: cpudevice/driver/translate.c
# test: driver
s/if (o->relaxed_constexpr)$/if (o)/
