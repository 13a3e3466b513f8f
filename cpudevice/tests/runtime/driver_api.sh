#!/bin/sh
# The driver interface's modules: what cucc -cubin, -fatbin and -ptx make is loaded and called (cpudevice/tests/runtime/driver_api/main.cu),
# and under --check a mistake in it is told with its line. Virtual memory management (cpudevice/tests/runtime/driver_api/vmm.cu), fills (cpudevice/tests/runtime/driver_api/memset.cu),
# streams that write values and wait for them (cpudevice/tests/runtime/driver_api/stream_memory.cu), error codes (cpudevice/tests/runtime/driver_api/errors.cu).
export LC_ALL=C
cd "$(dirname "$0")/../../.." || exit 2
[ "${1:-cpu}" = cpu ] || { echo "ok # SKIP modules: for the CPU device"; exit 0; }
. cpudevice/tests/harness/result.sh
cucc=cpudevice/cucc source=cpudevice/tests/runtime/driver_api/kernels.cu

$cucc -O1 -o "$work/main" cpudevice/tests/runtime/driver_api/main.cu -lcuda >"$work/log" 2>&1
result $? "a program that loads modules is built"
for kind in cubin fatbin ptx; do
    $cucc -"$kind" -O1 -o "$work/kernels.$kind" "$source" >"$work/log" 2>&1 && "$work/main" "$work/kernels.$kind" >>"$work/log" 2>&1
    result $? "what cucc -$kind made is loaded and its kernels run"
done
grep -q 'a GPU.s code does not run here' "$work/log"
result $? "what cucc did not make is refused, with the reason"

line() { grep -n "$1" "$source" | cut -d : -f 1; }
if $cucc --check -cubin -o "$work/checked.cubin" "$source" >"$work/log" 2>&1 &&
    $cucc --check -o "$work/checked" cpudevice/tests/runtime/driver_api/main.cu -lcuda >"$work/log" 2>&1; then
    "$work/checked" "$work/checked.cubin" beyond >"$work/log" 2>&1
    [ $? = 99 ] && grep -q "kernels.cu:$(line 'beyond the end')\$" "$work/log"
    result $? "--check tells the line of an access beyond the end, in a module"
    "$work/checked" "$work/checked.cubin" racing >"$work/log" 2>&1
    grep -q 'the module has __shared__ variables: --check does not find races on them' "$work/log"
    result $? "--check says that it does not find races on a module's shared memory"
    "$work/checked" "$work/kernels.cubin" >"$work/log" 2>&1
    grep -q 'the module was built without --check, and the program with it' "$work/log"
    result $? "a module that was built without --check is refused by a checked program"
else
    result 1 "modules and programs are built with --check"
fi

$cucc -O1 -o "$work/vmm" cpudevice/tests/runtime/driver_api/vmm.cu -lcuda >"$work/log" 2>&1 && "$work/vmm" >"$work/log" 2>&1
result $? "addresses are reserved, and memory is mapped there"
"$work/vmm" closed >"$work/log" 2>&1
result $? "memory whose access was taken away is an illegal address to a kernel"

$cucc -O1 -o "$work/memset" cpudevice/tests/runtime/driver_api/memset.cu -lcuda >"$work/log" 2>&1 && "$work/memset" >"$work/log" 2>&1
result $? "memory is filled with values of 16 and 32 bits"

$cucc -O1 -o "$work/stream_memory" cpudevice/tests/runtime/driver_api/stream_memory.cu -lcuda >"$work/log" 2>&1 &&
    timeout 60 "$work/stream_memory" >"$work/log" 2>&1
result $? "streams write values into memory, and wait for them"

$cucc -O1 -o "$work/errors" cpudevice/tests/runtime/driver_api/errors.cu -lcuda >"$work/log" 2>&1 && "$work/errors" >"$work/log" 2>&1
result $? "error codes have their numbers and names"
exit $failed
