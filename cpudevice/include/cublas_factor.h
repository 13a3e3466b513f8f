/* cublas_factor.h: cuBLAS's factorizations of many small matrices (getrfBatched, getriBatched, getrsBatched,
 * matinvBatched) and triangular systems (trsm), for S and D: plain kernels, one thread a matrix or a right-hand side.
 * cublas_v2.h includes it. Arrays of pointers lie in device memory. */
#ifndef CUBLAS_FACTOR_H
#define CUBLAS_FACTOR_H

/* P A = L U, with the pivots from 1 on as LAPACK has them; without pivots where there is no room for them. */
template <class __T> __device__ int cpudev_lu(int n, __T *a, int lda, int *pivots)
{
    int info = 0;
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n && pivots; i++)
            if (fabs(a[(long long)k * lda + i]) > fabs(a[(long long)k * lda + best]))
                best = i;
        if (pivots)
            pivots[k] = best + 1;
        for (int j = 0; j < n && best != k; j++) {
            const __T keep = a[(long long)j * lda + k];
            a[(long long)j * lda + k] = a[(long long)j * lda + best];
            a[(long long)j * lda + best] = keep;
        }
        const __T pivot = a[(long long)k * lda + k];
        if (pivot == 0) {
            info = info ? info : k + 1;
            continue;
        }
        for (int i = k + 1; i < n; i++)
            a[(long long)k * lda + i] /= pivot;
        for (int j = k + 1; j < n; j++)
            for (int i = k + 1; i < n; i++)
                a[(long long)j * lda + i] -= a[(long long)k * lda + i] * a[(long long)j * lda + k];
    }
    return info;
}

/* x, one column, becomes the solution of op(L U) x = P x. */
template <class __T>
__device__ void cpudev_lu_solve(bool transposed, int n, const __T *a, int lda, const int *pivots, __T *x)
{
    for (int i = 0; i < n && pivots && !transposed; i++) {
        const int from = pivots[i] - 1;
        const __T keep = x[i];
        x[i] = x[from];
        x[from] = keep;
    }
    for (int i = 0; i < n; i++) { /* L, or the transpose of U */
        for (int j = 0; j < i; j++)
            x[i] -= (transposed ? a[(long long)i * lda + j] : a[(long long)j * lda + i]) * x[j];
        if (transposed)
            x[i] /= a[(long long)i * lda + i];
    }
    for (int i = n - 1; i >= 0; i--) { /* U, or the transpose of L */
        for (int j = i + 1; j < n; j++)
            x[i] -= (transposed ? a[(long long)i * lda + j] : a[(long long)j * lda + i]) * x[j];
        if (!transposed)
            x[i] /= a[(long long)i * lda + i];
    }
    for (int i = n - 1; i >= 0 && pivots && transposed; i--) {
        const int from = pivots[i] - 1;
        const __T keep = x[i];
        x[i] = x[from];
        x[from] = keep;
    }
}

template <class __T>
__global__ void cpudev_getrf_batched(int n, __T *const *a, int lda, int *pivots, int *info, int batch)
{
    const int b = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (b < batch)
        info[b] = cpudev_lu(n, a[b], lda, pivots ? pivots + (long long)b * n : (int *)0);
}

/* The columns of C become those of the inverse. */
template <class __T>
__global__ void cpudev_getri_batched(int n, const __T *const *a, int lda, const int *pivots, __T *const *c, int ldc,
                                     int *info, int batch)
{
    const int b = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (b >= batch)
        return;
    info[b] = 0;
    for (int i = n - 1; i >= 0; i--)
        if (a[b][(long long)i * lda + i] == 0)
            info[b] = i + 1;
    for (int j = 0; j < n && !info[b]; j++) {
        __T *x = c[b] + (long long)j * ldc;
        for (int i = 0; i < n; i++)
            x[i] = i == j;
        cpudev_lu_solve(false, n, a[b], lda, pivots ? pivots + (long long)b * n : (const int *)0, x);
    }
}

template <class __T>
__global__ void cpudev_getrs_batched(bool transposed, int n, int nrhs, const __T *const *a, int lda, const int *pivots,
                                     __T *const *b, int ldb, int batch)
{
    const int t = (int)(blockIdx.x * blockDim.x + threadIdx.x), which = nrhs ? t / nrhs : batch;
    if (which < batch)
        cpudev_lu_solve(transposed, n, a[which], lda, pivots ? pivots + (long long)which * n : (const int *)0,
                        b[which] + (long long)(t % nrhs) * ldb);
}

/* In a copy that is made in C; of at most 32 rows, as cuBLAS has it. */
template <class __T>
__global__ void cpudev_matinv_batched(int n, const __T *const *a, int lda, __T *const *c, int ldc, int *info, int batch)
{
    const int b = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (b >= batch)
        return;
    __T lu[32 * 32];
    int pivots[32];
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            lu[j * n + i] = a[b][(long long)j * lda + i];
    info[b] = cpudev_lu(n, lu, n, pivots);
    for (int j = 0; j < n && !info[b]; j++) {
        __T *x = c[b] + (long long)j * ldc;
        for (int i = 0; i < n; i++)
            x[i] = i == j;
        cpudev_lu_solve(false, n, lu, n, pivots, x);
    }
}

