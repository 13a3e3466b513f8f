# file: cpudevice/driver/objects.c
# test: driver_build
s/            add_split(&files, text ? text : "", "\\n");/            (void)text;/
