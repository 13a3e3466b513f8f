/* The numbers and layouts of cuda.h: members follow each other in the order of NVIDIA's documentation, each at the
 * next multiple of its alignment, on a machine whose pointers have 64 bits. With NVIDIA's cuda.h, where that is, the
 * same program prints the same. */
// BUILD: $cc -std=c11 -Wall -Werror -Icpudevice/include -o $exe $case
// TEST: structures are laid out as the documentation lists their members
// RUN: $exe
// PRINTS: CUDA_MEMCPY3D 200: 0 8 16 24 32 40 48 56 64 72 80 88 96 104 112 120 128 136 144 152 160 168 176 184 192
// PRINTS: CUDA_MEMCPY3D_PEER 200: 0 8 16 24 32 40 48 56 64 72 80 88 96 104 112 120 128 136 144 152 160 168 176 184 192
// PRINTS: CUDA_ARRAY3D_DESCRIPTOR 40: 0 8 16 24 28 32
// PRINTS: CUdevprop 56: 0 4 16 28 32 36 40 44 48 52
// PRINTS: flags 1 2 4 1 2 4 8 1 2 4 1 2 4 1 1 2 4 8 32 1 -1 4 7 255
// PRINTS: numbers 0 1 2 0 1 2 3 4 5 1 2 3 4 7 8 9 11 12 13 16 21 3 6 10 15 90 65626 131192 0 1 0 1 4 8 2 1
// TEST: NVIDIA's header says the same
// RUN: nvidia=${CUDA_HOME:-/usr/local/cuda}/include; grep -qs NVIDIA $nvidia/cuda.h || { echo "layouts: NVIDIA's cuda.h is not here"; exit 1; }
// RUN: $cc -std=c11 -I$nvidia -o $work/theirs $case; $work/theirs >$work/a; $exe >$work/b; diff $work/a $work/b
// SKIPS: cuda.h is not here
#include <cuda.h>
#include <cudaProfiler.h>
#include <stddef.h>
#include <stdio.h>

