# file: cpudevice/compiler/front/tokens.c
# test: cpudevice/tests/compiler/driver programs
s/if (!at->header || !slash)/if (!slash)/
