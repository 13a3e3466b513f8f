/* What the device asks of OpenBLAS, in plain loops with sums in double: a libopenblas.so.0 for machines that have none.
 * At its end it tells on stderr how often it was called, and the number of threads that it was given. */
#include <complex.h>
#include <stdio.h>

static int calls, threads;
void openblas_set_num_threads(int n) { threads = n; }
__attribute__((destructor)) static void tell(void)
{
    fprintf(stderr, "plain OpenBLAS: %d calls, %d threads\n", calls, threads);
}

#define GEMM(name, T)                                                                                                  \
    void name(const char *ta, const char *tb, const int *m, const int *n, const int *k, const T *alpha, const T *a,    \
              const int *lda, const T *b, const int *ldb, const T *beta, T *c, const int *ldc)                         \
    {                                                                                                                  \
        __atomic_fetch_add(&calls, 1, __ATOMIC_RELAXED);                                                               \
        for (long j = 0; j < *n; j++)                                                                                  \
            for (long i = 0; i < *m; i++) {                                                                            \
                double complex sum = 0;                                                                                \
                for (long l = 0; l < *k && *alpha != 0; l++) {                                                         \
                    const double complex x = *ta == 'N' ? a[l * *lda + i] : a[i * *lda + l];                           \
                    const double complex y = *tb == 'N' ? b[j * *ldb + l] : b[l * *ldb + j];                           \
                    sum += (*ta == 'C' ? conj(x) : x) * (*tb == 'C' ? conj(y) : y);                                    \
                }                                                                                                      \
                T *to = &c[j * *ldc + i];                                                                              \
                *to = (T)(*alpha * sum + (*beta == 0 ? 0 : *beta * *to));                                              \
            }                                                                                                          \
    }
GEMM(sgemm_, float)
GEMM(dgemm_, double)
GEMM(cgemm_, float complex)
GEMM(zgemm_, double complex)
