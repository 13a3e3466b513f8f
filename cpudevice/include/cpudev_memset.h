/* cpudev_memset.h: the driver interface's fills with values of 16 and 32 bits. Part of cuda.h. C-clean. */
#ifndef CPUDEV_MEMSET_H
#define CPUDEV_MEMSET_H

/* count values of size bytes (2 or 4), at p, which must be a multiple of size. One fill where all bytes of the value
 * are the same, else one for each byte of it, in the stream's order (so many nodes, where the stream is captured). */
CPUDEV_DRIVER CUresult cpudev_memset(CUdeviceptr p, unsigned value, size_t size, size_t count, CUstream stream)
{
    const unsigned byte = value & 255, all = size == 2 ? byte * 0x0101u : byte * 0x01010101u;
    size_t i;
    if (p % size || count > (size_t)-1 / size)
        return CUDA_ERROR_INVALID_VALUE;
    if (value == all)
        return (CUresult)cudaMemsetAsync((void *)(size_t)p, (int)byte, count * size, stream);
    for (i = 0; i < size; i++) {
        const int part = (int)(value >> 8 * i & 255);
        const CUresult result = (CUresult)cudaMemset2DAsync((char *)(size_t)p + i, size, part, 1, count, stream);
        if (result != CUDA_SUCCESS)
            return result;
    }
    return CUDA_SUCCESS;
}
CPUDEV_DRIVER CUresult cuMemsetD16(CUdeviceptr p, unsigned short value, size_t count)
{
    return cpudev_memset(p, value, 2, count, 0);
}
CPUDEV_DRIVER CUresult cuMemsetD32(CUdeviceptr p, unsigned value, size_t count)
{
    return cpudev_memset(p, value, 4, count, 0);
}
CPUDEV_DRIVER CUresult cuMemsetD16Async(CUdeviceptr p, unsigned short value, size_t count, CUstream stream)
{
    return cpudev_memset(p, value, 2, count, stream);
}
CPUDEV_DRIVER CUresult cuMemsetD32Async(CUdeviceptr p, unsigned value, size_t count, CUstream stream)
{
    return cpudev_memset(p, value, 4, count, stream);
}

#endif
