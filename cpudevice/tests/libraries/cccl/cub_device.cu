// SKIPS: CCCL is not here
// TEST: cub_device
// RUN: needs_cccl && $cucc -O1 -o $exe $case && $exe
// CUB's device-wide algorithms, compared with plain loops.
#include <cub/cub.cuh>
#include <algorithm>
#include <cstdio>
#include <vector>

const int N = 50021;

/* The two calls of CUB's convention: how much memory, then the work. */
template <class F> static void run(const char *name, F algorithm)
{
    void *memory = nullptr;
    size_t bytes = 0;
    cudaError_t error = algorithm(memory, bytes);
    if (!error)
        error = cudaMalloc(&memory, bytes);
    if (!error)
        error = algorithm(memory, bytes);
    if (!error)
        error = cudaDeviceSynchronize();
    if (error)
        printf("%s: %s\n", name, cudaGetErrorString(error));
    cudaFree(memory);
}

static int tell(const char *name, int wrong)
{
    printf("%s: %d wrong\n", name, wrong);
    return wrong != 0;
}

int main()
{
    int *in, *out, *counts, *number, *bins, failed = 0, wrong = 0, k = 0;
    unsigned *keys, *sorted;
    cudaMallocManaged(&in, N * sizeof *in);
    cudaMallocManaged(&out, N * sizeof *out);
    cudaMallocManaged(&counts, N * sizeof *counts);
    cudaMallocManaged(&number, sizeof *number);
    cudaMallocManaged(&bins, 100 * sizeof *bins);
    cudaMallocManaged(&keys, N * sizeof *keys);
    cudaMallocManaged(&sorted, N * sizeof *sorted);
    for (int i = 0; i < N; i++) {
        in[i] = i * 7919 % 1000;
        keys[i] = i * 2654435761u;
    }

    run("sum", [&](void *m, size_t &b) { return cub::DeviceReduce::Sum(m, b, in, number, N); });
    long sum = 0;
    for (int i = 0; i < N; i++)
        sum += in[i];
    failed += tell("sum", *number != sum);

    run("scan", [&](void *m, size_t &b) { return cub::DeviceScan::InclusiveSum(m, b, in, out, N); });
    sum = 0;
    for (int i = 0; i < N; i++)
        wrong += out[i] != (sum += in[i]);
    failed += tell("scan", wrong);

    run("sort", [&](void *m, size_t &b) { return cub::DeviceRadixSort::SortKeys(m, b, keys, sorted, N); });
    std::vector<unsigned> want(keys, keys + N);
    std::sort(want.begin(), want.end());
    wrong = 0;
    for (int i = 0; i < N; i++)
        wrong += sorted[i] != want[i];
    failed += tell("sort", wrong);

    auto small = [] __device__(int x) { return x < 10; };
    run("select", [&](void *m, size_t &b) { return cub::DeviceSelect::If(m, b, in, out, number, N, small); });
    wrong = 0;
    for (int i = 0; i < N; i++)
        if (in[i] < 10)
            wrong += out[k++] != in[i];
    failed += tell("select", wrong + (*number != k));

    run("histogram", [&](void *m, size_t &b) {
        return cub::DeviceHistogram::HistogramEven(m, b, in, bins, 101, 0, 1000, N);
    });
    std::vector<int> have(100);
    for (int i = 0; i < N; i++)
        have[in[i] / 10]++;
    wrong = 0;
    for (int i = 0; i < 100; i++)
        wrong += bins[i] != have[i];
    failed += tell("histogram", wrong);

    for (int i = 0; i < N; i++)
        in[i] = i / 7 % 5;
    run("runs", [&](void *m, size_t &b) {
        return cub::DeviceRunLengthEncode::Encode(m, b, in, out, counts, number, N);
    });
    wrong = *number != (N + 6) / 7;
    for (int i = 0; i < *number; i++)
        wrong += out[i] != i % 5 || counts[i] != std::min(7, N - 7 * i);
    failed += tell("runs", wrong);
    for (void *p : {(void *)in, (void *)out, (void *)counts, (void *)number, (void *)bins, (void *)keys, (void *)sorted})
        cudaFree(p);
    return failed != 0;
}
