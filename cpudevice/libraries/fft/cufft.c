/* cufft.c: cuFFT on FFTW.
 *
 * FFTW's plans belong to one direction, and to transforms in place or not; each is made when it is first run. Its
 * planner is called under a lock, its transforms are not. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "fft/cufft_plan.h"
#include "library.h"

enum { MOST_PLANS = 4096 };
enum { UNALIGNED = 1 << 1, PRESERVE_INPUT = 1 << 4, ESTIMATE = 1 << 6 }; /* FFTW's */

/* FFTW's functions of one precision; complex and real pointers as void. */
struct fftw {
    cpu_library library;
    char letter[2];
    bool ready;
    void *(*plan_dft)(int, const int *, int, void *, const int *, int, int, void *, const int *, int, int, int,
                      unsigned);
    void *(*plan_r2c)(int, const int *, int, void *, const int *, int, int, void *, const int *, int, int, unsigned);
    void *(*plan_c2r)(int, const int *, int, void *, const int *, int, int, void *, const int *, int, int, unsigned);
    void (*dft)(void *, void *, void *), (*r2c)(void *, void *, void *), (*c2r)(void *, void *, void *);
    void (*destroy)(void *);
};

static struct {
    pthread_mutex_t lock;
    plan *plans[MOST_PLANS];
} table = {.lock = PTHREAD_MUTEX_INITIALIZER};

plan *cufft_plan_of(cufftHandle handle)
{
    pthread_mutex_lock(&table.lock);
    plan *p = handle >= 0 && handle < MOST_PLANS ? table.plans[handle] : NULL;
    pthread_mutex_unlock(&table.lock);
    return p;
}

/* NULL: FFTW is missing, which was told. */
static const fftw *fftw_for(cufftType type)
{
    static const char *const single_files[] = {"libfftw3f.so.3", "libfftw3f.so", NULL};
    static const char *const double_files[] = {"libfftw3.so.3", "libfftw3.so", NULL};
    static fftw both[2] = {
        {.library = {.for_whom = "cuFFT", .files = single_files, .package = "libfftw3-single3"}, .letter = "f"},
        {.library = {.for_whom = "cuFFT", .files = double_files, .package = "libfftw3-double3"}, .letter = ""}};
    fftw *f = &both[is_double(type)];
    pthread_mutex_lock(&table.lock);
    if (!f->ready) {
        const struct {
            const char *name;
            void *place;
        } wanted[] = {{"plan_many_dft", &f->plan_dft},     {"plan_many_dft_r2c", &f->plan_r2c},
                      {"plan_many_dft_c2r", &f->plan_c2r}, {"execute_dft", &f->dft},
                      {"execute_dft_r2c", &f->r2c},        {"execute_dft_c2r", &f->c2r},
                      {"destroy_plan", &f->destroy}};
        f->ready = library_load(&f->library);
        for (size_t i = 0; f->ready && i < sizeof wanted / sizeof *wanted; i++) {
            char symbol[64] = "fftw";
            strcat(strcat(strcat(symbol, f->letter), "_"), wanted[i].name);
            void *function = library_function(&f->library, symbol);
            memcpy(wanted[i].place, &function, sizeof function);
            f->ready = function != NULL;
        }
    }
    const bool ready = f->ready;
    pthread_mutex_unlock(&table.lock);
    return ready ? f : NULL;
}

/* ---- plans ---- */

cufftResult cufftCreate(cufftHandle *handle)
{
    plan *p = calloc(1, sizeof *p);
    if (!handle || !p)
        return free(p), handle ? CUFFT_ALLOC_FAILED : CUFFT_INVALID_VALUE;
    pthread_mutex_lock(&table.lock);
    int i = 0;
    while (i < MOST_PLANS && table.plans[i])
        i++;
    if (i < MOST_PLANS)
        table.plans[i] = p;
    pthread_mutex_unlock(&table.lock);
    if (i == MOST_PLANS)
        return free(p), CUFFT_ALLOC_FAILED;
    *handle = i;
    return CUFFT_SUCCESS;
}

static void set_side(side *s, int rank, const long long *embed, long long stride, long long dist)
{
    s->given = embed != NULL;
    s->stride = (int)stride;
    s->dist = (int)dist;
    for (int i = 0; embed && i < rank; i++)
        s->embed[i] = (int)embed[i];
}

