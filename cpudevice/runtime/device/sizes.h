/* sizes.h: the sizes of the GPU that the CPU device imitates: an H100's, so that what fits here fits there. */
#ifndef SIZES_H
#define SIZES_H

enum {
    WARP = 32,
    MAX_THREADS = 1024, /* of a block */
    MAX_WARPS = MAX_THREADS / WARP,
    MAX_SHARED = 48 * 1024, /* bytes of shared memory of a block, unless the kernel opts in */
    MAX_SHARED_OPTIN = 227 * 1024,
    MAX_RESIDENT_THREADS = 2048, /* on a multiprocessor */
    MAX_RESIDENT_BLOCKS = 32,
    CLUSTER_MOST = 16, /* blocks of a cluster; more than 8 are not portable */
    SHARED_PER_SM = 228 * 1024,
    SHARED_RESERVED = 1024,       /* of each block's shared memory, for the system */
    TEXTURE_ALIGNMENT = 512,      /* of what a texture begins with */
    TEXTURE_PITCH_ALIGNMENT = 32, /* of its rows */
    MAX_DEPTH = 24,               /* of kernels launched by kernels */
    MAX_OS_THREADS = 512          /* that run blocks, those included that only run while other blocks wait */
};

#endif
