/* cluster_barrier.c: what a kernel sees of its cluster: the barrier ("barrier.cluster" of the PTX ISA), and the special
 * registers. */
#define _GNU_SOURCE
#include "exec/cluster.h"
#include "cpudev_abi.h"
#include "cpudevice.h"
#include "observe/observers.h"

/* Observers know the barrier by an address that is all its blocks'. */
static void tell_point(int what, const void *site)
{
    const void *object = observed.threads ? cluster_object() : NULL;
    if (object)
        TELL(point, what, object, site);
}

void cpudev_cluster_arrive(void)
{
    tell_point(CPUDEV_POINT_ARRIVE, __builtin_return_address(0));
    cluster_arrive(cpudev_tls.worker, cpudev_tid());
}

static int passed(void *p) { return cluster_barrier_passed(cpudev_tls.worker, *(const unsigned *)p); }

void cpudev_cluster_wait(void)
{
    unsigned thread = cpudev_tid();
    cpudev_wait(passed, &thread, "the cluster's barrier (barrier.cluster.wait)");
    tell_point(CPUDEV_POINT_PASSED, __builtin_return_address(0));
    if (observed.threads && cluster_barrier_news(cpudev_tls.worker)) /* it orders as the block's own barrier does */
        TELL(barrier, __builtin_return_address(0));
}

/* ---- special registers ---- */

uint3 cpudev_cluster_place(void)
{
    const dim3 size = cpudev_cluster_size();
    return (uint3){blockIdx.x % size.x, blockIdx.y % size.y, blockIdx.z % size.z};
}

dim3 cpudev_cluster_size(void)
{
    const command *c = cpudev_tls.worker ? cpudev_tls.worker->command : NULL;
    return c && c->cluster.x ? c->cluster : (dim3){1, 1, 1};
}

int cpudev_cluster_explicit(void)
{
    const command *c = cpudev_tls.worker ? cpudev_tls.worker->command : NULL;
    return c && c->cluster.x != 0;
}

int cpudev_block_has_ended(uint32_t rank) { return cluster_has_ended(rank); }
