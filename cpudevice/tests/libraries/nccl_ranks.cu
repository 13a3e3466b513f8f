/* NCCL's operations of several ranks in one process, against plain loops: every operation and type, in place and not, lengths
 * that the ranks do not divide; communicators of groups, of host threads and split ones; sends; graphs. */
// BUILD: $cucc -O1 -o $exe $case -lnccl
// TEST: nccl_ranks: 2 devices
// RUN: CUDA_CPU_DEVICES=2 $exe
// TEST: nccl_ranks: 3 devices
// RUN: CUDA_CPU_DEVICES=3 $exe
// TEST: nccl_ranks: 8 devices
// RUN: CUDA_CPU_DEVICES=8 $exe
// TEST: nccl_ranks: one worker
// RUN: CUDA_CPU_DEVICES=4 CUDA_CPU_WORKERS=1 $exe
// TEST: nccl_ranks: ranks that do not agree
// RUN: CUDA_CPU_DEVICES=3 $exe differ
// MATCHES: ^CPU device: NCCL: rank 2 of 3 has another count or type than rank 0$
// TEST: nccl_ranks: a rank that never comes
// RUN: CUDA_CPU_DEVICES=2 CUDA_CPU_WATCHDOG=1 $exe alone
// SAYS: ncclAllReduce
// TEST: nccl_ranks: a rank that never begins
// RUN: CUDA_CPU_DEVICES=2 CUDA_CPU_WATCHDOG=1 $exe missing
// MATCHES: ^CPU device: NCCL: rank 1 of 2 has waited for the others: 1 arrived$
#include <nccl.h>
#include <cstring>
#include <cuda_fp8.h>
#include <functional>
#include <string>
#include <thread>
#include <type_traits>

#include "matrix.h"

static const ncclResult_t good = ncclSuccess, bad_usage = ncclInvalidUsage, bad_argument = ncclInvalidArgument;
enum { MOST = 16 };
static int ranks;
static ncclComm_t comm[MOST];
static cudaStream_t stream[MOST];

/* One call of each rank, in a group. */
static ncclResult_t all(const std::function<ncclResult_t(int)> &call)
{
    ncclGroupStart();
    for (int r = 0; r < ranks; r++)
        call(r);
    return ncclGroupEnd();
}
static void synchronize()
{
    for (int r = 0; r < ranks; r++)
        expect(cudaSetDevice(r) == cudaSuccess && cudaStreamSynchronize(stream[r]) == cudaSuccess, "a stream's end");
    cudaSetDevice(0);
}

/* A buffer of each rank, and what it holds. */
template <class T> struct Buffers {
    size_t n;
    T *at[MOST];
    std::vector<T> host[MOST];
    Buffers(size_t n) : n(n)
    {
        for (int r = 0; r < ranks; r++) {
            cudaSetDevice(r);
            cudaMalloc(&at[r], n * sizeof(T) + 1);
            host[r].resize(n);
        }
        cudaSetDevice(0);
    }
    void fill(std::function<T(int, size_t)> f)
    {
        for (int r = 0; r < ranks; r++) {
            for (size_t i = 0; i < n; i++)
                host[r][i] = f(r, i);
            cudaMemcpy(at[r], host[r].data(), n * sizeof(T), cudaMemcpyDefault);
        }
        for (int r = 0; r < ranks; r++)
            cudaSetDevice(r), cudaDeviceSynchronize();
        cudaSetDevice(0);
    }
    void get()
    {
        synchronize();
        for (int r = 0; r < ranks; r++)
            cudaMemcpy(host[r].data(), at[r], n * sizeof(T), cudaMemcpyDefault);
    }
    ~Buffers()
    {
        for (int r = 0; r < ranks; r++)
            cudaFree(at[r]);
    }
};

/* ---- sums ---- */

template <class T> static T element(int rank, size_t i) { return (T)(float)((i * 7 + (size_t)rank * 3) % 5 + 1); }

/* In the order of the ranks, each step in the type. An average of whole numbers is divided in the end; for one of others each
 * element is multiplied by 1 / ranks first. */
