# file: cpudevice/driver/preprocessed.c
# test: cpudevice/tests/compiler/driver_preprocessed
/^        if (!strcmp(word, "-isystem") ? strcmp/{n;s/return false/i += 0/;}
