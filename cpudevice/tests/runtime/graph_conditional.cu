// graph_conditional.cu: nodes of graphs that run a graph of theirs if a value says so, while it does, or the one of its number.
// What they have written is compared with plain loops of the host.
#include <cuda_runtime.h>

#include "suite.h"

#define OK(call) ck_assert_int_eq(call, cudaSuccess)

typedef cudaGraphConditionalHandle handle;

enum { LENGTH = 512 };
typedef struct written { // digits in the order in which they came
    int count, i, j, x, digit[LENGTH];
} written;

__global__ void put(written *w, int digit) { w->digit[w->count++] = digit; }

// One step of Collatz's, which goes on until 1.
__global__ void collatz(written *w, handle h)
{
    w->x = w->x % 2 ? 3 * w->x + 1 : w->x / 2;
    w->count++;
    cudaGraphSetConditional(h, w->x != 1);
}

__global__ void choose(const written *w, handle h) { cudaGraphSetConditional(h, (unsigned)w->x); }

static cudaGraph_t new_graph(void)
{
    cudaGraph_t g;
    OK(cudaGraphCreate(&g, 0));
    return g;
}

static written *new_written(void)
{
    written *w;
    OK(cudaMallocManaged((void **)&w, sizeof *w));
    *w = written();
    return w;
}

static cudaError_t add_condition(cudaGraph_t g, cudaGraphNode_t *at, handle h, cudaGraphConditionalNodeType type, unsigned size,
                                 cudaGraph_t *bodies)
{
    cudaGraphNodeParams p = {};
    p.type = cudaGraphNodeTypeConditional;
    p.conditional.handle = h;
    p.conditional.type = type;
    p.conditional.size = size;
    const cudaError_t e = cudaGraphAddNode(at, g, *at ? at : NULL, NULL, *at ? 1 : 0, &p);
    for (unsigned i = 0; !e && i < size; i++)
        bodies[i] = p.conditional.phGraph_out[i];
    return e;
}

static void add_kernel(cudaGraph_t g, cudaGraphNode_t *at, void *kernel, void **args)
{
    cudaGraphNodeParams p = {};
    p.type = cudaGraphNodeTypeKernel;
    p.kernel.func = kernel;
    p.kernel.gridDim = p.kernel.blockDim = dim3(1);
    p.kernel.kernelParams = args;
    OK(cudaGraphAddNode(at, g, *at ? at : NULL, NULL, *at ? 1 : 0, &p));
}

static void add_put(cudaGraph_t g, cudaGraphNode_t *at, written *w, int digit)
{
    void *args[] = {&w, &digit};
    add_kernel(g, at, (void *)put, args);
}

static void add_choose(cudaGraph_t g, cudaGraphNode_t *at, written *w, handle h)
{
    void *args[] = {&w, &h};
    add_kernel(g, at, (void *)choose, args);
}

static cudaGraphExec_t instance(cudaGraph_t g)
{
    cudaGraphExec_t exec;
    OK(cudaGraphInstantiate(&exec, g, 0));
    OK(cudaGraphDestroy(g));
    return exec;
}

// The first step comes without a question: each launch sets the value to 1. The next launch follows in the stream.
START_TEST(while_it_is_set)
{
    written *w = new_written();
    cudaGraph_t g = new_graph(), body;
    cudaGraphNode_t at = NULL, inner = NULL;
    handle h;
    OK(cudaGraphConditionalHandleCreate(&h, g, 1, cudaGraphCondAssignDefault));
    OK(add_condition(g, &at, h, cudaGraphCondTypeWhile, 1, &body));
    void *args[] = {&w, &h};
    add_kernel(body, &inner, (void *)collatz, args);
    cudaGraphNodeType type;
    OK(cudaGraphNodeGetType(at, &type));
    ck_assert_int_eq(type, cudaGraphNodeTypeConditional);
    cudaGraphExec_t exec = instance(g);
    for (int start = 1; start < 30; start += 7) {
        int steps = 0, x = start;
        for (int launch = 0; launch < 2; launch++)
            do {
                x = x % 2 ? 3 * x + 1 : x / 2;
                steps++;
            } while (x != 1);
        w->x = start;
        w->count = 0;
        OK(cudaGraphLaunch(exec, 0));
        OK(cudaGraphLaunch(exec, 0));
        OK(cudaDeviceSynchronize());
        ck_assert_int_eq(w->x, 1);
        ck_assert_int_eq(w->count, steps);
    }
    OK(cudaGraphExecDestroy(exec));
    OK(cudaFree(w));
}
END_TEST

