/* NCCL's operations of one rank on streams: their order beside kernels, graphs, sends to oneself in groups. */
// BUILD: $cucc -O1 -o $exe $case -lnccl
// TEST: nccl_streams
// RUN: $exe
// TEST: nccl_streams under --check
// RUN: $cucc --check -g -O1 -o $work/checked $case -lnccl
// RUN: $work/checked check
// MATCHES: ^cucc --check: 0 errors
#include <nccl.h>
#include <cstring>
#include <unistd.h>

#include "matrix.h"

static const ncclResult_t good = ncclSuccess, bad_argument = ncclInvalidArgument, bad_usage = ncclInvalidUsage;

static bool told(const char *part) { return strstr(ncclGetLastError(NULL), part) != NULL; }

static ncclComm_t communicator()
{
    ncclComm_t comm = NULL;
    expect(ncclCommInitAll(&comm, 1, NULL) == good && comm, "a communicator");
    return comm;
}

__global__ void count_from(int *x, int n, int first)
{
    if (const int i = threadIdx.x; i < n)
        x[i] = first + i;
}
__global__ void add(int *x, int n, int summand)
{
    if (const int i = threadIdx.x; i < n)
        x[i] += summand;
}
static void a_moment(void *) { usleep(20000); }

static bool counts_from(const int *d, int n, int first)
{
    std::vector<int> h(n);
    cudaMemcpy(h.data(), d, n * sizeof(int), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++)
        if (h[i] != first + i)
            return false;
    return true;
}

/* Between two kernels that are kept waiting. */
static void in_order()
{
    const int n = 64;
    ncclComm_t comm = communicator();
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    int *x, *y, *z, one = 1;
    cudaMalloc(&x, n * 4), cudaMalloc(&y, n * 4), cudaMalloc(&z, n * 4);
    ncclRedOp_t op;
    ncclRedOpCreatePreMulSum(&op, &one, ncclInt, ncclScalarHostImmediate, comm);
    cudaMemset(x, 0, n * 4), cudaDeviceSynchronize();
    cudaLaunchHostFunc(stream, a_moment, NULL);
    count_from<<<1, n, 0, stream>>>(x, n, 5);
    expect(ncclAllReduce(x, y, n, ncclInt, ncclAvg, comm, stream) == good, "between kernels");
    add<<<1, n, 0, stream>>>(y, n, 100);
    expect(ncclAllReduce(y, z, n, ncclInt, op, comm, stream) == good, "a product between kernels");
    add<<<1, n, 0, stream>>>(z, n, 1000);
    expect(ncclGroupStart() == good && ncclRecv(x, n, ncclInt, 0, comm, stream) == good &&
               ncclSend(z, n, ncclInt, 0, comm, stream) == good && ncclGroupEnd() == good,
           "a send between kernels");
    add<<<1, n, 0, stream>>>(x, n, 10000);
    cudaStreamSynchronize(stream);
    expect(counts_from(y, n, 105), "a copy in the stream's order");
    expect(counts_from(z, n, 1105), "a product in the stream's order");
    expect(counts_from(x, n, 11105), "a send in the stream's order");
    cudaFree(x), cudaFree(y), cudaFree(z), cudaStreamDestroy(stream), ncclCommDestroy(comm);
}

static void captured()
{
    const int n = 32;
    ncclComm_t comm = communicator();
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    int *x, *y, three = 3;
    cudaMalloc(&x, n * 4), cudaMalloc(&y, n * 4);
    count_from<<<1, n>>>(x, n, 0), count_from<<<1, n>>>(y, n, 77);
    cudaDeviceSynchronize();
    ncclRedOp_t op;
    ncclRedOpCreatePreMulSum(&op, &three, ncclInt, ncclScalarHostImmediate, comm);
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphNode_t nodes[4];
    cudaGraphNodeType type[4];
    size_t count = 4;
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    ncclAllReduce(x, y, n, ncclInt, ncclSum, comm, stream);
    ncclAllReduce(y, x, n, ncclInt, op, comm, stream);
    ncclGroupStart(), ncclSend(x, n, ncclInt, 0, comm, stream), ncclRecv(y, n, ncclInt, 0, comm, stream);
    expect(ncclGroupEnd() == good && cudaStreamEndCapture(stream, &graph) == cudaSuccess, "a capture");
    expect(cudaGraphGetNodes(graph, nodes, &count) == cudaSuccess && count == 3, "three nodes");
    for (size_t i = 0; i < count; i++)
        cudaGraphNodeGetType(nodes[i], &type[i]);
    expect(count == 3 && type[0] == cudaGraphNodeTypeMemcpy && type[1] == cudaGraphNodeTypeKernel &&
               type[2] == cudaGraphNodeTypeMemcpy,
           "copies and a kernel");
    expect(counts_from(y, n, 77), "which have not run");
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphLaunch(exec, stream), cudaGraphLaunch(exec, stream);
    cudaStreamSynchronize(stream);
    std::vector<int> h(n);
    cudaMemcpy(h.data(), y, n * 4, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++)
        expect(h[i] == 9 * i, "a graph that has run twice");
    cudaGraphExecDestroy(exec), cudaGraphDestroy(graph), cudaStreamDestroy(stream);
    cudaFree(x), cudaFree(y), ncclCommDestroy(comm);
}

