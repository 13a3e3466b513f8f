/* nccl_open.cuh: NCCL's collectives as a yardstick, opened at run time: a program neither needs nor links it. On the CPU
 * device they are that device's own. */
#ifndef NCCL_OPEN_CUH
#define NCCL_OPEN_CUH

#include <stdio.h>

#include "../../common/device.h"
#include "../../common/vendor.h"
#include "ranks.cuh"

enum NcclWhat { NCCL_ALL_REDUCE, NCCL_ALL_GATHER, NCCL_REDUCE_SCATTER };
enum NcclType { NCCL_F32 = 7, NCCL_BF16 = 9 }; /* nccl.h's numbers */

#ifdef LAB_CPU
#include <nccl.h>
#else
#include <dlfcn.h>
#endif

/* The row's name. On the CPU device it is that device's own library: its times say nothing about NVIDIA's. */
static inline const char *nccl_name(const char *name)
{
    static char marked[64];
    if (!device_is_cpu())
        return name;
    snprintf(marked, sizeof marked, "%s (CPU device)", name);
    return marked;
}

/* Of nccl.h, which a toolkit need not have: the functions' types, and two enumerators. */
static struct {
    void *library;
    int ranks;
    void *comm[MAX_RANKS];
    int (*init_all)(void **comm, int count, const int *devices);
    int (*all_reduce)(const void *in, void *out, size_t n, int type, int operation, void *comm, cudaStream_t stream);
    int (*all_gather)(const void *in, void *out, size_t n, int type, void *comm, cudaStream_t stream);
    int (*reduce_scatter)(const void *in, void *out, size_t n, int type, int operation, void *comm,
                          cudaStream_t stream);
    int (*group_start)(void);
    int (*group_end)(void);
    int (*destroy)(void *comm);
    int (*version)(int *version);
} nccl;

#ifdef LAB_CPU
#define NCCL_FUNCTION(name) ((void *)(name))
#else
#define NCCL_FUNCTION(name) dlsym(nccl.library, #name)
#endif

/* NULL if it can be used now, else the reason why not. */
static inline const char *nccl_begin(int ranks)
{
    enum { NCCL_OK = 0 };
#ifndef LAB_CPU
    static const char *const places[] = {"libnccl.so.2", "libnccl.so", "/usr/local/cuda/lib64/libnccl.so.2"};
    for (size_t i = 0; i < sizeof places / sizeof *places && !nccl.library; i++)
        nccl.library = dlopen(places[i], RTLD_NOW | RTLD_LOCAL);
    if (!nccl.library)
        return "NCCL was not found";
#else
    puts("    NCCL: the CPU device's own, so its times say nothing about NVIDIA's");
#endif
    *(void **)&nccl.init_all = NCCL_FUNCTION(ncclCommInitAll);
    *(void **)&nccl.all_reduce = NCCL_FUNCTION(ncclAllReduce);
    *(void **)&nccl.all_gather = NCCL_FUNCTION(ncclAllGather);
    *(void **)&nccl.reduce_scatter = NCCL_FUNCTION(ncclReduceScatter);
    *(void **)&nccl.group_start = NCCL_FUNCTION(ncclGroupStart);
    *(void **)&nccl.group_end = NCCL_FUNCTION(ncclGroupEnd);
    *(void **)&nccl.destroy = NCCL_FUNCTION(ncclCommDestroy);
    *(void **)&nccl.version = NCCL_FUNCTION(ncclGetVersion);
    if (!nccl.init_all || !nccl.all_reduce || !nccl.all_gather || !nccl.reduce_scatter || !nccl.group_start ||
        !nccl.group_end || !nccl.destroy || !nccl.version)
        return "NCCL lacks a function";
    int version = 0;
    nccl.version(&version);
    vendor_add_version("NCCL", version, 10000);
    nccl.ranks = ranks;
    return nccl.init_all(nccl.comm, ranks, NULL) == NCCL_OK ? NULL : "ncclCommInitAll failed";
}

/* One collective of all ranks: n is what ncclAllReduce (elements of a vector), ncclAllGather (of a rank's part) and
 * ncclReduceScatter (of a rank's part) take. */
static inline void nccl_all(NcclWhat what, NcclType type, int ranks, const void *const *in, void *const *out, size_t n,
                            const cudaStream_t *stream)
{
    enum { NCCL_SUM = 0 };
    nccl.group_start();
    for (int i = 0; i < ranks; i++) {
        int e = 0;
        switch (what) {
        case NCCL_ALL_REDUCE: e = nccl.all_reduce(in[i], out[i], n, type, NCCL_SUM, nccl.comm[i], stream[i]); break;
        case NCCL_ALL_GATHER: e = nccl.all_gather(in[i], out[i], n, type, nccl.comm[i], stream[i]); break;
        case NCCL_REDUCE_SCATTER:
            e = nccl.reduce_scatter(in[i], out[i], n, type, NCCL_SUM, nccl.comm[i], stream[i]);
            break;
        }
        if (e)
            die("NCCL failed: %d", e);
    }
    if (nccl.group_end())
        die("ncclGroupEnd failed");
}

static inline void nccl_end(void)
{
    for (int i = 0; i < nccl.ranks; i++)
        nccl.destroy(nccl.comm[i]);
    nccl.ranks = 0;
}

static inline void nccl_all_reduce(const Ranks *r, size_t n)
{
    nccl_all(NCCL_ALL_REDUCE, NCCL_F32, r->count, (const void *const *)r->in, (void *const *)r->out, n, r->stream);
}

#endif
