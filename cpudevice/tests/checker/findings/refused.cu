/* refused.cu: what the system refuses a right program (here by functions of the program in place of the C library's) is said,
 * and no finding about the program comes of it.
 * BUILD: $cucc --check -g -arch=sm_90 -o $exe $case
 * TEST: a right program, to which nothing is refused
 * RUN: for mode in none memory threads stacks struct; do $exe $mode 0; done
 * COUNT: 5 0 errors
 * TEST: memory that the device has, and the system does not give
 * RUN: $exe memory 1
 * STATUS: 2
 * SAYS: the system refuses 128 bytes of memory, though the device has them: Cannot allocate memory
 * SAYS: which need not be the program's fault, and is not judged
 * LACKS: ^[a-z]*check:
 * TEST: threads for a cluster
 * RUN: CUDA_CPU_WORKERS=1 $exe threads 1
 * STATUS: 2
 * SAYS: the system refuses more threads: Resource temporarily unavailable
 * LACKS: ^[a-z]*check:
 * TEST: no thread at all
 * RUN: $exe none 1
 * STATUS: 2
 * SAYS: Resource temporarily unavailable
 * LACKS: ^[a-z]*check:
 * TEST: the thread that watches kernels, where none needs it
 * RUN: $exe watch 1
 * SAYS: the system refuses the thread that watches kernels
 * SAYS: 0 errors
 * TEST: stacks
 * RUN: $exe stacks 1
 * STATUS: 2
 * SAYS: no memory for the stacks of 64 threads: Cannot allocate memory
 * LACKS: ^[a-z]*check:
 * TEST: each of the first mappings
 * RUN: for i in $(seq 1 16); do
 * RUN:     s=0; $exe mapping $i >$work/said 2>&1 || s=$?; echo $s
 * RUN:     case $s in 0) ;; 2) grep -q memory $work/said || exit 1 ;; *) exit 1 ;; esac
 * RUN:     if grep '^[a-z]*check:' $work/said; then exit 1; fi
 * RUN: done
 * MATCHES: ^2$
 * TEST: a thread's time, now and then
 * RUN: CUDA_CPU_WORKERS=1 CUDA_CPU_WATCHDOG=1 $exe clock 1
 * SAYS: 0 errors
 * LACKS: no progress
 * TEST: the process that knows the lines, and with them the type of what is read
 * RUN: $exe struct 1
 * STATUS: 2
 * SAYS: addr2line, which knows the lines, does not run: Resource temporarily unavailable
 * SAYS: cannot be judged without its source line
 * LACKS: ^[a-z]*check:
 * TEST: that process has ended before the host's thread asks it: the finding has no line, and the program goes on
 * RUN: mkfifo $work/fifo; : <$work/fifo & exec 8>$work/fifo; wait # nobody reads it any more
 * RUN: CUDA_CPU_ADDR2LINE=8,9 $exe leak 0 9</dev/null
 * STATUS: 99
 * SAYS: addr2line, which knows the lines, does not run: Broken pipe
 * SAYS: are never freed
 * TEST: a look at memory: what is not there is not taken for the host's
 * RUN: $exe wild 1
 * STATUS: 99
 * SAYS: where nothing is allocated
 */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { NONE, WATCH, MEMORY, THREADS, STACKS, STRUCT, WILD, CLOCK, MAPPING, LEAK, MODES };
static const char *const modes[MODES] = {"none",   "watch", "memory", "threads", "stacks",
                                         "struct", "wild",  "clock",  "mapping", "leak"};
/* refuses: 0 nothing, else so that mode's call fails; the number of a mapping, from when the device has begun */
static int mode, refuses, mappings, begun;

/* The system's calls below are no part of the program: the checker does not see what they touch. */
#define UNSEEN __attribute__((no_sanitize_thread))

UNSEEN static bool is(int one) { return refuses && mode == one; }

UNSEEN static int error(int number)
{
    errno = number;
    return -1;
}

extern "C" UNSEEN int mprotect(void *p, size_t n, int protection) throw()
{
    return is(MEMORY) && protection == (PROT_READ | PROT_WRITE) ? error(ENOMEM)
                                                                : (int)syscall(SYS_mprotect, p, n, protection);
}

