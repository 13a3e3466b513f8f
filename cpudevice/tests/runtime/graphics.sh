#!/bin/sh
# Buffers and textures shared with OpenGL: cpudevice/tests/runtime/graphics/main.cu, which is its own OpenGL.
export LC_ALL=C
cd "$(dirname "$0")/../../.." || exit 2
[ "${1:-cpu}" = cpu ] || { echo "ok # SKIP graphics: for the CPU device"; exit 0; }
. cpudevice/tests/harness/result.sh

for check in "" --check; do
    # shellcheck disable=SC2086 # no argument without --check
    cpudevice/cucc $check -O1 -Icpudevice/tests/runtime/graphics -Xlinker --export-dynamic -o "$work/main" cpudevice/tests/runtime/graphics/main.cu >"$work/log" 2>&1 &&
        CUDA_CPU_TOOLS=memcheck,racecheck,initcheck,hostcheck CUDA_CPU_EXIT=racecheck,initcheck,hostcheck "$work/main" >"$work/log" 2>&1
    result $? "OpenGL's buffers and textures as device memory and arrays${check:+, under --check}"
done

# Without OpenGL in the program the first call says what is missing.
cpudevice/cucc -O1 -Icpudevice/tests/runtime/graphics -o "$work/alone" cpudevice/tests/runtime/graphics/main.cu >"$work/log" 2>&1 && "$work/alone" >"$work/log" 2>&1
grep -q "linked with OpenGL: there is no glBindBuffer" "$work/log"
result $? "a program without OpenGL is told which function it lacks"
exit $failed
