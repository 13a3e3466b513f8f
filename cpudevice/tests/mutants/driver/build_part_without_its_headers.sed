# file: cpudevice/driver/objects.c
# test: cpudevice/tests/compiler/driver_build
s/            add_split(&files, text ? text : "", "\\n");/            (void)text;/
