// graphs.cu: nodes of graphs by their parameters, capture into graphs that are there, flags of instantiation. Each graph writes
// digits behind each other, so that what a node does and when it comes is seen in one number; plain loops say which.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    OK(cudaDeviceSynchronize()); // a stream that does not block would not wait for the memset
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

typedef struct
    line { // in -> d, 3, graph [1 2], graph [4 5], -> out, 7 on the host; before: a set of d, and an empty node
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
    cudaGraphNodeParams kernel = of_kernel(args), from = of_copy(n.d, m.in), set = of_memset(n.d, 0),
                        host = of_host(m.out);
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

// An event that was recorded in a capture stands for nodes of its graph: when the graph is gone, nothing can wait for it,
// though the next capture's graph may lie where the first one's lay.
START_TEST(event_of_an_ended_capture)
{
    numbers n = some(0);
    cudaStream_t s, other;
    cudaEvent_t e;
    cudaGraph_t g;
    OK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    OK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
    OK(cudaEventCreate(&e));
    for (int i = 0; i < 2; i++) {
        OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
        append<<<1, 1, 0, s>>>(n.d, 1);
        cudaStreamCaptureStatus status = cudaStreamCaptureStatusActive;
        if (i == 0)
            OK(cudaEventRecord(e, s));
        else {
            ck_assert(cudaStreamWaitEvent(other, e) != cudaSuccess);
            OK(cudaStreamIsCapturing(other, &status));
            ck_assert_int_eq(status, cudaStreamCaptureStatusNone);
            OK(cudaStreamIsCapturing(s, &status));
            ck_assert_int_eq(status, cudaStreamCaptureStatusActive);
        }
        OK(cudaStreamEndCapture(s, &g));
        OK(cudaGraphDestroy(g));
        ck_assert(cudaStreamWaitEvent(other, e) != cudaSuccess);
        OK(cudaStreamIsCapturing(other, &status));
        ck_assert_int_eq(status, cudaStreamCaptureStatusNone);
    }
    OK(cudaEventRecord(e, other));
    OK(cudaStreamWaitEvent(s, e)); // recorded anew, out of captures
    OK(cudaEventDestroy(e));
    OK(cudaStreamDestroy(s));
    OK(cudaStreamDestroy(other));
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

template <class T, int n> __global__ void append_times(int *x, const T digit) { *x = *x * 10 + (int)digit * n; }

/* What was captured is given back, and changed: the function, its shape, and where its arguments are. */
START_TEST(parameters_of_captured_kernels)
{
    numbers n = some(0);
    cudaStream_t s;
    cudaGraph_t g;
    cudaGraphExec_t x;
    OK(cudaStreamCreate(&s));
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    append<<<1, 1, 0, s>>>(n.d, 1);
    append_times<long, 3><<<dim3(1, 1, 1), dim3(1, 1, 1), 16, s>>>(n.d, 2L);
    OK(cudaStreamEndCapture(s, &g));
    OK(cudaGraphInstantiate(&x, g, 0));
    cudaGraphNode_t nodes[2];
    size_t count = 2;
    OK(cudaGraphGetNodes(g, nodes, &count));
    cudaKernelNodeParams p;
    OK(cudaGraphKernelNodeGetParams(nodes[1], &p));
    ck_assert_uint_eq(p.sharedMemBytes, 16);
    ck_assert_uint_eq(p.blockDim.x, 1);
    ck_assert_int_eq(*(long *)p.kernelParams[1], 2);
    ck_assert_ptr_eq(*(int **)p.kernelParams[0], n.d);
    OK(cudaGraphKernelNodeGetParams(nodes[0], &p));
    ck_assert_ptr_eq(p.func, (void *)append);
    int digit = 5;
    void *args[] = {&n.d, &digit};
    p.kernelParams = args;
    OK(cudaGraphExecKernelNodeSetParams(x, nodes[0], &p));
    OK(cudaGraphLaunch(x, s));
    OK(cudaMemcpyAsync(n.out, n.d, sizeof *n.d, cudaMemcpyDeviceToHost, s));
    OK(cudaStreamSynchronize(s));
    ck_assert_int_eq(*n.out, 56);
    OK(cudaGraphExecDestroy(x));
    OK(cudaGraphDestroy(g));
    OK(cudaStreamDestroy(s));
    drop(n);
}
END_TEST

/* A kernel, then a kernel and a set of a word, then a copy behind both, then the host. */
typedef struct diamond {
    cudaGraph_t g;
    cudaGraphNode_t top, left, right, copy, host;
    int *word;
} diamond;

static diamond a_diamond(numbers n)
{
    diamond a;
    int one = 1, two = 2;
    void *first[] = {&n.d, &one}, *second[] = {&n.d, &two};
    OK(cudaMalloc((void **)&a.word, 3 * sizeof *a.word));
    OK(cudaGraphCreate(&a.g, 0));
    cudaGraphNodeParams p = of_kernel(first), q = of_kernel(second);
    OK(cudaGraphAddNode(&a.top, a.g, NULL, NULL, 0, &p));
    OK(cudaGraphAddNode(&a.left, a.g, &a.top, NULL, 1, &q));
    cudaMemsetParams set = {};
    set.dst = a.word, set.value = 0x01010101, set.elementSize = 4, set.width = 3, set.height = 1;
    OK(cudaGraphAddMemsetNode(&a.right, a.g, &a.top, 1, &set));
    cudaGraphNode_t both[] = {a.left, a.right};
    OK(cudaGraphAddMemcpyNode1D(&a.copy, a.g, both, 2, n.out, n.d, sizeof *n.d, cudaMemcpyDeviceToHost));
    cudaHostNodeParams host = {append_on_host, n.out};
    OK(cudaGraphAddHostNode(&a.host, a.g, &a.copy, 1, &host));
    return a;
}

static int launched(cudaGraph_t g, numbers n)
{
    cudaGraphExec_t x;
    OK(cudaMemset(n.d, 0, sizeof *n.d));
    OK(cudaGraphInstantiate(&x, g, 0));
    OK(cudaGraphLaunch(x, 0));
    OK(cudaDeviceSynchronize());
    OK(cudaGraphExecDestroy(x));
    return *n.out;
}

START_TEST(edges_are_told)
{
    numbers n = some(0);
    diamond a = a_diamond(n);
    cudaGraphNode_t nodes[8], to[8];
    size_t count = 8;
    OK(cudaGraphGetRootNodes(a.g, nodes, &count));
    ck_assert_uint_eq(count, 1);
    ck_assert_ptr_eq(nodes[0], a.top);
    ck_assert_ptr_null(nodes[1]);
    OK(cudaGraphGetEdges(a.g, NULL, NULL, NULL, &count));
    ck_assert_uint_eq(count, 5);
    count = 8;
    OK(cudaGraphGetEdges(a.g, nodes, to, NULL, &count));
    ck_assert_uint_eq(count, 5);
    ck_assert_ptr_eq(nodes[4], a.copy);
    ck_assert_ptr_eq(to[4], a.host);
    count = 1;
    OK(cudaGraphNodeGetDependencies(a.copy, nodes, NULL, &count));
    ck_assert_uint_eq(count, 1);
    count = 8;
    OK(cudaGraphNodeGetDependencies(a.copy, nodes, NULL, &count));
    ck_assert_uint_eq(count, 2);
    ck_assert_ptr_eq(nodes[1], a.right);
    count = 8;
    OK(cudaGraphNodeGetDependentNodes(a.top, nodes, NULL, &count));
    ck_assert_uint_eq(count, 2);
    ck_assert_ptr_eq(nodes[0], a.left);
    OK(cudaGraphDestroy(a.g));
    OK(cudaFree(a.word));
    drop(n);
}
END_TEST

START_TEST(parameters_are_told)
{
    numbers n = some(0);
    diamond a = a_diamond(n);
    cudaKernelNodeParams kernel;
    OK(cudaGraphKernelNodeGetParams(a.left, &kernel));
    ck_assert_ptr_eq(kernel.func, (void *)append);
    ck_assert_int_eq(*(int *)kernel.kernelParams[1], 2);
    cudaMemsetParams set;
    OK(cudaGraphMemsetNodeGetParams(a.right, &set));
    ck_assert_ptr_eq(set.dst, a.word);
    ck_assert_uint_eq(set.value, 0x01010101);
    ck_assert_uint_eq(set.elementSize, 4);
    ck_assert_uint_eq(set.width, 3);
    cudaMemcpy3DParms copy;
    OK(cudaGraphMemcpyNodeGetParams(a.copy, &copy));
    ck_assert_ptr_eq(copy.srcPtr.ptr, n.d);
    ck_assert_ptr_eq(copy.dstPtr.ptr, n.out);
    ck_assert_uint_eq(copy.extent.width, sizeof *n.d);
    ck_assert_int_eq(copy.kind, cudaMemcpyDeviceToHost);
    cudaHostNodeParams host;
    OK(cudaGraphHostNodeGetParams(a.host, &host));
    ck_assert_ptr_eq(host.userData, n.out);
    ck_assert_int_eq(cudaGraphHostNodeGetParams(a.top, &host), cudaErrorInvalidValue);
    ck_assert_int_eq(cudaGraphMemsetNodeGetParams(a.copy, &set), cudaErrorInvalidValue);
    OK(cudaGraphDestroy(a.g));
    OK(cudaFree(a.word));
    drop(n);
}
END_TEST

/* Nodes of an instance keep their meaning when others of the graph go. */
START_TEST(nodes_are_taken_out)
{
    numbers n = some(0);
    diamond a = a_diamond(n);
    ck_assert_int_eq(launched(a.g, n), 127);
    cudaGraph_t clone;
    cudaGraphExec_t x;
    OK(cudaGraphClone(&clone, a.g));
    OK(cudaGraphInstantiate(&x, a.g, 0));
    OK(cudaGraphDestroyNode(a.right));
    OK(cudaGraphDestroyNode(a.top));
    ck_assert_int_eq(launched(a.g, n), 27);
    OK(cudaGraphRemoveDependencies(a.g, &a.copy, &a.host, NULL, 1));
    size_t count = 0;
    OK(cudaGraphGetEdges(a.g, NULL, NULL, NULL, &count));
    ck_assert_uint_eq(count, 1);
    ck_assert_int_eq(cudaGraphRemoveDependencies(a.g, &a.copy, &a.host, NULL, 1), cudaErrorInvalidValue);
    cudaGraphNode_t found;
    OK(cudaGraphNodeFindInClone(&found, a.left, clone));
    OK(cudaGraphDestroyNode(found));
    ck_assert_int_eq(cudaGraphNodeFindInClone(&found, a.left, clone), cudaErrorInvalidValue);
    ck_assert_int_eq(launched(clone, n), 17);
    OK(cudaGraphNodeSetEnabled(x, a.left, 0));
    unsigned enabled = 2;
    OK(cudaGraphNodeGetEnabled(x, a.left, &enabled));
    ck_assert_uint_eq(enabled, 0);
    ck_assert_int_eq(cudaGraphNodeSetEnabled(x, a.host, 0), cudaErrorInvalidValue);
    OK(cudaMemset(n.d, 0, sizeof *n.d));
    OK(cudaGraphLaunch(x, 0));
    OK(cudaDeviceSynchronize());
    ck_assert_int_eq(*n.out, 17);
    OK(cudaGraphExecDestroy(x));
    OK(cudaGraphDestroy(clone));
    OK(cudaGraphDestroy(a.g));
    OK(cudaFree(a.word));
    drop(n);
}
END_TEST

START_TEST(a_graph_is_drawn)
{
    numbers n = some(0);
    diamond a = a_diamond(n);
    char path[] = "/tmp/graphXXXXXX", text[4096] = "";
    ck_assert_int_ge(mkstemp(path), 0);
    OK(cudaGraphDebugDotPrint(a.g, path, 0));
    FILE *f = fopen(path, "r");
    ck_assert_ptr_nonnull(f);
    ck_assert_uint_gt(fread(text, 1, sizeof text - 1, f), 0);
    fclose(f);
    remove(path);
    ck_assert_ptr_nonnull(strstr(text, "digraph"));
    ck_assert_ptr_nonnull(strstr(text, "->"));
    OK(cudaGraphDestroy(a.g));
    OK(cudaFree(a.word));
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
    tcase_add_test(tests, event_of_an_ended_capture);
    tcase_add_test(tests, flags_of_instantiation);
    tcase_add_test(tests, parameters_of_captured_kernels);
    tcase_add_test(tests, edges_are_told);
    tcase_add_test(tests, parameters_are_told);
    tcase_add_test(tests, nodes_are_taken_out);
    tcase_add_test(tests, a_graph_is_drawn);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
