// A test for the CPU device only.
// Kernels that launch kernels: what comes before what, and what the threads of a kernel may call.
#include <check.h>
#include <cpudevice.h>
#include <cuda_runtime.h>
#include <stdlib.h>
#include <string.h>

#include "suite.h"

enum { N = 256, LOG = 64 };

static void *managed(size_t bytes)
{
    void *p;
    ck_assert_int_eq(cudaMallocManaged(&p, bytes), cudaSuccess);
    memset(p, 0, bytes);
    return p;
}

// A log that kernels write into, in the order in which they run.
struct Log {
    int n, what[LOG];
};
__device__ void note(Log *l, int what)
{
    const int at = atomicAdd(&l->n, 1);
    if (at < LOG)
        l->what[at] = what;
}
static int position(const Log *l, int what)
{
    for (int i = 0; i < l->n && i < LOG; i++)
        if (l->what[i] == what)
            return i;
    ck_abort_msg("%d has not run", what);
}

__global__ void says(Log *l, int what) { note(l, what); }
__global__ void slow(Log *l, int what)
{
    const long long until = clock64() + 20000000;
    while (clock64() < until)
        ;
    note(l, what);
}

__global__ void tree(int *leaves, int levels)
{
    if (levels == 0)
        atomicAdd(leaves, 1);
    else
        tree<<<1, 2>>>(leaves, levels - 1);
}

// What waits for the kernel waits for all that came of it, to the last level.
START_TEST(test_parent_ends_last)
{
    int *leaves = (int *)managed(sizeof(int)), copy = 0;
    cudaEvent_t e;
    cudaStream_t s;
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    cudaEventCreate(&e);
    tree<<<1, 1>>>(leaves, 8);
    ck_assert_int_eq(cudaDeviceSynchronize(), cudaSuccess);
    ck_assert_int_eq(*leaves, 256);
    tree<<<3, 2>>>(leaves, 5);
    cudaEventRecord(e);
    cudaStreamWaitEvent(s, e);
    cudaMemcpyAsync(&copy, leaves, sizeof copy, cudaMemcpyDeviceToHost, s);
    cudaStreamSynchronize(s);
    ck_assert_int_eq(copy, 256 + 3 * 2 * 32);
    cudaEventDestroy(e);
    cudaStreamDestroy(s);
    cudaFree(leaves);
}
END_TEST

__global__ void in_order(Log *l)
{
    slow<<<1, 1>>>(l, 1);
    says<<<1, 1>>>(l, 2);
    says<<<1, 1, 0, cudaStreamTailLaunch>>>(l, 8);
    says<<<1, 1, 0, cudaStreamTailLaunch>>>(l, 9);
    slow<<<1, 1, 0, cudaStreamFireAndForget>>>(l, 3);
    cudaStream_t s;
    if (cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking) != cudaSuccess)
        note(l, 99);
    slow<<<1, 1, 0, s>>>(l, 4);
    says<<<1, 1, 0, s>>>(l, 5);
    cudaStreamDestroy(s);
    slow<<<1, 1>>>(l, 6);
    says<<<1, 1>>>(l, 7);
}

START_TEST(test_order)
{
    Log *l = (Log *)managed(sizeof *l);
    in_order<<<1, 1>>>(l);
    says<<<1, 1>>>(l, 10);
    ck_assert_int_eq(cudaDeviceSynchronize(), cudaSuccess);
    ck_assert_int_eq(l->n, 10);
    ck_assert_int_lt(position(l, 1), position(l, 2));
    ck_assert_int_lt(position(l, 2), position(l, 6));
    ck_assert_int_lt(position(l, 6), position(l, 7));
    ck_assert_int_lt(position(l, 4), position(l, 5));
    // behind the grid and its other children, one after the other; then the host's next launch
    ck_assert_int_eq(position(l, 8), 7);
    ck_assert_int_eq(position(l, 9), 8);
    ck_assert_int_eq(position(l, 10), 9);
    cudaFree(l);
}
END_TEST

__global__ void leaves_tail(Log *l)
{
    says<<<1, 1, 0, cudaStreamTailLaunch>>>(l, 1);
    slow<<<1, 1>>>(l, 0);
}
__global__ void tail_of_tail(Log *l)
{
    leaves_tail<<<1, 1, 0, cudaStreamTailLaunch>>>(l);
    says<<<1, 1, 0, cudaStreamTailLaunch>>>(l, 2);
}

