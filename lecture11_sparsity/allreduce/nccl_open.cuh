/* nccl_open.cuh: NCCL's collectives as a yardstick, opened at run time. A program neither needs nor links it. */
#ifndef NCCL_OPEN_CUH
#define NCCL_OPEN_CUH

#include "ranks.cuh"

enum NcclWhat { NCCL_ALL_REDUCE, NCCL_ALL_GATHER, NCCL_REDUCE_SCATTER };
enum NcclType { NCCL_F32 = 7, NCCL_BF16 = 9 }; /* nccl.h's numbers */

#ifdef LAB_CPU

static inline const char *nccl_begin(int ranks)
{
    (void)ranks;
    return "no vendor library on the CPU device";
}
static inline void nccl_all(NcclWhat what, NcclType type, int ranks, const void *const *in, void *const *out, size_t n,
                            const cudaStream_t *stream)
{
    (void)what, (void)type, (void)ranks, (void)in, (void)out, (void)n, (void)stream;
}
static inline void nccl_end(void) {}

#else

#include <dlfcn.h>

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
} nccl;

/* NULL if it can be used now, else the reason why not. */
static inline const char *nccl_begin(int ranks)
{
    enum { NCCL_OK = 0 };
    static const char *const places[] = {"libnccl.so.2", "libnccl.so", "/usr/local/cuda/lib64/libnccl.so.2"};
    for (size_t i = 0; i < sizeof places / sizeof *places && !nccl.library; i++)
        nccl.library = dlopen(places[i], RTLD_NOW | RTLD_LOCAL);
    if (!nccl.library)
        return "NCCL was not found";
    *(void **)&nccl.init_all = dlsym(nccl.library, "ncclCommInitAll");
    *(void **)&nccl.all_reduce = dlsym(nccl.library, "ncclAllReduce");
    *(void **)&nccl.all_gather = dlsym(nccl.library, "ncclAllGather");
    *(void **)&nccl.reduce_scatter = dlsym(nccl.library, "ncclReduceScatter");
    *(void **)&nccl.group_start = dlsym(nccl.library, "ncclGroupStart");
    *(void **)&nccl.group_end = dlsym(nccl.library, "ncclGroupEnd");
    *(void **)&nccl.destroy = dlsym(nccl.library, "ncclCommDestroy");
    if (!nccl.init_all || !nccl.all_reduce || !nccl.all_gather || !nccl.reduce_scatter || !nccl.group_start ||
        !nccl.group_end || !nccl.destroy)
        return "NCCL lacks a function";
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

#endif

static inline void nccl_all_reduce(const Ranks *r, size_t n)
{
    nccl_all(NCCL_ALL_REDUCE, NCCL_F32, r->count, (const void *const *)r->in, (void *const *)r->out, n, r->stream);
}

#endif
