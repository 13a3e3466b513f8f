/* NCCL's communicators and operations of one rank, against plain loops: copies of every type, products with a scalar, and
 * what is refused. */
// BUILD: $cucc -O1 -o $exe $case -lnccl
// TEST: nccl
// RUN: $exe
// TEST: more ranks than one are refused with the reason, once
// RUN: env -u NCCL_DEBUG $exe || :
// COUNT: 1 ^CPU device: NCCL: more than one rank
// LACKS: NCCL WARN
// TEST: NCCL_DEBUG=WARN tells what was wrong
// RUN: NCCL_DEBUG=WARN $exe
// MATCHES: ^CPU device: NCCL WARN Duplicate GPU detected : rank 0
// TEST: nccl under --check
// RUN: $cucc --check -g -O1 -o $work/checked $case -lnccl
// RUN: $work/checked check
// MATCHES: ^cucc --check: 0 errors
#include <nccl.h>
#include <cstdlib>
#include <cstring>
#include <cuda_fp8.h>
#include <string>
#include <type_traits>

#include "matrix.h"

static const ncclResult_t good = ncclSuccess, bad_argument = ncclInvalidArgument, bad_usage = ncclInvalidUsage;
static const int sizes[ncclNumTypes] = {1, 1, 4, 4, 8, 8, 2, 4, 8, 2, 1, 1};

static bool told(const char *part) { return strstr(ncclGetLastError(NULL), part) != NULL; }

static ncclComm_t communicator()
{
    ncclComm_t comm = NULL;
    ncclUniqueId id;
    expect(ncclGetUniqueId(&id) == good && ncclCommInitRank(&comm, 1, id, 0) == good && comm, "a communicator");
    return comm;
}

/* ---- communicators ---- */

static void one_rank()
{
    ncclComm_t comm;
    int version = 0, count = 7, device = 7, rank = 7;
    ncclResult_t error = bad_usage;
    ncclUniqueId a, b;
    expect(ncclGetVersion(&version) == good && version == NCCL_VERSION(NCCL_MAJOR, NCCL_MINOR, NCCL_PATCH), "version");
    expect(ncclGetUniqueId(&a) == good && ncclGetUniqueId(&b) == good && memcmp(&a, &b, sizeof a), "ids differ");
    expect(ncclCommInitAll(&comm, 1, NULL) == good, "ncclCommInitAll");
    expect(ncclCommCount(comm, &count) == good && count == 1 && ncclCommCuDevice(comm, &device) == good && !device &&
               ncclCommUserRank(comm, &rank) == good && !rank,
           "one rank, on device 0");
    expect(ncclCommGetAsyncError(comm, &error) == good && error == good, "no error");
    expect(ncclCommCount(comm, NULL) == bad_argument && ncclCommCount(NULL, &count) == bad_argument, "NULL");

    ncclComm_t part = NULL, none = comm;
    expect(ncclCommSplit(comm, 3, -5, &part, NULL) == good && ncclCommCount(part, &count) == good && count == 1,
           "split");
    expect(ncclCommSplit(comm, NCCL_SPLIT_NOCOLOR, 0, &none, NULL) == good && !none, "split without a color");
    expect(ncclCommDestroy(part) == good && ncclCommDestroy(part) == bad_argument, "destroyed once");

    float *x = NULL;
    expect(ncclMemAlloc((void **)&x, 4) == good && ncclMemFree(x) == good, "ncclMemAlloc");
    expect(ncclCommFinalize(comm) == good && ncclCommFinalize(comm) == bad_argument, "finalized once");
    expect(ncclCommGetAsyncError(comm, &error) == good && error == good, "its state after that");
    expect(ncclAllReduce(x, x, 1, ncclFloat, ncclSum, comm, 0) == bad_argument, "no operation after that");
    expect(ncclCommDestroy(comm) == good && ncclCommDestroy(NULL) == good && ncclCommAbort(communicator()) == good,
           "end");
    expect(ncclCommUserRank(comm, &rank) == bad_argument, "a communicator that was destroyed");
    expect(!strcmp(ncclGetErrorString(good), "no error") && strstr(ncclGetErrorString(bad_usage), "invalid usage"),
           "texts");
}

