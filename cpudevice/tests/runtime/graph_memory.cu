// graph_memory.cu: memory that graphs allocate and free: by nodes, and by cudaMallocAsync and cudaFreeAsync in a capture. What
// comes out is compared with plain loops of the host.
#include <string.h>

#include <cuda_runtime.h>

#include "suite.h"

#define OK(call) ck_assert_int_eq(call, cudaSuccess)

enum { N = 1 << 20 }; // elements: 4 MB
static const size_t BYTES = N * sizeof(int);

__global__ void fill(int *x, int n, const int *first)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n)
        x[i] = *first + 3 * i;
}

__global__ void add_squares(int *out, const int *x, int n)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n)
        out[i] = x[i] + (i % 100) * (i % 100);
}

typedef struct sides { // pinned: what the graphs read and write
    int *first, *out;
    cudaStream_t stream;
} sides;

static sides prepare(void)
{
    sides s;
    OK(cudaMallocHost((void **)&s.first, sizeof *s.first));
    OK(cudaMallocHost((void **)&s.out, BYTES));
    OK(cudaStreamCreateWithFlags(&s.stream, cudaStreamNonBlocking));
    *s.first = 0;
    memset(s.out, 0xff, BYTES);
    return s;
}

static void finish(sides s)
{
    OK(cudaStreamDestroy(s.stream));
    OK(cudaFreeHost(s.first));
    OK(cudaFreeHost(s.out));
}

static cudaMemAllocNodeParams room(size_t bytes)
{
    cudaMemAllocNodeParams p = {};
    p.poolProps.allocType = cudaMemAllocationTypePinned;
    p.poolProps.location.type = cudaMemLocationTypeDevice;
    p.bytesize = bytes;
    return p;
}

static cudaGraphNode_t add_kernel(cudaGraph_t g, cudaGraphNode_t after, void *kernel, void **args)
{
    cudaGraphNode_t node;
    cudaKernelNodeParams p = {};
    p.func = kernel;
    p.gridDim = dim3((N + 255) / 256);
    p.blockDim = dim3(256);
    p.kernelParams = args;
    OK(cudaGraphAddKernelNode(&node, g, &after, 1, &p));
    return node;
}

// alloc x -> fill -> alloc y -> add_squares -> free x -> copy y to the host; *y is not freed. Returns the last node.
static cudaGraphNode_t build(cudaGraph_t g, sides s, int **y)
{
    cudaGraphNode_t at, node;
    cudaMemAllocNodeParams p = room(BYTES);
    int *x, n = N;
    OK(cudaGraphAddMemAllocNode(&at, g, NULL, 0, &p));
    x = (int *)p.dptr;
    void *fill_args[] = {&x, &n, &s.first};
    at = add_kernel(g, at, (void *)fill, fill_args);
    OK(cudaGraphAddMemAllocNode(&node, g, &at, 1, &p));
    *y = (int *)p.dptr;
    ck_assert_ptr_ne(*y, x);
    void *add_args[] = {y, &x, &n};
    at = add_kernel(g, node, (void *)add_squares, add_args);
    OK(cudaGraphAddMemFreeNode(&at, g, &at, 1, x));
    OK(cudaGraphAddMemcpyNode1D(&at, g, &at, 1, s.out, *y, BYTES, cudaMemcpyDeviceToHost));
    return at;
}

static void expect(sides s)
{
    OK(cudaStreamSynchronize(s.stream));
    for (int i = 0; i < N; i++)
        if (s.out[i] != *s.first + 3 * i + (i % 100) * (i % 100))
            ck_abort_msg("[%d]: %d, first is %d", i, s.out[i], *s.first);
    memset(s.out, 0xff, BYTES);
}

static void launch_and_expect(cudaGraphExec_t exec, sides s)
{
    *s.first += 5;
    OK(cudaGraphLaunch(exec, s.stream));
    expect(s);
}

START_TEST(nodes_allocate_and_free)
{
    sides s = prepare();
    cudaGraph_t g;
    cudaGraphExec_t exec;
    cudaGraphNode_t node, nodes[8];
    int *y;
    OK(cudaGraphCreate(&g, 0));
    node = build(g, s, &y);
    OK(cudaGraphAddMemFreeNode(&node, g, &node, 1, y));
    size_t count = 8, allocs = 0, frees = 0;
    OK(cudaGraphGetNodes(g, nodes, &count));
    ck_assert_uint_eq(count, 7);
    for (size_t i = 0; i < count; i++) {
        cudaGraphNodeType type;
        OK(cudaGraphNodeGetType(nodes[i], &type));
        allocs += type == cudaGraphNodeTypeMemAlloc;
        frees += type == cudaGraphNodeTypeMemFree;
    }
    ck_assert_uint_eq(allocs, 2);
    ck_assert_uint_eq(frees, 2);
    cudaMemAllocNodeParams p;
    void *freed = NULL;
    OK(cudaGraphMemAllocNodeGetParams(nodes[2], &p));
    ck_assert_ptr_eq(p.dptr, y);
    ck_assert_uint_eq(p.bytesize, BYTES);
    OK(cudaGraphMemFreeNodeGetParams(node, &freed));
    ck_assert_ptr_eq(freed, y);
    ck_assert_int_ne(cudaGraphMemFreeNodeGetParams(nodes[0], &freed), cudaSuccess);

    OK(cudaGraphInstantiate(&exec, g, 0));
    OK(cudaGraphDestroy(g));
    for (int i = 0; i < 3; i++)
        launch_and_expect(exec, s);
    OK(cudaGraphExecDestroy(exec));
    finish(s);
}
END_TEST

