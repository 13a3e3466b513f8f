/* layers.cuh: a row of layers, each with weights of its own, each of which reads what the one before wrote. One layer
 * alone, as the ladder times it, cannot show what rung 9 gains: nothing comes before it.
 *
 * x and y have the same width. Layer l's weights are those of the case whose rows begin l blocks later, and start again at
 * the end: they are other weights, at another place, so that each layer's bytes come from memory. The layers of a way are
 * one CUDA graph. */
#ifndef W4A16_LAYERS_CUH
#define W4A16_LAYERS_CUH

#include "09_dependent_launch.cuh"

typedef struct Layers {
    LabCase *c;
    W4a16 p;              /* of the case */
    int count;            /* of layers */
    size_t units_bytes;   /* of a layer */
    uint8_t *units;       /* of all layers */
    __nv_bfloat16 *dense; /* of all layers, or NULL */
    __nv_bfloat16 *state[2];
} Layers;

/* One layer; what it multiplies and where it writes is in p. */
typedef void Layer(const Layers *l, const W4a16 *p, const void *dense, cudaStream_t stream);

/* Copies the `bytes` bytes at `from` to each layer of `to`. In layer l their first l * `block` bytes come last. */
static void rotated_copies(void *to, const void *from, size_t bytes, size_t block, int layers, cudaStream_t stream)
{
    for (int l = 0; l < layers; l++) {
        const size_t first = l * block % bytes;
        uint8_t *here = (uint8_t *)to + l * bytes;
        CUDA_CHECK(
            cudaMemcpyAsync(here, (const uint8_t *)from + first, bytes - first, cudaMemcpyDeviceToDevice, stream));
        if (first)
            CUDA_CHECK(cudaMemcpyAsync(here + bytes - first, from, first, cudaMemcpyDeviceToDevice, stream));
    }
}

static void layers_make(Layers *l, LabCase *c, const W4a16 *p, const void *dense, size_t units_bytes, int count)
{
    const size_t dense_bytes = (size_t)p->N * p->K * 2, y_bytes = c->out_count * sizeof(__nv_bfloat16);
    *l = Layers{c, *p, count, units_bytes, NULL, NULL, {NULL, NULL}};
    CUDA_CHECK(cudaMalloc((void **)&l->units, count * units_bytes));
    rotated_copies(l->units, p->wide_units, units_bytes, units_bytes / (p->N / WIDE_ROWS), count, c->stream);
    if (dense) {
        CUDA_CHECK(cudaMalloc((void **)&l->dense, count * dense_bytes));
        rotated_copies(l->dense, dense, dense_bytes, (size_t)WIDE_ROWS * p->K * 2, count, c->stream);
    }
    for (int i = 0; i < 2; i++)
        CUDA_CHECK(cudaMalloc((void **)&l->state[i], y_bytes));
}
static void layers_free(Layers *l)
{
    CUDA_CHECK(cudaFree(l->units));
    CUDA_CHECK(cudaFree(l->dense));
    for (int i = 0; i < 2; i++)
        CUDA_CHECK(cudaFree(l->state[i]));
}

/* The layers of one way, recorded as a graph. */
static cudaGraphExec_t layers_graph(const Layers *l, Layer *one)
{
    cudaGraph_t graph;
    cudaGraphExec_t runnable;
    CUDA_CHECK(cudaStreamBeginCapture(l->c->stream, cudaStreamCaptureModeThreadLocal));
    for (int layer = 0; layer < l->count; layer++) {
        W4a16 p = l->p;
        p.wide_units = l->units + layer * l->units_bytes;
        if (layer)
            p.x = l->state[(layer - 1) % 2];
        p.y = l->state[layer % 2];
        one(l, &p, l->dense ? l->dense + (size_t)layer * p.N * p.K : NULL, l->c->stream);
    }
    CUDA_CHECK(cudaStreamEndCapture(l->c->stream, &graph));
    CUDA_CHECK(cudaGraphInstantiateWithFlags(&runnable, graph, 0));
    CUDA_CHECK(cudaGraphDestroy(graph));
    return runnable;
}

/* For bench(). */
typedef struct LayersRun {
    cudaGraphExec_t graph;
    cudaStream_t stream;
} LayersRun;
static void layers_launch(void *context)
{
    const LayersRun *r = (const LayersRun *)context;
    CUDA_CHECK(cudaGraphLaunch(r->graph, r->stream));
}

/* The last layer's y, on the host; both states are poisoned before. */
static void layers_run(const Layers *l, cudaGraphExec_t graph, void *y)
{
    const size_t bytes = l->c->out_count * sizeof(__nv_bfloat16);
    for (int i = 0; i < 2; i++)
        CUDA_CHECK(cudaMemsetAsync(l->state[i], 0xff, bytes, l->c->stream));
    CUDA_CHECK(cudaGraphLaunch(graph, l->c->stream));
    CUDA_CHECK(cudaMemcpyAsync(y, l->state[(l->count - 1) % 2], bytes, cudaMemcpyDeviceToHost, l->c->stream));
    CUDA_CHECK(cudaStreamSynchronize(l->c->stream));
}

#endif
