// graphs.cu: nodes of graphs by their parameters, capture into graphs that are there, flags of instantiation. Each graph writes
// digits behind each other, so that what a node does and when it comes is seen in one number; plain loops say which.
#include <cuda_runtime.h>

#include "suite.h"

#define OK(call) ck_assert_int_eq(call, cudaSuccess)

__global__ void append(int *x, int digit) { *x = *x * 10 + digit; }

static void CUDART_CB append_on_host(void *x) { *(int *)x = *(int *)x * 10 + 7; }

typedef struct numbers { // device, and two of pinned host memory
    int *d, *in, *out;
} numbers;

static numbers some(int in)
{
    numbers n;
    OK(cudaMalloc((void **)&n.d, sizeof *n.d));
    OK(cudaMallocHost((void **)&n.in, sizeof *n.in));
    OK(cudaMallocHost((void **)&n.out, sizeof *n.out));
    OK(cudaMemset(n.d, 0, sizeof *n.d));
    *n.in = in;
    *n.out = -1;
    return n;
}

static void drop(numbers n)
{
    OK(cudaFree(n.d));
    OK(cudaFreeHost(n.in));
    OK(cudaFreeHost(n.out));
}

static cudaGraphNodeParams of_kernel(void **args)
{
    cudaGraphNodeParams p = {};
    p.type = cudaGraphNodeTypeKernel;
    p.kernel.func = (void *)append;
    p.kernel.gridDim = dim3(1);
    p.kernel.blockDim = dim3(1);
    p.kernel.kernelParams = args;
    return p;
}

static cudaGraphNodeParams of_memset(int *d, unsigned value)
{
    cudaGraphNodeParams p = {};
    p.type = cudaGraphNodeTypeMemset;
    p.memset.dst = d;
    p.memset.value = value;
    p.memset.elementSize = 1;
    p.memset.width = sizeof *d;
    p.memset.height = 1;
    return p;
}

static cudaGraphNodeParams of_copy(int *dst, int *src)
{
    cudaGraphNodeParams p = {};
    p.type = cudaGraphNodeTypeMemcpy;
    p.memcpy.copyParams.dstPtr = make_cudaPitchedPtr(dst, sizeof *dst, sizeof *dst, 1);
    p.memcpy.copyParams.srcPtr = make_cudaPitchedPtr(src, sizeof *src, sizeof *src, 1);
    p.memcpy.copyParams.extent = make_cudaExtent(sizeof *dst, 1, 1);
    p.memcpy.copyParams.kind = cudaMemcpyDefault;
    return p;
}

static cudaGraphNodeParams of_host(int *x)
{
    cudaGraphNodeParams p = {};
    p.type = cudaGraphNodeTypeHost;
    p.host.fn = append_on_host;
    p.host.userData = x;
    return p;
}

static cudaGraphNodeParams of_graph(cudaGraph_t g, cudaGraphChildGraphNodeOwnership ownership)
{
    cudaGraphNodeParams p = {};
    p.type = cudaGraphNodeTypeGraph;
    p.graph.graph = g;
    p.graph.ownership = ownership;
    return p;
}

static cudaGraphNode_t add(cudaGraph_t g, const cudaGraphNode_t *after, cudaGraphNodeParams p)
{
    cudaGraphNode_t node;
    OK(cudaGraphAddNode(&node, g, after, NULL, after ? 1 : 0, &p));
    cudaGraphNodeType type;
    OK(cudaGraphNodeGetType(node, &type));
    ck_assert_int_eq(type, p.type);
    return node;
}

static cudaGraphNode_t add_digit(cudaGraph_t g, const cudaGraphNode_t *after, int *d, int digit)
{
    void *args[] = {&d, &digit};
    return add(g, after, of_kernel(args));
}

static int read(const int *d)
{
    int x;
    OK(cudaDeviceSynchronize());
    OK(cudaMemcpy(&x, d, sizeof x, cudaMemcpyDeviceToHost));
    return x;
}

static int launch(cudaGraphExec_t exec, const int *out)
{
    OK(cudaGraphLaunch(exec, 0));
    OK(cudaDeviceSynchronize());
    return *out;
}

typedef struct line { // in -> d, 3, graph [1 2], graph [4 5], -> out, 7 on the host; before: a set of d, and an empty node
    cudaGraph_t g;
    cudaGraphNode_t set, in, digit, child, out, host;
} line;

static line make(numbers n)
{
    line l;
    cudaGraph_t inner[2];
    cudaGraphNodeParams empty = {};
    empty.type = cudaGraphNodeTypeEmpty;
    OK(cudaGraphCreate(&l.g, 0));
    for (int i = 0; i < 2; i++) {
        OK(cudaGraphCreate(&inner[i], 0));
        cudaGraphNode_t first = add_digit(inner[i], NULL, n.d, 1 + 3 * i);
        add_digit(inner[i], &first, n.d, 2 + 3 * i);
    }
    l.set = add(l.g, NULL, of_memset(n.d, 0xff));
    cudaGraphNode_t at = add(l.g, &l.set, empty);
    at = l.in = add(l.g, &at, of_copy(n.d, n.in));
    at = l.digit = add_digit(l.g, &at, n.d, 3);
    at = l.child = add(l.g, &at, of_graph(inner[0], cudaGraphChildGraphOwnershipClone));
    at = add(l.g, &at, of_graph(inner[1], cudaGraphChildGraphOwnershipMove));
    at = l.out = add(l.g, &at, of_copy(n.out, n.d));
    l.host = add(l.g, &at, of_host(n.out));
    OK(cudaGraphDestroy(inner[0])); // the node has a copy
    return l;
}

