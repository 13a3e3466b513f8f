#!/bin/sh
# longest.sh [N]: the N (10) longest of our C files and functions, in lines, and of the labs' functions; functions as
# .clang-format leaves them, from their first line to the brace at the left. Headers are left out whose length is CUDA's
# own, and of the labs' functions those that run on the device, which are as long as their lesson.
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 2
count=${1:-10}
files() { find cpudevice/compiler cpudevice/runtime cpudevice/checker cpudevice/libraries cpudevice/shared cpudevice/viewer cpudevice/driver common tools \
    -name '*.[ch]' ! -path '*/include/*'; }
labs() { find lecture[0-9][0-9]_* solutions -name '*.cu' ! -path '*/exercises/*' -o -name '*.cuh'; }
functions() {
    xargs awk '
    FNR == 1 { start = 0 }
    /^template/ { device = /__global__|__device__/ }
    /^[A-Za-z_].*\(/ && !/;$/ && !/^template [^(]*$/ {
        start = FNR; name = $0
        if (before !~ /^template/) device = 0
        device = device || /__global__|__device__/
    }
    { before = $0 }
    /^}/ && start {
        if (!device) printf "%4d %s:%d: %s\n", FNR - start + 1, FILENAME, start, name
        start = device = 0
    }' | sort -rn | head -n "$count"
}
echo "files:"
files | xargs wc -l | sed '$d' | sort -rn | head -n "$count"
echo "functions:"
files | functions
echo "functions of the labs, for the host:"
labs | functions
