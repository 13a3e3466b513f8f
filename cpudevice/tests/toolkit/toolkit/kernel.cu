// cpudevice/toolkit as other builders use a CUDA Toolkit: bin/nvcc for objects, g++ for the link, headers by -isystem, and
// the result loaded by a program that holds another libcudart.
// TEST: nvcc says its version
// RUN: $toolkit/bin/nvcc --version
// SAYS: release 13.0
// TEST: version.json has it too
// RUN: cat $toolkit/version.json
// SAYS: "version" : "13.0.0"
// TEST: an object by nvcc, as PyTorch asks for it
// RUN: $toolkit/bin/nvcc -MD -MF $work/kernel.d -isystem $folder/library -isystem $toolkit/include -D__CUDA_NO_HALF_OPERATORS__ --expt-relaxed-constexpr -gencode=arch=compute_90,code=sm_90 --compiler-options '-fPIC' -std=c++17 -c $case -o $work/kernel.o
// glibc 2.31 has libpthread apart.
// TEST: a shared library by g++ with -lcudart
// RUN: g++ $work/kernel.o -shared -L$toolkit/lib64 -lcudart -lpthread -o $work/kernel.so
// TEST: which shows nothing of its runtime
// RUN: nm -D --defined-only $work/kernel.so
// LACKS:  cudaMalloc$
// TEST: it keeps to its runtime beside another, and knows host from device
// RUN: gcc -shared -fPIC -o $work/libother.so $folder/other.c; gcc -o $work/main $folder/main.c -ldl
// RUN: $work/main $work/libother.so $work/kernel.so
// SAYS: sum 2000, complex right
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