template <class T> static T combined(ncclRedOp_t op, size_t i)
{
    typedef std::conditional_t<std::is_integral<T>::value, long long, std::conditional_t<sizeof(T) == 8, double, float>>
        Wide;
    const bool first = op == ncclAvg && !std::is_integral<T>::value;
    const Wide part = (Wide)(T)(float)(1.0 / ranks);
    T x = T();
    for (int r = 0; r < ranks; r++) {
        Wide y = (Wide)element<T>(r, i);
        if (first)
            y = std::is_same<T, double>::value ? y * (Wide)(1.0 / ranks) : (Wide)(T)(y * part);
        const Wide before = (Wide)x;
        Wide sum = op == ncclProd  ? before * y
                   : op == ncclMax ? std::max(before, y)
                   : op == ncclMin ? std::min(before, y)
                                   : before + y;
        if (r == 0)
            sum = y;
        if constexpr (std::is_integral<T>::value)
            x = (T)sum;
        else if constexpr (sizeof(T) == 8)
            x = sum;
        else
            x = (T)(float)sum;
    }
    if constexpr (std::is_integral<T>::value)
        return op == ncclAvg ? (T)(x / (T)ranks) : x;
    return x;
}

template <class T> static void sums(ncclDataType_t type)
{
    const size_t lengths[] = {1, 2, 37, 1000};
    for (const size_t n : lengths)
        for (int op = 0; op < ncclNumOps; op++) {
            const std::string what = "type " + std::to_string(type) + ", operator " + std::to_string(op) + ", " +
                                     std::to_string(n) + " elements";
            Buffers<T> in(n), out(n);
            in.fill(element<T>), out.fill([](int, size_t) { return (T)(float)99; });
            expect(all([&](int r) {
                       return ncclAllReduce(in.at[r], out.at[r], n, type, (ncclRedOp_t)op, comm[r], stream[r]);
                   }) == good,
                   "ncclAllReduce");
            out.get();
            bool right = true;
            for (int r = 0; r < ranks; r++)
                for (size_t i = 0; i < n; i++) {
                    const T wanted = combined<T>((ncclRedOp_t)op, i);
                    right &= !memcmp(&out.host[r][i], &wanted, sizeof(T));
                }
            expect(right, ("ncclAllReduce: " + what).c_str());
            const Buffers<T> &wanted = out;
            const int root = ranks - 1;
            Buffers<T> other(n);
            other.fill([](int, size_t) { return (T)(float)99; });
            all([&](int r) {
                return ncclReduce(in.at[r], r == root ? other.at[r] : NULL, n, type, (ncclRedOp_t)op, root, comm[r],
                                  stream[r]);
            });
            all([&](int r) { /* in place */
                             return ncclAllReduce(in.at[r], in.at[r], n, type, (ncclRedOp_t)op, comm[r], stream[r]);
            });
            other.get(), in.get();
            expect(!memcmp(other.host[root].data(), wanted.host[0].data(), n * sizeof(T)),
                   ("ncclReduce: " + what).c_str());
            for (int r = 0; r < ranks; r++)
                expect(!memcmp(in.host[r].data(), wanted.host[0].data(), n * sizeof(T)), ("in place: " + what).c_str());
        }
}

static void scattered_sums()
{
    const size_t n = 37;
    for (int in_place = 0; in_place < 2; in_place++) {
        Buffers<float> in(n * ranks), out(n);
        in.fill([](int r, size_t i) { return (float)i * 0.25f + 1000 * r; }), out.fill([](int, size_t) { return 0.f; });
        all([&](int r) {
            return ncclReduceScatter(in.at[r], in_place ? in.at[r] + n * r : out.at[r], n, ncclFloat, ncclSum, comm[r],
                                     stream[r]);
        });
        in.get(), out.get();
        for (int r = 0; r < ranks; r++)
            for (size_t i = 0; i < n; i++) {
                const float wanted = ranks * (n * r + i) * 0.25f + 500.f * ranks * (ranks - 1);
                expect((in_place ? in.host[r][n * r + i] : out.host[r][i]) == wanted, "ncclReduceScatter");
            }
    }
}