// A launch from the tail is over, with its own tail, before the next of the tail begins.
START_TEST(test_tail_of_tail)
{
    Log *l = (Log *)managed(sizeof *l);
    tail_of_tail<<<1, 1>>>(l);
    ck_assert_int_eq(cudaDeviceSynchronize(), cudaSuccess);
    ck_assert_int_eq(l->n, 3);
    for (int i = 0; i < 3; i++)
        ck_assert_int_eq(l->what[i], i);
    cudaFree(l);
}
END_TEST

__global__ void waits_for_event(Log *l)
{
    cudaStream_t a, b;
    cudaEvent_t e;
    cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&e, cudaEventDisableTiming);
    slow<<<1, 1, 0, a>>>(l, 0);
    cudaEventRecord(e, a);
    cudaStreamWaitEvent(b, e);
    says<<<1, 1, 0, b>>>(l, 1);
    cudaEventDestroy(e);
    cudaStreamDestroy(a);
    cudaStreamDestroy(b);
}

START_TEST(test_event)
{
    Log *l = (Log *)managed(sizeof *l);
    waits_for_event<<<1, 1>>>(l);
    ck_assert_int_eq(cudaDeviceSynchronize(), cudaSuccess);
    ck_assert_int_eq(l->n, 2);
    ck_assert_int_eq(l->what[0], 0);
    cudaFree(l);
}
END_TEST

// Each thread launches, with a shuffle among the arguments: between <<<>>> and the call come the others' turns.
__global__ void put(int *x, int i, int v) { x[i * blockDim.x + threadIdx.x] = v * 100 + blockDim.x; }
template <class T> __device__ void launch_from_function(T *x, int i, int v) { put<<<1, 4>>>(x, i, v); }
__global__ void all_launch(int *x)
{
    const int i = threadIdx.x;
    put<<<1, 2 + i % 2>>>(x + 8 * i, 0, __shfl_xor_sync(~0u, i, 1));
    launch_from_function(x + 8 * i + 4, 0, i);
}

START_TEST(test_every_thread_its_own)
{
    int *x = (int *)managed(32 * 8 * sizeof(int));
    all_launch<<<1, 32>>>(x);
    ck_assert_int_eq(cudaDeviceSynchronize(), cudaSuccess);
    for (int i = 0; i < 32; i++)
        for (int k = 0; k < 8; k++) {
            const int threads = 2 + i % 2;
            ck_assert_int_eq(x[8 * i + k], k < threads ? (i ^ 1) * 100 + threads : k < 4 ? 0 : i * 100 + 4);
        }
    cudaFree(x);
}
END_TEST

