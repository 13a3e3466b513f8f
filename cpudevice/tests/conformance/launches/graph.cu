// launches captured into a graph that is launched twice
#include "conformance.h"

__global__ void add(int *out, int n) { out[threadIdx.x] += n; }
int main()
{
    int *out = managed(T);
    for (int t = 0; t < T; t++)
        out[t] = t;
    cudaStream_t s;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaStreamCreate(&s);
    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    for (int i = 1; i <= 3; i++)
        add<<<1, T, 0, s>>>(out, i);
    cudaStreamEndCapture(s, &graph);
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphLaunch(exec, s);
    cudaGraphLaunch(exec, s);
    cudaStreamSynchronize(s);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
    cudaStreamDestroy(s);
    return check(out, T, [](int t) { return t + 12; });
}
