/* kernels_transformer.cc: attention, norms, cross-entropy's running pair and the look back, as ordinary functions. */
#include <math.h>
#include <string.h>
#include <ucontext.h>

#include "kernels.h"
#include "shim.h"

#define ARGUMENTS(a) const KernelArguments *a = (const KernelArguments *)arguments
#define IN_SHARED __attribute__((section("shared_arrays"), aligned(128)))

/* 16 bytes in one access, see shim.h. */
typedef unsigned Words __attribute__((vector_size(16)));
struct alignas(16) uint4 {
    unsigned x, y, z, w;
    uint4() = default;
    uint4(unsigned a, unsigned b, unsigned c, unsigned d) : x(a), y(b), z(c), w(d) {}
    uint4(const uint4 &o) { *(Words *)this = *(const Words *)&o; }
    uint4 &operator=(const uint4 &o)
    {
        *(Words *)this = *(const Words *)&o;
        return *this;
    }
};
static uint4 make_uint4(unsigned a, unsigned b, unsigned c, unsigned d) { return uint4(a, b, c, d); }
struct float2 {
    float x, y;
};
static float2 make_float2(float x, float y) { return float2{x, y}; }
typedef float __nv_bfloat16; /* a bf16 is a float here: the pictures count elements */
static float __bfloat162float(float v) { return v; }
static float __float2bfloat16(float v) { return v; }
static float __shfl_xor_sync(unsigned, float v, int) { return v; } /* values do not matter, see replay.h */

#undef __shared__
#define __shared__

namespace fused
{
struct Attention {
    const float *q, *k, *v;
    float *o;
    int batch, length, heads, kv_heads, width, causal;
};
static size_t query_step(const Attention &a) { return (size_t)a.width; }
static size_t key_step(const Attention &a) { return (size_t)a.width; }
static size_t query_begin(const Attention &, int, int) { return 0; }
static size_t key_begin(const Attention &, int, int) { return 0; }
static float exponent_scale(int) { return 1; }
namespace attention2_shape
{
constexpr int BM = 64, BN = 64, ROWS = 4, COLS = 4;
}
extern float attention2_shared[];
IN_SHARED float attention2_shared[3 * 64 * 65];
#include "fused.inc"
} // namespace fused

namespace turns
{
static int *log, logged, most;
static void note(int what)
{
    if (logged < most)
        log[logged++] = what;
}
struct Place {
    int slot, parity;
    void next() {}
};
struct Rows {
};
static void mbarrier_wait(unsigned, unsigned) {}
static void mbarrier_arrive(unsigned) {}
static void named_barrier(int, int) { note(TURN_WAIT); }
static void named_barrier_arrive(int, int) { note(TURN_GIVE); }
static void wgmma_fence() {}
static void wgmma_commit() { note(TURN_PRODUCT); }
template <int LEFT> static void wgmma_wait()
{
    if (!LEFT)
        note(TURN_PRODUCTS_DONE);
}
static void wgmma_pin(float *) {}
template <int D, int BN> static void issue_scores(float *, unsigned, unsigned) {}
template <int D, int BN> static void issue_values(float *, unsigned *, unsigned) {}
static void online_mask(float *, int, int, int) {}
template <int> static void online_softmax(float *, float, Rows &, float *) { note(TURN_SOFTMAX); }
static void online_settle(Rows &) {}
static void online_rescale(float *, float *) {}
static void online_pack(unsigned *, float *) {}
static void consumer(int group, int steps)
{
    enum { D = 64, BN = 64, OVERLAP = 0 };
    struct S {
        enum { KV_BYTES = 0 };
    };
    Place k_at = {0, 0}, v_at = {0, 0};
    Rows rows;
    const unsigned k_full = 0, k_empty = 0, v_full = 0, v_empty = 0, q = 0, ks = 0, vs = 0;
    const int t = 0, last_of_all = 1 << 20, last0 = 0, last1 = 0;
    const float c = 1;
    float s[1], o[1], scale[1];
    unsigned p[1];
#include "turns.inc"
}
} // namespace turns

namespace norms
{
static const float EPSILON = 1e-5f;
enum { MAX_THREADS = 512 };
static float load(const float *p) { return *p; }
static void store(float *p, float v) { *p = v; }
static float rsqrtf(float x) { return 1 / sqrtf(x); }
static float2 block_sums(float a, float b, float2 *) /* a barrier is in it */
{
    __syncthreads();
    return make_float2(a, b);
}
template <typename T> struct Vector;
template <> struct Vector<float> {
    enum { COUNT = 4 };
    uint4 bits;
    void get(float *v) const
    {
        const uint4 loaded = bits;
        memcpy(v, &loaded, 16);
    }
    void set(const float *v) { memcpy(&bits, v, 16); }
};
#include "norms.inc"
template <typename T, bool RMS, int EACH, bool WHOLE>
static void norm_kernel3(const Vector<T> *x, const Vector<T> *weight, const Vector<T> *bias, Vector<T> *y, int vectors)
{
#include "norm3.inc"
}
} // namespace norms

