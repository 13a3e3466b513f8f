/* step.cuh: the block's forward and backward pass as a list of 18 calls, and a rung's way through it. */
#ifndef BLOCK_STEP_CUH
#define BLOCK_STEP_CUH

#include "../../common/error.h"
#include "elements.cuh"
#include "problem.cuh"

enum { CALL_PRODUCT, CALL_NORM, CALL_NORM_GRAD, CALL_ATTENTION, CALL_ATTENTION_GRAD };

typedef struct Call {
    const char *name;
    int what;
    union {
        Product product;
        Norm norm;
        Attention attention;
        Backward attention_grad;
    };
} Call;

enum { BLOCK_CALLS = 18 };

/* Fills the list. Of each Product: kind, epilogue, parts; A, B, C; M, N, K; with, more. */
static void block_calls(const Block *b, Call *calls)
{
    const int T = (int)block_tokens(b), C = b->width, H = BLOCK_HIDDEN * C;
    const size_t part = (size_t)T * C;
    const Attention attention = block_attention(b);
    const Backward attention_grad = {
        attention, b->o_grad, b->lse, b->qkv_grad, b->qkv_grad + part, b->qkv_grad + 2 * part, b->attention};
    const Norm norm1 = {b->x,      b->norm1,  b->n1,         b->scale1,    T, C, b->n_grad,
                        b->y_grad, b->x_grad, b->norm1_grad, b->norm_parts};
    const Norm norm2 = {b->y,    b->norm2,  b->n2,         b->scale2,    T, C, b->n_grad,
                        b->grad, b->y_grad, b->norm2_grad, b->norm_parts};
    int count = 0;
    const auto product = [&](const char *name, const Product &p) {
        calls[count].name = name, calls[count].what = CALL_PRODUCT, calls[count++].product = p;
    };
    const auto norm = [&](const char *name, int what, const Norm &n) {
        calls[count].name = name, calls[count].what = what, calls[count++].norm = n;
    };
    // notes: calls
    norm("norm 1", CALL_NORM, norm1);
    product("n1 wqkv", {OUTPUT, STORE, 3, b->n1, b->wqkv, b->qkv, T, 3 * C, C, NULL, NULL});
    calls[count].name = "attention", calls[count].what = CALL_ATTENTION, calls[count++].attention = attention;
    product("o wo + x", {OUTPUT, ADD, 1, b->o, b->wo, b->y, T, C, C, b->x, NULL});
    norm("norm 2", CALL_NORM, norm2);
    product("gelu(n2 w1)", {OUTPUT, GELU, 1, b->n2, b->w1, b->slope, T, H, C, NULL, b->g});
    product("g w2 + y", {OUTPUT, ADD, 1, b->g, b->w2, b->z, T, C, H, b->y, NULL});

    product("gradient of w2", {WEIGHT_GRAD, STORE, 1, b->grad, b->g, b->w2_grad, C, H, T, NULL, NULL});
    product("gradient of h", {INPUT_GRAD, TIMES, 1, b->grad, b->w2, b->h_grad, T, H, C, b->slope, NULL});
    product("gradient of w1", {WEIGHT_GRAD, STORE, 1, b->h_grad, b->n2, b->w1_grad, H, C, T, NULL, NULL});
    product("gradient of n2", {INPUT_GRAD, STORE, 1, b->h_grad, b->w1, b->n_grad, T, C, H, NULL, NULL});
    norm("norm 2 backward", CALL_NORM_GRAD, norm2);
    product("gradient of wo", {WEIGHT_GRAD, STORE, 1, b->y_grad, b->o, b->wo_grad, C, C, T, NULL, NULL});
    product("gradient of o", {INPUT_GRAD, STORE, 1, b->y_grad, b->wo, b->o_grad, T, C, C, NULL, NULL});
    calls[count].name = "attention backward", calls[count].what = CALL_ATTENTION_GRAD;
    calls[count++].attention_grad = attention_grad;
    product("gradient of wqkv", {WEIGHT_GRAD, STORE, 3, b->qkv_grad, b->n1, b->wqkv_grad, 3 * C, C, T, NULL, NULL});
    product("gradient of n1", {INPUT_GRAD, STORE, 3, b->qkv_grad, b->wqkv, b->n_grad, T, C, 3 * C, NULL, NULL});
    norm("norm 1 backward", CALL_NORM_GRAD, norm1);
    // notes end
}

