# file: cpudevice/compiler/front/tokens.c
# test: driver
s/if (!at->headers || !slash || strncmp.*/if (!slash)/
