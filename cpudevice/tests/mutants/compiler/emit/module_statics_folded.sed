# file: cpudevice/compiler/emit/print_words.c
# test: cpudevice/tests/runtime/driver_api.sh cubin
s/if (u->image \&\& /if (0 \&\& u->image \&\& /
