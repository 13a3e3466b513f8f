# file: cpudevice/cucc
# test: tests/course/command_line installed
s|^writable() .*|writable() { mkdir -p "$out" \|\| exit 1; }|
