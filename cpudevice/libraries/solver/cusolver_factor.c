/* cusolver_factor.c: Cholesky, LU and QR on LAPACK. */
#include <stdlib.h>

#include "solver/cusolver_problem.h"
#include "cpudev_must.h"

/* ---- Cholesky ---- */

static void on_triangle(const problem *p, lapack_on_triangle *routine)
{
    int info = 0;
    triangle(p, p->a, p->lda, false);
    routine(&p->uplo, &p->n, p->a, &p->lda, &info, 1);
    triangle(p, p->a, p->lda, true);
    set_info(p->info, info);
}

void cusolver_potrf(const void *arguments)
{
    const problem *p = arguments;
    on_triangle(p, p->l->potrf);
}

void cusolver_potri(const void *arguments)
{
    const problem *p = arguments;
    on_triangle(p, p->l->potri);
}

void cusolver_potrs(const void *arguments)
{
    const problem *p = arguments;
    int info = 0;
    triangle(p, p->a, p->lda, false);
    reads(p, p->b, p->n, p->nrhs, p->ldb);
    p->l->potrs(&p->uplo, &p->n, &p->nrhs, p->a, &p->lda, p->b, &p->ldb, &info, 1);
    writes(p, p->b, p->n, p->nrhs, p->ldb);
    set_info(p->info, info);
}

/* a and b are arrays of pointers, in device memory. */
void cusolver_potrf_batched(const void *arguments)
{
    const problem *p = arguments;
    library_reads(p->a, (size_t)p->batch * sizeof(void *));
    for (int i = 0; i < p->batch; i++) {
        problem one = *p;
        one.a = ((void **)p->a)[i];
        one.info = p->info + i;
        cusolver_potrf(&one);
    }
}

void cusolver_potrs_batched(const void *arguments)
{
    const problem *p = arguments;
    library_reads(p->a, (size_t)p->batch * sizeof(void *));
    library_reads(p->b, (size_t)p->batch * sizeof(void *));
    for (int i = 0; i < p->batch; i++) {
        problem one = *p;
        one.a = ((void **)p->a)[i];
        one.b = ((void **)p->b)[i];
        one.info = i == 0 ? p->info : NULL; /* one for all, as cuSOLVER has it */
        cusolver_potrs(&one);
    }
}

/* ---- LU ---- */

void cusolver_getrf(const void *arguments)
{
    const problem *p = arguments;
    int info = 0, *pivots = p->pivots;
    const int count = p->m < p->n ? p->m : p->n;
    if (p->pivots64)
        pivots = must(malloc(((size_t)count + 1) * sizeof *pivots));
    reads(p, p->a, p->m, p->n, p->lda);
    p->l->getrf(&p->m, &p->n, p->a, &p->lda, pivots, &info);
    writes(p, p->a, p->m, p->n, p->lda);
    for (int i = 0; p->pivots64 && i < count; i++)
        p->pivots64[i] = pivots[i];
    if (p->pivots64) {
        library_writes(p->pivots64, (size_t)count * sizeof *p->pivots64);
        free(pivots);
    } else
        library_writes(pivots, (size_t)count * sizeof *pivots);
    set_info(p->info, info);
}

/* Without pivots, which LAPACK has not: column by column, in the matrix's own arithmetic. */
#define EXACT_LU(NAME, T)                                                                                              \
    static int NAME(int m, int n, T *a, size_t lda)                                                                    \
    {                                                                                                                  \
        int info = 0;                                                                                                  \
        for (int k = 0; k < m && k < n; k++) {                                                                         \
            const T pivot = a[(size_t)k * lda + (size_t)k];                                                            \
            if (pivot == 0 && !info)                                                                                   \
                info = k + 1;                                                                                          \
            for (int i = k + 1; i < m; i++)                                                                            \
                a[(size_t)k * lda + (size_t)i] /= pivot;                                                               \
            for (int j = k + 1; j < n; j++)                                                                            \
                for (int i = k + 1; i < m; i++)                                                                        \
                    a[(size_t)j * lda + (size_t)i] -= a[(size_t)k * lda + (size_t)i] * a[(size_t)j * lda + (size_t)k]; \
        }                                                                                                              \
        return info;                                                                                                   \
    }
EXACT_LU(lu_s, float)
EXACT_LU(lu_d, double)
EXACT_LU(lu_c, float _Complex)
EXACT_LU(lu_z, double _Complex)

