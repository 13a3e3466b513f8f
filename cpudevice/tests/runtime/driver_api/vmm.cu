/* Virtual memory management: reserved addresses, memory, mappings, and what is refused. With an argument: touches memory
 * after its access was taken away, in a kernel. */
// BUILD: $cucc -O1 -o $exe $case -lcuda
// TEST: addresses are reserved, and memory is mapped there
// RUN: $exe
// TEST: memory whose access was taken away is an illegal address to a kernel
// RUN: $exe closed
#include <cuda.h>

#include <stdio.h>
#include <unistd.h>

#include "../../harness/is.h"

__global__ void add(int *x, size_t n, int y)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
        x[i] += y;
}

int main(int count, char **)
{
    enum : size_t { PIECE = 2 << 20 };
    CUmemAllocationProp prop = {};
    CUmemAccessDesc access = {};
    CUmemGenericAllocationHandle a = 0, b = 0, shared = 0;
    CUdeviceptr p = 0, q = 0;
    size_t grain = 0;
    int supported = 0, file = -1;
    unsigned long long flags = 9;
    IS(cuInit(0), 0);
    IS(cuDeviceGetAttribute(&supported, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, 0), 0);
    IS(supported, 1);
    prop.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    prop.location.type = access.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    prop.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    IS(cuMemGetAllocationGranularity(&grain, &prop, CU_MEM_ALLOC_GRANULARITY_MINIMUM), 0);
    IS(PIECE % grain, 0);
    IS(cuMemCreate(&a, PIECE + 1, &prop, 0), CUDA_ERROR_INVALID_VALUE);
    IS(cuMemCreate(&a, PIECE, &prop, 0), 0);
    IS(cuMemCreate(&b, 2 * PIECE, &prop, 0), 0);
    IS(cuMemAddressReserve(&p, 4 * PIECE, 0, 0, 0), 0);
    IS(p % grain, 0);

    /* two pieces side by side are one array */
    IS(cuMemMap(p, PIECE, 0, a, 0), 0);
    IS(cuMemMap(p + PIECE, 2 * PIECE, 0, b, 0), 0);
    IS(cuMemMap(p + 2 * PIECE, PIECE, 0, a, 0), CUDA_ERROR_INVALID_VALUE); /* something is there */
    IS(cuMemMap(p + 3 * PIECE, 2 * PIECE, 0, b, 0), CUDA_ERROR_INVALID_VALUE); /* beyond what is reserved */
    IS(cuMemcpyHtoD(p, &file, sizeof file), CUDA_ERROR_INVALID_VALUE); /* no access yet */
    IS(cuMemSetAccess(p, 3 * PIECE, &access, 1), 0);
    IS(cuMemSetAccess(p, 4 * PIECE, &access, 1), CUDA_ERROR_INVALID_VALUE); /* nothing is mapped there */
    IS(cuMemGetAccess(&flags, &access.location, p + PIECE + 5), 0);
    IS(flags, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    IS(cuMemsetD8(p, 0, 3 * PIECE), 0);
    add<<<4, 128>>>((int *)p, 3 * PIECE / sizeof(int), 7);
    int across[2] = {0, 0};
    IS(cuMemcpyDtoH(across, p + PIECE - sizeof(int), sizeof across), 0);
    IS(across[0] == 7 && across[1] == 7, 1);
    IS(cuMemcpyDtoH(across, p + 3 * PIECE - 4, sizeof across), CUDA_ERROR_INVALID_VALUE);
    cudaPointerAttributes kind = {};
    IS(cudaPointerGetAttributes(&kind, (void *)(p + 100)), 0);
    IS(kind.type, cudaMemoryTypeDevice);

    /* the same memory at a second place, by way of a file descriptor */
    IS(cuMemExportToShareableHandle(&file, b, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0), 0);
    IS(cuMemImportFromShareableHandle(&shared, (void *)(size_t)file, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR), 0);
    close(file);
    IS(cuMemAddressReserve(&q, PIECE, 0, 0, 0), 0);
    IS(cuMemMap(q, PIECE, PIECE, shared, 0), 0);
    IS(cuMemSetAccess(q, PIECE, &access, 1), 0);
    add<<<1, 64>>>((int *)q, 10, 100);
    IS(cuMemcpyDtoH(across, p + 2 * PIECE + 9 * sizeof(int), sizeof across), 0);
    IS(across[0], 107);
    IS(across[1], 7);

    /* what is in it stays while it is mapped nowhere */
    IS(cuMemUnmap(p + PIECE, PIECE), CUDA_ERROR_INVALID_VALUE); /* half a mapping */
    IS(cuMemUnmap(p, PIECE), 0);
    IS(cuMemcpyDtoH(across, p, sizeof across), CUDA_ERROR_INVALID_VALUE);
    IS(cuMemMap(p + 3 * PIECE, PIECE, 0, a, 0), 0);
    IS(cuMemSetAccess(p + 3 * PIECE, PIECE, &access, 1), 0);
    IS(cuMemcpyDtoH(across, p + 3 * PIECE, sizeof across), 0);
    IS(across[0], 7);
    if (count > 1) {
        access.flags = CU_MEM_ACCESS_FLAGS_PROT_NONE;
        IS(cuMemSetAccess(p + 3 * PIECE, PIECE, &access, 1), 0);
        add<<<1, 1>>>((int *)(p + 3 * PIECE), 1, 1);
        IS(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
        return failed;
    }
    IS(cuMemAddressFree(p, 4 * PIECE), CUDA_ERROR_INVALID_VALUE); /* something is mapped */
    IS(cuMemUnmap(p + PIECE, 3 * PIECE), 0);
    IS(cuMemUnmap(q, PIECE), 0);
    IS(cuMemRelease(a) | cuMemRelease(b) | cuMemRelease(shared), 0);
    IS(cuMemAddressFree(p, 4 * PIECE) | cuMemAddressFree(q, PIECE), 0);
    return failed;
}
