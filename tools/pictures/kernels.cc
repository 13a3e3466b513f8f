/* kernels.cc: the labs' own kernels, taken from their files by tools/notes/pictures.py, as ordinary functions. See replay.h.
 */
#include "kernels.h"

#include <math.h>

#include "shim.h"

#undef __shared__
#define __shared__ static __attribute__((section("shared_arrays"), aligned(128)))

extern "C" {
extern char __start_shared_arrays[], __stop_shared_arrays[];
__attribute__((section("shared_arrays"), used)) char shared_first[128];
const void *shared_begin(void) { return __start_shared_arrays; }
unsigned long shared_bytes(void) { return (unsigned long)(__stop_shared_arrays - __start_shared_arrays); }
}

#define ARGUMENTS(a) const KernelArguments *a = (const KernelArguments *)arguments
#define FLOATS(a, i) ((float *)a->p[i])

/* A launch inside a launcher: one block of as many threads as launch_threads, one after the other. */
static int launch_threads, launch_thread;
static bool launch_next(bool first)
{
    launch_thread = first ? 0 : launch_thread + 1;
    replay_place.thread_index.x = launch_thread;
    replay_place.barriers += launch_thread == launch_threads; /* counts the launches */
    return launch_thread < launch_threads;
}
#define REPLAY_LAUNCH for (bool going = launch_next(true); going; going = launch_next(false))

namespace first
{
#include "first.inc"
}
namespace gelu
{
typedef int cudaStream_t;
#define CUDA_CHECK(call)
static const double SQRT_2_OVER_PI = 0.7978845608028654;
static float load(const float *x, size_t i) { return x[i]; }
static void store(float *y, size_t i, float v) { y[i] = v; }
static unsigned blocks(size_t) { return 1; }
#include "gelu.inc"
} // namespace gelu
namespace add
{
#include "add.inc"
}
namespace square
{
#include "square.inc"
}
namespace naive
{
#include "naive.inc"
}
namespace counted
{
#include "counted.inc"
}

namespace tiled
{
enum { TILE = PICTURE_TILE };
#include "tiled.inc"
} // namespace tiled
namespace transpose
{
enum { TILE = 32, ROWS = 8 };
#include "transpose.inc"
} // namespace transpose
namespace sums
{
enum { THREADS = PICTURE_THREADS };
static ShuffleLog *shuffles;
static float __shfl_down_sync(unsigned, float v, int step)
{
    int lane = threadIdx.x;
    shuffles->from[lane][shuffles->count[lane]++] = lane + step;
    return v;
}
#include "sums.inc"
} // namespace sums
namespace stencil
{
enum { RADIUS = PICTURE_RADIUS, THREADS = PICTURE_OUTPUTS };
static float w[2 * RADIUS + 1];
#include "stencil.inc"
} // namespace stencil
namespace scan
{
enum { THREADS = PICTURE_THREADS };
#include "scan.inc"
} // namespace scan
namespace softmax
{
static float __expf(float x) { return expf(x); }
#include "softmax.inc"
} // namespace softmax