cufftResult cufftMakePlanMany64(cufftHandle handle, int rank, long long *n, long long *inembed, long long istride,
                                long long idist, long long *onembed, long long ostride, long long odist, cufftType type,
                                long long batch, size_t *work_bytes)
{
    const long long most = 0x7fffffff;
    plan *p = cufft_plan_of(handle);
    if (!p || p->made)
        return CUFFT_INVALID_PLAN;
    if (type != CUFFT_C2C && type != CUFFT_Z2Z && !from_real(type) && !to_real(type))
        return CUFFT_INVALID_TYPE;
    if (rank < 1 || rank > MOST_RANK || !n || batch < 1 || batch > most)
        return CUFFT_INVALID_SIZE;
    for (int i = 0; i < rank; i++)
        if (n[i] < 1 || n[i] > most || (inembed && (inembed[i] < 0 || inembed[i] > most)) ||
            (onembed && (onembed[i] < 0 || onembed[i] > most)))
            return CUFFT_INVALID_SIZE;
    if ((inembed && (istride < 1 || istride > most || idist < 0 || idist > most)) ||
        (onembed && (ostride < 1 || ostride > most || odist < 0 || odist > most)) || !inembed != !onembed)
        return CUFFT_INVALID_VALUE;
    if (!(p->with = fftw_for(type)))
        return CUFFT_MISSING_DEPENDENCY;
    p->type = type;
    p->rank = rank;
    p->batch = (int)batch;
    for (int i = 0; i < rank; i++)
        p->n[i] = (int)n[i];
    set_side(&p->in, rank, inembed, istride, idist);
    set_side(&p->out, rank, onembed, ostride, odist);
    p->made = true;
    if (work_bytes)
        *work_bytes = 0;
    return CUFFT_SUCCESS;
}

static const long long *widen(long long to[MOST_RANK], const int *from, int rank)
{
    for (int i = 0; from && i < rank && i < MOST_RANK; i++)
        /* cppcheck-suppress objectIndex ; one value is of rank 1 */
        to[i] = from[i];
    return from ? to : NULL;
}

cufftResult cufftMakePlanMany(cufftHandle handle, int rank, int *n, int *inembed, int istride, int idist, int *onembed,
                              int ostride, int odist, cufftType type, int batch, size_t *work_bytes)
{
    long long n64[MOST_RANK], in64[MOST_RANK], out64[MOST_RANK];
    return cufftMakePlanMany64(handle, rank, (long long *)widen(n64, n, rank), (long long *)widen(in64, inembed, rank),
                               istride, idist, (long long *)widen(out64, onembed, rank), ostride, odist, type, batch,
                               work_bytes);
}

cufftResult cufftMakePlan1d(cufftHandle plan, int nx, cufftType type, int batch, size_t *work_bytes)
{
    return cufftMakePlanMany(plan, 1, &nx, NULL, 1, 0, NULL, 1, 0, type, batch, work_bytes);
}

cufftResult cufftMakePlan2d(cufftHandle plan, int nx, int ny, cufftType type, size_t *work_bytes)
{
    int n[] = {nx, ny};
    return cufftMakePlanMany(plan, 2, n, NULL, 1, 0, NULL, 1, 0, type, 1, work_bytes);
}

cufftResult cufftMakePlan3d(cufftHandle plan, int nx, int ny, int nz, cufftType type, size_t *work_bytes)
{
    int n[] = {nx, ny, nz};
    return cufftMakePlanMany(plan, 3, n, NULL, 1, 0, NULL, 1, 0, type, 1, work_bytes);
}

cufftResult cufftPlanMany(cufftHandle *plan, int rank, int *n, int *inembed, int istride, int idist, int *onembed,
                          int ostride, int odist, cufftType type, int batch)
{
    cufftResult r = cufftCreate(plan);
    if (r != CUFFT_SUCCESS)
        return r;
    r = cufftMakePlanMany(*plan, rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch, NULL);
    if (r != CUFFT_SUCCESS) {
        cufftDestroy(*plan);
        *plan = CUFFT_PLAN_NULL;
    }
    return r;
}

cufftResult cufftPlan1d(cufftHandle *plan, int nx, cufftType type, int batch)
{
    return cufftPlanMany(plan, 1, &nx, NULL, 1, 0, NULL, 1, 0, type, batch);
}

