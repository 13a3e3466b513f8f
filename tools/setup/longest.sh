#!/bin/sh
# longest.sh [N]: the N (10) longest of our C files and functions, in lines; functions as .clang-format leaves them, from
# their first line to the brace at the left. Headers are left out whose length is CUDA's own, and so are lessons' kernels.
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 2
count=${1:-10}
files() { find cpudevice/compiler cpudevice/runtime cpudevice/checker cpudevice/libraries cpudevice/viewer cpudevice/driver common tools \
    -name '*.[ch]' ! -path '*/include/*'; }
echo "files:"
files | xargs wc -l | sed '$d' | sort -rn | head -n "$count"
echo "functions:"
files | xargs awk '
    FNR == 1 { start = 0 }
    /^[A-Za-z_].*\(/ && !/;$/ { start = FNR; name = $0 }
    /^}/ && start { printf "%4d %s:%d: %s\n", FNR - start + 1, FILENAME, start, name; start = 0 }' |
    sort -rn | head -n "$count"
