/* blas.c: products of matrices on OpenBLAS, where it is installed: see cpudev_blas.h. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "blas/blas_convert.h"
#include "blas/blas_epilogue.h"
#include "cpudev_blas.h"
#include "library.h"
#include "cpudev_must.h"

/* Fortran's: every argument by address, and at the end the length of each text. */
typedef void blas_gemm(const char *op_a, const char *op_b, const int *m, const int *n, const int *k, const void *alpha,
                       const void *a, const int *lda, const void *b, const int *ldb, const void *beta, void *c,
                       const int *ldc, size_t, size_t);

/* Elements of C that one kernel may compute take this many multiplications and additions, some seconds' work: more
 * would seem to the watchdog like a kernel that gets nowhere. */
#define MOST_WORK 5e10

static struct {
    cpu_library library;
    blas_gemm *gemm[4]; /* S, D, C, Z */
    bool tried, ready;
    pthread_mutex_t lock;
} blas = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void load_all(void)
{
    static const char *const files[] = {"libopenblas.so.0", "libopenblas.so", NULL};
    static const char *const names[] = {"sgemm_", "dgemm_", "cgemm_", "zgemm_"};
    blas.library = (cpu_library){.for_whom = "cuBLAS", .files = files, .package = "libopenblas0", .told = true};
    if (!library_load(&blas.library)) /* without a word: there are loops */
        return;
    for (int i = 0; i < 4; i++) {
        void *const f = library_function(&blas.library, names[i]);
        if (!f)
            return;
        memcpy(&blas.gemm[i], &f, sizeof f);
    }
    const char *const workers = getenv("CUDA_CPU_WORKERS");
    void *const f = workers && atoi(workers) > 0 ? library_function(&blas.library, "openblas_set_num_threads") : NULL;
    void (*set_threads)(int);
    memcpy(&set_threads, &f, sizeof f);
    if (f)
        set_threads(atoi(workers));
    blas.ready = true;
}

static bool blas_ready(void)
{
    pthread_mutex_lock(&blas.lock);
    if (!blas.tried)
        load_all();
    blas.tried = true;
    const bool ready = blas.ready;
    pthread_mutex_unlock(&blas.lock);
    return ready;
}

/* ---- types ---- */

static bool is_small(cudaDataType t) { return t == CUDA_R_16F || t == CUDA_R_16BF; }
static size_t size_of(cudaDataType t) { return is_small(t) ? 2 : t == CUDA_R_32F ? 4 : t == CUDA_C_64F ? 16 : 8; }
static int gemm_of(cudaDataType t) { return t == CUDA_R_64F ? 1 : t == CUDA_C_32F ? 2 : t == CUDA_C_64F ? 3 : 0; }

static bool has_types(const cpudev_blas_product *p)
{
    const cudaDataType t = p->ab_type;
    const bool known = is_small(t) || t == CUDA_R_32F || t == CUDA_R_64F || t == CUDA_C_32F || t == CUDA_C_64F;
    return known && (p->c_type == t || (is_small(t) && p->c_type == CUDA_R_32F)) &&
           (is_small(t) ? p->scale == CUDA_R_32F || (t == CUDA_R_16F && p->scale == t) : p->scale == t);
}

/* A number for a product of type t. */
typedef union number {
    float f[2];
    double d[2];
} number;
static number number_of(cudaDataType t, const double x[2])
{
    number to;
    for (int i = 0; i < 2; i++)
        if (t == CUDA_R_64F || t == CUDA_C_64F)
            to.d[i] = x[i];
        else
            to.f[i] = (float)x[i];
    return to;
}

/* Reads a factor from the device, where it is there. */
static void fetch_factor(cudaDataType t, const void *at, double x[2])
{
    if (!at)
        return;
    library_reads(at, size_of(t));
    const bool is_complex = t == CUDA_C_32F || t == CUDA_C_64F;
    x[1] = 0;
    if (t == CUDA_R_16F)
        x[0] = (double)half_to_float(*(const unsigned short *)at);
    else
        for (int i = 0; i < (is_complex ? 2 : 1); i++)
            x[i] = size_of(t) == 8 + 8 * (size_t)is_complex ? ((const double *)at)[i] : (double)((const float *)at)[i];
}
static bool is_zero(const double x[2]) { return x[0] == 0 && x[1] == 0; }