cufftResult cufftPlan2d(cufftHandle *plan, int nx, int ny, cufftType type)
{
    int n[] = {nx, ny};
    return cufftPlanMany(plan, 2, n, NULL, 1, 0, NULL, 1, 0, type, 1);
}

cufftResult cufftPlan3d(cufftHandle *plan, int nx, int ny, int nz, cufftType type)
{
    int n[] = {nx, ny, nz};
    return cufftPlanMany(plan, 3, n, NULL, 1, 0, NULL, 1, 0, type, 1);
}

cufftResult cufftDestroy(cufftHandle handle)
{
    plan *p = cufft_plan_of(handle);
    if (!p)
        return CUFFT_INVALID_PLAN;
    cudaStreamSynchronize(p->stream);
    pthread_mutex_lock(&table.lock);
    table.plans[handle] = NULL;
    for (int i = 0; i < 4; i++)
        if (p->of[i / 2][i % 2])
            p->with->destroy(p->of[i / 2][i % 2]);
    pthread_mutex_unlock(&table.lock);
    free(p);
    return CUFFT_SUCCESS;
}

cufftResult cufftSetStream(cufftHandle handle, cudaStream_t stream)
{
    plan *p = cufft_plan_of(handle);
    if (!p)
        return CUFFT_INVALID_PLAN;
    p->stream = stream;
    return CUFFT_SUCCESS;
}

/* ---- transforms ---- */

/* Of a transform in place or not: where its elements lie on one side. */
static side layout(const plan *p, bool out, bool in_place)
{
    side s = out ? p->out : p->in;
    if (s.given)
        return s;
    const bool real = out ? to_real(p->type) : from_real(p->type), complex = from_real(p->type) || to_real(p->type);
    s = (side){.stride = 1, .dist = 1, .given = false};
    for (int i = 0; i < p->rank; i++) {
        s.embed[i] = p->n[i];
        if (i == p->rank - 1 && real && in_place)
            s.embed[i] = 2 * (p->n[i] / 2 + 1);
        else if (i == p->rank - 1 && !real && complex)
            s.embed[i] = p->n[i] / 2 + 1;
        s.dist *= s.embed[i];
    }
    return s;
}

static size_t element_size(const plan *p, bool out)
{
    const bool real = out ? to_real(p->type) : from_real(p->type);
    return (size_t)(is_double(p->type) ? 8 : 4) * (real ? 1 : 2);
}

/* Elements of the last dimension. */
static int columns_of(const plan *p, bool out)
{
    const bool real = out ? to_real(p->type) : from_real(p->type), halved = from_real(p->type) || to_real(p->type);
    const int n = p->n[p->rank - 1];
    return halved && !real ? n / 2 + 1 : n;
}

size_t cufft_bytes(const plan *p, bool out, bool in_place)
{
    const side s = layout(p, out, in_place);
    if (!s.given)
        return (size_t)s.dist * (size_t)p->batch * element_size(p, out);
    size_t last = 0; /* the last element of a transform, had it a stride of one */
    for (int i = 0; i < p->rank - 1; i++)
        last = (last + (size_t)p->n[i] - 1) * (size_t)s.embed[i + 1];
    last += (size_t)columns_of(p, out) - 1;
    return ((size_t)(p->batch - 1) * (size_t)s.dist + last * (size_t)s.stride + 1) * element_size(p, out);
}

/* Tells the checker of the elements of one side. */
static void touch_side(const plan *p, bool out, bool in_place, const void *a)
{
    const side s = layout(p, out, in_place);
    const size_t size = element_size(p, out);
    const int last = p->rank - 1, columns = columns_of(p, out);
    const int rows = last >= 1 ? p->n[last - 1] : 1, planes = last >= 2 ? p->n[0] : 1;
    for (long long b = 0; b < p->batch; b++)
        for (long long z = 0; z < planes; z++)
            for (long long y = 0; y < rows; y++) {
                const long long row = last == 0 ? 0 : last == 1 ? y * s.embed[1] : (z * s.embed[1] + y) * s.embed[2];
                const char *at = (const char *)a + (size_t)(b * s.dist + row * s.stride) * size;
                library_matrix(out, at, size, 1, columns, s.stride);
            }
}

