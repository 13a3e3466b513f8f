// One call of the library that is asked for, in C++ and in CUDA C++ alike; the program returns 0 when it succeeds.
#include <cuda_runtime.h>
#if defined TARGET_cuda_driver
#include <cuda.h>
static int call(void)
{
    int devices = 0;
    return cuInit(0) || cuDeviceGetCount(&devices) || devices < 1;
}
#elif defined TARGET_cublas
#include <cublas_v2.h>
static int call(void)
{
    cublasHandle_t handle;
    return cublasCreate(&handle) || cublasDestroy(handle);
}
#elif defined TARGET_cublasLt
#include <cublasLt.h>
static int call(void)
{
    cublasLtHandle_t handle;
    return cublasLtCreate(&handle) || cublasLtDestroy(handle);
}
#elif defined TARGET_curand
#include <curand.h>
static int call(void)
{
    curandGenerator_t generator;
    return curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_PHILOX4_32_10) || curandDestroyGenerator(generator);
}
#elif defined TARGET_cufft
#include <cufft.h>
static int call(void)
{
    int version = 0;
    return cufftGetVersion(&version) || !version;
}
#elif defined TARGET_cusolver
#include <cusolverDn.h>
static int call(void)
{
    cusolverDnHandle_t handle;
    return cusolverDnCreate(&handle) || cusolverDnDestroy(handle);
}
#elif defined TARGET_cusparse
#include <cusparse.h>
static int call(void)
{
    cusparseHandle_t handle;
    return cusparseCreate(&handle) || cusparseDestroy(handle);
}
#elif defined TARGET_nvrtc
#include <nvrtc.h>
static int call(void)
{
    int major = 0, minor = 0;
    return nvrtcVersion(&major, &minor) || !major;
}
#elif defined TARGET_nvml
#include <nvml.h>
static int call(void)
{
    unsigned devices = 0;
    return nvmlInit() || nvmlDeviceGetCount(&devices) || devices < 1;
}
#else
static int call(void)
{
    int devices = 0;
    return cudaGetDeviceCount(&devices) || devices < 1;
}
#endif
int main() { return call(); }