// if [1 2] else [3], if [4], switch [5] [6 7] [8], behind each other, with the value 0 to 4.
START_TEST(one_of_several)
{
    written *w = new_written();
    cudaGraph_t g = new_graph(), body[3];
    cudaGraphNode_t at = NULL, inner;
    handle h[3];
    for (int i = 0; i < 3; i++)
        OK(cudaGraphConditionalHandleCreate(&h[i], g));
    for (int i = 0; i < 3; i++)
        add_choose(g, &at, w, h[i]);
    OK(add_condition(g, &at, h[0], cudaGraphCondTypeIf, 2, body));
    add_put(body[0], &(inner = NULL), w, 1);
    add_put(body[0], &inner, w, 2);
    add_put(body[1], &(inner = NULL), w, 3);
    OK(add_condition(g, &at, h[1], cudaGraphCondTypeIf, 1, body));
    add_put(body[0], &(inner = NULL), w, 4);
    OK(add_condition(g, &at, h[2], cudaGraphCondTypeSwitch, 3, body));
    add_put(body[0], &(inner = NULL), w, 5);
    add_put(body[1], &(inner = NULL), w, 6);
    add_put(body[1], &inner, w, 7);
    add_put(body[2], &(inner = NULL), w, 8);
    add_put(g, &at, w, 9);
    cudaGraphExec_t exec = instance(g);
    for (int x = 0; x < 5; x++) {
        int want[8], n = 0;
        if (x) {
            want[n++] = 1;
            want[n++] = 2;
            want[n++] = 4;
        } else
            want[n++] = 3;
        switch (x) {
        case 0: want[n++] = 5; break;
        case 1: want[n++] = 6, want[n++] = 7; break;
        case 2: want[n++] = 8; break;
        }
        want[n++] = 9;
        w->x = x;
        w->count = 0;
        OK(cudaGraphLaunch(exec, 0));
        OK(cudaDeviceSynchronize());
        ck_assert_int_eq(w->count, n);
        for (int i = 0; i < n; i++)
            ck_assert_msg(w->digit[i] == want[i], "value %d, [%d]: %d, not %d", x, i, w->digit[i], want[i]);
    }
    OK(cudaGraphExecDestroy(exec));
    OK(cudaFree(w));
}
END_TEST

// for (i = 0; i < 6; i++) for (j = 0; j < i; j++) put i, put j if i + j is odd.
__global__ void outer_begin(written *w, handle outer, handle inner)
{
    w->j = 0;
    cudaGraphSetConditional(outer, w->i < 6);
    cudaGraphSetConditional(inner, w->j < w->i);
}

__global__ void inner_begin(written *w, handle odd)
{
    w->digit[w->count++] = w->i;
    cudaGraphSetConditional(odd, (w->i + w->j) % 2);
}

__global__ void odd_body(written *w) { w->digit[w->count++] = w->j; }

__global__ void inner_end(written *w, handle inner) { cudaGraphSetConditional(inner, ++w->j < w->i); }

__global__ void outer_end(written *w) { w->i++; }

START_TEST(conditions_in_conditions)
{
    written *w = new_written();
    cudaGraph_t g = new_graph(), outer, inner, odd;
    cudaGraphNode_t at = NULL;
    cudaStream_t s;
    handle h[3];
    OK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    for (int i = 0; i < 3; i++)
        OK(cudaGraphConditionalHandleCreate(&h[i], g));
    void *args[] = {&w, &h[0], &h[1]};
    add_kernel(g, &at, (void *)outer_begin, args);
    OK(add_condition(g, &at, h[0], cudaGraphCondTypeWhile, 1, &outer));
    add_put(g, &at, w, -1);

    OK(add_condition(outer, &(at = NULL), h[1], cudaGraphCondTypeWhile, 1, &inner));
    OK(cudaStreamBeginCaptureToGraph(s, outer, &at, NULL, 1, cudaStreamCaptureModeGlobal));
    outer_end<<<1, 1, 0, s>>>(w);
    outer_begin<<<1, 1, 0, s>>>(w, h[0], h[1]);
    OK(cudaStreamEndCapture(s, NULL));

    void *inner_args[] = {&w, &h[2]};
    add_kernel(inner, &(at = NULL), (void *)inner_begin, inner_args);
    OK(add_condition(inner, &at, h[2], cudaGraphCondTypeIf, 1, &odd));
    OK(cudaStreamBeginCaptureToGraph(s, inner, &at, NULL, 1, cudaStreamCaptureModeGlobal));
    inner_end<<<1, 1, 0, s>>>(w, h[1]);
    OK(cudaStreamEndCapture(s, NULL));
    OK(cudaStreamBeginCaptureToGraph(s, odd, NULL, NULL, 0, cudaStreamCaptureModeGlobal));
    odd_body<<<1, 1, 0, s>>>(w);
    OK(cudaStreamEndCapture(s, NULL));

    cudaGraphExec_t exec = instance(g);
    for (int launch = 0; launch < 2; launch++) {
        int want[LENGTH], n = 0;
        for (int i = 0; i < 6; i++)
            for (int j = 0; j < i; j++) {
                want[n++] = i;
                if ((i + j) % 2)
                    want[n++] = j;
            }
        want[n++] = -1;
        *w = written();
        OK(cudaGraphLaunch(exec, s));
        OK(cudaStreamSynchronize(s));
        ck_assert_int_eq(w->count, n);
        for (int i = 0; i < n; i++)
            ck_assert_msg(w->digit[i] == want[i], "[%d]: %d, not %d", i, w->digit[i], want[i]);
    }
    OK(cudaGraphExecDestroy(exec));
    OK(cudaStreamDestroy(s));
    OK(cudaFree(w));
}
END_TEST