typedef struct execution {
    const plan *p;
    void *of, *in, *out;
} execution;

static void transform(const void *arguments)
{
    const execution *e = arguments;
    const plan *p = e->p;
    touch_side(p, false, e->in == e->out, e->in);
    if (from_real(p->type))
        p->with->r2c(e->of, e->in, e->out);
    else if (to_real(p->type))
        p->with->c2r(e->of, e->in, e->out);
    else
        p->with->dft(e->of, e->in, e->out);
    touch_side(p, true, e->in == e->out, e->out);
}

/* FFTW's plan; made without looking at the data. A real result of one dimension leaves its input as it is; of more
 * dimensions it does not, as cuFFT's may not. */
static void *fftw_plan(plan *p, void *in, void *out, bool inverse)
{
    const bool in_place = in == out;
    const side i = layout(p, false, in_place), o = layout(p, true, in_place);
    const unsigned flags = ESTIMATE | UNALIGNED;
    const fftw *f = p->with;
    pthread_mutex_lock(&table.lock);
    void **made = &p->of[inverse][in_place];
    if (!*made && from_real(p->type))
        *made = f->plan_r2c(p->rank, p->n, p->batch, in, i.embed, i.stride, i.dist, out, o.embed, o.stride, o.dist,
                            flags | (in_place ? 0 : PRESERVE_INPUT));
    else if (!*made && to_real(p->type))
        *made = f->plan_c2r(p->rank, p->n, p->batch, in, i.embed, i.stride, i.dist, out, o.embed, o.stride, o.dist,
                            flags | (p->rank == 1 && !in_place ? PRESERVE_INPUT : 0));
    else if (!*made)
        *made = f->plan_dft(p->rank, p->n, p->batch, in, i.embed, i.stride, i.dist, out, o.embed, o.stride, o.dist,
                            inverse ? 1 : -1, flags | (in_place ? 0 : PRESERVE_INPUT));
    pthread_mutex_unlock(&table.lock);
    return *made;
}

cufftResult cufft_execute(cufftHandle handle, cufftType type, const char *name, void *in, void *out, int direction)
{
    plan *p = cufft_plan_of(handle);
    if (!p || !p->made)
        return CUFFT_INVALID_PLAN;
    if (p->type != type)
        return CUFFT_INVALID_TYPE;
    if (!in || !out || (direction != CUFFT_FORWARD && direction != CUFFT_INVERSE))
        return CUFFT_INVALID_VALUE;
    execution e = {p, fftw_plan(p, in, out, direction == CUFFT_INVERSE), in, out};
    if (!e.of)
        return CUFFT_SETUP_FAILED;
    return library_launch(p->stream, name, transform, &e, sizeof e) ? CUFFT_EXEC_FAILED : CUFFT_SUCCESS;
}

#define COMPLEX(KIND, TYPE)                                                                                            \
    cufftResult cufftExec##KIND(cufftHandle plan, TYPE *in, TYPE *out, int direction)                                  \
    {                                                                                                                  \
        return cufft_execute(plan, CUFFT_##KIND, "cufftExec" #KIND, in, out, direction);                               \
    }
#define REAL(KIND, IN, OUT, DIRECTION)                                                                                 \
    cufftResult cufftExec##KIND(cufftHandle plan, IN *in, OUT *out)                                                    \
    {                                                                                                                  \
        return cufft_execute(plan, CUFFT_##KIND, "cufftExec" #KIND, in, out, DIRECTION);                               \
    }
CUFFT_KINDS(COMPLEX, REAL)

/* ---- working memory: FFTW has its own ---- */

cufftResult cufftGetSize(cufftHandle plan, size_t *work_bytes)
{
    if (!cufft_plan_of(plan))
        return CUFFT_INVALID_PLAN;
    if (!work_bytes)
        return CUFFT_INVALID_VALUE;
    *work_bytes = 0;
    return CUFFT_SUCCESS;
}

cufftResult cufftSetWorkArea(cufftHandle plan, void *work_area)
{
    (void)work_area;
    return cufft_plan_of(plan) ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}
cufftResult cufftSetAutoAllocation(cufftHandle plan, int automatic)
{
    (void)automatic;
    return cufft_plan_of(plan) ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}