/* ---- matrices ---- */

typedef struct matrix {
    void *p;
    int rows, columns, ld; /* as it lies in memory */
    cudaDataType type;
} matrix;

/* Tells the checker of a matrix, and touches each of its pages: an address that is none is found here, in the kernel's
 * own thread, and not by one of OpenBLAS's with a lock in its hands. */
static void look_at(const matrix *m, bool read, bool written)
{
    enum { PAGE = 4096 };
    const size_t size = size_of(m->type), bytes = (size_t)m->rows * size;
    if (read)
        library_matrix(false, m->p, size, m->rows, m->columns, m->ld);
    if (written)
        library_matrix(true, m->p, size, m->rows, m->columns, m->ld);
    const volatile char *touched = NULL;
    for (int j = 0; j < m->columns && bytes; j++) {
        const volatile char *column = (const char *)m->p + (size_t)j * (size_t)m->ld * size;
        for (size_t i = 0; i < bytes; i += PAGE)
            if (!touched || column + i >= touched + PAGE / 2)
                (void)*column, (void)column[i], touched = column + i;
        (void)column[bytes - 1];
    }
}

/* A copy in float without gaps; NULL: no memory. */
static float *in_float(const matrix *m)
{
    float *const to = malloc(((size_t)m->rows * (size_t)m->columns + 1) * sizeof *to);
    for (int j = 0; to && j < m->columns; j++) {
        const unsigned short *from = (const unsigned short *)m->p + (size_t)j * (size_t)m->ld;
        (m->type == CUDA_R_16F ? halves_to_floats : bf16s_to_floats)(to + (size_t)j * (size_t)m->rows, from, m->rows);
    }
    return to;
}

/* ---- one product ---- */

typedef struct factors {
    double alpha[2], beta[2];
} factors;

/* Of half or bf16: in float, and back. */
static bool small_product(const cpudev_blas_product *p, const factors *f, const double *bias, const matrix m[3],
                          const char *ops)
{
    const number alpha = number_of(CUDA_R_32F, f->alpha), beta = number_of(CUDA_R_32F, f->beta);
    const matrix *const c = &m[2];
    const bool small = is_small(c->type), keep = is_zero(f->beta);
    float *const a = in_float(&m[0]), *const b = in_float(&m[1]);
    float *out = !small ? c->p : keep ? malloc(((size_t)c->rows * (size_t)c->columns + 1) * sizeof *out) : in_float(c);
    const bool good = a && b && out;
    if (good)
        blas.gemm[0](ops, ops + 1, &p->m, &p->n, &p->k, &alpha, a, &m[0].rows, b, &m[1].rows, &beta, out,
                     small ? &c->rows : &c->ld, 1, 1);
    if (good)
        finish_floats(p, bias, out, small ? c->rows : c->ld);
    for (int j = 0; good && small && j < c->columns; j++) {
        unsigned short *to = (unsigned short *)c->p + (size_t)j * (size_t)c->ld;
        (c->type == CUDA_R_16F ? floats_to_halves : floats_to_bf16s)(to, out + (size_t)j * (size_t)c->rows, c->rows);
    }
    free(a), free(b);
    if (small)
        free(out);
    return good;
}

static bool one_product(const cpudev_blas_product *p, const factors *f, const double *bias, const matrix m[3])
{
    static const char letters[] = "NTC";
    const char ops[2] = {letters[p->op_a], letters[p->op_b]};
    const bool sums = p->k && !is_zero(f->alpha);
    for (int i = 0; i < 2 && sums; i++)
        look_at(&m[i], true, false);
    look_at(&m[2], !is_zero(f->beta), true);
    if (is_small(p->ab_type))
        return small_product(p, f, bias, m, ops);
    const number alpha = number_of(p->ab_type, f->alpha), beta = number_of(p->ab_type, f->beta);
    blas.gemm[gemm_of(p->ab_type)](ops, ops + 1, &p->m, &p->n, &p->k, &alpha, m[0].p, &p->lda, m[1].p, &p->ldb, &beta,
                                   m[2].p, &p->ldc, 1, 1);
    if (p->c_type == CUDA_R_32F)
        finish_floats(p, bias, m[2].p, p->ldc);
    else if (p->c_type == CUDA_R_64F)
        finish_doubles(p, bias, m[2].p, p->ldc);
    return true;
}

