// memset nodes of a graph: elements of 1, 2 and 4 bytes, values whose bytes differ, rows with a pitch, new parameters, a clone
#include <cstring>

#include "conformance.h"

constexpr int BYTES = 96, PITCH = 24;

// What the node must write, byte by byte.
static void expect(unsigned char *want, const cudaMemsetParams &m)
{
    for (size_t y = 0; y < m.height; y++)
        for (size_t x = 0; x < m.width * m.elementSize; x++)
            want[y * m.pitch + x] = (unsigned char)(m.value >> 8 * (x % m.elementSize));
}

static int wrong(const unsigned char *got, const cudaMemsetParams &m)
{
    unsigned char want[BYTES];
    memset(want, 0x5a, sizeof want);
    expect(want, m);
    return memcmp(got, want, sizeof want) != 0;
}

static int run(cudaGraphExec_t exec, unsigned char *d, const cudaMemsetParams &m)
{
    unsigned char got[BYTES];
    int bad = cudaMemset(d, 0x5a, BYTES) || cudaGraphLaunch(exec, 0) || cudaDeviceSynchronize();
    bad = bad || cudaMemcpy(got, d, BYTES, cudaMemcpyDeviceToHost);
    return bad || wrong(got, m);
}

static int try_one(unsigned char *d, cudaMemsetParams m)
{
    cudaGraph_t graph, clone;
    cudaGraphNode_t node;
    cudaGraphExec_t exec, of_clone;
    if (cudaGraphCreate(&graph, 0) || cudaGraphAddMemsetNode(&node, graph, nullptr, 0, &m))
        return 1;
    if (cudaGraphInstantiate(&exec, graph, 0) || cudaGraphClone(&clone, graph) ||
        cudaGraphInstantiate(&of_clone, clone, 0))
        return 1;
    int bad = run(exec, d, m) + run(of_clone, d, m);
    cudaMemsetParams other = m;
    other.value = m.value ^ (m.elementSize == 4 ? 0x80402010 : m.elementSize == 2 ? 0x8040 : 0x80);
    bad += cudaGraphExecMemsetNodeSetParams(exec, node, &other) || run(exec, d, other);
    cudaGraphExecDestroy(exec);
    cudaGraphExecDestroy(of_clone);
    cudaGraphDestroy(graph);
    cudaGraphDestroy(clone);
    return bad;
}

int main()
{
    const unsigned values[] = {0, 7, 0x41, 0x1234, 0x4141, 0x3f800000, 0x01020304, 0xfffffffe, 0x41414141};
    unsigned char *d;
    int bad = cudaMalloc(&d, BYTES) != cudaSuccess;
    for (unsigned size : {1u, 2u, 4u})
        for (unsigned value : values)
            for (size_t height : {1, 4}) {
                cudaMemsetParams m = {};
                m.dst = d;
                m.pitch = PITCH;
                m.elementSize = size;
                m.value = size == 4 ? value : value & ((1u << 8 * size) - 1);
                m.width = 20 / size;
                m.height = height;
                const int failed = try_one(d, m);
                if (failed)
                    printf("elements of %u bytes, value 0x%x, %zu rows\n", size, value, height);
                bad += failed;
            }
    cudaFree(d);
    printf("%s\n", bad ? "WRONG" : "ok");
    return bad != 0;
}
