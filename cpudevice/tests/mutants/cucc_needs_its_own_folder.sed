# file: cpudevice/cucc
# test: tests/course/command_line
s|^writable() .*|writable() { mkdir -p "$out" \|\| exit 1; }|