// The same by cudaMallocAsync and cudaFreeAsync in a capture, where one of the frees is another stream's.
START_TEST(captured)
{
    sides s = prepare();
    cudaStream_t other;
    cudaEvent_t filled, freed;
    cudaGraph_t g;
    cudaGraphExec_t exec;
    int *x, *y;
    const int blocks = (N + 255) / 256;
    OK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
    OK(cudaEventCreateWithFlags(&filled, cudaEventDisableTiming));
    OK(cudaEventCreateWithFlags(&freed, cudaEventDisableTiming));
    OK(cudaStreamBeginCapture(s.stream, cudaStreamCaptureModeGlobal));
    OK(cudaMallocAsync((void **)&x, BYTES, s.stream));
    fill<<<blocks, 256, 0, s.stream>>>(x, N, s.first);
    OK(cudaMallocAsync((void **)&y, BYTES, s.stream));
    add_squares<<<blocks, 256, 0, s.stream>>>(y, x, N);
    OK(cudaEventRecord(filled, s.stream));
    OK(cudaStreamWaitEvent(other, filled, 0));
    OK(cudaFreeAsync(x, other));
    OK(cudaEventRecord(freed, other));
    OK(cudaMemcpyAsync(s.out, y, BYTES, cudaMemcpyDeviceToHost, s.stream));
    OK(cudaFreeAsync(y, s.stream));
    OK(cudaStreamWaitEvent(s.stream, freed, 0));
    OK(cudaStreamEndCapture(s.stream, &g));
    size_t count = 0;
    OK(cudaGraphGetNodes(g, NULL, &count));
    ck_assert_uint_eq(count, 7);
    OK(cudaGraphInstantiate(&exec, g, 0));
    OK(cudaGraphDestroy(g));
    for (int i = 0; i < 3; i++)
        launch_and_expect(exec, s);
    OK(cudaGraphExecDestroy(exec));
    OK(cudaEventDestroy(filled));
    OK(cudaEventDestroy(freed));
    OK(cudaStreamDestroy(other));
    finish(s);
}
END_TEST

// What a graph leaves allocated can be used behind it, and is freed in three ways before the next launch.
START_TEST(freed_outside)
{
    sides s = prepare();
    cudaGraph_t g, frees;
    cudaGraphExec_t exec, frees_exec;
    cudaGraphNode_t node;
    int *y, *copy;
    OK(cudaMallocHost((void **)&copy, BYTES));
    OK(cudaGraphCreate(&g, 0));
    build(g, s, &y);
    OK(cudaGraphInstantiate(&exec, g, 0));
    OK(cudaGraphCreate(&frees, 0));
    OK(cudaGraphAddMemFreeNode(&node, frees, NULL, 0, y));
    OK(cudaGraphInstantiate(&frees_exec, frees, 0));
    for (int way = 0; way < 4; way++) {
        launch_and_expect(exec, s);
        ck_assert_int_eq(cudaGraphLaunch(exec, s.stream), cudaErrorInvalidValue); // not freed
        OK(cudaMemcpyAsync(copy, y, BYTES, cudaMemcpyDeviceToHost, s.stream));
        if (way == 1)
            OK(cudaGraphLaunch(frees_exec, s.stream));
        else if (way != 2)
            OK(cudaFreeAsync(y, s.stream));
        OK(cudaStreamSynchronize(s.stream));
        if (way == 2)
            OK(cudaFree(y));
        for (int i = 0; i < N; i += 1000)
            ck_assert_int_eq(copy[i], *s.first + 3 * i + (i % 100) * (i % 100));
    }
    OK(cudaGraphExecDestroy(frees_exec));
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(frees));
    OK(cudaGraphDestroy(g));
    OK(cudaFreeHost(copy));
    finish(s);
}
END_TEST

START_TEST(freed_by_the_next_launch)
{
    sides s = prepare();
    cudaGraph_t g;
    cudaGraphExec_t exec;
    int *y;
    OK(cudaGraphCreate(&g, 0));
    build(g, s, &y);
    OK(cudaGraphInstantiate(&exec, g, cudaGraphInstantiateFlagAutoFreeOnLaunch));
    for (int i = 0; i < 3; i++)
        launch_and_expect(exec, s);
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(g));
    OK(cudaMemcpy(s.out, y, BYTES, cudaMemcpyDeviceToHost)); // what the last one has left stays
    expect(s);
    OK(cudaFree(y));
    finish(s);
}
END_TEST

