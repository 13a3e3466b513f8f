# file: cpudevice/cucc
# test: tests/course/command_line
# What sed writes has to be executable, as cucc is.
1e chmod +x /proc/$PPID/fd/1
s|^writable() .*|writable() { mkdir -p "$out" \|\| exit 1; }|