/* The bias of one batch in double; NULL: no memory. */
static double *fetch_bias(const cpudev_blas_product *p, int batch)
{
    const int n = p->bias_by_columns ? p->n : p->m;
    const size_t size = size_of(p->bias_type);
    const char *from = (const char *)p->bias + (size_t)(batch * p->bias_stride) * size;
    double *const to = malloc((size_t)n * sizeof *to);
    library_reads(from, (size_t)n * size);
    for (int i = 0; to && i < n; i++, from += size)
        to[i] = p->bias_type == CUDA_R_64F    ? *(const double *)from
                : p->bias_type == CUDA_R_32F  ? (double)*(const float *)from
                : p->bias_type == CUDA_R_16BF ? (double)from_bits((uint32_t) * (const uint16_t *)from << 16)
                                              : (double)half_to_float(*(const uint16_t *)from);
    return to;
}

/* The matrices of one batch. */
static void find_matrices(const cpudev_blas_product *p, int batch, matrix m[3])
{
    const void *const from[3] = {p->a, p->b, p->c};
    const long long strides[3] = {p->stride_a, p->stride_b, p->stride_c};
    m[0] = (matrix){NULL, p->op_a ? p->k : p->m, p->op_a ? p->m : p->k, p->lda, p->ab_type};
    m[1] = (matrix){NULL, p->op_b ? p->n : p->k, p->op_b ? p->k : p->n, p->ldb, p->ab_type};
    m[2] = (matrix){NULL, p->m, p->n, p->ldc, p->c_type};
    for (int i = 0; i < 3; i++)
        if (p->pointers) {
            void *const *const pointer = (void *const *)from[i] + batch;
            library_reads(pointer, sizeof *pointer);
            m[i].p = *pointer;
        } else {
            m[i].p = (char *)from[i] + batch * strides[i] * (long long)size_of(m[i].type);
        }
}

/* A block computes a batch. */
static void run_product(const void *arguments)
{
    const cpudev_blas_product *p = arguments;
    factors f = {{p->alpha[0], p->alpha[1]}, {p->beta[0], p->beta[1]}};
    matrix m[3];
    fetch_factor(p->scale, p->alpha_at, f.alpha);
    fetch_factor(p->scale, p->beta_at, f.beta);
    find_matrices(p, library_block(), m);
    double *const bias = p->epilogue & EPILOGUE_BIAS ? fetch_bias(p, library_block()) : NULL;
    if ((!bias && p->epilogue & EPILOGUE_BIAS) || !one_product(p, &f, bias, m))
        out_of_memory();
    free(bias);
}

int cpudev_blas_gemm(cudaStream_t stream, const char *name, const cpudev_blas_product *product)
{
    if (!has_types(product) || !blas_ready())
        return 0;
    cpudev_blas_product p = *product;
    const double work = (double)p.m * p.k * (is_small(p.ab_type) || p.ab_type == CUDA_R_32F ? 1 : 2);
    const int most = p.pointers || work * p.n <= MOST_WORK ? p.n : work >= MOST_WORK ? 1 : (int)(MOST_WORK / work);
    for (int column = 0; column < product->n; column += most) {
        p.n = product->n - column < most ? product->n - column : most;
        if (!p.pointers) {
            p.b = (const char *)product->b + (size_t)column * (p.op_b ? 1 : (size_t)p.ldb) * size_of(p.ab_type);
            if (p.bias_by_columns)
                p.bias = (const char *)product->bias + (size_t)column * size_of(p.bias_type);
            p.c = (char *)product->c + (size_t)column * (size_t)p.ldc * size_of(p.c_type);
        }
        library_launch_blocks(stream, name, p.batches, run_product, &p, sizeof p);
    }
    return 1;
}
