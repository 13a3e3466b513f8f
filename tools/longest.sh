#!/bin/sh
# longest.sh [N]: the N (10) longest of our C files and functions, in lines; functions as .clang-format leaves them, from
# their first line to the brace at the left. Headers are left out whose length is CUDA's own, and so are lessons' kernels.
export LC_ALL=C
cd "$(dirname "$0")/.." || exit 2
count=${1:-10}
files() { ls cpudevice/compiler/*.[ch] cpudevice/runtime/*.[ch] cpudevice/checker/*.[ch] cpudevice/viewer/*.[ch] cpudevice/driver/*.[ch] \
    common/*.[ch] common/*/*.[ch] tools/*.[ch] tools/*/*.[ch] 2>/dev/null; }
echo "files:"
files | xargs wc -l | sed '$d' | sort -rn | head -n "$count"
echo "functions:"
files | xargs awk '
    FNR == 1 { start = 0 }
    /^[A-Za-z_].*\(/ && !/;$/ { start = FNR; name = $0 }
    /^}/ && start { printf "%4d %s:%d: %s\n", FNR - start + 1, FILENAME, start, name; start = 0 }' |
    sort -rn | head -n "$count"