static void configured()
{
    ncclComm_t comm = NULL;
    ncclUniqueId id;
    ncclGetUniqueId(&id);
    ncclConfig_t config = NCCL_CONFIG_INITIALIZER, zero;
    config.blocking = 0, config.minCTAs = 1, config.maxCTAs = 4;
    expect(ncclCommInitRankConfig(&comm, 1, id, 0, &config) == good && ncclCommDestroy(comm) == good, "configured");
    config.blocking = 2;
    expect(ncclCommInitRankConfig(&comm, 1, id, 0, &config) == bad_argument && !comm && told("blocking"), "blocking 2");
    config.blocking = 1, config.minCTAs = 5;
    expect(ncclCommInitRankConfig(&comm, 1, id, 0, &config) == bad_argument, "at least 5, at most 4");
    memset(&zero, 0, sizeof zero);
    expect(ncclCommInitRankConfig(&comm, 1, id, 0, &zero) == bad_argument && told("NCCL_CONFIG_INITIALIZER"), "zeros");
    config = NCCL_CONFIG_INITIALIZER, config.minCTAs = 5;
    expect(ncclCommInitRankConfig(&comm, 1, id, 0, &config) == bad_argument, "at least 5, at most what is not said");
    expect(ncclCommInitRankScalable(&comm, 1, 0, 1, &id, NULL) == good && ncclCommDestroy(comm) == good, "by ids");
    expect(ncclCommInitRankScalable(&comm, 1, 0, 2, &id, NULL) == bad_argument, "more ids than ranks");
}

static void more_ranks()
{
    ncclComm_t comms[2];
    ncclUniqueId id;
    ncclGetUniqueId(&id);
    const int same[] = {0, 0}, two[] = {0, 1};
    for (int rank = 0; rank < 2; rank++)
        expect(ncclCommInitRank(comms, 2, id, rank) == bad_usage && !comms[0] && told("Duplicate GPU detected"),
               "a rank of two");
    expect(ncclCommInitAll(comms, 2, same) == bad_usage && told("Duplicate GPU detected"), "a device twice");
    expect(ncclCommInitAll(comms, 2, two) == bad_argument && told("Invalid device 1"), "a device that is not there");
    expect(ncclCommInitAll(comms, 2, NULL) == ncclUnhandledCudaError && cudaGetLastError() == cudaSuccess,
           "as many devices as are not there");
    expect(ncclCommInitAll(comms, -1, NULL) == bad_argument, "a negative number of devices");
    expect(ncclCommInitRank(comms, 1, id, 1) == bad_argument && ncclCommInitRank(comms, 0, id, 0) == bad_argument &&
               ncclCommInitRank(NULL, 1, id, 0) == bad_argument,
           "ranks that cannot be");
    expect(ncclGroupStart() == good && ncclCommInitRank(comms, 2, id, 0) == bad_usage && ncclGroupEnd() == bad_usage,
           "a group of two ranks");
}

/* ---- copies ---- */

typedef ncclResult_t Operation(const void *, void *, size_t, ncclDataType_t, ncclRedOp_t, ncclComm_t, cudaStream_t);
static Operation *const operations[] = {ncclAllReduce,
                                        ncclReduceScatter,
                                        [](const void *a, void *b, size_t n, ncclDataType_t t, ncclRedOp_t o,
                                           ncclComm_t c, cudaStream_t s) { return ncclReduce(a, b, n, t, o, 0, c, s); },
                                        [](const void *a, void *b, size_t n, ncclDataType_t t, ncclRedOp_t,
                                           ncclComm_t c, cudaStream_t s) { return ncclBroadcast(a, b, n, t, 0, c, s); },
                                        [](const void *a, void *b, size_t n, ncclDataType_t t, ncclRedOp_t,
                                           ncclComm_t c, cudaStream_t s) { return ncclAllGather(a, b, n, t, c, s); },
                                        [](const void *a, void *b, size_t n, ncclDataType_t t, ncclRedOp_t,
                                           ncclComm_t c, cudaStream_t s) { return ncclAlltoAll(a, b, n, t, c, s); },
                                        [](const void *a, void *b, size_t n, ncclDataType_t t, ncclRedOp_t,
                                           ncclComm_t c, cudaStream_t s) { return ncclGather(a, b, n, t, 0, c, s); },
                                        [](const void *a, void *b, size_t n, ncclDataType_t t, ncclRedOp_t,
                                           ncclComm_t c, cudaStream_t s) { return ncclScatter(a, b, n, t, 0, c, s); }};

static std::vector<unsigned char> random_bytes(size_t n)
{
    std::vector<unsigned char> v(n);
    for (unsigned char &x : v)
        x = (unsigned char)(random_number() * 128 + 128);
    return v;
}