/* ---- sends to oneself ---- */

static void sends()
{
    const int n = 16;
    ncclComm_t comm = communicator(), other = communicator();
    int *x; /* six parts of n */
    cudaMalloc(&x, 6 * n * 4);
    const auto part = [&](int i) { return x + i * n; };
    for (int i = 0; i < 6; i++)
        count_from<<<1, n>>>(part(i), n, 100 * i);
    expect(ncclGroupStart() == good, "a group");
    ncclRecv(part(3), n, ncclInt, 0, comm, 0);
    ncclSend(part(0), n, ncclInt, 0, comm, 0);
    ncclGroupStart(), ncclSend(part(1), n, ncclInt, 0, comm, 0), ncclSend(part(2), n, ncclInt, 0, other, 0);
    expect(ncclGroupEnd() == good, "an inner group");
    ncclRecv(part(5), n, ncclInt, 0, other, 0);
    cudaDeviceSynchronize();
    expect(counts_from(part(3), n, 300), "nothing moves before the end");
    ncclRecv(part(4), n, ncclInt, 0, comm, 0);
    expect(ncclGroupEnd() == good, "the end");
    cudaDeviceSynchronize();
    expect(counts_from(part(3), n, 0) && counts_from(part(4), n, 100), "first to first, second to second");
    expect(counts_from(part(5), n, 200), "each in its communicator");

    expect(ncclSend(x, n, ncclInt, 0, comm, 0) == bad_usage && told("without a matching recv"), "a lonely send");
    expect(ncclRecv(x, n, ncclInt, 0, comm, 0) == bad_usage && told("without a matching send"), "a lonely receive");
    ncclGroupStart(), ncclSend(part(5), n, ncclInt, 0, comm, 0), ncclRecv(part(3), n, ncclInt, 0, comm, 0);
    ncclSend(x, n, ncclInt, 0, comm, 0);
    expect(ncclGroupEnd() == bad_usage, "a send too many");
    ncclGroupStart(), ncclSend(part(5), n, ncclInt, 0, comm, 0), ncclRecv(part(3), n, ncclInt, 0, other, 0);
    expect(ncclGroupEnd() == bad_usage, "a send and another communicator's receive");
    ncclGroupStart(), ncclSend(part(5), n, ncclInt, 0, comm, 0), ncclRecv(part(3), n - 1, ncclInt, 0, comm, 0);
    expect(ncclGroupEnd() == bad_usage && told("of 64 bytes and to receive 60"), "of two lengths");
    ncclGroupStart(), ncclSend(part(5), n, ncclInt, 0, comm, 0), ncclRecv(part(3), n, ncclInt, 0, comm, 0);
    expect(ncclBcast(x, 1, ncclInt, 3, comm, 0) == bad_argument && ncclGroupEnd() == bad_argument,
           "a group's first error");
    cudaDeviceSynchronize();
    expect(counts_from(part(3), n, 0), "of a group with an error nothing is sent");
    ncclGroupStart();
    expect(ncclGroupEnd() == good && ncclGroupEnd() == bad_usage && told("not in a group"), "groups end once");
    cudaFree(x), ncclCommDestroy(comm), ncclCommDestroy(other);
}

/* The receive's stream is busy before, and used behind. */
static void two_streams()
{
    const int n = 64;
    ncclComm_t comm = communicator();
    cudaStream_t a, b;
    cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking), cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
    int *x, *y;
    cudaMalloc(&x, n * 4), cudaMalloc(&y, n * 4);
    for (int slow = 0; slow < 2; slow++) {
        cudaLaunchHostFunc(slow ? a : b, a_moment, NULL);
        count_from<<<1, n, 0, a>>>(x, n, 5);
        count_from<<<1, n, 0, b>>>(y, n, 7);
        ncclGroupStart(), ncclSend(x, n, ncclInt, 0, comm, a), ncclRecv(y, n, ncclInt, 0, comm, b);
        expect(ncclGroupEnd() == good, "from stream to stream");
        add<<<1, n, 0, b>>>(y, n, 100);
        add<<<1, n, 0, a>>>(x, n, 1000);
        cudaStreamSynchronize(a), cudaStreamSynchronize(b);
        expect(counts_from(y, n, 105), "in the order of both streams");
    }
    cudaFree(x), cudaFree(y), cudaStreamDestroy(a), cudaStreamDestroy(b), ncclCommDestroy(comm);
}

int main()
{
    in_order();
    captured();
    sends();
    two_streams();
    return verdict();
}