START_TEST(nodes_of_each_kind)
{
    numbers n = some(8);
    line l = make(n);
    cudaGraphExec_t exec;
    OK(cudaGraphInstantiate(&exec, l.g, 0));
    OK(cudaGraphDestroy(l.g));
    ck_assert_int_eq(launch(exec, n.out), 8312457);
    *n.in = 9;
    ck_assert_int_eq(launch(exec, n.out), 9312457);
    OK(cudaGraphExecDestroy(exec));
    drop(n);
}
END_TEST

// What is changed in the graph is seen by what is instantiated later, what is changed in that by nobody else.
START_TEST(parameters_are_changed)
{
    numbers n = some(8), m = some(6);
    line l = make(n);
    cudaGraphExec_t early, late;
    int nine = 9;
    void *args[] = {&n.d, &nine};
    cudaGraphNodeParams kernel = of_kernel(args), from = of_copy(n.d, m.in), set = of_memset(n.d, 0), host = of_host(m.out);
    cudaGraph_t inner;
    OK(cudaGraphCreate(&inner, 0));
    cudaGraphNode_t first = add_digit(inner, NULL, n.d, 5);
    add_digit(inner, &first, n.d, 6);
    cudaGraphNodeParams graph = of_graph(inner, cudaGraphChildGraphOwnershipClone);

    OK(cudaGraphInstantiate(&early, l.g, 0));
    OK(cudaGraphNodeSetParams(l.digit, &kernel));
    OK(cudaGraphNodeSetParams(l.in, &from));
    OK(cudaGraphInstantiate(&late, l.g, 0));
    ck_assert_int_eq(launch(early, n.out), 8312457);
    ck_assert_int_eq(launch(late, n.out), 6912457);

    OK(cudaGraphExecNodeSetParams(early, l.digit, &kernel));
    ck_assert_int_eq(launch(early, n.out), 8912457);
    OK(cudaGraphExecNodeSetParams(early, l.child, &graph));
    ck_assert_int_eq(launch(early, n.out), 8956457);
    OK(cudaGraphExecNodeSetParams(early, l.in, &from));
    OK(cudaGraphExecNodeSetParams(early, l.set, &set));
    *m.out = 1;
    OK(cudaGraphExecNodeSetParams(early, l.host, &host));
    ck_assert_int_eq(launch(early, n.out), 695645);
    ck_assert_int_eq(*m.out, 17);
    ck_assert_int_eq(launch(late, n.out), 6912457);

    ck_assert_int_ne(cudaGraphNodeSetParams(l.digit, &from), cudaSuccess); // of another kind
    ck_assert_int_ne(cudaGraphExecNodeSetParams(early, l.digit, &from), cudaSuccess);
    ck_assert_int_eq(launch(late, n.out), 6912457);
    OK(cudaGraphExecDestroy(early));
    OK(cudaGraphExecDestroy(late));
    OK(cudaGraphDestroy(inner));
    OK(cudaGraphDestroy(l.g));
    drop(n);
    drop(m);
}
END_TEST

// A copy alone in its graph, whose parameters are of the older kinds.
START_TEST(older_calls_change_too)
{
    numbers n = some(4), m = some(5);
    cudaGraph_t g;
    cudaGraphNode_t set, copy;
    cudaGraphExec_t exec;
    OK(cudaGraphCreate(&g, 0));
    set = add(g, NULL, of_memset(n.d, 1));
    OK(cudaGraphAddMemcpyNode1D(&copy, g, &set, 1, n.out, n.d, sizeof *n.d, cudaMemcpyDeviceToHost));
    OK(cudaGraphInstantiate(&exec, g, 0));
    ck_assert_int_eq(launch(exec, n.out), 0x01010101);
    const cudaMemsetParams two = {n.d, 0, 2, 1, sizeof *n.d, 1};
    OK(cudaGraphExecMemsetNodeSetParams(exec, set, &two));
    ck_assert_int_eq(launch(exec, n.out), 0x02020202);
    OK(cudaGraphExecMemcpyNodeSetParams1D(exec, copy, m.out, n.d, sizeof *n.d, cudaMemcpyDeviceToHost));
    *n.out = 0;
    ck_assert_int_eq(launch(exec, n.out), 0);
    ck_assert_int_eq(*m.out, 0x02020202);
    OK(cudaGraphMemsetNodeSetParams(set, &two));
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphInstantiate(&exec, g, 0));
    ck_assert_int_eq(launch(exec, n.out), 0x02020202);
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(g));
    drop(n);
    drop(m);
}
END_TEST

