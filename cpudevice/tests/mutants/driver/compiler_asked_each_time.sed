# file: cpudevice/driver/compiler.c
# test: cpudevice/tests/compiler/driver options
s/^        write_text(kept, .*/        (void)text;/
