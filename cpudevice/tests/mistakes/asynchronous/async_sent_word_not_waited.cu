// Two threads send a word each by st.async, into the same 16 bytes and for an mbarrier each; only the second is waited for
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

#ifdef FIXED
enum { WAITED_FOR = 2 };
#else
enum { WAITED_FOR = 1 };
#endif

__global__ void __cluster_dims__(2) exchange(unsigned *out)
{
    __shared__ alignas(16) unsigned words[2];
    __shared__ alignas(8) uint64_t arrived[2];
    cg::cluster_group cluster = cg::this_cluster();
    const unsigned rank = cluster.block_rank(), t = threadIdx.x;
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(&arrived[t])) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 4;" ::"r"(shared_address(&arrived[t])) : "memory");
    cluster.sync();
    asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];" ::"r"(
                     of_other(shared_address(&words[t]), rank ^ 1)),
                 "r"(10 * rank + t), "r"(of_other(shared_address(&arrived[t]), rank ^ 1))
                 : "memory");
    for (unsigned k = 2 - WAITED_FOR; k < 2; k++)
        for (unsigned done = 0; !done;)
            asm volatile(
                "{\n.reg .pred p;\nmbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0;\nselp.u32 %0, 1, 0, p;\n}"
                : "=r"(done)
                : "r"(shared_address(&arrived[k]))
                : "memory");
    if (t == 0)
        out[rank] = words[1] + words[0]; // BUG: racecheck
    cluster.sync();
}

int main()
{
    unsigned *out;
    cudaMallocManaged(&out, 2 * sizeof *out);
    exchange<<<2, 2>>>(out);
    cudaDeviceSynchronize();
    printf("%u %u\n", out[0], out[1]);
    cudaFree(out);
}