// 1 stands in the graph; 2 and 3 are captured behind it, between them 4 is put in by hand; then 5 is captured behind all.
START_TEST(capture_into_a_graph)
{
    numbers n = some(0);
    cudaStream_t s;
    cudaGraph_t g, same = NULL;
    OK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    OK(cudaGraphCreate(&g, 0));
    cudaGraphNode_t one = add_digit(g, NULL, n.d, 1);
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusActive;
    OK(cudaStreamGetCaptureInfo(s, &status));
    ck_assert_int_eq(status, cudaStreamCaptureStatusNone);
    ck_assert_int_eq(cudaStreamUpdateCaptureDependencies(s, &one, NULL, 1, 0), cudaErrorIllegalState);

    OK(cudaStreamBeginCaptureToGraph(s, g, &one, NULL, 1, cudaStreamCaptureModeThreadLocal));
    const cudaGraphNode_t *last;
    const cudaGraphEdgeData *edges;
    size_t count = 0;
    unsigned long long id[2] = {};
    OK(cudaStreamGetCaptureInfo(s, &status, NULL, NULL, &last, &edges, &count));
    ck_assert_uint_eq(count, 1);
    ck_assert_ptr_eq(last[0], one);
    append<<<1, 1, 0, s>>>(n.d, 2);
    OK(cudaStreamGetCaptureInfo(s, &status, &id[0], &same, &last, &edges, &count));
    ck_assert_int_eq(status, cudaStreamCaptureStatusActive);
    ck_assert_ptr_eq(same, g);
    ck_assert_uint_eq(count, 1);
    cudaGraphNode_t four = add_digit(g, last, n.d, 4);
    OK(cudaStreamUpdateCaptureDependencies(s, &four, NULL, 1, cudaStreamSetCaptureDependencies));
    append<<<1, 1, 0, s>>>(n.d, 3);
    OK(cudaStreamGetCaptureInfo(s, &status, NULL, NULL, &last, &edges, &count));
    ck_assert_uint_eq(count, 1);
    cudaGraphNode_t three = *last;
    OK(cudaStreamEndCapture(s, NULL));

    OK(cudaStreamBeginCaptureToGraph(s, g, NULL, NULL, 0, cudaStreamCaptureModeGlobal));
    OK(cudaStreamUpdateCaptureDependencies(s, &three, NULL, 1, cudaStreamAddCaptureDependencies));
    OK(cudaStreamGetCaptureInfo(s, &status, &id[1]));
    ck_assert(id[0] == id[1]); // the graph's
    append<<<1, 1, 0, s>>>(n.d, 5);
    OK(cudaStreamEndCapture(s, &same));
    ck_assert_ptr_eq(same, g);

    OK(cudaGraphGetNodes(g, NULL, &count));
    ck_assert_uint_eq(count, 5);
    cudaGraphExec_t exec;
    OK(cudaGraphInstantiate(&exec, g, 0));
    OK(cudaGraphLaunch(exec, s));
    OK(cudaStreamSynchronize(s));
    ck_assert_int_eq(read(n.d), 12435);
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(g));
    OK(cudaStreamDestroy(s));
    drop(n);
}
END_TEST

START_TEST(flags_of_instantiation)
{
    numbers n = some(2);
    line l = make(n);
    cudaGraphExec_t exec;
    unsigned long long flags = 99;
    OK(cudaGraphInstantiate(&exec, l.g, cudaGraphInstantiateFlagUseNodePriority));
    OK(cudaGraphExecGetFlags(exec, &flags));
    ck_assert_uint_eq(flags, 0); // it is not told
    ck_assert_int_eq(launch(exec, n.out), 2312457);
    OK(cudaGraphExecDestroy(exec));
    ck_assert_int_eq(cudaGraphInstantiate(&exec, l.g, 1u << 20), cudaErrorInvalidValue);

    cudaGraphInstantiateParams p = {};
    p.flags = cudaGraphInstantiateFlagUpload;
    p.result_out = cudaGraphInstantiateError;
    cudaStream_t s;
    OK(cudaStreamCreate(&s));
    p.uploadStream = s;
    OK(cudaGraphInstantiateWithParams(&exec, l.g, &p));
    ck_assert_int_eq(p.result_out, cudaGraphInstantiateSuccess);
    ck_assert_int_eq(launch(exec, n.out), 2312457);
    OK(cudaGraphExecDestroy(exec));
    OK(cudaStreamDestroy(s));
    OK(cudaGraphDestroy(l.g));
    drop(n);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("graphs");
    TCase *tests = tcase_create("nodes");
    tcase_set_timeout(tests, TEST_SECONDS);
    tcase_add_test(tests, nodes_of_each_kind);
    tcase_add_test(tests, parameters_are_changed);
    tcase_add_test(tests, older_calls_change_too);
    tcase_add_test(tests, capture_into_a_graph);
    tcase_add_test(tests, flags_of_instantiation);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