// Work before a barrier and launches after it; shared memory by size; a grid in three dimensions.
__global__ void sum_up(const int *x, int *sum)
{
    extern __shared__ int part[];
    const int i = blockIdx.z * blockDim.x + threadIdx.x;
    part[threadIdx.x] = x[i];
    __syncthreads();
    for (int step = blockDim.x / 2; step; step /= 2) {
        if ((int)threadIdx.x < step)
            part[threadIdx.x] += part[threadIdx.x + step];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        atomicAdd(sum, part[0]);
}
__global__ void fill_then_sum(int *x, int *sum)
{
    x[threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (threadIdx.x == N - 1)
        sum_up<<<dim3(1, 1, 4), N / 4, N / 4 * sizeof(int)>>>(x, sum);
}

START_TEST(test_after_a_barrier)
{
    int *x = (int *)managed((N + 1) * sizeof(int));
    fill_then_sum<<<1, N>>>(x, x + N);
    ck_assert_int_eq(cudaDeviceSynchronize(), cudaSuccess);
    ck_assert_int_eq(x[N], N * (N - 1) / 2);
    cudaFree(x);
}
END_TEST

// Memory: from the device's heap, copied and set in the order of a stream.
__global__ void add_and_free(int *from, int *to)
{
    *to = from[0] + from[1];
    cudaFree(from);
}
__global__ void memory(int *source, int *to, int *status)
{
    int *mine;
    status[0] = cudaMalloc(&mine, 2 * sizeof(int));
    status[1] = cudaMemsetAsync(mine, 0, 2 * sizeof(int));
    status[2] = cudaMemcpyAsync(mine, source, sizeof(int), cudaMemcpyDeviceToDevice, 0);
    add_and_free<<<1, 1>>>(mine, to);
    void *none = source;
    status[3] = cudaMalloc(&none, ~(size_t)0 / 2);
    status[4] = none == NULL;
    status[5] = cudaFree(source);
    int device = -1, limit = 0;
    status[6] = cudaGetDevice(&device);
    cudaDeviceGetAttribute(&limit, cudaDevAttrMaxThreadsPerBlock, device);
    status[7] = limit;
}

START_TEST(test_memory)
{
    int *to = (int *)managed(16 * sizeof(int)), *d, five = 5;
    cudaMalloc(&d, sizeof(int));
    cudaMemcpy(d, &five, sizeof five, cudaMemcpyHostToDevice);
    memory<<<1, 1>>>(d, to, to + 1);
    ck_assert_int_eq(cudaDeviceSynchronize(), cudaSuccess);
    const int want[] = {5, cudaSuccess, cudaSuccess, cudaSuccess, cudaErrorMemoryAllocation, 1, cudaErrorInvalidValue, cudaSuccess, 1024};
    for (int i = 0; i < 9; i++)
        ck_assert_msg(to[i] == want[i], "%d is %d, not %d", i, to[i], want[i]);
    cudaFree(to);
    cudaFree(d);
}
END_TEST

// Errors are each thread's own, and not the host's.
__global__ void nothing() {}
__global__ void errors(int *e, cudaStream_t host_stream)
{
    const int i = threadIdx.x;
    if (i % 2)
        nothing<<<1, 2000>>>();
    __syncthreads();
    e[i] = cudaPeekAtLastError();
    e[32 + i] = cudaGetLastError();
    e[64 + i] = cudaGetLastError();
    if (i)
        return;
    nothing<<<1, 1, 0, host_stream>>>();
    e[96] = cudaGetLastError();
    nothing<<<1, 1, 0, cudaStreamLegacy>>>();
    e[97] = cudaGetLastError();
    cudaStream_t s;
    e[98] = cudaStreamCreateWithFlags(&s, cudaStreamDefault);
    cudaEvent_t v;
    e[99] = cudaEventCreateWithFlags(&v, cudaEventDefault);
    e[100] = cudaEventCreateWithFlags(&v, cudaEventDisableTiming);
    e[101] = cudaEventRecord(v, cudaStreamTailLaunch);
    e[102] = cudaStreamWaitEvent(cudaStreamFireAndForget, v);
    cudaEventDestroy(v);
}

START_TEST(test_errors)
{
    int *e = (int *)managed(128 * sizeof(int));
    cudaStream_t s;
    cudaStreamCreate(&s);
    errors<<<1, 32>>>(e, s);
    ck_assert_int_eq(cudaDeviceSynchronize(), cudaSuccess);
    ck_assert_int_eq(cudaGetLastError(), cudaSuccess);
    for (int i = 0; i < 32; i++) {
        ck_assert_int_eq(e[i], i % 2 ? cudaErrorInvalidValue : cudaSuccess);
        ck_assert_int_eq(e[32 + i], e[i]);
        ck_assert_int_eq(e[64 + i], cudaSuccess);
    }
    const int want[] = {cudaErrorInvalidResourceHandle, cudaErrorInvalidResourceHandle, cudaErrorInvalidValue, cudaErrorInvalidValue,
                        cudaSuccess, cudaErrorInvalidValue, cudaErrorInvalidValue};
    for (int i = 0; i < 7; i++)
        ck_assert_msg(e[96 + i] == want[i], "%d is %d, not %d", 96 + i, e[96 + i], want[i]);
    // what belongs to kernels is nothing to the host
    nothing<<<1, 1, 0, cudaStreamTailLaunch>>>();
    ck_assert_int_eq(cudaGetLastError(), cudaErrorInvalidResourceHandle);
    cudaStreamDestroy(s);
    cudaFree(e);
}
END_TEST

__global__ void deeper(int *deepest, int *last, int level)
{
    *deepest = level;
    deeper<<<1, 1>>>(deepest, last, level + 1);
    *last = cudaGetLastError();
}

START_TEST(test_depth)
{
    int *x = (int *)managed(2 * sizeof(int));
    deeper<<<1, 1>>>(x, x + 1, 0);
    ck_assert_int_eq(cudaDeviceSynchronize(), cudaSuccess);
    ck_assert_int_eq(x[0], 24);
    cudaFree(x);
}
END_TEST

// What fails in a child fails for the host.
__global__ void crash(int *p) { *p = 1; }
__global__ void launches_crash(int *p) { crash<<<1, 1>>>(p); }
__global__ void calls_memcpy(int *p) { cudaMemcpy(p, p + 1, sizeof *p, cudaMemcpyDeviceToDevice); }

START_TEST(test_child_fails)
{
    launches_crash<<<1, 1>>>(NULL);
    ck_assert_int_eq(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
}
END_TEST

START_TEST(test_refused)
{
    calls_memcpy<<<1, 1>>>((int *)managed(8));
    ck_assert_int_eq(cudaDeviceSynchronize(), cudaErrorLaunchFailure);
}
END_TEST

// Many at once, from many blocks, while the host waits and helps.
__global__ void add(int *x, int v) { atomicAdd(x, v); }
__global__ void many(int *x)
{
    for (int i = 0; i < 16; i++)
        add<<<2, 2, 0, i % 2 ? cudaStreamFireAndForget : (cudaStream_t)0>>>(x, 1);
    add<<<1, 1, 0, cudaStreamTailLaunch>>>(x, 10000);
}

START_TEST(test_many)
{
    int *x = (int *)managed(sizeof(int));
    for (int round = 0; round < 20; round++) {
        *x = 0;
        many<<<8, 16>>>(x);
        ck_assert_int_eq(cudaDeviceSynchronize(), cudaSuccess);
        ck_assert_int_eq(*x, 8 * 16 * (16 * 4 + 10000));
    }
    cudaFree(x);
}
END_TEST

// Tools see each of them, as work of the host's call, and no call of the host's more than it made.
static int calls, kernels[4];
static unsigned correlations[4];
static void listen(void *, const cpudev_event *e)
{
    static const char *const names[] = {"_Z9launches2Pi", "_Z3addPii"};
    if (e->kind == CPUDEV_EVENT_API && !strcmp(e->name, "cudaLaunchKernel"))
        calls++;
    for (int i = 0; i < 2; i++)
        if (e->kind == CPUDEV_EVENT_KERNEL && !strcmp(e->name, names[i])) {
            __atomic_add_fetch(&kernels[i], 1, __ATOMIC_SEQ_CST);
            correlations[i] = e->correlation;
        }
}
__global__ void launches2(int *x)
{
    add<<<1, 4>>>(x, 1);
    add<<<1, 4>>>(x, 2);
}

START_TEST(test_tools)
{
    int *x = (int *)managed(sizeof(int));
    cpudev_event_clock clock;
    ck_assert_int_eq(cpudev_subscribe(listen, NULL, &clock), 0);
    launches2<<<1, 1>>>(x);
    ck_assert_int_eq(cudaDeviceSynchronize(), cudaSuccess);
    cpudev_unsubscribe();
    ck_assert_int_eq(*x, 12);
    ck_assert_int_eq(calls, 1);
    ck_assert_int_eq(kernels[0], 1);
    ck_assert_int_eq(kernels[1], 2);
    ck_assert(correlations[0] && correlations[0] == correlations[1]);
    cudaFree(x);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cpudevice: kernels that launch kernels");
    TCase *tests = tcase_create("nested");
    tcase_set_timeout(tests, TEST_SECONDS);
    tcase_add_test(tests, test_parent_ends_last);
    tcase_add_test(tests, test_order);
    tcase_add_test(tests, test_tail_of_tail);
    tcase_add_test(tests, test_event);
    tcase_add_test(tests, test_every_thread_its_own);
    tcase_add_test(tests, test_after_a_barrier);
    tcase_add_test(tests, test_memory);
    tcase_add_test(tests, test_errors);
    tcase_add_test(tests, test_depth);
    tcase_add_test(tests, test_child_fails);
    tcase_add_test(tests, test_refused);
    tcase_add_test(tests, test_many);
    tcase_add_test(tests, test_tools);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
