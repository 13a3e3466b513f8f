#!/bin/sh
# full_disk.sh [DEVICE]: on a disk that is full a lab names the cause and ends with status 2, whatever it was to write: its figures,
# those of a second table, a trace, a page, a picture of a kernel. The disk is a tmpfs of a few KB.
# shellcheck source=/dev/null
. "$(dirname "$0")/../harness/sandbox.sh"
needs_sandbox "${1:-cpu}" "a full disk" bwrap --bind / / --unshare-user --size 4096 --tmpfs /tmp true
make -s build/cpu/lecture03_cuda_basics/add build/cpu/lecture03_cuda_basics/greyscale build/cpu/lecture11_sparsity/masks >/dev/null 2>&1
disk=$work/disk

# refuses NAME FILE COMMAND: on a disk of 16 KB that has FILE already and no room.
refuses() {
    named="cannot write $disk/$2: No space left on device"
    on_disk 16384 ": >$disk/$2; cat /dev/zero >$disk/zeros 2>/dev/null; $3"
    is "$1" '[ $status = 2 ] && grep -q "$named" "$work/said"'
}
add='./run add --device cpu --size 4096 --runs 2 --rung 1'
refuses "its figures, which fill no buffer" g.csv "./run greyscale --device cpu --small --runs 2 --csv $disk/g.csv"
refuses "a second table" m_energy.csv "./run masks --device cpu --small --csv $disk/m.csv"
refuses "a trace" a.json "$add --trace $disk/a.json"
refuses "a page" a.html "$add --view $disk/a.html"
if command -v node >/dev/null || command -v qjs >/dev/null; then
    line=$(sed -n '/__global__/,$ { /z\[.*\] = / { =; q; } }' lecture03_cuda_basics/add.cu)
    refuses "a picture" a.svg "$add --view $disk/a.svg --view-svg $line"
fi
if command -v gnuplot >/dev/null; then
    on_disk 16384 ": >$disk/m.svg; cat /dev/zero >$disk/zeros 2>/dev/null; ./run masks --device cpu --small --plot=$disk/m"
    is "a plot" '[ $status != 0 ] && grep -q "cannot write $disk/m.svg: No space left on device" "$work/said"'
fi
end_tests