#define AT(type, member) printf(" %zu", offsetof(type, member))
#define COPY(type, from_more, to_more)                                                                                 \
    printf(#type " %zu:", sizeof(type));                                                                               \
    AT(type, srcXInBytes);                                                                                             \
    AT(type, srcY);                                                                                                    \
    AT(type, srcZ);                                                                                                    \
    AT(type, srcLOD);                                                                                                  \
    AT(type, srcMemoryType);                                                                                           \
    AT(type, srcHost);                                                                                                 \
    AT(type, srcDevice);                                                                                               \
    AT(type, srcArray);                                                                                                \
    AT(type, from_more);                                                                                               \
    AT(type, srcPitch);                                                                                                \
    AT(type, srcHeight);                                                                                               \
    AT(type, dstXInBytes);                                                                                             \
    AT(type, dstY);                                                                                                    \
    AT(type, dstZ);                                                                                                    \
    AT(type, dstLOD);                                                                                                  \
    AT(type, dstMemoryType);                                                                                           \
    AT(type, dstHost);                                                                                                 \
    AT(type, dstDevice);                                                                                               \
    AT(type, dstArray);                                                                                                \
    AT(type, to_more);                                                                                                 \
    AT(type, dstPitch);                                                                                                \
    AT(type, dstHeight);                                                                                               \
    AT(type, WidthInBytes);                                                                                            \
    AT(type, Height);                                                                                                  \
    AT(type, Depth);                                                                                                   \
    puts("");

int main(void)
{
    COPY(CUDA_MEMCPY3D, reserved0, reserved1);
    COPY(CUDA_MEMCPY3D_PEER, srcContext, dstContext);
    printf("CUDA_ARRAY3D_DESCRIPTOR %zu:", sizeof(CUDA_ARRAY3D_DESCRIPTOR));
    AT(CUDA_ARRAY3D_DESCRIPTOR, Width);
    AT(CUDA_ARRAY3D_DESCRIPTOR, Height);
    AT(CUDA_ARRAY3D_DESCRIPTOR, Depth);
    AT(CUDA_ARRAY3D_DESCRIPTOR, Format);
    AT(CUDA_ARRAY3D_DESCRIPTOR, NumChannels);
    AT(CUDA_ARRAY3D_DESCRIPTOR, Flags);
    printf("\nCUdevprop %zu:", sizeof(CUdevprop));
    AT(CUdevprop, maxThreadsPerBlock);
    AT(CUdevprop, maxThreadsDim);
    AT(CUdevprop, maxGridSize);
    AT(CUdevprop, sharedMemPerBlock);
    AT(CUdevprop, totalConstantMemory);
    AT(CUdevprop, SIMDWidth);
    AT(CUdevprop, memPitch);
    AT(CUdevprop, regsPerBlock);
    AT(CUdevprop, clockRate);
    AT(CUdevprop, textureAlign);
    const int flags[] = {CU_MEMHOSTALLOC_PORTABLE,
                         CU_MEMHOSTALLOC_DEVICEMAP,
                         CU_MEMHOSTALLOC_WRITECOMBINED,
                         CU_MEMHOSTREGISTER_PORTABLE,
                         CU_MEMHOSTREGISTER_DEVICEMAP,
                         CU_MEMHOSTREGISTER_IOMEMORY,
                         CU_MEMHOSTREGISTER_READ_ONLY,
                         CU_MEM_ATTACH_GLOBAL,
                         CU_MEM_ATTACH_HOST,
                         CU_MEM_ATTACH_SINGLE,
                         CUDA_ARRAY3D_LAYERED,
                         CUDA_ARRAY3D_SURFACE_LDST,
                         CUDA_ARRAY3D_CUBEMAP,
                         CUDA_ARRAY3D_2DARRAY,
                         CU_GRAPHICS_REGISTER_FLAGS_READ_ONLY,
                         CU_GRAPHICS_REGISTER_FLAGS_WRITE_DISCARD,
                         CU_GRAPHICS_REGISTER_FLAGS_SURFACE_LDST,
                         CUDA_ARRAY3D_TEXTURE_GATHER,
                         CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION,
                         CU_TRSA_OVERRIDE_FORMAT,
                         CU_PARAM_TR_DEFAULT,
                         CU_CTX_BLOCKING_SYNC,
                         CU_CTX_SCHED_MASK,
                         CU_CTX_FLAGS_MASK};
    const int numbers[] = {CU_SHARED_MEM_CONFIG_DEFAULT_BANK_SIZE,
                           CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE,
                           CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE,
                           CU_CUBEMAP_FACE_POSITIVE_X,
                           CU_CUBEMAP_FACE_NEGATIVE_X,
                           CU_CUBEMAP_FACE_POSITIVE_Y,
                           CU_CUBEMAP_FACE_NEGATIVE_Y,
                           CU_CUBEMAP_FACE_POSITIVE_Z,
                           CU_CUBEMAP_FACE_NEGATIVE_Z,
                           CU_POINTER_ATTRIBUTE_CONTEXT,
                           CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                           CU_POINTER_ATTRIBUTE_DEVICE_POINTER,
                           CU_POINTER_ATTRIBUTE_HOST_POINTER,
                           CU_POINTER_ATTRIBUTE_BUFFER_ID,
                           CU_POINTER_ATTRIBUTE_IS_MANAGED,
                           CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL,
                           CU_POINTER_ATTRIBUTE_RANGE_START_ADDR,
                           CU_POINTER_ATTRIBUTE_RANGE_SIZE,
                           CU_POINTER_ATTRIBUTE_MAPPED,
                           CU_POINTER_ATTRIBUTE_ACCESS_FLAGS,
                           CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE,
                           CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH,
                           CU_LIMIT_PERSISTING_L2_CACHE_SIZE,
                           CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET,
                           CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE,
                           CU_TARGET_COMPUTE_90,
                           CU_TARGET_COMPUTE_90A,
                           CU_TARGET_COMPUTE_120F,
                           CU_PREFER_PTX,
                           CU_PREFER_BINARY,
                           CU_OUT_KEY_VALUE_PAIR,
                           CU_OUT_CSV,
                           CU_EVENT_INTERPROCESS,
                           CU_GRAPHICS_REGISTER_FLAGS_TEXTURE_GATHER,
                           CU_GRAPHICS_MAP_RESOURCE_FLAGS_WRITE_DISCARD,
                           CU_STREAM_NON_BLOCKING};
    printf("\nflags");
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        printf(" %d", flags[i]);
    printf("\nnumbers");
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        printf(" %d", numbers[i]);
    puts("");
    return 0;
}
