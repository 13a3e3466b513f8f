/* library.h: a library's header, by -isystem: CUDA's words in it are the compiler's, and a function has a text for the host
 * and one for the device. */
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