__global__ void count_up(written *w, handle h, int most)
{
    w->digit[most]++;
    cudaGraphSetConditional(h, ++w->count < most);
}

// A launch sets the values of conditions within conditions, too, but only once: the inner loop has one turn in all.
START_TEST(inner_defaults)
{
    written *w = new_written();
    cudaGraph_t g = new_graph(), outer, inner;
    cudaGraphNode_t at = NULL, inside = NULL;
    handle h[2];
    int most[2] = {5, 1};
    OK(cudaGraphConditionalHandleCreate(&h[0], g, 1, cudaGraphCondAssignDefault));
    OK(add_condition(g, &at, h[0], cudaGraphCondTypeWhile, 1, &outer));
    OK(cudaGraphConditionalHandleCreate(&h[1], outer, 1, cudaGraphCondAssignDefault));
    OK(add_condition(outer, &(at = NULL), h[1], cudaGraphCondTypeWhile, 1, &inner));
    for (int i = 0; i < 2; i++) {
        void *args[] = {&w, &h[i], &most[i]};
        add_kernel(i ? inner : outer, i ? &inside : &at, (void *)count_up, args);
    }
    cudaGraphExec_t exec = instance(g);
    for (int launch = 1; launch < 3; launch++) {
        w->count = 0;
        OK(cudaGraphLaunch(exec, 0));
        OK(cudaDeviceSynchronize());
        ck_assert_int_eq(w->digit[1], launch);     // which counts as well
        ck_assert_int_eq(w->digit[5], 4 * launch); // so that the outer one has four
    }
    OK(cudaGraphExecDestroy(exec));
    OK(cudaFree(w));
}
END_TEST

static void CUDART_CB nothing(void *unused) { (void)unused; }

START_TEST(refused)
{
    cudaGraph_t g = new_graph(), body[3];
    cudaGraphNode_t at = NULL;
    handle h, other;
    OK(cudaGraphConditionalHandleCreate(&h, g));
    ck_assert_int_ne(cudaGraphConditionalHandleCreate(&other, g, 0, 77), cudaSuccess);
    ck_assert_int_ne(add_condition(g, &at, h, cudaGraphCondTypeIf, 0, body), cudaSuccess);
    ck_assert_int_ne(add_condition(g, &at, h, cudaGraphCondTypeIf, 3, body), cudaSuccess);
    ck_assert_int_ne(add_condition(g, &at, h, cudaGraphCondTypeWhile, 2, body), cudaSuccess);
    ck_assert_int_ne(add_condition(g, &at, h, (cudaGraphConditionalNodeType)9, 1, body), cudaSuccess);
    OK(add_condition(g, &at, h, cudaGraphCondTypeIf, 1, body));
    ck_assert_int_ne(cudaGraphDestroy(body[0]), cudaSuccess); // the node's

    cudaHostNodeParams host = {nothing, NULL};
    cudaGraphNode_t node;
    cudaGraphExec_t exec;
    cudaError_t e = cudaGraphAddHostNode(&node, body[0], NULL, 0, &host); // of the host's a condition has nothing
    if (!e)
        e = cudaGraphInstantiate(&exec, g, 0);
    ck_assert_int_eq(e, cudaErrorInvalidValue);
    ck_assert_int_eq(cudaGraphClone(body, g), cudaErrorNotSupported);
    OK(cudaGraphDestroy(g));
}
END_TEST

__global__ void fault(handle h)
{
    cudaGraphSetConditional(h, 1);
    __trap();
}

START_TEST(an_error_ends_the_loop)
{
    cudaGraph_t g = new_graph(), body;
    cudaGraphNode_t at = NULL, inner = NULL;
    handle h;
    OK(cudaGraphConditionalHandleCreate(&h, g, 1, cudaGraphCondAssignDefault));
    OK(add_condition(g, &at, h, cudaGraphCondTypeWhile, 1, &body));
    void *args[] = {&h};
    add_kernel(body, &inner, (void *)fault, args);
    cudaGraphExec_t exec = instance(g);
    OK(cudaGraphLaunch(exec, 0));
    ck_assert_int_ne(cudaDeviceSynchronize(), cudaSuccess);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("graphs' conditions");
    TCase *tests = tcase_create("nodes");
    tcase_set_timeout(tests, TEST_SECONDS);
    tcase_add_test(tests, while_it_is_set);
    tcase_add_test(tests, one_of_several);
    tcase_add_test(tests, conditions_in_conditions);
    tcase_add_test(tests, inner_defaults);
    tcase_add_test(tests, refused);
    tcase_add_test(tests, an_error_ends_the_loop);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
