#!/bin/sh
# checked_labs.sh DEVICE [LAB]: labs whose padding only the checker sees, since what is multiplied by it is zero: under
# cucc --check every word that a kernel reads has been written. LAB: sparse_step.
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 2
if [ "${1:-cpu}" != cpu ]; then
    echo "ok # SKIP cucc --check: for the CPU device"
    exit 0
fi
. cpudevice/tests/harness/is.sh

for lab in ${2:-sparse_step}; do
    program=build/check/lecture11_sparsity/$lab
    make -s DEVICE=cpu "$program" >"$out/made" 2>&1 || { cat "$out/made"; echo "not ok $lab does not build"; continue; }
    is 0 'cucc --check: 0 errors' "$lab under --check" "$program" --verify --small
done
