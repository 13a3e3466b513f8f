/* cusolver_problem.h: what the parts of cuSOLVER share: a routine's arguments, and the routines' bodies.
 *
 * A body is what a stream runs (library.h). It gets a `problem`: what the caller said, in LAPACK's words. */
#ifndef CUSOLVER_PROBLEM_H
#define CUSOLVER_PROBLEM_H

#include <stdbool.h>
#include <stddef.h>

#include "cusolverDn.h"
#include "solver/lapack.h"
#include "library.h"

typedef struct problem {
    const lapack *l;
    char side, trans, uplo, jobu, jobvt;
    bool transpose_v; /* the caller wants V, not its transpose */
    int m, n, k, nrhs, lda, ldb, ldc, type, batch;
    void *a, *b, *c, *tau, *s; /* matrices, and vectors */
    int *pivots, *info;
    long long *pivots64;
} problem;

static inline void reads(const problem *p, const void *a, int rows, int columns, int ld)
{
    library_matrix(false, a, p->l->size, rows, columns, ld);
}
static inline void writes(const problem *p, const void *a, int rows, int columns, int ld)
{
    library_matrix(true, a, p->l->size, rows, columns, ld);
}

/* Of a symmetric matrix only one triangle is there. */
static inline void triangle(const problem *p, const void *a, int ld, bool written)
{
    for (int i = 0; i < p->n; i++) {
        const int first = p->uplo == 'L' ? i : 0, rows = p->uplo == 'L' ? p->n - i : i + 1;
        library_matrix(written, (const char *)a + ((size_t)i * (size_t)ld + (size_t)first) * p->l->size, p->l->size,
                       rows, 1, ld);
    }
}

static inline void set_info(int *info, int value)
{
    if (!info)
        return;
    *info = value;
    library_writes(info, sizeof *info);
}

/* ---- working memory, which LAPACK names as the first number of it ---- */

static inline int named_size(const problem *p, const void *work)
{
    const double size = p->l->real_size == 4 ? (double)*(const float *)work : *(const double *)work;
    return size < 1 ? 1 : (int)(size * 1.01) + 1;
}

/* ---- bodies: Cholesky, LU, QR; singular values, symmetric eigenvalues ---- */

void cusolver_potrf(const void *problem);
void cusolver_potri(const void *problem);
void cusolver_potrs(const void *problem);
void cusolver_potrf_batched(const void *problem);
void cusolver_potrs_batched(const void *problem);
void cusolver_getrf(const void *problem);
void cusolver_lu_without_pivots(const void *problem);
void cusolver_getrs(const void *problem);
void cusolver_geqrf(const void *problem);
void cusolver_orgqr(const void *problem);
void cusolver_ormqr(const void *problem);
void cusolver_gesvd(const void *problem);
void cusolver_eigen(const void *problem);

/* ---- what the interface's functions check, and how they say it in LAPACK's words ---- */

static inline char uplo_of(cublasFillMode_t uplo) { return uplo == CUBLAS_FILL_MODE_LOWER ? 'L' : 'U'; }
static inline char trans_of(cublasOperation_t trans, bool complex)
{
    return trans == CUBLAS_OP_N ? 'N' : trans == CUBLAS_OP_C && complex ? 'C' : 'T';
}

/* Runs the body on the handle's stream, if the arguments are `good`. */
cusolverStatus_t cusolver_solve(cusolverDnHandle_t handle, const char *name, bool good, void (*body)(const void *),
                                const problem *p);

#endif
