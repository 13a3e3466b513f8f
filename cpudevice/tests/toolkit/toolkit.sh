#!/bin/sh
# toolkit.sh DEVICE: cpudevice/toolkit as other builders use a CUDA Toolkit: bin/nvcc for objects, g++ for the link, headers
# by -isystem, and the result loaded by a program that holds another libcudart. Says "ok" or "not ok" for each.
export LC_ALL=C
cd "$(dirname "$0")/../../.." || exit 2
if [ "${1:-cpu}" != cpu ]; then
    echo "ok # SKIP the toolkit: for the CPU device"
    exit 0
fi
. cpudevice/tests/harness/is.sh
toolkit=$PWD/cpudevice/toolkit

is 0 'release 13.0' "nvcc says its version" "$toolkit/bin/nvcc" --version
is 0 '"version" : "13.0.0"' "version.json has it too" cat "$toolkit/version.json"

# A library's header, by -isystem: CUDA's words in it are the compiler's, and a function has a text for the host and one for
# the device.
mkdir "$out/library"
cat >"$out/library/library.h" <<'END'
__host__ __device__ inline int where()
{
#ifdef __CUDA_ARCH__
    return 2;
#else
    return 1;
#endif
}
inline int on_the_host()
{
#ifdef __CUDA_ARCH__
    return 2;
#else
    return 1;
#endif
}
template <typename T> __global__ void fill(T *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = where();
}
END
cat >"$out/kernel.cu" <<'END'
#include <library.h>
#include <thrust/complex.h>
#include <cmath>
extern "C" int sum(int *x, int n)
{
    if (where() != 1 || on_the_host() != 1)
        return -1;
    int *d, total = 0;
    if (cudaMalloc(&d, n * sizeof *d))
        return -2;
    fill<<<(n + 63) / 64, 64>>>(d, n);
    if (cudaMemcpy(x, d, n * sizeof *d, cudaMemcpyDeviceToHost) || cudaFree(d))
        return -3;
    for (int i = 0; i < n; i++)
        total += x[i];
    return total;
}
extern "C" double complex_error(void) // of thrust::complex, against closed forms
{
    thrust::complex<double> z(3, 4), w(-1, 2);
    double e = std::abs(abs(z) - 5) + std::abs((z * w).real() + 11) + std::abs((z * w).imag() - 2);
    e += abs(z / w * w - z) + abs(thrust::sqrt(thrust::complex<double>(-4, 0)) - thrust::complex<double>(0, 2));
    e += abs(thrust::exp(thrust::complex<double>(0, M_PI)) + thrust::complex<double>(1, 0));
    e += abs(thrust::pow(z, 2.0) - z * z) + abs(conj(z) * z - thrust::complex<double>(norm(z), 0));
    e += z == thrust::complex<double>(thrust::complex<float>(3, 4)) ? 0 : 1;
    return e;
}
END
# A program that has a libcudart of its own, in which everything fails, visible to all that is loaded later; as PyTorch has.
echo 'int cudaMalloc(void) { return 999; } int cudaMemcpy(void) { return 999; } int cudaLaunchKernel(void) { return 999; }
int cudaFree(void) { return 999; }' >"$out/other.c"
cat >"$out/main.c" <<'END'
#include <dlfcn.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    if (argc < 3 || !dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL))
        return puts("the other library does not load"), 1;
    void *lib = dlopen(argv[2], RTLD_NOW);
    if (!lib)
        return puts(dlerror()), 1;
    static int x[1000];
    int (*sum)(int *, int) = (int (*)(int *, int))dlsym(lib, "sum");
    double (*complex_error)(void) = (double (*)(void))dlsym(lib, "complex_error");
    printf("sum %d, complex %s\n", sum(x, 1000), complex_error() < 1e-12 ? "right" : "wrong");
    return 0;
}
END
is 0 '' "an object by nvcc, as PyTorch asks for it" "$toolkit/bin/nvcc" -MD -MF "$out/kernel.d" -isystem "$out/library" \
    -isystem "$toolkit/include" -D__CUDA_NO_HALF_OPERATORS__ --expt-relaxed-constexpr -gencode=arch=compute_90,code=sm_90 \
    --compiler-options '-fPIC' -std=c++17 -c "$out/kernel.cu" -o "$out/kernel.o"
is 0 '' "a shared library by g++ with -lcudart" g++ "$out/kernel.o" -shared "-L$toolkit/lib64" -lcudart -lpthread -o "$out/kernel.so" # glibc 2.31 has it apart
is 1 '' "which shows nothing of its runtime" grep -q ' cudaMalloc$' <<END
$(nm -D --defined-only "$out/kernel.so")
END
gcc -shared -fPIC -o "$out/libother.so" "$out/other.c" && gcc -o "$out/main" "$out/main.c" -ldl || echo "not ok the program is compiled"
is 0 'sum 2000, complex right' "it keeps to its runtime beside another, and knows host from device" \
    "$out/main" "$out/libother.so" "$out/kernel.so"

# NVIDIA's NVTX among the system's headers: who includes its nvtx3.hpp, as CCCL does, and ours gets one NVTX
mkdir -p "$out/system/nvtx3"
cat >"$out/system/nvtx3/nvToolsExt.h" <<'END'
#ifndef NVTX_OF_THE_SYSTEM
#define NVTX_OF_THE_SYSTEM
typedef enum nvtxColorType_t { NVTX_COLOR_UNKNOWN = 0 } nvtxColorType_t;
inline int nvtxRangePushA(const char *) { return 41; }
#endif
END
echo '#include "nvToolsExt.h"' >"$out/system/nvtx3/nvtx3.hpp"
for order in "nvtx3/nvtx3.hpp nvToolsExt.h" "nvtx3/nvToolsExt.h nvtx3/nvtx3.hpp"; do
    printf '#include <%s>\n' $order >"$out/ranges.cu"
    echo 'int main() { return nvtxRangePushA("one") != 41 || NVTX_COLOR_UNKNOWN; }' >>"$out/ranges.cu"
    CPLUS_INCLUDE_PATH=$out/system is 0 '' "the system's NVTX: $order" "$toolkit/bin/nvcc" -o "$out/ranges" "$out/ranges.cu"
    is 0 '' "and it is that one" "$out/ranges"
done
