# file: cpudevice/compiler/emit/print.c
# test: cpudevice/tests/compiler/split.sh unused
/^    print_used(u);$/d