extern "C" {
void call_first(void *arguments)
{
    ARGUMENTS(a);
    first::double_them(FLOATS(a, 0), a->n[0]);
}
void call_gelu_chain(void *arguments)
{
    ARGUMENTS(a);
    launch_threads = a->n[0];
    gelu::gelu1(FLOATS(a, 0), FLOATS(a, 1), FLOATS(a, 2), (size_t)a->n[0], 0);
}
void call_gelu_fused(void *arguments)
{
    ARGUMENTS(a);
    gelu::gelu_kernel2(FLOATS(a, 0), FLOATS(a, 1), (size_t)a->n[0]);
}
void call_add3(void *arguments)
{
    ARGUMENTS(a);
    add::add_kernel3((size_t)a->n[0], FLOATS(a, 0), FLOATS(a, 1), FLOATS(a, 2));
}
void call_add4(void *arguments)
{
    ARGUMENTS(a);
    add::add_kernel4((size_t)a->n[0], FLOATS(a, 0), FLOATS(a, 1), FLOATS(a, 2));
}
void call_square1(void *arguments)
{
    ARGUMENTS(a);
    square::square_kernel1(FLOATS(a, 0), FLOATS(a, 1), a->n[0], a->n[1]);
}
void call_square2(void *arguments)
{
    ARGUMENTS(a);
    square::square_kernel2(FLOATS(a, 0), FLOATS(a, 1), a->n[0], a->n[1]);
}
void call_square4(void *arguments)
{
    ARGUMENTS(a);
    square::square_kernel4((float4 *)a->p[0], (float4 *)a->p[1], a->n[0], a->n[1] / 4);
}
void call_matmul_naive1(void *arguments)
{
    ARGUMENTS(a);
    naive::matmul_kernel1(FLOATS(a, 0), FLOATS(a, 1), FLOATS(a, 2), a->n[0], a->n[1], a->n[2]);
}
void call_matmul_naive2(void *arguments)
{
    ARGUMENTS(a);
    naive::matmul_kernel2(FLOATS(a, 0), FLOATS(a, 1), FLOATS(a, 2), a->n[0], a->n[1], a->n[2]);
}
void call_stride1(void *arguments)
{
    ARGUMENTS(a);
    counted::copy_stride1(FLOATS(a, 1), FLOATS(a, 0));
}
void call_stride2(void *arguments)
{
    ARGUMENTS(a);
    counted::copy_stride2(FLOATS(a, 1), FLOATS(a, 0));
}
void call_stride8(void *arguments)
{
    ARGUMENTS(a);
    counted::copy_stride8(FLOATS(a, 1), FLOATS(a, 0));
}
void call_offset1(void *arguments)
{
    ARGUMENTS(a);
    counted::copy_offset1(FLOATS(a, 1), FLOATS(a, 0));
}
void call_tiled(void *arguments)
{
    ARGUMENTS(a);
    tiled::matmul_kernel3(FLOATS(a, 0), FLOATS(a, 1), FLOATS(a, 2), a->n[0], a->n[1], a->n[2]);
}
#define TRANSPOSE(k)                                                                                                   \
    void call_transpose##k(void *arguments)                                                                            \
    {                                                                                                                  \
        ARGUMENTS(a);                                                                                                  \
        transpose::transpose_kernel##k(FLOATS(a, 0), FLOATS(a, 1), a->n[0], a->n[1]);                                  \
    }
TRANSPOSE(1)
TRANSPOSE(3)
TRANSPOSE(4)
TRANSPOSE(5)
void call_sum1(void *arguments)
{
    ARGUMENTS(a);
    sums::sum_kernel1(FLOATS(a, 0), FLOATS(a, 1), (size_t)a->n[0]);
}
void call_sum2(void *arguments)
{
    ARGUMENTS(a);
    sums::sum_kernel2(FLOATS(a, 0), FLOATS(a, 1), (size_t)a->n[0]);
}
void call_scan1(void *arguments)
{
    ARGUMENTS(a);
    scan::scan_kernel1(FLOATS(a, 0), FLOATS(a, 1), FLOATS(a, 2), (size_t)a->n[0]);
}
void call_warp_sum(void *log)
{
    sums::shuffles = (ShuffleLog *)log;
    sums::warp_sum(1);
}
void call_stencil2(void *arguments)
{
    ARGUMENTS(a);
    stencil::stencil_kernel2(FLOATS(a, 0), FLOATS(a, 1), (size_t)a->n[0]);
}
void online_softmax(const float *x, int n, float *max, float *sum)
{
    softmax::Pair p = softmax::pair_of_nothing();
    for (int i = 0; i < n; i++) {
        p = softmax::add(p, x[i]);
        max[i] = p.max, sum[i] = p.sum;
    }
}
}
