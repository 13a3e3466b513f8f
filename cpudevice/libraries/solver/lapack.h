/* lapack.h: LAPACK's routines of one type, loaded when they are first needed. */
#ifndef LAPACK_H
#define LAPACK_H

#include <stddef.h>

/* Fortran's: every argument by address, and at the end the length of each text. */
typedef void lapack_on_triangle(const char *uplo, const int *n, void *a, const int *lda, int *info, size_t);

/* Numbers are real or complex, of single or double precision, as the letter says: S, D, C, Z. */
typedef struct lapack {
    char letter;
    size_t size, real_size; /* of an element, of a real number of its precision */
    lapack_on_triangle *potrf, *potri;
    void (*potrs)(const char *uplo, const int *n, const int *nrhs, const void *a, const int *lda, void *b,
                  const int *ldb, int *info, size_t);
    void (*getrf)(const int *m, const int *n, void *a, const int *lda, int *pivots, int *info);
    void (*getrs)(const char *trans, const int *n, const int *nrhs, const void *a, const int *lda, const int *pivots,
                  void *b, const int *ldb, int *info, size_t);
    void (*geqrf)(const int *m, const int *n, void *a, const int *lda, void *tau, void *work, const int *lwork,
                  int *info);
    void (*orgqr)(const int *m, const int *n, const int *k, void *a, const int *lda, const void *tau, void *work,
                  const int *lwork, int *info);
    void (*ormqr)(const char *side, const char *trans, const int *m, const int *n, const int *k, const void *a,
                  const int *lda, const void *tau, void *c, const int *ldc, void *work, const int *lwork, int *info,
                  size_t, size_t);
    union {
        void (*real)(const char *jobu, const char *jobvt, const int *m, const int *n, void *a, const int *lda, void *s,
                     void *u, const int *ldu, void *vt, const int *ldvt, void *work, const int *lwork, int *info,
                     size_t, size_t);
        void (*complex)(const char *jobu, const char *jobvt, const int *m, const int *n, void *a, const int *lda,
                        void *s, void *u, const int *ldu, void *vt, const int *ldvt, void *work, const int *lwork,
                        void *rwork, int *info, size_t, size_t);
    } gesvd;
    union {
        void (*real)(const char *jobz, const char *uplo, const int *n, void *a, const int *lda, void *w, void *work,
                     const int *lwork, int *iwork, const int *liwork, int *info, size_t, size_t);
        void (*complex)(const char *jobz, const char *uplo, const int *n, void *a, const int *lda, void *w, void *work,
                        const int *lwork, void *rwork, const int *lrwork, int *iwork, const int *liwork, int *info,
                        size_t, size_t);
    } syevd;
    union {
        void (*real)(const int *type, const char *jobz, const char *uplo, const int *n, void *a, const int *lda,
                     void *b, const int *ldb, void *w, void *work, const int *lwork, int *iwork, const int *liwork,
                     int *info, size_t, size_t);
        void (*complex)(const int *type, const char *jobz, const char *uplo, const int *n, void *a, const int *lda,
                        void *b, const int *ldb, void *w, void *work, const int *lwork, void *rwork, const int *lrwork,
                        int *iwork, const int *liwork, int *info, size_t, size_t);
    } sygvd;
} lapack;

const lapack *lapack_of(char letter); /* NULL: LAPACK is missing, which was told */

#endif
