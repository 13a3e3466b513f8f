// Each of four threads sends a word to the other block by st.async, into the same 16 bytes, and waits for the one that it
// reads, not for its neighbours'
#include <cooperative_groups.h>
#include <cstdint>
#include <cstdio>
namespace cg = cooperative_groups;

__device__ static unsigned shared_address(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

__device__ static unsigned of_other(unsigned address, unsigned rank)
{
    unsigned there;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(address), "r"(rank));
    return there;
}

__global__ void __cluster_dims__(2) exchange(unsigned *out)
{
    __shared__ alignas(16) unsigned words[4];
    __shared__ alignas(8) uint64_t arrived[4];
    cg::cluster_group cluster = cg::this_cluster();
    const unsigned rank = cluster.block_rank(), t = threadIdx.x, mine = shared_address(&arrived[t]);
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(mine) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 4;" ::"r"(mine) : "memory");
    cluster.sync();
    asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];" ::"r"(
                     of_other(shared_address(&words[t]), rank ^ 1)),
                 "r"(10 * rank + t), "r"(of_other(mine, rank ^ 1))
                 : "memory");
    for (unsigned done = 0; !done;)
        asm volatile("{\n.reg .pred p;\nmbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0;\nselp.u32 %0, 1, 0, p;\n}"
                     : "=r"(done)
                     : "r"(mine)
                     : "memory");
    out[4 * rank + t] = words[t];
    cluster.sync();
}

int main()
{
    unsigned *out, bad = 0;
    cudaMallocManaged(&out, 8 * sizeof *out);
    exchange<<<2, 4>>>(out);
    if (cudaDeviceSynchronize() != cudaSuccess)
        return 1;
    for (unsigned i = 0; i < 8; i++)
        bad += out[i] != 10 * (1 - i / 4) + i % 4;
    printf("%u wrong\n", bad);
    cudaFree(out);
    return bad != 0;
}