/* 37 elements, and behind them bytes that nothing may touch. */
static void copies()
{
    const int count = 37, room = 400;
    ncclComm_t comm = communicator();
    char *from, *to;
    cudaMalloc(&from, room), cudaMalloc(&to, room);
    for (Operation *run : operations)
        for (int type = 0; type < ncclNumTypes; type++)
            for (int op = 0; op < ncclNumOps; op++) {
                const std::vector<unsigned char> sent = random_bytes(room), before = random_bytes(room);
                std::vector<unsigned char> got(room);
                cudaMemcpy(from, sent.data(), room, cudaMemcpyHostToDevice);
                cudaMemcpy(to, before.data(), room, cudaMemcpyHostToDevice);
                expect(run(from, to, count, (ncclDataType_t)type, (ncclRedOp_t)op, comm, 0) == good, "a copy");
                expect(run(from, from, count, (ncclDataType_t)type, (ncclRedOp_t)op, comm, 0) == good, "in place");
                cudaMemcpy(got.data(), to, room, cudaMemcpyDeviceToHost);
                const size_t bytes = (size_t)count * sizes[type];
                expect(!memcmp(got.data(), sent.data(), bytes), "what is copied");
                expect(!memcmp(&got[bytes], &before[bytes], room - bytes), "what lies behind it");
                cudaMemcpy(got.data(), from, room, cudaMemcpyDeviceToHost);
                expect(got == sent, "what was sent stays");
            }
    expect(ncclBcast(from, count, ncclFloat, 0, comm, 0) == good, "ncclBcast");
    expect(ncclAllReduce(NULL, NULL, 0, ncclFloat, ncclSum, comm, 0) == good, "no elements");
    cudaFree(from), cudaFree(to), ncclCommDestroy(comm);
}

static void refused()
{
    ncclComm_t comm = communicator();
    float *x;
    cudaMalloc(&x, 8);
    expect(ncclAllReduce(x, x + 1, 1, ncclFloat, ncclSum, NULL, 0) == bad_argument && told("NULL"), "no communicator");
    expect(ncclAllReduce(x, x + 1, 1, ncclNumTypes, ncclSum, comm, 0) == bad_argument && told("invalid type 12"),
           "type");
    expect(ncclAllReduce(x, x + 1, 1, (ncclDataType_t)-1, ncclSum, comm, 0) == bad_argument, "type -1");
    expect(ncclAllReduce(x, x + 1, 1, ncclFloat, ncclNumOps, comm, 0) == bad_argument && told("unknown"), "operator");
    expect(ncclAllReduce(x, x + 1, 1, ncclFloat, (ncclRedOp_t)-1, comm, 0) == bad_argument, "operator -1");
    expect(ncclReduce(x, x + 1, 1, ncclFloat, ncclSum, 1, comm, 0) == bad_argument && told("root 1"), "root 1");
    expect(ncclBroadcast(x, x + 1, 1, ncclFloat, -1, comm, 0) == bad_argument, "root -1");
    expect(ncclBcast(x, 1, ncclFloat, 2, comm, 0) == bad_argument, "root 2");
    expect(ncclSend(x, 1, ncclFloat, 1, comm, 0) == bad_argument &&
               ncclRecv(x, 1, ncclFloat, -1, comm, 0) == bad_argument,
           "peers");
    cudaFree(x), ncclCommDestroy(comm);
}

/* The runtime's own error, which the checker would report. */
static void refused_by_the_runtime()
{
    ncclComm_t comm = communicator();
    float *x;
    cudaMalloc(&x, 8);
    expect(ncclAllReduce(x, NULL, 1, ncclFloat, ncclSum, comm, 0) == ncclUnhandledCudaError && told("Cuda failure") &&
               cudaGetLastError() == cudaSuccess,
           "no buffer");
    cudaFree(x), ncclCommDestroy(comm);
}

/* ---- products with a scalar ---- */

/* Small values, whose products every type can hold, or round in one way only: of a type without a sign none below 0. */
template <class T> static void products(ncclDataType_t type, size_t count, bool on_device, double factor)
{
    ncclComm_t comm = communicator();
    std::vector<T> x(count), got(count);
    for (size_t i = 0; i < count; i++)
        x[i] = (T)(float)((int)(i % 29) - (std::is_unsigned<T>::value ? 0 : 14));
    T scalar = (T)(float)factor, *d, *d_scalar;
    cudaMalloc(&d, 2 * count * sizeof(T)), cudaMalloc(&d_scalar, sizeof(T));
    cudaMemcpy(d, x.data(), count * sizeof(T), cudaMemcpyHostToDevice);
    ncclRedOp_t op;
    expect(ncclRedOpCreatePreMulSum(&op, on_device ? d_scalar : &scalar, type,
                                    on_device ? ncclScalarDevice : ncclScalarHostImmediate, comm) == good,
           "an operator");
    cudaMemcpy(d_scalar, &scalar, sizeof(T), cudaMemcpyHostToDevice);
    scalar = (T)0.0f; /* one on the host has been read */
    expect(ncclAllReduce(d, d + count, count, type, op, comm, 0) == good, "a product");
    expect(ncclReduceScatter(d + count, d + count, count, type, op, comm, 0) == good, "a product in place");
    expect(ncclRedOpDestroy(op, comm) == good, "its operator's end");
    cudaMemcpy(got.data(), d + count, count * sizeof(T), cudaMemcpyDeviceToHost);
    bool right = true;
    for (size_t i = 0; i < count; i++) {
        const T once = (T)((float)x[i] * (float)(T)(float)factor), twice = (T)((float)once * (float)(T)(float)factor);
        right &= !memcmp(&got[i], &twice, sizeof(T));
    }
    expect(right, ("products of type " + std::to_string(type)).c_str());
    cudaFree(d), cudaFree(d_scalar), ncclCommDestroy(comm);
}

