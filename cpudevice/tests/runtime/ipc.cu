// A test for the CPU device only.
// Memory of one process, used by another: what kernels of both leave behind is compared with what the host works out.
#include <check.h>
#include <cuda.h>
#include <cuda_runtime.h>

#include <stdlib.h>
#include <string.h>

#include "peer.cuh"
#include "suite.h"

__global__ void fill(int *x, int n, int factor, int plus)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        x[i] = factor * i + plus;
}

__global__ void add(int *x, int n, int y)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        x[i] += y * (i % 7);
}

// x[i] = factor i + plus + times (i % 7)
static void is_filled(const int *x, int n, int factor, int plus, int times)
{
    int *got = (int *)malloc((size_t)n * sizeof *got), wrong = 0;
    OK(cudaMemcpy(got, x, (size_t)n * sizeof *got, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++)
        wrong += got[i] != factor * i + plus + times * (i % 7);
    free(got);
    IS(wrong, 0);
}

// Sizes around a page, and one of many; the three arrays of a size lie side by side, and the middle one is shared.
static const int sizes[] = {1, 100, 1024, 3001, 5000000};
enum { SIZES = sizeof sizes / sizeof *sizes };

static void other_memory(const peer *p)
{
    for (int k = 0; k < SIZES; k++) {
        const int n = sizes[k];
        cudaIpcMemHandle_t handle;
        int *x;
        CUdeviceptr again;
        cudaPointerAttributes attributes;
        hear(p, &handle, sizeof handle);
        IS(cudaIpcOpenMemHandle((void **)&x, handle, 0), cudaErrorInvalidValue);
        OK(cudaIpcOpenMemHandle((void **)&x, handle, cudaIpcMemLazyEnablePeerAccess));
        CUipcMemHandle same;
        memcpy(&same, &handle, sizeof same);
        OK(cuIpcOpenMemHandle(&again, same, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS));
        IS(again, x);
        OK(cuIpcCloseMemHandle(again)); // the first of the two is left
        OK(cudaPointerGetAttributes(&attributes, x));
        IS(attributes.type, cudaMemoryTypeDevice);
        IS(cudaMemset(x, 0, (size_t)n * sizeof *x + 1), cudaErrorInvalidValue);
        is_filled(x, n, 2, k, 0);
        add<<<3, 128>>>(x, n, 5);
        OK(cudaDeviceSynchronize());
        meet(p);
        meet(p); // the first process has filled it anew
        is_filled(x, n, 3, k, 0);
        OK(cudaIpcCloseMemHandle(x));
        IS(cudaIpcCloseMemHandle(x), cudaErrorInvalidValue);
        IS(cudaMemset(x, 0, 1), cudaErrorInvalidValue); // it is nothing any more
        meet(p);
    }
}

START_TEST(test_memory)
{
    const peer p = other("memory");
    for (int k = 0; k < SIZES; k++) {
        const int n = sizes[k];
        int *x[3];
        cudaIpcMemHandle_t handle, inner;
        for (int i = 0; i < 3; i++) {
            OK(cudaMalloc((void **)&x[i], (size_t)n * sizeof *x[i]));
            fill<<<4, 64>>>(x[i], n, i + 1, k);
        }
        OK(cudaIpcGetMemHandle(&handle, x[1]));
        OK(cudaIpcGetMemHandle(&inner, x[1] + n - 1));
        IS(memcmp(&inner, &handle, sizeof handle), 0);
        say(&p, &handle, sizeof handle);
        meet(&p);
        is_filled(x[0], n, 1, k, 0);
        is_filled(x[1], n, 2, k, 5);
        is_filled(x[2], n, 3, k, 0);
        fill<<<4, 64>>>(x[1], n, 3, k);
        OK(cudaDeviceSynchronize());
        meet(&p);
        meet(&p);
        for (int i = 2; i >= 0; i--)
            OK(cudaFree(x[i]));
    }
    ended_well(&p);
}
END_TEST

static void other_refused(const peer *p)
{
    cudaIpcMemHandle_t handle;
    int *x, *old;
    hear(p, &handle, sizeof handle);
    OK(cudaIpcOpenMemHandle((void **)&old, handle, cudaIpcMemLazyEnablePeerAccess));
    IS(cudaIpcGetMemHandle(&handle, old), cudaErrorInvalidValue); // another's
    IS(cudaFree(old), cudaErrorInvalidValue);
    meet(p); // the first process frees it
    hear(p, &handle, sizeof handle);
#ifdef __CUCC__ /* an H200 gives what is open once more; CUDA leaves it undefined */
    IS(cudaIpcOpenMemHandle((void **)&x, handle, cudaIpcMemLazyEnablePeerAccess), cudaErrorInvalidResourceHandle);
#endif
    fill<<<1, 64>>>(old, 1000, 1, 1); // CUDA does not say what happens: here it is seen by nobody
    OK(cudaIpcCloseMemHandle(old));
    memset(&handle, 0x5a, sizeof handle);
#ifdef __CUCC__ /* an H200 does not look at every byte: what it says of these was not tried */
    IS(cudaIpcOpenMemHandle((void **)&x, handle, cudaIpcMemLazyEnablePeerAccess), cudaErrorInvalidResourceHandle);
#endif
    meet(p);
}

START_TEST(test_refused)
{
    const peer p = other("refused");
    cudaIpcMemHandle_t handle, gone, unused, next;
    int *x, *y, *managed, *pinned, here;
    OK(cudaMalloc((void **)&x, 1000 * sizeof *x));
    OK(cudaMalloc((void **)&y, 1000 * sizeof *y));
    OK(cuIpcGetMemHandle((CUipcMemHandle *)(void *)&gone, (CUdeviceptr)y));
    OK(cudaFree(y));
    OK(cudaMallocManaged((void **)&managed, 4));
    OK(cudaMallocHost((void **)&pinned, 4));
    OK(cudaIpcGetMemHandle(&handle, x));
    cudaEvent_t timed;
    IS(cudaEventCreateWithFlags(&timed, cudaEventInterprocess), cudaErrorInvalidValue);
#ifdef __CUCC__ /* NVIDIA's library reads it */
    IS(cudaIpcGetMemHandle(NULL, x), cudaErrorInvalidValue);
#endif
    IS(cudaIpcGetMemHandle(&unused, NULL), cudaErrorInvalidValue);
    IS(cudaIpcGetMemHandle(&unused, &here), cudaErrorInvalidValue);
    IS(cudaIpcGetMemHandle(&unused, managed), cudaErrorInvalidValue);
    IS(cudaIpcGetMemHandle(&unused, pinned), cudaErrorInvalidValue);
    IS(cudaIpcOpenMemHandle((void **)&y, handle, cudaIpcMemLazyEnablePeerAccess), cudaErrorDeviceUninitialized);
    IS(cudaIpcCloseMemHandle(x), cudaErrorInvalidValue);
    say(&p, &handle, sizeof handle);
    meet(&p);
    OK(cudaFree(x));
    say(&p, &gone, sizeof gone);
    OK(cudaMalloc((void **)&x, 1000 * sizeof *x));
    fill<<<1, 64>>>(x, 1000, 2, 2);
    meet(&p);
    is_filled(x, 1000, 2, 2, 0);
    OK(cudaIpcGetMemHandle(&next, x)); // may lie where the first one lay: another handle all the same
    IS(memcmp(&next, &handle, sizeof handle) == 0, false);
    OK(cudaFree(x));
    OK(cudaFree(managed));
    OK(cudaFreeHost(pinned));
    ended_well(&p);
}
END_TEST

// Arrays come and go, of which some are shared, many to a page: what each holds stays.
enum { MOST = 40, STEPS = 600, ARRAYS = 5000 };
typedef struct {
    unsigned n, seed;
    int *x;
    bool has_handle;
    cudaIpcMemHandle_t handle;
} array;

static void holds(const array *a)
{
    int got[ARRAYS];
    OK(cudaMemcpy(got, a->x, a->n * sizeof *got, cudaMemcpyDeviceToHost));
    for (unsigned i = 0; i < a->n; i++)
        IS(got[i], (int)(a->seed + i * 7919));
}

static void other_pages(const peer *p)
{
    array a;
    for (hear(p, &a, sizeof a); a.n; hear(p, &a, sizeof a)) {
        OK(cudaIpcOpenMemHandle((void **)&a.x, a.handle, cudaIpcMemLazyEnablePeerAccess));
        holds(&a);
        OK(cudaMemset(a.x, 1, a.n * sizeof *a.x));
        OK(cudaIpcCloseMemHandle(a.x));
        meet(p);
    }
}

START_TEST(test_pages)
{
    const peer p = other("pages");
    static array arrays[MOST];
    int host[ARRAYS], ones = 0x01010101;
    srand(11);
    for (unsigned step = 0; step < STEPS; step++) {
        array *a = &arrays[rand() % MOST];
        if (a->n) {
            holds(a);
            OK(cudaFree(a->x));
            a->n = 0;
            continue;
        }
        *a = (array){};
        a->n = 1 + (unsigned)rand() % (rand() % 3 ? 200 : ARRAYS);
        a->seed = step * 1000003;
        for (unsigned i = 0; i < a->n; i++)
            host[i] = (int)(a->seed + i * 7919);
        OK(cudaMalloc((void **)&a->x, a->n * sizeof *host));
        OK(cudaMemcpy(a->x, host, a->n * sizeof *host, cudaMemcpyHostToDevice));
        a->has_handle = rand() % 2;
        if (a->has_handle)
            OK(cudaIpcGetMemHandle(&a->handle, a->x));
    }
    for (int i = 0; i < MOST; i++)
        if (arrays[i].n && arrays[i].has_handle) {
            say(&p, &arrays[i], sizeof arrays[i]);
            meet(&p);
            OK(cudaMemcpy(host, arrays[i].x, arrays[i].n * sizeof *host, cudaMemcpyDeviceToHost));
            for (unsigned k = 0; k < arrays[i].n; k++)
                IS(host[k], ones);
        }
    for (int i = 0; i < MOST; i++)
        if (arrays[i].n && !arrays[i].has_handle)
            holds(&arrays[i]);
    const array end = {};
    say(&p, &end, sizeof end);
    ended_well(&p);
    OK(cudaDeviceReset()); // frees all
}
END_TEST

static const struct {
    const char *name;
    void (*play)(const peer *);
} parts[] = {{"memory", other_memory}, {"refused", other_refused}, {"pages", other_pages}};

int main(int count, char **arguments)
{
    for (const auto &part : parts)
        if (count == 4 && !strcmp(arguments[1], part.name)) {
            const peer p = {0, atoi(arguments[2]), atoi(arguments[3])};
            plays_a_part = true;
            part.play(&p);
            return 0;
        }
    Suite *suite = suite_create("cpudevice: between processes");
    TCase *tests = tcase_create("between processes");
    tcase_set_timeout(tests, TEST_SECONDS);
    tcase_add_test(tests, test_memory);
    tcase_add_test(tests, test_refused);
    tcase_add_test(tests, test_pages);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