/* Each rank has a scalar of its own. */
static void scaled_sums()
{
    const size_t n = 100;
    Buffers<int> x(n), scalars(1);
    scalars.fill([](int r, size_t) { return r + 2; });
    for (int on_device = 0; on_device < 2; on_device++) {
        ncclRedOp_t op[MOST];
        x.fill([](int r, size_t i) { return (int)i + r; });
        for (int r = 0; r < ranks; r++) {
            int scalar = r + 2;
            expect(ncclRedOpCreatePreMulSum(&op[r], on_device ? scalars.at[r] : &scalar, ncclInt,
                                            on_device ? ncclScalarDevice : ncclScalarHostImmediate, comm[r]) == good,
                   "an operator");
        }
        all([&](int r) { return ncclAllReduce(x.at[r], x.at[r], n, ncclInt, op[r], comm[r], stream[r]); });
        x.get();
        for (int r = 0; r < ranks; r++) {
            expect(ncclRedOpDestroy(op[r], comm[r]) == good, "its end");
            for (size_t i = 0; i < n; i++) {
                int wanted = 0;
                for (int k = 0; k < ranks; k++)
                    wanted += ((int)i + k) * (k + 2);
                expect(x.host[r][i] == wanted, "a sum of products");
            }
        }
    }
}

/* ---- copies ---- */

static int mark(int r, size_t i) { return (int)(10000 * (size_t)r + i); }

static void copies()
{
    const size_t n = 33, m = n * ranks;
    const int root = ranks / 2;
    Buffers<int> small(n), big(m), out(m);
    const auto begin = [&] { small.fill(mark), big.fill(mark), out.fill([](int, size_t) { return -1; }); };
    begin();
    all([&](int r) { return ncclBroadcast(small.at[r], out.at[r], n, ncclInt, root, comm[r], stream[r]); });
    all([&](int r) { return ncclBcast(small.at[r], n, ncclInt, root, comm[r], stream[r]); });
    out.get(), small.get();
    for (int r = 0; r < ranks; r++)
        for (size_t i = 0; i < n; i++)
            expect(out.host[r][i] == mark(root, i) && small.host[r][i] == mark(root, i), "ncclBroadcast");
    expect(out.host[0][n] == -1, "and no more");
    begin();
    all([&](int r) { return ncclAllGather(small.at[r], out.at[r], n, ncclInt, comm[r], stream[r]); });
    all([&](int r) { return ncclAllGather(big.at[r] + n * r, big.at[r], n, ncclInt, comm[r], stream[r]); });
    out.get(), big.get();
    for (int r = 0; r < ranks; r++)
        for (size_t i = 0; i < m; i++) {
            expect(out.host[r][i] == mark((int)(i / n), i % n), "ncclAllGather");
            expect(big.host[r][i] == mark((int)(i / n), i), "ncclAllGather in place");
        }
    begin();
    all([&](int r) { return ncclAlltoAll(big.at[r], out.at[r], n, ncclInt, comm[r], stream[r]); });
    out.get();
    for (int r = 0; r < ranks; r++)
        for (size_t i = 0; i < m; i++)
            expect(out.host[r][i] == mark((int)(i / n), n * r + i % n), "ncclAlltoAll");
    begin();
    all([&](int r) {
        return ncclGather(small.at[r], r == root ? out.at[r] : NULL, n, ncclInt, root, comm[r], stream[r]);
    });
    out.get();
    for (size_t i = 0; i < m; i++)
        expect(out.host[root][i] == mark((int)(i / n), i % n) && out.host[!root][i] == -1, "ncclGather");
    begin();
    all([&](int r) {
        return ncclScatter(r == root ? big.at[r] : NULL, small.at[r], n, ncclInt, root, comm[r], stream[r]);
    });
    small.get();
    for (int r = 0; r < ranks; r++)
        for (size_t i = 0; i < n; i++)
            expect(small.host[r][i] == mark(root, n * r + i), "ncclScatter");
}

