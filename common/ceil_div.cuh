/* ceil_div.cuh: a / b, rounded up, for whole numbers that are not negative: how many blocks of b threads cover a
 * elements. The result is of a's type. For host and device. */
#ifndef CEIL_DIV_CUH
#define CEIL_DIV_CUH

template <typename A, typename B> __host__ __device__ constexpr A ceil_div(A a, B b) { return (A)((a + b - 1) / b); }

#endif
