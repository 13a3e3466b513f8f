#!/bin/sh
# The libraries behind NVIDIA's interfaces: tests/libraries/NAME.cu is linked with -lNAME and compares with plain loops.
export LC_ALL=C
cd "$(dirname "$0")/.." || exit 2
[ "${1:-cpu}" = cpu ] || { echo "ok # SKIP the libraries: for the CPU device"; exit 0; }
. tests/shell/result.sh

for source in tests/libraries/*.cu; do
    name=$(basename "$source" .cu)
    cpudevice/cucc -O1 -o "$work/$name" "$source" -l"$name" >"$work/log" 2>&1 && "$work/$name" >"$work/log" 2>&1
    status=$?
    missing=$(sed -n 's/^CPU device: \(.* needs .*, which is not installed\).*/\1/p' "$work/log" | head -1)
    if [ -n "$missing" ]; then echo "ok # SKIP $name: $missing"; else result $status "$name"; fi
done

# What is not installed is told by name: here no library can be loaded.
echo 'void *dlopen(const char *name, int flags) { return (void)name, (void)flags, (void *)0; }' >"$work/none.c"
${CUCC_CC:-gcc} -shared -fPIC -o "$work/none.so" "$work/none.c"
LD_PRELOAD=$work/none.so "$work/cufft" >"$work/log" 2>&1
[ "$(grep -c 'cuFFT needs libfftw3f.so.3, which is not installed: apt-get install libfftw3-single3' "$work/log")" = 1 ]
result $? "a library that is not installed is told once, with its package"

# The checker sees what a library reads and writes.
cat >"$work/unset.cu" <<'END2'
#include <cufft.h>
int main(int count, char **)
{
    cufftComplex *x, *y, back;
    cufftHandle plan;
    cudaMalloc(&x, 8 * sizeof *x), cudaMalloc(&y, 8 * sizeof *y);
    if (count > 1)
        cudaMemset(x, 0, 8 * sizeof *x);
    if (cufftPlan1d(&plan, 8, CUFFT_C2C, 1) || cufftExecC2C(plan, x, y, CUFFT_FORWARD))
        return 1;
    cudaMemcpy(&back, y + 7, sizeof back, cudaMemcpyDeviceToHost);
    cufftDestroy(plan), cudaFree(x), cudaFree(y);
    return 0;
}
END2
if cpudevice/cucc --check -g -o "$work/unset" "$work/unset.cu" -lcufft >"$work/log" 2>&1 && "$work/unset" set >"$work/log" 2>&1; then
    echo "ok - cufft under --check, without a finding"
    "$work/unset" >"$work/log" 2>&1
    [ $? = 99 ] && grep -q '^initcheck: ' "$work/log" && grep -q 'kernel cufftExecC2C' "$work/log"
    result $? "a transform of memory that nothing has written is found"
elif grep -q 'which is not installed' "$work/log"; then
    echo "ok # SKIP cufft under --check: FFTW is not installed"
else
    result 1 "cufft under --check, without a finding"
fi
exit $failed
