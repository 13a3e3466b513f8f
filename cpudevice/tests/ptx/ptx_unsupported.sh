#!/bin/sh
# Inline PTX that the CPU device has not: in a kernel, or in the program's own file, it is refused when compiled; in a function
# that the program includes it is told where it is reached, and disturbs nobody else.
export LC_ALL=C
cd "$(dirname "$0")/../../.." || exit 2
[ "${1:-cpu}" = cpu ] || { echo "ok # SKIP unsupported PTX: for the CPU device"; exit 0; }
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT
status=0
check() { # name, condition...
	name=$1; shift
	if "$@"; then echo "ok $name"; else echo "not ok $name"; cat "$dir/log"; status=1; fi
}
cat >"$dir/library.h" <<'END'
struct Atom {
    static __device__ void go(unsigned &x) { asm volatile("mma.never.b32 %0, %0;" : "+r"(x)); }
};
END
cat >"$dir/program.cu" <<'END'
#include <cstdio>
#include "library.h"
__global__ void kernel(unsigned *x)
{
    if (x[1])
        Atom::go(x[2]);
    x[0] = 7;
}
int main(int argc, char **)
{
    unsigned *x;
    cudaMallocManaged(&x, 16);
    x[1] = argc > 1;
    kernel<<<1, 1>>>(x);
    const cudaError_t e = cudaDeviceSynchronize();
    printf("%s %u\n", cudaGetErrorName(e), e ? 0 : x[0]);
}
END
sed 's/Atom::go(x\[2\]);/asm volatile("mma.never.b32 %0, %0;" : "+r"(x[2]));/' "$dir/program.cu" >"$dir/kernel.cu"
printf '#include "kernel.cu"\n' >"$dir/includes.cu"

cpudevice/cucc -o "$dir/program" "$dir/program.cu" >"$dir/log" 2>&1
check "a function that the program includes compiles" [ -x "$dir/program" ]
"$dir/program" >"$dir/log" 2>&1
check "the kernel that does not reach it runs" grep -qx 'cudaSuccess 7' "$dir/log"
"$dir/program" reach >"$dir/log" 2>&1
check "the kernel that reaches it says where" grep -q 'library.h:2: the PTX instruction mma.never.b32 is not supported.*reached in kernel kernel' "$dir/log"
check "and fails" grep -qx 'cudaErrorNotSupported 0' "$dir/log"
for how in kernel includes; do
	cpudevice/cucc -o "$dir/refused" "$dir/$how.cu" >"$dir/log" 2>&1
	check "a kernel is refused ($how)" grep -q 'kernel.cu:6: error: the PTX instruction mma.never.b32 is not supported' "$dir/log"
done
exit $status