/* op(A) X = alpha B or X op(A) = alpha B, in B; a thread for each column, or row, of B. `lower` is that of op(A). */
template <class __T>
__global__ void cpudev_trsm(bool left, bool lower, bool transposed, bool unit, int m, int n, CpudevFactor<__T> factor,
                            const __T *a, long long lda, __T *b, long long ldb)
{
    const int t = (int)(blockIdx.x * blockDim.x + threadIdx.x), order = left ? m : n;
    if (t >= (left ? n : m))
        return;
    __T *x = left ? b + t * ldb : b + t;
    const __T alpha = factor.at ? *factor.at : factor.value;
    const long long step = left ? 1 : ldb;
    const bool forwards = lower == left;
    for (int s = 0; s < order; s++) {
        const int i = forwards ? s : order - 1 - s;
        __T sum = alpha * x[i * step];
        for (int q = 0; q < s; q++) {
            const int j = forwards ? q : order - 1 - q, row = left ? i : j, column = left ? j : i;
            sum -= (transposed ? a[row * lda + column] : a[column * lda + row]) * x[j * step];
        }
        x[i * step] = unit ? sum : sum / a[i * lda + i];
    }
}

#define CPUDEV_FACTOR(letter, __T)                                                                                     \
    CPUDEV_BLAS cublasStatus_t cublas##letter##getrfBatched(cublasHandle_t h, int n, __T *const a[], int lda,          \
                                                            int *pivots, int *info, int batch)                         \
    {                                                                                                                  \
        if (n < 0 || batch < 0 || lda < (n > 1 ? n : 1))                                                               \
            return CUBLAS_STATUS_INVALID_VALUE;                                                                        \
        if (n && batch)                                                                                                \
            cpudev_getrf_batched<__T><<<(batch + 31) / 32, 32, 0, h->stream>>>(n, a, lda, pivots, info, batch);        \
        return CUBLAS_STATUS_SUCCESS;                                                                                  \
    }                                                                                                                  \
    CPUDEV_BLAS cublasStatus_t cublas##letter##getriBatched(cublasHandle_t h, int n, const __T *const a[], int lda,    \
                                                            const int *pivots, __T *const c[], int ldc, int *info,     \
                                                            int batch)                                                 \
    {                                                                                                                  \
        if (n < 0 || batch < 0 || lda < (n > 1 ? n : 1) || ldc < (n > 1 ? n : 1))                                      \
            return CUBLAS_STATUS_INVALID_VALUE;                                                                        \
        if (n && batch)                                                                                                \
            cpudev_getri_batched<__T>                                                                                  \
                <<<(batch + 31) / 32, 32, 0, h->stream>>>(n, a, lda, pivots, c, ldc, info, batch);                     \
        return CUBLAS_STATUS_SUCCESS;                                                                                  \
    }                                                                                                                  \
    CPUDEV_BLAS cublasStatus_t cublas##letter##getrsBatched(                                                           \
        cublasHandle_t h, cublasOperation_t trans, int n, int nrhs, const __T *const a[], int lda, const int *pivots,  \
        __T *const b[], int ldb, int *info, int batch)                                                                 \
    {                                                                                                                  \
        if (!info)                                                                                                     \
            return CUBLAS_STATUS_INVALID_VALUE;                                                                        \
        *info = n < 0 ? -2 : nrhs < 0 ? -3 : lda < (n > 1 ? n : 1) ? -5 : ldb < (n > 1 ? n : 1) ? -8 : 0;              \
        if (*info || batch < 0)                                                                                        \
            return CUBLAS_STATUS_INVALID_VALUE;                                                                        \
        if (n && nrhs && batch)                                                                                        \
            cpudev_getrs_batched<__T><<<(batch * nrhs + 31) / 32, 32, 0, h->stream>>>(trans != CUBLAS_OP_N, n, nrhs,   \
                                                                                      a, lda, pivots, b, ldb, batch);  \
        return CUBLAS_STATUS_SUCCESS;                                                                                  \
    }                                                                                                                  \
    CPUDEV_BLAS cublasStatus_t cublas##letter##matinvBatched(cublasHandle_t h, int n, const __T *const a[], int lda,   \
                                                             __T *const c[], int ldc, int *info, int batch)            \
    {                                                                                                                  \
        if (n < 0 || n > 32 || batch < 0 || lda < (n > 1 ? n : 1) || ldc < (n > 1 ? n : 1))                            \
            return CUBLAS_STATUS_INVALID_VALUE;                                                                        \
        if (n && batch)                                                                                                \
            cpudev_matinv_batched<__T><<<(batch + 31) / 32, 32, 0, h->stream>>>(n, a, lda, c, ldc, info, batch);       \
        return CUBLAS_STATUS_SUCCESS;                                                                                  \
    }                                                                                                                  \
    CPUDEV_BLAS cublasStatus_t cublas##letter##trsm(cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t uplo,    \
                                                    cublasOperation_t trans, cublasDiagType_t diag, int m, int n,      \
                                                    const __T *alpha, const __T *a, int lda, __T *b, int ldb)          \
    {                                                                                                                  \
        const bool left = side == CUBLAS_SIDE_LEFT, turned = trans != CUBLAS_OP_N;                                     \
        const bool lower = (uplo == CUBLAS_FILL_MODE_LOWER) != turned;                                                 \
        const int order = left ? m : n, lines = left ? n : m;                                                          \
        if (m < 0 || n < 0 || lda < (order > 1 ? order : 1) || ldb < (m > 1 ? m : 1))                                  \
            return CUBLAS_STATUS_INVALID_VALUE;                                                                        \
        if (m && n)                                                                                                    \
            cpudev_trsm<__T><<<(lines + 31) / 32, 32, 0, h->stream>>>(left, lower, turned, diag == CUBLAS_DIAG_UNIT,   \
                                                                      m, n, cpudev_factor(h, alpha), a, lda, b, ldb);  \
        return CUBLAS_STATUS_SUCCESS;                                                                                  \
    }
CPUDEV_FACTOR(S, float)
CPUDEV_FACTOR(D, double)
#undef CPUDEV_FACTOR

#endif
