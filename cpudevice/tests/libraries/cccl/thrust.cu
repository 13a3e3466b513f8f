// SKIPS: CCCL is not here
// TEST: thrust
// RUN: needs_cccl && $cucc -O1 -o $exe $case && $exe
// Thrust's algorithms on device vectors, compared with the standard library's.
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/unique.h>
#include <algorithm>
#include <cstdio>
#include <numeric>

static int tell(const char *name, bool right)
{
    printf("%s: %s\n", name, right ? "right" : "wrong");
    return !right;
}

struct Square {
    __host__ __device__ long operator()(long x) const { return x * x; }
};

int main()
{
    const int n = 30011;
    int failed = 0;
    thrust::host_vector<int> h(n);
    for (int i = 0; i < n; i++)
        h[i] = (int)(i * 2654435761u >> 19);
    thrust::device_vector<int> d = h;

    thrust::sort(d.begin(), d.end());
    std::sort(h.begin(), h.end());
    failed += tell("sort", thrust::host_vector<int>(d) == h);
    failed += tell("reduce", thrust::reduce(d.begin(), d.end(), 0L) == std::accumulate(h.begin(), h.end(), 0L));

    const long left = thrust::unique(d.begin(), d.end()) - d.begin();
    failed += tell("unique", left == std::unique(h.begin(), h.end()) - h.begin());

    thrust::device_vector<long> squares(n);
    thrust::transform(thrust::counting_iterator<long>(0), thrust::counting_iterator<long>(n), squares.begin(), Square());
    thrust::exclusive_scan(squares.begin(), squares.end(), squares.begin());
    const long m = n - 2; /* the sum of the squares to m */
    failed += tell("scan", squares[n - 1] == m * (m + 1) * (2 * m + 1) / 6);
    return failed;
}
