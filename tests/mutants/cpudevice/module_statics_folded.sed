# file: cpudevice/compiler/print_words.c
# test: driver_api.sh cubin
s/if (u->image \&\& /if (0 \&\& u->image \&\& /