static void all_products()
{
    for (int way = 0; way < 4; way++) {
        const size_t count = way & 1 ? 70001 : 3;
        const bool on_device = way & 2;
        products<signed char>(ncclInt8, count, on_device, -2);
        products<unsigned char>(ncclUint8, count, on_device, 1);
        products<int>(ncclInt32, count, on_device, -300);
        products<unsigned>(ncclUint32, count, on_device, 1);
        products<long long>(ncclInt64, count, on_device, -300);
        products<unsigned long long>(ncclUint64, count, on_device, 1);
        products<__half>(ncclFloat16, count, on_device, 0.3);
        products<__nv_bfloat16>(ncclBfloat16, count, on_device, 0.3);
        products<float>(ncclFloat32, count, on_device, 0.3);
        products<double>(ncclFloat64, count, on_device, 0.25);
        products<__nv_fp8_e4m3>(ncclFloat8e4m3, count, on_device, 0.75);
        products<__nv_fp8_e5m2>(ncclFloat8e5m2, count, on_device, 0.75);
    }
    const unsigned long long big = 0x123456789abcdefull, factor = 0x10000000001ull;
    unsigned long long got = 0, *d;
    ncclComm_t comm = communicator();
    ncclRedOp_t op;
    cudaMalloc(&d, sizeof got);
    cudaMemcpy(d, &big, sizeof big, cudaMemcpyHostToDevice);
    ncclRedOpCreatePreMulSum(&op, (void *)&factor, ncclUint64, ncclScalarHostImmediate, comm);
    ncclAllReduce(d, d, 1, ncclUint64, op, comm, 0);
    cudaMemcpy(&got, d, sizeof got, cudaMemcpyDeviceToHost);
    expect(got == big * factor, "whole numbers wrap around");
    cudaFree(d), ncclCommDestroy(comm);
}

static void operators()
{
    ncclComm_t comm = communicator(), other = communicator();
    float two = 2, *x;
    cudaMalloc(&x, 4), cudaMemset(x, 0, 4);
    ncclRedOp_t a, b;
    expect(ncclRedOpCreatePreMulSum(&a, &two, ncclFloat, ncclScalarHostImmediate, comm) == good &&
               ncclRedOpCreatePreMulSum(&b, &two, ncclFloat, ncclScalarHostImmediate, comm) == good && a != b,
           "two operators");
    expect(ncclAllReduce(x, x, 1, ncclFloat, a, other, 0) == bad_argument, "another communicator's operator");
    expect(ncclAllReduce(x, x, 1, ncclInt, a, comm, 0) == bad_argument && told("does not match"), "another type");
    expect(ncclRedOpDestroy(ncclSum, comm) == bad_argument && ncclRedOpDestroy(a, other) == bad_argument &&
               ncclRedOpDestroy(a, NULL) == bad_argument,
           "what is not to be destroyed");
    expect(ncclRedOpDestroy(a, comm) == good && ncclRedOpDestroy(a, comm) == bad_argument, "destroyed once");
    expect(ncclAllReduce(x, x, 1, ncclFloat, a, comm, 0) == bad_argument, "an operator that was destroyed");
    expect(ncclAllReduce(x, x, 1, ncclFloat, b, comm, 0) == good, "one that is left");
    expect(ncclRedOpCreatePreMulSum(&a, NULL, ncclFloat, ncclScalarHostImmediate, comm) == bad_argument &&
               ncclRedOpCreatePreMulSum(&a, &two, ncclNumTypes, ncclScalarHostImmediate, comm) == ncclInternalError,
           "operators that cannot be");
    cudaDeviceSynchronize();
    cudaFree(x), ncclCommDestroy(comm), ncclCommDestroy(other);
}

int main(int count, char **)
{
    expect(!*ncclGetLastError(NULL), "no error at first");
    one_rank();
    configured();
    copies();
    refused();
    if (count == 1)
        refused_by_the_runtime();
    all_products();
    operators();
    more_ranks();
    return verdict();
}
