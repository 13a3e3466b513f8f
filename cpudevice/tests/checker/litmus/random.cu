/* Runs a small program of three agents, given as text, so that many programs need one compilation:
 *
 *     litmus_random blocks|threads PROGRAM PROGRAM PROGRAM
 *
 * An agent is a block of one thread, or thread 0, 32 or 64 of one block. Its program is a list of operations, each a letter
 * and a digit: which data (d) or which flag (f).
 *
 *     w d   plain write          r d   plain read
 *     f _   __threadfence()      b _   __threadfence_block()
 *     s f   atomicExch(&f, 1)    p f   polls f by relaxed loads until it is 1
 *     v f   volatile write       q f   polls f by volatile reads
 *     R f   store of release order, device scope      A f   polls f by loads of acquire order, device scope
 *     N f   store of release order, block scope       M f   polls f by loads of acquire order, block scope
 *     + f   atomicAdd(&f, 1)     P f   polls f by relaxed loads until it is 2
 *
 * A flag has one writer (two that add), so what a poll has seen does not depend on the run. */
#include <cuda/atomic>
#include <stdio.h>
#include <string.h>

typedef cuda::atomic_ref<int, cuda::thread_scope_device> device_ref;
typedef cuda::atomic_ref<int, cuda::thread_scope_block> block_ref;
struct programs {
    char of[3][32];
};
__device__ int data[8], flags[8], sink[3];

__device__ void agent(const char *p, int who)
{
    int sum = 0;
    for (; *p; p += 2) {
        int k = p[1] - '0';
        int *f = &flags[k];
        switch (*p) {
        case 'w': data[k] = who + 1; break;
        case 'r': sum += data[k]; break;
        case 'f': __threadfence(); break;
        case 'b': __threadfence_block(); break;
        case 's': atomicExch(f, 1); break;
        case 'v': *(volatile int *)f = 1; break;
        case '+': atomicAdd(f, 1); break;
        case 'R': device_ref(*f).store(1, cuda::memory_order_release); break;
        case 'N': block_ref(*f).store(1, cuda::memory_order_release); break;
        case 'p': while (device_ref(*f).load(cuda::memory_order_relaxed) != 1) ; break;
        case 'P': while (device_ref(*f).load(cuda::memory_order_relaxed) != 2) ; break;
        case 'q': while (*(volatile int *)f != 1) ; break;
        case 'A': while (device_ref(*f).load(cuda::memory_order_acquire) != 1) ; break;
        case 'M': while (block_ref(*f).load(cuda::memory_order_acquire) != 1) ; break;
        }
    }
    sink[who] = sum;
}

__global__ void run_blocks(programs p) { agent(p.of[blockIdx.x], (int)blockIdx.x); }
__global__ void run_threads(programs p)
{
    if (threadIdx.x % 32 == 0)
        agent(p.of[threadIdx.x / 32], (int)threadIdx.x / 32);
}

int main(int argc, char **argv)
{
    programs p;
    if (argc != 5)
        return 2;
    for (int i = 0; i < 3; i++)
        snprintf(p.of[i], sizeof p.of[i], "%s", argv[2 + i]);
    if (!strcmp(argv[1], "blocks"))
        run_blocks<<<3, 1>>>(p);
    else
        run_threads<<<1, 96>>>(p);
    return cudaDeviceSynchronize() != cudaSuccess;
}
