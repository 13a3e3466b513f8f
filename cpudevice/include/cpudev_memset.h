/* cpudev_memset.h: the driver interface's fills with values of 16 and 32 bits, and of areas. Part of cuda.h.
 * C-clean. */
#ifndef CPUDEV_MEMSET_H
#define CPUDEV_MEMSET_H

/* A value of size bytes, 1, 2 or 4, that are all the same. */
CPUDEV_DRIVER unsigned cpudev_repeated(unsigned byte, size_t size)
{
    return size == 1 ? byte : size == 2 ? byte * 0x0101u : byte * 0x01010101u;
}
/* count values of size bytes (1, 2 or 4), at p, which must be a multiple of size. One fill where all bytes of the
 * value are the same, else one for each byte of it, in the stream's order (so many nodes, where the stream is
 * captured). */
CPUDEV_DRIVER CUresult cpudev_memset(CUdeviceptr p, unsigned value, size_t size, size_t count, CUstream stream)
{
    const unsigned byte = value & 255;
    size_t i;
    if (p % size || count > (size_t)-1 / size)
        return CUDA_ERROR_INVALID_VALUE;
    if (value == cpudev_repeated(byte, size))
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
/* height rows of width values of size bytes (1, 2 or 4), pitch bytes apart: the rows as planes of a box with a
 * value in each line where the value's bytes differ. */
CPUDEV_DRIVER CUresult cpudev_memset2d(CUdeviceptr p, size_t pitch, unsigned value, size_t size, size_t width,
                                       size_t height, CUstream stream)
{
    const unsigned byte = value & 255;
    size_t i;
    if (p % size || pitch % size || width > (size_t)-1 / size || (height > 1 && width * size > pitch))
        return CUDA_ERROR_INVALID_VALUE;
    if (height <= 1)
        return height ? cpudev_memset(p, value, size, width, stream) : CUDA_SUCCESS;
    if (value == cpudev_repeated(byte, size))
        return (CUresult)cudaMemset2DAsync((void *)(size_t)p, pitch, (int)byte, width * size, height, stream);
    for (i = 0; i < size; i++) {
        const struct cudaPitchedPtr to = {(char *)(size_t)p + i, size, size, pitch / size};
        const struct cudaExtent box = {1, width, height};
        const CUresult result = (CUresult)cudaMemset3DAsync(to, (int)(value >> 8 * i & 255), box, stream);
        if (result != CUDA_SUCCESS)
            return result;
    }
    return CUDA_SUCCESS;
}
CPUDEV_DRIVER CUresult cuMemsetD2D8(CUdeviceptr p, size_t pitch, unsigned char value, size_t width, size_t height)
{
    return cpudev_memset2d(p, pitch, value, 1, width, height, 0);
}
CPUDEV_DRIVER CUresult cuMemsetD2D16(CUdeviceptr p, size_t pitch, unsigned short value, size_t width, size_t height)
{
    return cpudev_memset2d(p, pitch, value, 2, width, height, 0);
}
CPUDEV_DRIVER CUresult cuMemsetD2D32(CUdeviceptr p, size_t pitch, unsigned value, size_t width, size_t height)
{
    return cpudev_memset2d(p, pitch, value, 4, width, height, 0);
}
CPUDEV_DRIVER CUresult cuMemsetD2D8Async(CUdeviceptr p, size_t pitch, unsigned char value, size_t width, size_t height,
                                         CUstream stream)
{
    return cpudev_memset2d(p, pitch, value, 1, width, height, stream);
}
CPUDEV_DRIVER CUresult cuMemsetD2D16Async(CUdeviceptr p, size_t pitch, unsigned short value, size_t width,
                                          size_t height, CUstream stream)
{
    return cpudev_memset2d(p, pitch, value, 2, width, height, stream);
}
CPUDEV_DRIVER CUresult cuMemsetD2D32Async(CUdeviceptr p, size_t pitch, unsigned value, size_t width, size_t height,
                                          CUstream stream)
{
    return cpudev_memset2d(p, pitch, value, 4, width, height, stream);
}

#endif