/* To the right neighbour twice, from the left one twice, and to itself. The receives come first. */
static void sends()
{
    const size_t n = 50;
    Buffers<int> from(3 * n), to(3 * n);
    from.fill(mark), to.fill([](int, size_t) { return -1; });
    expect(all([&](int r) {
               for (int k = 0; k < 2; k++)
                   ncclRecv(to.at[r] + n * k, n, ncclInt, (r + ranks - 1) % ranks, comm[r], stream[r]);
               ncclRecv(to.at[r] + 2 * n, n, ncclInt, r, comm[r], stream[r]);
               ncclSend(from.at[r] + 2 * n, n, ncclInt, r, comm[r], stream[r]);
               for (int k = 0; k < 2; k++)
                   ncclSend(from.at[r] + n * k, n, ncclInt, (r + 1) % ranks, comm[r], stream[r]);
               return good;
           }) == good,
           "sends and receives");
    to.get();
    for (int r = 0; r < ranks; r++)
        for (size_t i = 0; i < 3 * n; i++)
            expect(to.host[r][i] == mark(i < 2 * n ? (r + ranks - 1) % ranks : r, i), "what was sent");

    /* without a group: one sends, one receives, a kernel each */
    to.fill([](int, size_t) { return -1; });
    expect(ncclSend(from.at[0], n, ncclInt, 1, comm[0], stream[0]) == good, "a send alone");
    expect(ncclRecv(to.at[1], n, ncclInt, 0, comm[1], stream[1]) == good, "a receive alone");
    to.get();
    for (size_t i = 0; i < n; i++)
        expect(to.host[1][i] == mark(0, i), "what was sent alone");
    expect(ncclSend(from.at[0], n, ncclInt, ranks, comm[0], stream[0]) == bad_argument, "a peer that is not there");
}

/* ---- order ---- */

__global__ void add(int *x, int n, int summand)
{
    if (const int i = threadIdx.x; i < n)
        x[i] += summand;
}

/* A sum between kernels on each stream, and the next one on another stream; then the same from graphs, one of each rank. */
static void in_order()
{
    const int n = 64;
    Buffers<int> x(n);
    cudaStream_t other[MOST];
    x.fill([](int r, size_t i) { return (int)i + r; });
    for (int r = 0; r < ranks; r++) {
        cudaSetDevice(r);
        cudaStreamCreateWithFlags(&other[r], cudaStreamNonBlocking);
        add<<<1, n, 0, stream[r]>>>(x.at[r], n, 5);
    }
    all([&](int r) { return ncclAllReduce(x.at[r], x.at[r], n, ncclInt, ncclMax, comm[r], stream[r]); });
    all([&](int r) { return ncclAllReduce(x.at[r], x.at[r], n, ncclInt, ncclSum, comm[r], other[r]); });
    for (int r = 0; r < ranks; r++) {
        cudaSetDevice(r);
        add<<<1, n, 0, other[r]>>>(x.at[r], n, 1);
        cudaStreamSynchronize(other[r]);
    }
    x.get();
    for (int r = 0; r < ranks; r++)
        for (int i = 0; i < n; i++)
            expect(x.host[r][i] == ranks * (i + ranks - 1 + 5) + 1, "in the order of the streams");

    cudaGraphExec_t exec[MOST];
    x.fill([](int r, size_t i) { return (int)i + r; });
    for (int r = 0; r < ranks; r++)
        cudaSetDevice(r), cudaStreamBeginCapture(stream[r], cudaStreamCaptureModeRelaxed);
    for (int k = 0; k < 2; k++)
        all([&](int r) { return ncclAllReduce(x.at[r], x.at[r], n, ncclInt, ncclMax, comm[r], stream[r]); });
    all([&](int r) { /* the first element goes round */
                     ncclSend(x.at[r], 1, ncclInt, (r + 1) % ranks, comm[r], stream[r]);
                     return ncclRecv(x.at[r] + 1, 1, ncclInt, (r + ranks - 1) % ranks, comm[r], stream[r]);
    });
    for (int r = 0; r < ranks; r++) {
        cudaGraph_t graph;
        cudaSetDevice(r);
        add<<<1, n, 0, stream[r]>>>(x.at[r], n, r);
        expect(cudaStreamEndCapture(stream[r], &graph) == cudaSuccess &&
                   cudaGraphInstantiate(&exec[r], graph, 0) == cudaSuccess,
               "a graph of one rank");
        cudaGraphDestroy(graph);
    }
    for (int k = 0; k < 3; k++)
        for (int r = 0; r < ranks; r++)
            cudaSetDevice(r), cudaGraphLaunch(exec[r], stream[r]);
    x.get();
    for (int r = 0; r < ranks; r++) {
        for (int i = 2; i < n; i++)
            expect(x.host[r][i] == i + 3 * (ranks - 1) + r, "graphs that have run three times");
        expect(x.host[r][1] == x.host[r][0], "sends in graphs");
        cudaGraphExecDestroy(exec[r]), cudaStreamDestroy(other[r]);
    }
}

