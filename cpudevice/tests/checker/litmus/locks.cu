/* Runs a small program of two or three agents that use locks, given as text, so that many programs need one compilation:
 *
 *     locks blocks|threads PROGRAM PROGRAM [PROGRAM]
 *     locks barriers PROGRAM PROGRAM PROGRAM PROGRAM [PROGRAM PROGRAM]
 *
 * With `blocks` an agent is a block of one thread. With `threads` agent 0 is thread 0 of block 0, agents 1 and 2 are
 * threads 0 and 33 of block 1. With `barriers` agents 0 and 1 are the threads of block 0, agents 2 and 3 those of block 1,
 * and so on; only there a program may have barriers. A program is a list of operations, each a letter and a digit: the lock (k, 0 or 1), the
 * flag (f, 0 to 2) or the data (d, 0 to 2) that it uses. Where no digit matters (_), it is 0. Each agent has a register,
 * which is 0 at first.
 *
 *     t k   takes the lock: repeats atomicCAS(&k, 0, 1) until it returns 0
 *     y k   tries to take the lock: atomicCAS(&k, 0, 1); if it does not return 0, the agent ends
 *     g k   gives the lock back: atomicExch(&k, 0)
 *     G k   gives the lock back if the register is not 0: atomicExch(&k, 0); otherwise atomicExch(&k, 2)
 *     f _   __threadfence()                b _   __threadfence_block()
 *     B _   __syncthreads()
 *     r d   register = d, a plain read     w d   d = a number other than 0, a plain write
 *     i d   register = d, d = register + 1
 *     z _   skips the next operation if the register is 0
 *     n _   skips the next operation if the register is not 0
 *     s f   atomicExch(&f, 1)              v f   volatile write of 1
 *     l f   register = atomicAdd(&f, 0)    p f   repeats atomicAdd(&f, 0) until it does not return 0
 *
 * ../../campaigns/locks.py generates such programs and judges them. */
#include <cuda_runtime.h>
#include <stdio.h>
#include <string.h>

struct programs {
    char of[6][64];
};
__device__ int locks[2], flags[3], data[3];

__device__ void agent(const char *p, int who)
{
    int reg = 0;
    for (int at = 0; p[at]; at += 2) {
        int k = p[at + 1] - '0';
        switch (p[at]) {
        case 't': while (atomicCAS(&locks[k], 0, 1) != 0) ; break;
        case 'y': if (atomicCAS(&locks[k], 0, 1) != 0) return; break;
        case 'g': atomicExch(&locks[k], 0); break;
        case 'G': atomicExch(&locks[k], reg == 0 ? 2 : 0); break;
        case 'f': __threadfence(); break;
        case 'b': __threadfence_block(); break;
        case 'B': __syncthreads(); break;
        case 'r': reg = data[k]; break;
        case 'w': data[k] = who * 100 + at / 2 + 1; break;
        case 'i': reg = data[k]; data[k] = reg + 1; break;
        case 'z': if (reg == 0 && p[at + 2]) at += 2; break;
        case 'n': if (reg != 0 && p[at + 2]) at += 2; break;
        case 's': atomicExch(&flags[k], 1); break;
        case 'v': *(volatile int *)&flags[k] = 1; break;
        case 'l': reg = atomicAdd(&flags[k], 0); break;
        case 'p': while (atomicAdd(&flags[k], 0) == 0) ; break;
        }
    }
}

__global__ void run_blocks(programs p) { agent(p.of[blockIdx.x], (int)blockIdx.x); }
__global__ void run_barriers(programs p)
{
    const int who = (int)(2 * blockIdx.x + threadIdx.x);
    agent(p.of[who], who);
}
__global__ void run_threads(programs p)
{
    if (blockIdx.x == 0 && threadIdx.x == 0)
        agent(p.of[0], 0);
    else if (blockIdx.x == 1 && threadIdx.x % 33 == 0)
        agent(p.of[1 + threadIdx.x / 33], 1 + (int)threadIdx.x / 33);
}

int main(int argc, char **argv)
{
    programs p;
    if (argc < 4 || argc > 8)
        return 2;
    memset(&p, 0, sizeof p);
    for (int i = 2; i < argc; i++)
        snprintf(p.of[i - 2], sizeof p.of[i - 2], "%s", argv[i]);
    if (!strcmp(argv[1], "blocks"))
        run_blocks<<<argc - 2, 1>>>(p);
    else if (!strcmp(argv[1], "barriers"))
        run_barriers<<<(argc - 2) / 2, 2>>>(p);
    else
        run_threads<<<2, 64>>>(p);
    return cudaDeviceSynchronize() != cudaSuccess;
}