void cusolver_lu_without_pivots(const void *arguments)
{
    const problem *p = arguments;
    const size_t lda = (size_t)p->lda;
    reads(p, p->a, p->m, p->n, p->lda);
    const int info = p->l->letter == 'S'   ? lu_s(p->m, p->n, p->a, lda)
                     : p->l->letter == 'D' ? lu_d(p->m, p->n, p->a, lda)
                     : p->l->letter == 'C' ? lu_c(p->m, p->n, p->a, lda)
                                           : lu_z(p->m, p->n, p->a, lda);
    writes(p, p->a, p->m, p->n, p->lda);
    set_info(p->info, info);
}

void cusolver_getrs(const void *arguments)
{
    const problem *p = arguments;
    int info = 0, *pivots = p->pivots;
    if (p->pivots64 || !pivots) {
        pivots = must(malloc(((size_t)p->n + 1) * sizeof *pivots));
        for (int i = 0; i < p->n; i++)
            pivots[i] = p->pivots64 ? (int)p->pivots64[i] : i + 1;
    }
    library_reads(p->pivots64 ? (void *)p->pivots64 : p->pivots,
                  p->pivots64 || p->pivots ? (size_t)p->n * (p->pivots64 ? 8 : 4) : 0);
    reads(p, p->a, p->n, p->n, p->lda);
    reads(p, p->b, p->n, p->nrhs, p->ldb);
    p->l->getrs(&p->trans, &p->n, &p->nrhs, p->a, &p->lda, pivots, p->b, &p->ldb, &info, 1);
    writes(p, p->b, p->n, p->nrhs, p->ldb);
    if (pivots != p->pivots)
        free(pivots);
    set_info(p->info, info);
}

/* ---- QR ---- */

void cusolver_geqrf(const void *arguments)
{
    const problem *p = arguments;
    const int ask = -1, taus = p->m < p->n ? p->m : p->n;
    double first[2] = {0};
    int info = 0;
    reads(p, p->a, p->m, p->n, p->lda);
    p->l->geqrf(&p->m, &p->n, p->a, &p->lda, p->tau, first, &ask, &info);
    const int lwork = named_size(p, first);
    void *work = must(malloc((size_t)lwork * p->l->size));
    p->l->geqrf(&p->m, &p->n, p->a, &p->lda, p->tau, work, &lwork, &info);
    writes(p, p->a, p->m, p->n, p->lda);
    writes(p, p->tau, taus, 1, taus);
    free(work);
    set_info(p->info, info);
}

void cusolver_orgqr(const void *arguments)
{
    const problem *p = arguments;
    const int ask = -1;
    double first[2] = {0};
    int info = 0;
    reads(p, p->a, p->m, p->k, p->lda);
    reads(p, p->tau, p->k, 1, p->k);
    p->l->orgqr(&p->m, &p->n, &p->k, p->a, &p->lda, p->tau, first, &ask, &info);
    const int lwork = named_size(p, first);
    void *work = must(malloc((size_t)lwork * p->l->size));
    p->l->orgqr(&p->m, &p->n, &p->k, p->a, &p->lda, p->tau, work, &lwork, &info);
    writes(p, p->a, p->m, p->n, p->lda);
    free(work);
    set_info(p->info, info);
}

void cusolver_ormqr(const void *arguments)
{
    const problem *p = arguments;
    const int ask = -1;
    double first[2] = {0};
    int info = 0;
    reads(p, p->a, p->side == 'L' ? p->m : p->n, p->k, p->lda);
    reads(p, p->tau, p->k, 1, p->k);
    reads(p, p->c, p->m, p->n, p->ldc);
    p->l->ormqr(&p->side, &p->trans, &p->m, &p->n, &p->k, p->a, &p->lda, p->tau, p->c, &p->ldc, first, &ask, &info, 1,
                1);
    const int lwork = named_size(p, first);
    void *work = must(malloc((size_t)lwork * p->l->size));
    p->l->ormqr(&p->side, &p->trans, &p->m, &p->n, &p->k, p->a, &p->lda, p->tau, p->c, &p->ldc, work, &lwork, &info, 1,
                1);
    writes(p, p->c, p->m, p->n, p->ldc);
    free(work);
    set_info(p->info, info);
}