/* ---- communicators ---- */

/* The ranks of a communicator count themselves. */
static void count_ranks(ncclComm_t c, int wanted_count, int wanted_rank, int wanted_device)
{
    int count = -1, rank = -1, device = -1;
    ncclResult_t error = bad_usage;
    expect(ncclCommCount(c, &count) == good && count == wanted_count && ncclCommUserRank(c, &rank) == good &&
               rank == wanted_rank && ncclCommCuDevice(c, &device) == good && device == wanted_device,
           "count, rank and device");
    expect(ncclCommGetAsyncError(c, &error) == good && error == good, "no error");
}

/* One host thread for each rank, as a program with a process for each has it. */
static void of_threads()
{
    ncclUniqueId id;
    std::vector<std::thread> threads;
    std::vector<int> sums(ranks);
    ncclGetUniqueId(&id);
    for (int r = 0; r < ranks; r++)
        threads.emplace_back([&, r] {
            ncclComm_t c = NULL;
            int *x, one = r + 1;
            cudaSetDevice(ranks - 1 - r);
            if (ncclCommInitRank(&c, ranks, id, r) != good)
                return;
            count_ranks(c, ranks, r, ranks - 1 - r);
            cudaMalloc(&x, sizeof *x);
            cudaMemcpy(x, &one, sizeof one, cudaMemcpyHostToDevice);
            for (int k = 0; k < 3; k++)
                ncclAllReduce(x, x, 1, ncclInt, ncclSum, c, 0);
            cudaStreamSynchronize(0);
            cudaMemcpy(&sums[r], x, sizeof one, cudaMemcpyDeviceToHost);
            cudaFree(x);
            ncclCommDestroy(c);
        });
    for (std::thread &t : threads)
        t.join();
    for (int r = 0; r < ranks; r++)
        expect(sums[r] == ranks * (ranks + 1) / 2 * ranks * ranks, "a sum of host threads");
}

static void of_a_group()
{
    ncclUniqueId id;
    ncclComm_t c[MOST];
    ncclGetUniqueId(&id);
    expect(all([&](int r) { return cudaSetDevice(r), ncclCommInitRank(&c[r], ranks, id, r); }) == good, "of a group");
    for (int r = 0; r < ranks; r++)
        count_ranks(c[r], ranks, r, r);
    /* even and odd ranks, in the reverse order; the last one stays alone, without a color */
    ncclComm_t part[MOST];
    expect(all([&](int r) {
               return ncclCommSplit(c[r], r == ranks - 1 ? NCCL_SPLIT_NOCOLOR : r % 2, -r, &part[r], NULL);
           }) == good &&
               !part[ranks - 1],
           "split");
    for (int r = 0; r < ranks - 1; r++) {
        const int of = (ranks - 1 - r % 2 + 1) / 2;
        count_ranks(part[r], of, of - 1 - r / 2, r);
        expect(ncclCommDestroy(part[r]) == good, "its end");
    }
    for (int r = 0; r < ranks; r++)
        expect(ncclCommDestroy(c[r]) == good, "the group's end");

    const int same[] = {0, 1, 1};
    expect(ncclCommInitAll(c, 2, same + 1) == bad_usage && strstr(ncclGetLastError(NULL), "both on CUDA device 1"),
           "a device twice");
    ncclGetUniqueId(&id);
    cudaSetDevice(0);
    ncclGroupStart();
    for (int r = 0; r < 2; r++)
        ncclCommInitRank(&c[r], 2, id, r);
    expect(ncclGroupEnd() == bad_usage && !c[0] && !c[1], "a device twice in a group");
    ncclUniqueId foreign = {};
    expect(ncclCommInitRank(&c[0], 2, foreign, 0) == bad_usage, "another process's id");
}

