# file: cpudevice/driver/preprocessed.c
# test: cpudevice/tests/compiler/driver_preprocessed of_options
/^        if (!option && !is_harmless(word))/{n;s/return false/i += 0/;}
