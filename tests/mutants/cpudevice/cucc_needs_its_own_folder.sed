# file: cpudevice/cucc
# test: command_line
s|^    if ! { mkdir -p "$out" 2>/dev/null \&\& \[ -w "$out" \]; }; then|    mkdir -p "$out" \|\| exit 1; if false; then|