int main(int count, char **words)
{
    const std::string what = count > 1 ? words[1] : "";
    cudaGetDeviceCount(&ranks);
    if (what == "missing") {
        ncclUniqueId id;
        ncclGetUniqueId(&id);
        expect(ncclCommInitRank(comm, 2, id, 1) == ncclSystemError && !comm[0], "one rank of two");
        return verdict();
    }
    expect(ncclCommInitAll(comm, ranks, NULL) == good, "communicators");
    for (int r = 0; r < ranks; r++) {
        count_ranks(comm[r], ranks, r, r);
        cudaSetDevice(r), cudaStreamCreateWithFlags(&stream[r], cudaStreamNonBlocking);
    }
    cudaSetDevice(0);
    if (what == "differ" || what == "alone") {
        Buffers<float> x(8);
        x.fill([](int r, size_t) { return (float)r; });
        ncclResult_t error = good;
        for (int r = 0; r < (what == "alone" ? 1 : ranks); r++)
            ncclAllReduce(x.at[r], x.at[r], r == 2 ? 7 : 8, ncclFloat, ncclSum, comm[r], stream[r]);
        expect(cudaStreamSynchronize(stream[0]) != cudaSuccess, "the kernel fails");
        ncclCommGetAsyncError(comm[0], &error);
        expect(error == (what == "alone" ? good : bad_usage), "the communicator's error");
        fflush(stdout);
        _Exit(verdict());
    }
    if (what == "unset") {
        Buffers<int> to(16);
        int *from[2];
        for (int r = 0; r < 2; r++) {
            cudaSetDevice(r), cudaMalloc(&from[r], 32);
            if (r == 0)
                cudaMemset(from[r], 0, 32), cudaDeviceSynchronize();
        }
        all([&](int r) { return ncclAllGather(from[r], to.at[r], 8, ncclInt, comm[r], stream[r]); });
        synchronize();
        cudaFree(from[0]), cudaFree(from[1]);
        return 0;
    }
    if (what == "early") {
        Buffers<int> x(64);
        x.fill(mark);
        all([&](int r) { return ncclAllReduce(x.at[r], x.at[r], 64, ncclInt, ncclSum, comm[r], stream[r]); });
        cudaSetDevice(1);
        cudaStream_t other;
        cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
        add<<<1, 64, 0, other>>>(x.at[1], 64, 1);
        synchronize();
        return 0;
    }
    sums<signed char>(ncclInt8), sums<unsigned char>(ncclUint8), sums<int>(ncclInt32), sums<unsigned>(ncclUint32);
    sums<long long>(ncclInt64), sums<unsigned long long>(ncclUint64), sums<__half>(ncclFloat16);
    sums<float>(ncclFloat32), sums<double>(ncclFloat64), sums<__nv_bfloat16>(ncclBfloat16);
    sums<__nv_fp8_e4m3>(ncclFloat8e4m3), sums<__nv_fp8_e5m2>(ncclFloat8e5m2);
    scattered_sums();
    scaled_sums();
    copies();
    sends();
    in_order();
    of_threads();
    of_a_group();
    for (int r = 0; r < ranks; r++)
        expect(ncclCommDestroy(comm[r]) == good && cudaStreamDestroy(stream[r]) == cudaSuccess, "the end");
    return verdict();
}