START_TEST(refused)
{
    sides s = prepare();
    cudaGraph_t g, copy, outer, small;
    cudaGraphExec_t exec, second;
    cudaGraphNode_t node, twice;
    int *y, *plain;
    OK(cudaMalloc((void **)&plain, 64));
    OK(cudaGraphCreate(&g, 0));
    OK(cudaGraphCreate(&outer, 0));
    OK(cudaGraphCreate(&small, 0));
    node = build(g, s, &y);
    OK(cudaGraphAddMemFreeNode(&node, g, &node, 1, y));
    ck_assert_int_eq(cudaGraphAddMemFreeNode(&twice, g, &node, 1, y), cudaErrorInvalidValue);
    ck_assert_int_eq(cudaGraphAddMemFreeNode(&twice, g, &node, 1, plain), cudaErrorInvalidValue);
    ck_assert_int_eq(cudaGraphClone(&copy, g), cudaErrorNotSupported);
    ck_assert_int_eq(cudaGraphAddChildGraphNode(&twice, outer, NULL, 0, g), cudaErrorNotSupported);
    OK(cudaGraphInstantiate(&exec, g, 0));
    ck_assert_int_eq(cudaGraphInstantiate(&second, g, 0), cudaErrorNotSupported);
    OK(cudaStreamBeginCapture(s.stream, cudaStreamCaptureModeThreadLocal));
    ck_assert_int_eq(cudaGraphLaunch(exec, s.stream), cudaErrorStreamCaptureUnsupported);
    ck_assert_int_eq(cudaStreamEndCapture(s.stream, &copy), cudaErrorStreamCaptureInvalidated);
    launch_and_expect(exec, s);
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphInstantiate(&second, g, 0));
    launch_and_expect(second, s);
    OK(cudaGraphExecDestroy(second));

    cudaMemAllocNodeParams p = room(64);
    p.poolProps.location.id = 77; // no such device
    ck_assert_int_ne(cudaGraphAddMemAllocNode(&node, small, NULL, 0, &p), cudaSuccess);
    OK(cudaStreamBeginCapture(s.stream, cudaStreamCaptureModeThreadLocal));
    ck_assert_int_eq(cudaFreeAsync(plain, s.stream), cudaErrorInvalidValue); // no graph's
    cudaStreamEndCapture(s.stream, &copy);
    OK(cudaGraphDestroy(g));
    OK(cudaGraphDestroy(outer));
    OK(cudaGraphDestroy(small));
    OK(cudaFree(plain));
    finish(s);
}
END_TEST

static unsigned long long attribute(cudaGraphMemAttributeType which)
{
    unsigned long long bytes = 99;
    OK(cudaDeviceGetGraphMemAttribute(0, which, &bytes));
    return bytes;
}

START_TEST(memory_is_counted)
{
    sides s = prepare();
    cudaGraph_t g;
    cudaGraphExec_t exec;
    int *y;
    ck_assert_uint_eq(attribute(cudaGraphMemAttrUsedMemCurrent), 0);
    OK(cudaGraphCreate(&g, 0));
    build(g, s, &y);
    OK(cudaGraphInstantiate(&exec, g, 0));
    ck_assert_uint_eq(attribute(cudaGraphMemAttrReservedMemCurrent), 0); // a launch does
    launch_and_expect(exec, s);
    ck_assert_uint_ge(attribute(cudaGraphMemAttrUsedMemCurrent), BYTES);
    ck_assert_uint_ge(attribute(cudaGraphMemAttrReservedMemHigh), 2 * BYTES);
    OK(cudaDeviceGraphMemTrim(0));
    ck_assert_uint_ge(attribute(cudaGraphMemAttrReservedMemCurrent), BYTES); // y is not freed
    OK(cudaFree(y));
    OK(cudaDeviceGraphMemTrim(0));
    ck_assert_uint_eq(attribute(cudaGraphMemAttrUsedMemCurrent), 0);
    ck_assert_uint_eq(attribute(cudaGraphMemAttrReservedMemCurrent), 0);
    ck_assert_uint_ge(attribute(cudaGraphMemAttrUsedMemHigh), BYTES);
    unsigned long long zero = 0;
    OK(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &zero));
    ck_assert_uint_eq(attribute(cudaGraphMemAttrUsedMemHigh), 0);
    ck_assert_int_ne(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &zero), cudaSuccess);
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(g));
    finish(s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("graphs' memory");
    TCase *tests = tcase_create("nodes");
    tcase_set_timeout(tests, TEST_SECONDS);
    tcase_add_test(tests, nodes_allocate_and_free);
    tcase_add_test(tests, captured);
    tcase_add_test(tests, freed_outside);
    tcase_add_test(tests, freed_by_the_next_launch);
    tcase_add_test(tests, refused);
    tcase_add_test(tests, memory_is_counted);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
