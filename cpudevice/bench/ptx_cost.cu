// What inline PTX costs, by family of instructions: a kernel that is written in PTX, and a kernel of CUDA C without any that
// does the same work: a pair in each of ptx_cost/*.h. Both results must be those of a loop on the host, to the bit. A line
// of output a launch: family, way (c or ptx), ms of CPU time; ptx_cost.py makes a table of them.
// usage: ptx_cost [ROUNDS [FAMILY]]      (5, all)
#include <ctime>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <cuda_runtime.h>

#include "hopper.cuh"

typedef std::vector<uint32_t> Words; // what a family reads or writes, as bits

// A family: `make` fills its input, `want` says what the kernels must make of it, and each launch leaves it in `out`.
struct Family {
    const char *name;
    void (*make)(Words &in);
    void (*want)(Words &out, const Words &in);
    void (*c)(uint32_t *out, const uint32_t *in);
    void (*ptx)(uint32_t *out, const uint32_t *in);
};

static uint32_t mix(uint32_t x)
{
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}

static void random_words(Words &in, size_t n)
{
    in.resize(n);
    for (size_t i = 0; i < n; i++)
        in[i] = mix((uint32_t)i + 1);
}

#include "ptx_cost/scalar.h"
#include "ptx_cost/warp.h"
#include "ptx_cost/matrix.h"
#include "ptx_cost/staged.h"
#include "ptx_cost/cluster.h"

static const Family families[] = {
    {"scalar ALU", make_scalar, want_scalar, scalar_c, scalar_ptx},
    {"packed cvt", make_convert, want_convert, convert_c, convert_ptx},
    {"ld st atom", make_histogram, want_histogram, histogram_c, histogram_ptx},
    {"shfl vote redux", make_warp, want_warp, warp_c, warp_ptx},
    {"mma.sync", make_matrix, want_matrix, mma_c, mma_ptx},
    {"ldmatrix and mma.sync", make_matrix, want_matrix, ldmatrix_c, ldmatrix_ptx},
    {"wmma", make_matrix, want_matrix, wmma_c, wmma_fragments},
    {"wgmma", make_matrix, want_matrix, wgmma_c, wgmma_ptx},
    {"cp.async groups", make_ring, want_ring, ring_c, ring_cp_async},
    {"mbarrier and TMA", make_ring, want_ring, ring_c, ring_tma},
    {"clusters", make_cluster, want_cluster, cluster_c, cluster_ptx},
};

static void check(cudaError_t e, const char *what)
{
    if (e == cudaSuccess)
        return;
    fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(e));
    exit(1);
}

// One launch: its CPU time in ms, that of all threads, so that other programs on the machine do not count.
static double run(const Family &f, bool ptx, const Words &in, const Words &want)
{
    uint32_t *d_in, *d_out;
    Words out(want.size());
    check(cudaMalloc(&d_in, in.size() * 4), f.name);
    check(cudaMalloc(&d_out, out.size() * 4), f.name);
    check(cudaMemcpy(d_in, in.data(), in.size() * 4, cudaMemcpyHostToDevice), f.name);
    check(cudaMemset(d_out, 0, out.size() * 4), f.name);
    check(cudaDeviceSynchronize(), f.name);
    const clock_t start = clock();
    (ptx ? f.ptx : f.c)(d_out, d_in);
    check(cudaDeviceSynchronize(), f.name);
    const double ms = 1e3 * (double)(clock() - start) / CLOCKS_PER_SEC;
    check(cudaMemcpy(out.data(), d_out, out.size() * 4, cudaMemcpyDeviceToHost), f.name);
    check(cudaFree(d_in), f.name);
    check(cudaFree(d_out), f.name);
    for (size_t i = 0; i < out.size(); i++)
        if (out[i] != want[i]) {
            fprintf(stderr, "%s, %s: word %zu is %08x, not %08x\n", f.name, ptx ? "PTX" : "C", i, out[i], want[i]);
            exit(1);
        }
    return ms;
}

int main(int argc, char **argv)
{
    const int rounds = argc > 1 ? atoi(argv[1]) : 5;
    for (const Family &f : families) {
        if (argc > 2 && strcmp(argv[2], f.name) != 0)
            continue;
        Words in, want;
        f.make(in);
        f.want(want, in);
        for (int r = -1; r < rounds; r++) // the first is not counted: code and memory are touched for the first time
            for (int ptx = 0; ptx < 2; ptx++) {
                const double ms = run(f, ptx, in, want);
                if (r >= 0)
                    printf("%s,%s,%.3f\n", f.name, ptx ? "ptx" : "c", ms);
            }
    }
    return 0;
}