extern "C" UNSEEN void *mmap(void *p, size_t n, int protection, int flags, int fd, off_t offset) throw()
{
    if ((is(MAPPING) && begun && ++mappings == refuses) || (is(STACKS) && begun && n > 12u << 20)) {
        error(ENOMEM);
        return MAP_FAILED;
    }
    return (void *)syscall(SYS_mmap, p, n, protection, flags, fd, offset);
}

/* The C library's own. */
template <class F> UNSEEN static F own(F, const char *name) { return (F)dlsym(RTLD_NEXT, name); }

extern "C" UNSEEN int pthread_create(pthread_t *t, const pthread_attr_t *a, void *(*f)(void *), void *x) throw()
{
    static int calls;
    const int number = ++calls; /* the first one watches, the second one works */
    return (is(THREADS) && number > 2) || is(NONE) || (is(WATCH) && number == 1)
               ? EAGAIN
               : own(pthread_create, "pthread_create")(t, a, f, x);
}

extern "C" UNSEEN int pthread_getcpuclockid(pthread_t t, clockid_t *c) throw()
{
    static int calls;
    return is(CLOCK) && ++calls % 3 == 0 ? ESRCH : own(pthread_getcpuclockid, "pthread_getcpuclockid")(t, c);
}

extern "C" UNSEEN int posix_spawnp(pid_t *pid, const char *file, const posix_spawn_file_actions_t *a,
                                   const posix_spawnattr_t *b, char *const argv[], char *const env[])
{
    return is(STRUCT) ? EAGAIN : own(posix_spawnp, "posix_spawnp")(pid, file, a, b, argv, env);
}

extern "C" UNSEEN ssize_t process_vm_readv(pid_t pid, const iovec *to, unsigned long n, const iovec *from,
                                           unsigned long m, unsigned long flags) throw()
{
    return is(WILD) ? error(EPERM) : syscall(SYS_process_vm_readv, pid, to, n, from, m, flags);
}

typedef struct {
    double x;
    int i, k;
} Pair; /* may lie at any multiple of 8 */

__global__ void fill(float *x) { x[threadIdx.x] = 1; }

__global__ void shared_fill(float *x)
{
    __shared__ float tile[32];
    tile[threadIdx.x] = 1;
    __syncthreads();
    x[threadIdx.x] = tile[31 - threadIdx.x];
}

__global__ void __cluster_dims__(2) clusters(float *x) { x[threadIdx.x] = 1; }

__device__ void meet(float *x, int n)
{
    if (n > 0) {
        __syncthreads();
        meet(x, n - 1);
    }
    x[threadIdx.x] = (float)n;
}

__global__ void recursive(float *x) { meet(x, 2); }

__global__ void spin(float *x, int n)
{
    unsigned k = threadIdx.x;
    for (int i = 0; i < n; i++)
        k = k * 1664525 + 1013904223;
    x[threadIdx.x] = (float)k;
}

__global__ void copy(const Pair *from, Pair *to) { to[threadIdx.x] = from[threadIdx.x]; }

__global__ void wild(const float *x, float *y) { y[0] = x[0]; }

int main(int argc, char **argv)
{
    float *x;
    while (mode < MODES - 1 && strcmp(modes[mode], argv[1]))
        mode++;
    refuses = atoi(argv[argc - 1]);
    const int n = is(MEMORY) ? 32 : 1024;
    cudaMalloc(&x, n * sizeof *x);
    cudaMemset(x, 0, n * sizeof *x);
    begun = 1;
    if (mode == THREADS)
        clusters<<<2, 32>>>(x);
    else if (mode == STACKS)
        recursive<<<1, 64>>>(x);
    else if (mode == STRUCT)
        copy<<<1, 4>>>((Pair *)(x + 2), (Pair *)(x + 130));
    else if (mode == WILD)
        wild<<<1, 1>>>((const float *)0x123456780000, x);
    else if (mode == MAPPING)
        shared_fill<<<1, 32>>>(x);
    for (int i = 0; i < 20 && mode == CLOCK; i++) {
        spin<<<1, 32>>>(x, 6000000);
        cudaDeviceSynchronize();
    }
    fill<<<1, 32>>>(x);
    cudaDeviceSynchronize();
    if (mode != LEAK)
        cudaFree(x);
    return 0;
}
