/* Exercise 14.25 sorting by expert (4 points)
 *
 * expert[i] is the expert of pair i, 0 to E - 1. Write the numbers of the pairs, sorted by expert, to order; pairs of
 * the same expert keep their order. Block e, of 256 threads, writes those of expert e. It needs nothing from another
 * block: it also counts the pairs of smaller experts, and its own come after these. Thread t looks at the pairs from
 * begin to end - 1. sum_before(x) is the sum of x over all threads before this one, sum_of_all(x) over all of them;
 * every thread of the block must call them.
 *
 * Limits at 1000x8:
 *   global loads <= 700
 *   global atomics <= 0
 *
 * Hint 1: count two things: the pairs of smaller experts, and those of expert e.
 *
 * Hint 2: the thread's first pair goes to sum_of_all(smaller) + sum_before(mine).
 *
 * Hint 3: go over the same pairs again, and write the number of each that is of expert e to the next place.
 *
 * After a pass:
 * Each block reads all pairs, which are few and come from L2, and in return there is no atomic and no second launch,
 * and the order is the same in every run. Next: two counts in one sum.
 */
#include "lab.h"

enum { THREADS = 256 };

/* Returns the sum over the threads before this one; *all is the sum over all. */
__device__ static int scan(int value, int *all)
{
    __shared__ int of_thread[THREADS];
    __syncthreads();
    of_thread[threadIdx.x] = value;
    __syncthreads();
    for (int step = 1; step < THREADS; step *= 2) {
        const int other = (int)threadIdx.x >= step ? of_thread[threadIdx.x - step] : 0;
        __syncthreads();
        of_thread[threadIdx.x] += other;
        __syncthreads();
    }
    *all = of_thread[THREADS - 1];
    return of_thread[threadIdx.x] - value;
}
__device__ static int sum_before(int value)
{
    int all;
    return scan(value, &all);
}
__device__ static int sum_of_all(int value)
{
    int all;
    scan(value, &all);
    return all;
}

__global__ void sort_kernel(const int *expert, int *order, int pairs)
{
    const int e = blockIdx.x, each = (pairs + THREADS - 1) / THREADS;
    const int begin = min((int)threadIdx.x * each, pairs), end = min(begin + each, pairs);
    // TODO(ex25): count, find the first place, and write the numbers of expert e's pairs (about 9 lines)
    // >>> answer
    // stub: for (int i = begin; i < end; i++)
    // stub:     order[i] = expert[i] == e ? sum_before(0) + sum_of_all(0) : i;
    int smaller = 0, mine = 0;
    for (int i = begin; i < end; i++) {
        smaller += expert[i] < e;
        mine += expert[i] == e;
    }
    int to = sum_of_all(smaller) + sum_before(mine);
    for (int i = begin; i < end; i++)
        if (expert[i] == e)
            order[to++] = i;
    // <<< answer
}

static const LabRung rungs[] = {{1, "one block per expert", NULL, LAB_S32, 0, 0}};

static const char *setup(LabCase *c)
{
    const size_t pairs = c->dim[0], E = c->dim[1];
    if (E == 0 || E > 65535 || pairs > 1u << 24)
        return "1 to 65535 experts, and at most 16777216 pairs";
    int *expert = (int *)lab_input(c, 0, pairs, LAB_S32);
    lab_output(c, pairs, LAB_S32);
    for (size_t i = 0; i < pairs; i++)
        expert[i] = (int)(random_u64(c->seed + 9, i) % E);
    c->atol = c->rtol = 0;
    return NULL;
}

static void reference(LabCase *c)
{
    size_t to = 0;
    for (size_t e = 0; e < c->dim[1]; e++)
        for (size_t i = 0; i < c->dim[0]; i++)
            if ((size_t)lab_h_in_s32(c, 0)[i] == e)
                c->expect[to++] = (double)i;
}

static void run(const LabRung *r, LabCase *c)
{
    (void)r;
    if (c->dim[0] > 0)
        sort_kernel<<<(unsigned)c->dim[1], THREADS, 0, c->stream>>>(lab_in_s32(c, 0), lab_out_s32(c), (int)c->dim[0]);
}

static double bytes(const LabCase *c) { return 8.0 * (double)c->dim[0]; }

static const Lab lab = {
    .name = "ex25_sort_experts",
    .title = "a sort in which no block waits for another",
    .dims = "pairs E",
    .size = "32768x64",
    .cpu_size = "4096x16",
    .test_sizes = "1000x8 1x1 255x3 513x20 0x4",
    .rungs = rungs,
    .rung_count = LAB_COUNT(rungs),
    .setup = setup,
    .reference = reference,
    .run = run,
    .bytes = bytes,
};
LAB_MAIN(lab)
