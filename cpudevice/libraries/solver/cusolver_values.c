/* cusolver_values.c: singular values and symmetric eigenvalues on LAPACK. */
#include <stdlib.h>
#include <string.h>

#include "solver/cusolver_problem.h"
#include "cpudev_must.h"

/* ---- singular values ---- */

static void gesvd_call(const problem *p, void *vt, int ldvt, void *work, int lwork, void *rwork, int *info)
{
    if (p->l->size == p->l->real_size)
        p->l->gesvd.real(&p->jobu, &p->jobvt, &p->m, &p->n, p->a, &p->lda, p->s, p->b, &p->ldb, vt, &ldvt, work, &lwork,
                         info, 1, 1);
    else
        p->l->gesvd.complex(&p->jobu, &p->jobvt, &p->m, &p->n, p->a, &p->lda, p->s, p->b, &p->ldb, vt, &ldvt, work,
                            &lwork, rwork, info, 1, 1);
}

/* V, n x k, is the conjugate transpose of vt, k x n. */
static void transpose_v(const problem *p, const void *vt, int k)
{
    const size_t real = p->l->real_size, size = p->l->size;
    for (int i = 0; i < k; i++)
        for (int j = 0; j < p->n; j++) {
            const char *from = (const char *)vt + ((size_t)j * (size_t)k + (size_t)i) * size;
            char *to = (char *)p->c + ((size_t)i * (size_t)p->ldc + (size_t)j) * size;
            memcpy(to, from, size);
            if (size != real && real == 4)
                ((float *)to)[1] = -((float *)to)[1];
            else if (size != real)
                ((double *)to)[1] = -((double *)to)[1];
        }
}

void cusolver_gesvd(const void *arguments)
{
    const problem *p = arguments;
    const int k = p->m < p->n ? p->m : p->n;
    const int u_columns = p->jobu == 'A' ? p->m : p->jobu == 'S' ? k : 0;
    const int v_rows = p->jobvt == 'A' ? p->n : p->jobvt == 'S' ? k : 0;
    double first[2] = {0};
    int info = 0, ldvt = p->ldc < 1 ? 1 : p->ldc;
    void *vt = p->c, *rwork = must(malloc((size_t)(5 * k + 1) * p->l->real_size));
    if (p->transpose_v) {
        ldvt = v_rows ? v_rows : 1;
        vt = must(malloc(((size_t)ldvt * (size_t)p->n + 1) * p->l->size));
    }
    reads(p, p->a, p->m, p->n, p->lda);
    gesvd_call(p, vt, ldvt, first, -1, rwork, &info);
    const int lwork = named_size(p, first);
    void *work = must(malloc((size_t)lwork * p->l->size));
    gesvd_call(p, vt, ldvt, work, lwork, rwork, &info);
    if (p->transpose_v && v_rows)
        transpose_v(p, vt, v_rows);
    writes(p, p->a, p->m, p->n, p->lda);
    writes(p, p->b, p->m, u_columns, p->ldb);
    if (p->transpose_v)
        writes(p, p->c, p->n, v_rows, p->ldc);
    else
        writes(p, p->c, v_rows, v_rows ? p->n : 0, p->ldc);
    library_writes(p->s, (size_t)k * p->l->real_size);
    if (p->transpose_v)
        free(vt);
    free(work);
    free(rwork);
    set_info(p->info, info);
}

/* ---- symmetric eigenvalues; with type > 0 of A x = w B x and its like ---- */

static void eigen_call(const problem *p, void *work, int lwork, void *rwork, int lrwork, int *iwork, int liwork,
                       int *info)
{
    const lapack *l = p->l;
    if (p->type && l->size == l->real_size)
        l->sygvd.real(&p->type, &p->jobu, &p->uplo, &p->n, p->a, &p->lda, p->b, &p->ldb, p->s, work, &lwork, iwork,
                      &liwork, info, 1, 1);
    else if (p->type)
        l->sygvd.complex(&p->type, &p->jobu, &p->uplo, &p->n, p->a, &p->lda, p->b, &p->ldb, p->s, work, &lwork, rwork,
                         &lrwork, iwork, &liwork, info, 1, 1);
    else if (l->size == l->real_size)
        l->syevd.real(&p->jobu, &p->uplo, &p->n, p->a, &p->lda, p->s, work, &lwork, iwork, &liwork, info, 1, 1);
    else
        l->syevd.complex(&p->jobu, &p->uplo, &p->n, p->a, &p->lda, p->s, work, &lwork, rwork, &lrwork, iwork, &liwork,
                         info, 1, 1);
}

void cusolver_eigen(const void *arguments)
{
    const problem *p = arguments;
    double first[2] = {0}, rfirst[2] = {0};
    int info = 0, ifirst = 0;
    triangle(p, p->a, p->lda, false);
    if (p->type)
        triangle(p, p->b, p->ldb, false);
    eigen_call(p, first, -1, rfirst, -1, &ifirst, -1, &info);
    const int lwork = named_size(p, first), lrwork = named_size(p, rfirst), liwork = ifirst + 1;
    void *work = must(malloc((size_t)lwork * p->l->size)), *rwork = must(malloc((size_t)lrwork * p->l->real_size));
    int *iwork = must(malloc((size_t)liwork * sizeof *iwork));
    eigen_call(p, work, lwork, rwork, lrwork, iwork, liwork, &info);
    if (p->jobu == 'V')
        writes(p, p->a, p->n, p->n, p->lda);
    else
        triangle(p, p->a, p->lda, true);
    if (p->type)
        triangle(p, p->b, p->ldb, true);
    library_writes(p->s, (size_t)p->n * p->l->real_size);
    free(work), free(rwork), free(iwork);
    set_info(p->info, info);
}