namespace cross
{
struct Pair {
    float max, sum;
};
static const float LOG2_E = 1.44269504f;
static float exp2_flushed(float x) { return exp2f(x); }
#include "cross.inc"
} // namespace cross

/* The look back needs the 32 lanes of its warp together: each is a context of its own, and a vote or shuffle lets the
 * others come to the same place before it returns. */
namespace back
{
enum { LANES = 32, STACK = 1 << 16, NOTHING = 0, OWN_SUM = 1, WHOLE_SUM = 2 };
static ucontext_t lane[LANES], caller;
static char stack[LANES][STACK];
static float sum_of[LANES], sent[LANES];
static unsigned predicate[LANES];
static int now, first_whole, tile_of;
static unsigned long long word_of[64];
struct Index {
    int x;
};
static void together() { swapcontext(&lane[now], &caller); }
static unsigned __ballot_sync(unsigned, int p)
{
    unsigned votes = 0;
    predicate[now] = p != 0;
    together();
    for (int i = 0; i < LANES; i++)
        votes |= predicate[i] << i;
    together(); /* nobody votes again before all have counted */
    return votes;
}
static float __shfl_xor_sync(unsigned, float v, int step)
{
    sent[now] = v;
    together();
    const float got = sent[now ^ step];
    together();
    return got;
}
static int __ffs(int v)
{
    first_whole = __builtin_ffs(v);
    return first_whole;
}
static float __uint_as_float(unsigned u)
{
    float f;
    memcpy(&f, &u, sizeof f);
    return f;
}
#undef threadIdx
#define threadIdx (Index{now})
#include "back.inc"
static void run() { sum_of[now] = look_back(word_of, tile_of); }
} // namespace back

extern "C" {
void call_attention2(void *arguments)
{
    ARGUMENTS(a);
    fused::Attention problem = {
        (float *)a->p[0], (float *)a->p[1], (float *)a->p[2], (float *)a->p[3], 1, a->n[0], 1, 1, PICTURE_WIDTH, 1};
    fused::attention_kernel2<PICTURE_WIDTH>(problem);
}
int attention_turns(int group, int steps, int *what, int most)
{
    turns::log = what;
    turns::logged = 0;
    turns::most = most;
    turns::consumer(group, steps + 1); /* the loop does all but the first */
    return turns::logged;
}
void call_norm2(void *arguments)
{
    ARGUMENTS(a);
    norms::norm_kernel2<float, false>((float *)a->p[0], (float *)a->p[1], (float *)a->p[2], (float *)a->p[3],
                                      (size_t)a->n[1]);
}
void call_norm3(void *arguments)
{
    ARGUMENTS(a);
    typedef norms::Vector<float> V;
    norms::norm_kernel3<float, false, 1, true>((const V *)a->p[0], (const V *)a->p[1], (const V *)a->p[2], (V *)a->p[3],
                                               a->n[1] / 4);
}
void online_tiles(const float *x, int tiles, float *max, float *sum)
{
    cross::Pair p = {-INFINITY, 0};
    for (int t = 0; t < tiles; t++) {
        float v[4];
        memcpy(v, x + 4 * t, sizeof v);
        p = cross::add(p, v);
        max[t] = p.max, sum[t] = p.sum;
    }
}
float back_sum(const int *state, const float *value, int tile, int *used)
{
    using namespace back;
    for (int i = 0; i < tile; i++) {
        unsigned bits;
        memcpy(&bits, &value[i], sizeof bits);
        word_of[i] = (unsigned long long)state[i] << 32 | bits;
    }
    tile_of = tile;
    int left = LANES, ended[LANES] = {0};
    for (now = 0; now < LANES; now++) {
        getcontext(&lane[now]);
        lane[now].uc_stack.ss_sp = stack[now];
        lane[now].uc_stack.ss_size = STACK;
        lane[now].uc_link = &caller;
        makecontext(&lane[now], run, 0);
        sum_of[now] = NAN;
    }
    while (left) /* each round takes every lane to its next vote or shuffle, or to its end */
        for (now = 0; now < LANES; now++)
            if (!ended[now]) {
                swapcontext(&caller, &lane[now]);
                ended[now] = !isnan(sum_of[now]);
                left -= ended[now];
            }
    *used = first_whole;
    return sum_of[0];
}
}
