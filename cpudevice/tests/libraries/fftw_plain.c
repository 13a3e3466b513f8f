/* What the device asks of FFTW, as sums written out in double: a libfftw3.so.3, or with -DSINGLE a libfftw3f.so.3, for
 * machines that have none. At its end it tells on stderr how often it was called. */
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef SINGLE
typedef float Real;
typedef float complex Number;
#define NAME(name) fftwf_##name
#else
typedef double Real;
typedef double complex Number;
#define NAME(name) fftw_##name
#endif

typedef struct Side {
    int embed[3], stride, dist, real;
} Side;
typedef struct Plan {
    int n[3], batch, sign; /* of fewer dimensions the first are 1 */
    Side in, out;
} Plan;

static int calls;
__attribute__((destructor)) static void tell(void) { fprintf(stderr, "plain FFTW: %d calls\n", calls); }

static Side side(int rank, const int *embed, int stride, int dist, int real)
{
    Side s = {{1, 1, 1}, stride, dist, real};
    for (int i = 0; i < rank; i++)
        s.embed[3 - rank + i] = embed[i];
    return s;
}
static Plan *plan(int rank, const int *n, int batch, Side in, Side out, int sign)
{
    Plan *p = malloc(sizeof *p);
    *p = (Plan){{1, 1, 1}, batch, sign, in, out};
    for (int i = 0; i < rank; i++)
        p->n[3 - rank + i] = n[i];
    return p;
}
void *NAME(plan_many_dft)(int rank, const int *n, int batch, void *in, const int *inembed, int istride, int idist,
                          void *out, const int *onembed, int ostride, int odist, int sign, unsigned flags)
{
    (void)in, (void)out, (void)flags;
    return plan(rank, n, batch, side(rank, inembed, istride, idist, 0), side(rank, onembed, ostride, odist, 0), sign);
}
void *NAME(plan_many_dft_r2c)(int rank, const int *n, int batch, void *in, const int *inembed, int istride, int idist,
                              void *out, const int *onembed, int ostride, int odist, unsigned flags)
{
    (void)in, (void)out, (void)flags;
    return plan(rank, n, batch, side(rank, inembed, istride, idist, 1), side(rank, onembed, ostride, odist, 0), -1);
}
void *NAME(plan_many_dft_c2r)(int rank, const int *n, int batch, void *in, const int *inembed, int istride, int idist,
                              void *out, const int *onembed, int ostride, int odist, unsigned flags)
{
    (void)in, (void)out, (void)flags;
    return plan(rank, n, batch, side(rank, inembed, istride, idist, 0), side(rank, onembed, ostride, odist, 1), 1);
}
void NAME(destroy_plan)(void *p) { free(p); }

static size_t place(const Side *s, int b, const int i[3])
{
    const size_t row = ((size_t)i[0] * s->embed[1] + i[1]) * s->embed[2] + i[2];
    return (size_t)b * s->dist + row * s->stride;
}
static void index_of(const Plan *p, size_t at, int i[3])
{
    i[2] = (int)(at % p->n[2]), at /= p->n[2];
    i[1] = (int)(at % p->n[1]);
    i[0] = (int)(at / p->n[1]);
}

/* An element of the input; of a half that stands for all, the second half is the first one's conjugate. */
static double complex element(const Plan *p, const void *in, int b, size_t at)
{
    int i[3];
    index_of(p, at, i);
    const int other = p->out.real && i[2] > p->n[2] / 2;
    for (int d = 0; d < 3 && other; d++)
        i[d] = (p->n[d] - i[d]) % p->n[d];
    if (p->in.real)
        return ((const Real *)in)[place(&p->in, b, i)];
    const double complex x = ((const Number *)in)[place(&p->in, b, i)];
    return other ? conj(x) : x;
}

static void execute(const Plan *p, const void *in, void *out)
{
    const size_t size = (size_t)p->n[0] * p->n[1] * p->n[2];
    double complex *x = malloc(p->batch * size * sizeof *x); /* first, as it may be in place */
    for (size_t i = 0; i < p->batch * size; i++)
        x[i] = element(p, in, (int)(i / size), i % size);
    for (size_t to = 0; to < p->batch * size; to++) {
        int k[3], j[3];
        double complex sum = 0;
        index_of(p, to % size, k);
        if (p->in.real && k[2] > p->n[2] / 2)
            continue;
        for (size_t from = 0; from < size; from++) {
            double turn = 0;
            index_of(p, from, j);
            for (int d = 0; d < 3; d++)
                turn += (double)((long)j[d] * k[d] % p->n[d]) / p->n[d];
            sum += x[to - to % size + from] * cexp(p->sign * 2 * M_PI * turn * I);
        }
        if (p->out.real)
            ((Real *)out)[place(&p->out, (int)(to / size), k)] = (Real)creal(sum);
        else
            ((Number *)out)[place(&p->out, (int)(to / size), k)] = (Number)sum;
    }
    free(x);
    __atomic_fetch_add(&calls, 1, __ATOMIC_RELAXED);
}
void NAME(execute_dft)(void *p, void *in, void *out) { execute(p, in, out); }
void NAME(execute_dft_r2c)(void *p, void *in, void *out) { execute(p, in, out); }
void NAME(execute_dft_c2r)(void *p, void *in, void *out) { execute(p, in, out); }