/* Queues one call of the list. NULL, or why it cannot be done. */
static const char *block_call(const BlockKernels *k, const Block *b, const Call *call, cudaStream_t stream)
{
    if (call->what == CALL_NORM)
        k->norm(&call->norm, stream);
    else if (call->what == CALL_NORM_GRAD)
        k->norm_grad(&call->norm, stream);
    else if (call->what == CALL_ATTENTION)
        return k->attention(&call->attention, b->lse, stream);
    else if (call->what == CALL_ATTENTION_GRAD)
        return k->attention_grad(&call->attention_grad, stream);
    else {
        Product p = call->product;
        if (!k->fused)
            p.epilogue = STORE;
        const char *why = k->product(&p, stream);
        if (why || k->fused || call->product.epilogue == STORE)
            return why;
        block_elements(call->product.epilogue, &p, stream); /* what follows, by a separate kernel */
    }
    return NULL;
}

/* Queues all calls on `stream`. With branches the weights' gradients, for which no other call waits, go to a second
 * stream, each after what was queued before it. NULL, or why it cannot be done. */
static const char *block_step(const BlockKernels *k, const Block *b, cudaStream_t stream)
{
    Call calls[BLOCK_CALLS];
    cudaStream_t side = NULL;
    cudaEvent_t event = NULL;
    const char *why = NULL;
    block_calls(b, calls);
    if (k->branches) {
        CUDA_CHECK(cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking));
        CUDA_CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    }
    for (int i = 0; i < BLOCK_CALLS && !why; i++) {
        const bool aside = k->branches && calls[i].what == CALL_PRODUCT && calls[i].product.kind == WEIGHT_GRAD;
        if (aside) {
            CUDA_CHECK(cudaEventRecord(event, stream));
            CUDA_CHECK(cudaStreamWaitEvent(side, event, 0));
        }
        why = block_call(k, b, &calls[i], aside ? side : stream);
    }
    if (k->branches) {
        CUDA_CHECK(cudaEventRecord(event, side));
        CUDA_CHECK(cudaStreamWaitEvent(stream, event, 0));
        CUDA_CHECK(cudaEventDestroy(event));
        CUDA_CHECK(cudaStreamDestroy(side));
    }
    return why;
}

/* A step captured as one graph; launched again, the graph costs the host one call. */
typedef struct BlockGraph {
    cudaGraphExec_t exec;
    Block block; /* what it was captured for */
} BlockGraph;

static void block_graph_free(BlockGraph *g)
{
    if (g->exec)
        CUDA_CHECK(cudaGraphExecDestroy(g->exec));
    g->exec = NULL;
}

static const char *block_graph_step(BlockGraph *g, const BlockKernels *k, const Block *b, cudaStream_t stream)
{
    if (g->exec && memcmp(&g->block, b, sizeof *b) != 0)
        block_graph_free(g);
    if (!g->exec) {
        cudaStream_t capture;
        cudaGraph_t graph;
        CUDA_CHECK(cudaStreamCreateWithFlags(&capture, cudaStreamNonBlocking));
        CUDA_CHECK(cudaStreamBeginCapture(capture, cudaStreamCaptureModeThreadLocal));
        const char *why = block_step(k, b, capture);
        CUDA_CHECK(cudaStreamEndCapture(capture, &graph));
        if (!why)
            CUDA_CHECK(cudaGraphInstantiate(&g->exec, graph, 0));
        CUDA_CHECK(cudaGraphDestroy(graph));
        CUDA_CHECK(cudaStreamDestroy(capture));
        if (why)
            return why;
        g->block = *b;
    }
    CUDA_CHECK(cudaGraphLaunch(g->exec, stream));
    return NULL;
}

#endif
