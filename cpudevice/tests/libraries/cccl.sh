#!/bin/sh
# CUB and Thrust, CCCL's own headers, as cucc finds them, and what it says where there are none.
export LC_ALL=C
cd "$(dirname "$0")/../../.." || exit 2
[ "${1:-cpu}" = cpu ] || { echo "ok # SKIP CCCL: for the CPU device"; exit 0; }
. cpudevice/tests/harness/result.sh

printf '#include <thrust/iterator/zip_iterator.h>\nint main() { return 0; }\n' >"$work/missing.cu"
cpudevice/cucc --cccl none -o "$work/missing" "$work/missing.cu" >"$work/log" 2>&1
[ $? = 1 ] && grep -q 'missing.cu:1.*zip_iterator.h' "$work/log" && grep -q 'tools/setup/need.sh cccl' "$work/log"
result $? "a header that we have not is told, and where it is to be had"
printf '#include <thrust/device_vector.h>\nint main() { return 0; }\n' >"$work/vector.cu"
cpudevice/cucc --cccl none -o "$work/missing" "$work/vector.cu" >"$work/log" 2>&1
[ $? = 1 ] && grep -q 'does not have Thrust' "$work/log" && grep -q 'tools/setup/need.sh cccl' "$work/log"
result $? "so is Thrust"
cpudevice/cucc --cccl "$work" -o "$work/missing" "$work/missing.cu" >"$work/log" 2>&1
[ $? = 1 ] && grep -q "no CCCL in $work" "$work/log"
result $? "--cccl names a folder without it"

cpudevice/cucc -o "$work/missing" "$work/missing.cu" >"$work/log" 2>&1 ||
    { echo "ok # SKIP CUB and Thrust: CCCL is not here (tools/setup/need.sh cccl)"; exit $failed; }
for program in cpudevice/tests/libraries/cccl/*.cu; do
    name=$(basename "$program" .cu)
    cpudevice/cucc -O1 -o "$work/$name" "$program" >"$work/log" 2>&1 && "$work/$name" >"$work/log" 2>&1
    result $? "$name"
done
cpudevice/cucc -O1 --check -o "$work/checked" cpudevice/tests/libraries/cccl/cub_block.cu >"$work/log" 2>&1 && "$work/checked" >"$work/log" 2>&1 &&
    grep -q ' 0 errors ' "$work/log"
result $? "cub_block under --check, without a finding"
exit $failed
