// record.cu: what a GPU answers to each operation that C++ leaves open, or that processors do in different ways.
//
//   nvcc -O3 -std=c++17 -arch=sm_90 -o record record.cu && ./record [PAIRS] >record.txt
//   cucc -O3 -std=c++17 -arch=sm_90 -o record record.cu && ./record [PAIRS] >here.txt; diff record.txt here.txt
//
// One line per operation: its name; a hash of its answers to 2^14 random pairs of operands, to PAIRS of them (2^20 unless
// said), and to each pair of extreme operands; then the answers themselves to a dozen of these, in hexadecimal, those of
// one first operand without blanks between them. All not-a-numbers are one. At the end: the layout of wmma's fragments and the answers of the runtime to what
// it should refuse. Nothing here depends on the time or on the machine.
#include "record.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>

// ---- operands ----

static u64 state;
static u64 draw()
{
    u64 z = state += 0x9e3779b97f4a7c15ull;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
}

template <class T> T from_bits(u64 bits)
{
    T value;
    memcpy(&value, &bits, sizeof value); // the low bytes: little endian
    return value;
}

template <class T> struct is_real {
    static const bool value = false;
};
template <> struct is_real<float> {
    static const bool value = true;
};
template <> struct is_real<double> {
    static const bool value = true;
};

// A random integer: of any size, so that small divisors and counts are as frequent as large ones.
template <class T, bool real = is_real<T>::value> struct Operand {
    static T random()
    {
        u64 bits = draw();
        int keep = (int)(draw() % (8 * sizeof(T))) + 1;
        bool negative = draw() & 1;
        bits &= ~0ull >> (64 - keep);
        return from_bits<T>(negative ? ~bits : bits);
    }
    static std::vector<T> extremes()
    {
        static const i64 all[] = {0, 1, -1, 2, -2, 3, 7, 31, 32, 33, 63, 64, 65, 127, 128, 255, 256, 32767, 65535, 2147483647,
                                  -2147483648ll, 4294967295ll, 4294967296ll, 9223372036854775807ll,
                                  (i64)0x8000000000000000ull};
        std::vector<T> list;
        for (i64 one : all) {
            T value = from_bits<T>((u64)one);
            bool there = false;
            for (T other : list)
                there |= other == value;
            if (!there)
                list.push_back(value);
        }
        const u64 top = 1ull << (8 * sizeof(T) - 1);
        const u64 more[] = {top, top - 1, top + 1};
        for (u64 one : more) {
            bool there = false;
            for (T other : list)
                there |= other == from_bits<T>(one);
            if (!there)
                list.push_back(from_bits<T>(one));
        }
        return list;
    }
};

// A random real number: any bits, or one whose size is that of an integer.
template <class T> struct Operand<T, true> {
    static T random()
    {
        u64 bits = draw(), way = draw();
        if (way % 4 == 0)
            return from_bits<T>(bits);
        double scale = ldexp(1.0, (int)(way / 4 % 70) - 3);
        return (T)(((double)(i64)bits / 9223372036854775808.0) * scale);
    }
    static std::vector<T> extremes()
    {
        const double all[] = {0.0,           -0.0,          0.5,           -0.5,          1.0,       -1.0,      1.5,      -1.5,
                              2.5,           -2.5,          -5.0,          3.0,           127.5,     128.0,     -128.9,   -129.0,
                              255.9,         256.0,         300.7,         -300.7,        32767.9,   -32769.0,  65535.9,  65536.0,
                              70000.5,       2147483520.0,  2147483647.0,  2147483648.0,  -2147483648.0, -2147483904.0,
                              -2147483649.0, 4294967040.0,  4294967295.0,  4294967296.0,  3e10,      -3e10,
                              9.2233714871641e18, 9223372036854774784.0, 9223372036854775808.0, -9223372036854775808.0,
                              -9.3e18,       1.8446742974197924e19, 18446744073709549568.0, 18446744073709551616.0, 1e30, -1e30,
                              8388607.5,     8388608.5,     4503599627370495.5};
        std::vector<T> list;
        for (double one : all)
            list.push_back((T)one);
        if (sizeof(T) == 4) {
            const u64 bits[] = {0x7f800000, 0xff800000, 0x7fc00000, 0xffc00001, 1, 0x80000001, 0x007fffff, 0x00800000,
                                0x7f7fffff, 0xff7fffff, 0x3f7fffff, 0x3effffff};
            for (u64 one : bits)
                list.push_back(from_bits<T>(one));
        } else {
            const u64 bits[] = {0x7ffull << 52, 0xfffull << 52, 0x7ff8ull << 48, (0xfff8ull << 48) + 1, 1,
                                (1ull << 63) + 1, (1ull << 52) - 1, 1ull << 52, (0x7ffull << 52) - 1, (0xfffull << 52) - 1,
                                0x3fefffffffffffffull, 0x3fdfffffffffffffull};
            for (u64 one : bits)
                list.push_back(from_bits<T>(one));
        }
        return list;
    }
};

// ---- answers ----

static int pairs = 1 << 20;

template <class Op> __global__ void answers(const typename Op::A *a, const typename Op::B *b, typename Op::R *r, int n)
{
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n)
        r[i] = Op::of(a[i], b[i]);
}

template <class R> u64 bits_of(R value)
{
    u64 bits = 0;
    memcpy(&bits, &value, sizeof value);
    if (is_real<R>::value && !(value == value))
        return sizeof(R) == 4 ? 0x7fffffff : 0x7fffffffffffffffull;
    return bits;
}

template <class Op>
std::vector<typename Op::R> run(const std::vector<typename Op::A> &a, const std::vector<typename Op::B> &b)
{
    typename Op::A *da;
    typename Op::B *db;
    typename Op::R *dr;
    int n = (int)a.size();
    std::vector<typename Op::R> r;
    typename Op::R *answer = (typename Op::R *)malloc((size_t)n * sizeof *dr); // a vector of bools has no array
    OK(cudaMalloc(&da, (size_t)n * sizeof *da));
    OK(cudaMalloc(&db, (size_t)n * sizeof *db));
    OK(cudaMalloc(&dr, (size_t)n * sizeof *dr));
    OK(cudaMemcpy(da, a.data(), (size_t)n * sizeof *da, cudaMemcpyHostToDevice));
    OK(cudaMemcpy(db, b.data(), (size_t)n * sizeof *db, cudaMemcpyHostToDevice));
    answers<Op><<<(n + 255) / 256, 256>>>(da, db, dr, n);
    OK(cudaGetLastError());
    OK(cudaDeviceSynchronize());
    OK(cudaMemcpy(answer, dr, (size_t)n * sizeof *dr, cudaMemcpyDeviceToHost));
    cudaFree(da), cudaFree(db), cudaFree(dr);
    r.assign(answer, answer + n);
    free(answer);
    return r;
}

// Of all n answers; *early: of the first 2^14.
template <class R> u64 hash_of(const std::vector<R> &r, int n, u64 *early)
{
    u64 hash = 0xcbf29ce484222325ull;
    for (int i = 0; i < n; i++) {
        hash = (hash ^ bits_of((R)r[(size_t)i])) * 0x100000001b3ull;
        if (i + 1 == 1 << 14)
            *early = hash;
    }
    return hash;
}

template <class Op> void record(const char *name, bool two)
{
    typedef typename Op::A A;
    typedef typename Op::B B;
    state = 33;
    std::vector<A> a, xa = Operand<A>::extremes();
    std::vector<B> b, xb = two ? Operand<B>::extremes() : std::vector<B>(1);
    for (int i = 0; i < pairs; i++) {
        a.push_back(Operand<A>::random());
        b.push_back(Operand<B>::random());
    }
    auto r = run<Op>(a, b);
    u64 early = 0, whole = hash_of(r, pairs, &early), none;
    a.clear();
    b.clear();
    for (A one : xa)
        for (B other : xb) {
            a.push_back(one);
            b.push_back(other);
        }
    r = run<Op>(a, b);
    printf("%s %016llx %016llx %016llx", name, early, whole, hash_of(r, (int)r.size(), &none));
    const size_t most = two ? 12 : xa.size(), rows = xa.size() < most ? xa.size() : most,
                 columns = xb.size() < most ? xb.size() : most;
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < columns; j++)
            printf("%s%llx", j || !two ? (i || j ? "," : " ") : " ",
                   bits_of((typename Op::R)r[i * xa.size() / rows * xb.size() + j * xb.size() / columns]));
    printf("\n");
}

// ---- the operations ----

#define OP(NAME, RESULT, FIRST, SECOND, EXPRESSION)                                                                    \
    struct NAME {                                                                                                      \
        typedef RESULT R;                                                                                              \
        typedef FIRST A;                                                                                               \
        typedef SECOND B;                                                                                              \
        static __device__ R of(A x, B y)                                                                               \
        {                                                                                                              \
            (void)y;                                                                                                   \
            return EXPRESSION;                                                                                         \
        }                                                                                                              \
    };
#define TOP(NAME, RESULT, FIRST, SECOND, EXPRESSION)                                                                   \
    template <class T> OP(NAME, RESULT, FIRST, SECOND, EXPRESSION)

TOP(Shl, decltype(T() << 1), T, int, x << y)
TOP(Shr, decltype(T() << 1), T, int, x >> y)
TOP(ShlBy64, decltype(T() << 1), T, i64, x << y)
TOP(ShrBy64, decltype(T() << 1), T, i64, x >> y)
TOP(ShlByU8, decltype(T() << 1), T, u8, x << y)
TOP(Div, decltype(T() + T()), T, T, x / y)
TOP(Mod, decltype(T() + T()), T, T, x % y)
TOP(Add, decltype(T() + T()), T, T, x + y)
TOP(Sub, decltype(T() + T()), T, T, x - y)
TOP(Mul, decltype(T() + T()), T, T, x *y)
TOP(Neg, decltype(+T()), T, int, -x)
TOP(Min, T, T, T, min(x, y))
TOP(Max, T, T, T, max(x, y))
TOP(Abs, decltype(+T()), T, int, abs(x))
TOP(OfFloat, T, float, int, (T)x)
TOP(OfDouble, T, double, int, (T)x)
TOP(OfHalf, T, float, int, (T)__float2half_rn(x))
TOP(OfBfloat, T, float, int, (T)__float2bfloat16_rn(x))
TOP(ToFloat, float, T, int, (float)x)
TOP(ToDouble, double, T, int, (double)x)
TOP(ToHalf, float, T, int, __half2float((__half)x))
TOP(ToBfloat, float, T, int, __bfloat162float((__nv_bfloat16)x))

template <class T> struct Implicit; // as operands, assigned, returned, given, compound
#define IMPLICIT(T)                                                                                                    \
    template <> struct Implicit<T> {                                                                                   \
        typedef T R;                                                                                                   \
        typedef float A;                                                                                               \
        typedef float B;                                                                                               \
        static __device__ T of(float x, float y)                                                                       \
        {                                                                                                              \
            T a = x, b, c = 3;                                                                                         \
            b = y;                                                                                                     \
            c += x;                                                                                                    \
            return (T)(a + 3 * b + 5 * c + 7 * given_##T(x) + 9 * returned_##T(y));                                    \
        }                                                                                                              \
    };
#define FUNCTIONS(T)                                                                                                   \
    __device__ T given_##T(T x) { return x; }                                                                          \
    __device__ T returned_##T(float x) { return x; }                                                                   \
    IMPLICIT(T)
FUNCTIONS(i8)
FUNCTIONS(u8)
FUNCTIONS(i16)
FUNCTIONS(u16)
FUNCTIONS(int)
FUNCTIONS(u32)
FUNCTIONS(i64)
FUNCTIONS(u64)
template <class T> struct Compound {
    typedef T R;
    typedef T A;
    typedef T B;
    static __device__ R of(A x, B y)
    {
        T a = x, b = x, c = x, d = x;
        a <<= y;
        b >>= y;
        c /= y;
        d %= y;
        return (T)(a + 3 * b + 5 * c + 7 * d);
    }
};
struct Bits {
    int low : 5;
    unsigned middle : 7;
    int high : 20;
};
struct BitField {
    typedef int R;
    typedef float A;
    typedef int B;
    static __device__ R of(A x, B y)
    {
        Bits b;
        b.low = x;
        b.middle = y;
        b.high = (int)x;
        b.high <<= y;
        b.middle /= y;
        return b.low + 32 * (int)b.middle + 4096 * b.high;
    }
};

// one real operand
#define REAL(NAME, EXPRESSION) TOP(NAME, T, T, T, EXPRESSION)
#define WHOLE(NAME, RESULT, EXPRESSION) TOP(NAME, RESULT, T, T, EXPRESSION)
REAL(RealDiv, x / y)
REAL(RealMul, x *y)
REAL(RealAdd, x + y)
REAL(Fma, fma(x, y, x))
REAL(Fmin, fmin(x, y))
REAL(Fmax, fmax(x, y))
REAL(MinOf, min(x, y))
REAL(MaxOf, max(x, y))
REAL(Fabs, fabs(x))
REAL(Rint, rint(x))
REAL(Nearbyint, nearbyint(x))
REAL(Round, round(x))
REAL(Trunc, trunc(x))
REAL(Floor, floor(x))
REAL(Ceil, ceil(x))
REAL(Sqrt, sqrt(x))
REAL(Fmod, fmod(x, y))
REAL(Remainder, remainder(x, y))
REAL(Fdim, fdim(x, y))
REAL(Copysign, copysign(x, y))
REAL(Nextafter, nextafter(x, y))
REAL(Logb, logb(x))
WHOLE(Ilogb, int, ilogb(x))
WHOLE(Lround, i64, (i64)lround(x))
WHOLE(Llround, i64, llround(x))
WHOLE(Lrint, i64, (i64)lrint(x))
WHOLE(Llrint, i64, llrint(x))
WHOLE(Signbit, int, signbit(x) ? 1 : 0)
WHOLE(IsNan, int, (isnan(x) ? 1 : 0) + (isinf(x) ? 2 : 0) + (isfinite(x) ? 4 : 0))
TOP(Ldexp, T, T, int, ldexp(x, y))
TOP(Scalbn, T, T, int, scalbn(x, y))
template <class T> struct Frexp {
    typedef T R;
    typedef T A;
    typedef T B;
    static __device__ R of(A x, B)
    {
        int e = 77;
        T m = frexp(x, &e);
        return isfinite(m) ? m + (T)(4 * e) : m;
    }
};
template <class T> struct Modf {
    typedef T R;
    typedef T A;
    typedef T B;
    static __device__ R of(A x, B)
    {
        T whole = 77, part = modf(x, &whole);
        return signbit(part) ? -(fabs(part) + 3) : part + 3 + (signbit(whole) ? 1 : 0);
    }
};
template <class T> struct Remquo {
    typedef int R;
    typedef T A;
    typedef T B;
    static __device__ R of(A x, B y)
    {
        int q = 77;
        T r = remquo(x, y, &q);
        return isfinite(r) ? q & 7 : -1;
    }
};
WHOLE(Compare, int, (x < y) + 2 * (x <= y) + 4 * (x == y) + 8 * (x != y) + 16 * (x > y) + 32 * (x >= y))

// intrinsics
#define CONVERSION(NAME, RESULT, FROM, FUNCTION) OP(NAME, RESULT, FROM, int, FUNCTION(x))
#define CONVERSIONS(TO, RESULT)                                                                                        \
    CONVERSION(Float2##TO##Rn, RESULT, float, __float2##TO##_rn)                                                       \
    CONVERSION(Float2##TO##Rz, RESULT, float, __float2##TO##_rz)                                                       \
    CONVERSION(Float2##TO##Ru, RESULT, float, __float2##TO##_ru)                                                       \
    CONVERSION(Float2##TO##Rd, RESULT, float, __float2##TO##_rd)                                                       \
    CONVERSION(Double2##TO##Rn, RESULT, double, __double2##TO##_rn)                                                    \
    CONVERSION(Double2##TO##Rz, RESULT, double, __double2##TO##_rz)                                                    \
    CONVERSION(Double2##TO##Ru, RESULT, double, __double2##TO##_ru)                                                    \
    CONVERSION(Double2##TO##Rd, RESULT, double, __double2##TO##_rd)
CONVERSIONS(int, int)
CONVERSIONS(uint, u32)
CONVERSIONS(ll, i64)
CONVERSIONS(ull, u64)
OP(Half2short, int, float, int, __half2short_rz(__float2half_rn(x)))
OP(Half2ushort, int, float, int, __half2ushort_rn(__float2half_rn(x)))
OP(Half2int, int, float, int, __half2int_rn(__float2half_rn(x)))
OP(Half2uint, u32, float, int, __half2uint_rz(__float2half_rn(x)))
OP(Half2ll, i64, float, int, __half2ll_rz(__float2half_rn(x)))
OP(Float2half, float, float, int, __half2float(__float2half_rn(x)))
OP(Float2bfloat, float, float, int, __bfloat162float(__float2bfloat16_rn(x)))
OP(Int2float, float, int, int, __int2float_rz(x))
OP(Mulhi, int, int, int, __mulhi(x, y))
OP(Umulhi, u32, u32, u32, __umulhi(x, y))
OP(Mul64hi, i64, i64, i64, __mul64hi(x, y))
OP(Umul64hi, u64, u64, u64, __umul64hi(x, y))
OP(Mul24, int, int, int, __mul24(x, y))
OP(Umul24, u32, u32, u32, __umul24(x, y))
OP(Sad, u32, int, int, __sad(x, y, 7u))
OP(Usad, u32, u32, u32, __usad(x, y, 7u))
OP(Hadd, int, int, int, __hadd(x, y))
OP(Rhadd, int, int, int, __rhadd(x, y))
OP(Uhadd, u32, u32, u32, __uhadd(x, y))
OP(Urhadd, u32, u32, u32, __urhadd(x, y))
OP(Clz, int, int, int, __clz(x))
OP(Clzll, int, i64, int, __clzll(x))
OP(Ffs, int, int, int, __ffs(x))
OP(Ffsll, int, i64, int, __ffsll(x))
OP(Popc, int, u32, int, __popc(x))
OP(Brev, u32, u32, int, __brev(x))
OP(BytePerm, u32, u32, u32, __byte_perm(x, y, x ^ y))
OP(FunnelL, u32, u32, u32, __funnelshift_l(x, ~x, y))
OP(FunnelR, u32, u32, u32, __funnelshift_r(x, ~x, y))
OP(FunnelLc, u32, u32, u32, __funnelshift_lc(x, ~x, y))
OP(FunnelRc, u32, u32, u32, __funnelshift_rc(x, ~x, y))
OP(Saturate, float, float, int, __saturatef(x))
OP(FdividefIsNan, int, float, float, isnan(__fdividef(x, y)) ? 1 : 0)
OP(Pointers, int, int, int,
   ((char *)(size_t)(u32)x < (char *)(size_t)(u32)y) + 2 * ((char *)(size_t)(u32)x >= (char *)(size_t)(u32)y))
OP(Llabs, i64, i64, int, llabs(x))
OP(Mixed, i64, int, u32, x / y + (i64)(x % y) * 3)
OP(MixedLong, i64, int, i64, x / y + (x % y) * 3)
OP(LaneMask, u32, u32, int, 0xffffffffu >> (32 - y))

#define EACH_INTEGER(RECORD, OPERATION)                                                                                \
    RECORD(OPERATION, i8) RECORD(OPERATION, u8) RECORD(OPERATION, i16) RECORD(OPERATION, u16)                          \
    RECORD(OPERATION, int) RECORD(OPERATION, u32) RECORD(OPERATION, i64) RECORD(OPERATION, u64)
#define ONE(OPERATION, TYPE) record<OPERATION<TYPE>>(#OPERATION "_" #TYPE, false);
#define TWO(OPERATION, TYPE) record<OPERATION<TYPE>>(#OPERATION "_" #TYPE, true);
#define ONES(OPERATION) EACH_INTEGER(ONE, OPERATION)
#define TWOS(OPERATION) EACH_INTEGER(TWO, OPERATION)
#define REALS(OPERATION) TWO(OPERATION, float) TWO(OPERATION, double)
#define REALS1(OPERATION) ONE(OPERATION, float) ONE(OPERATION, double)
#define PLAIN(OPERATION) record<OPERATION>(#OPERATION, true);
#define PLAIN1(OPERATION) record<OPERATION>(#OPERATION, false);

static void record_integers()
{
    TWOS(Shl) TWOS(Shr) TWOS(ShlBy64) TWOS(ShrBy64) TWOS(ShlByU8) TWOS(Div) TWOS(Mod)
    TWOS(Add) TWOS(Sub) TWOS(Mul) ONES(Neg) TWOS(Min) TWOS(Max) TWOS(Compound)
    ONE(Abs, i8) ONE(Abs, i16) ONE(Abs, int) ONE(Abs, i64)
    PLAIN1(Llabs) PLAIN(Mixed) PLAIN(MixedLong) PLAIN(LaneMask) PLAIN(BitField) PLAIN(Pointers)
    PLAIN(Mulhi) PLAIN(Umulhi) PLAIN(Mul64hi) PLAIN(Umul64hi) PLAIN(Mul24) PLAIN(Umul24) PLAIN(Sad) PLAIN(Usad)
    PLAIN(Hadd) PLAIN(Rhadd) PLAIN(Uhadd) PLAIN(Urhadd) PLAIN1(Clz) PLAIN1(Clzll) PLAIN1(Ffs) PLAIN1(Ffsll)
    PLAIN1(Popc) PLAIN1(Brev) PLAIN(BytePerm) PLAIN(FunnelL) PLAIN(FunnelR) PLAIN(FunnelLc) PLAIN(FunnelRc)
}

static void record_conversions()
{
    ONES(OfFloat) ONES(OfDouble) ONES(OfHalf) ONES(OfBfloat) ONES(ToFloat) ONES(ToDouble) ONES(ToHalf) ONES(ToBfloat)
    TWOS(Implicit)
    ONE(OfFloat, bool) ONE(OfDouble, bool) ONE(OfFloat, double) ONE(OfDouble, float)
#define FOUR_WAYS(NAME) PLAIN1(NAME##Rn) PLAIN1(NAME##Rz) PLAIN1(NAME##Ru) PLAIN1(NAME##Rd)
    FOUR_WAYS(Float2int) FOUR_WAYS(Float2uint) FOUR_WAYS(Float2ll) FOUR_WAYS(Float2ull)
    FOUR_WAYS(Double2int) FOUR_WAYS(Double2uint) FOUR_WAYS(Double2ll) FOUR_WAYS(Double2ull)
    PLAIN1(Half2short) PLAIN1(Half2ushort) PLAIN1(Half2int) PLAIN1(Half2uint) PLAIN1(Half2ll)
    PLAIN1(Float2half) PLAIN1(Float2bfloat) PLAIN1(Int2float)
}

static void record_reals()
{
    REALS(RealDiv) REALS(RealMul) REALS(RealAdd) REALS(Fma) REALS(Fmin) REALS(Fmax) REALS(MinOf) REALS(MaxOf)
    REALS(Compare) REALS(Fmod) REALS(Remainder) REALS(Remquo) REALS(Fdim) REALS(Copysign) REALS(Nextafter)
    REALS(Ldexp) REALS(Scalbn)
    REALS1(Fabs) REALS1(Rint) REALS1(Nearbyint) REALS1(Round) REALS1(Trunc) REALS1(Floor) REALS1(Ceil) REALS1(Sqrt)
    REALS1(Logb) REALS1(Ilogb) REALS1(Lround) REALS1(Llround) REALS1(Lrint) REALS1(Llrint) REALS1(Signbit) REALS1(IsNan)
    REALS1(Frexp) REALS1(Modf)
    PLAIN1(Saturate) PLAIN(FdividefIsNan)
}

// ---- the layout of wmma's fragments: which element of the matrix is x[i] of each lane ----

using namespace nvcuda;

template <class T> __device__ int number_of(T x) { return (int)(float)x; }

// m[r][c] is its own index; 8 bits cannot hold that, so they get the row in one run and the column in another.
template <class Fragment, class T> __global__ void layout(const T *m, int ld, int *out)
{
    Fragment f;
    wmma::load_matrix_sync(f, m, ld);
    if (threadIdx.x == 0)
        out[0] = f.num_elements;
    for (int i = 0; i < f.num_elements; i++)
        out[1 + threadIdx.x * f.num_elements + i] = number_of(f.x[i]);
}
template <class Fragment, class T>
__global__ void layout_of_sum(const T *m, int ld, int *out, wmma::layout_t order)
{
    Fragment f;
    wmma::load_matrix_sync(f, m, ld, order);
    if (threadIdx.x == 0)
        out[0] = f.num_elements;
    for (int i = 0; i < f.num_elements; i++)
        out[1 + threadIdx.x * f.num_elements + i] = number_of(f.x[i]);
}

template <class T> T number(int i) { return (T)(float)i; }

template <class T, class Launch> void record_layout(const char *name, int rows, int columns, bool by_column, Launch launch)
{
    T *m;
    int *out;
    std::vector<T> h((size_t)(rows * columns));
    std::vector<int> r(1 + 32 * 64), row, column;
    int ld = by_column ? rows : columns;
    OK(cudaMalloc(&m, h.size() * sizeof(T)));
    OK(cudaMalloc(&out, r.size() * sizeof(int)));
    for (int part = 0; part < 2; part++) {
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < columns; j++)
                h[(size_t)(by_column ? j * ld + i : i * ld + j)] = number<T>(part ? j : i);
        OK(cudaMemcpy(m, h.data(), h.size() * sizeof(T), cudaMemcpyHostToDevice));
        launch(m, ld, out);
        OK(cudaGetLastError());
        OK(cudaDeviceSynchronize());
        OK(cudaMemcpy(r.data(), out, r.size() * sizeof(int), cudaMemcpyDeviceToHost));
        (part ? column : row) = r;
    }
    int n = row[0];
    printf("wmma_%s %d", name, n);
    for (int lane = 0; lane < 32; lane++)
        for (int i = 0; i < n; i++)
            printf("%s%d:%d", i ? "," : " ", row[(size_t)(1 + lane * n + i)], column[(size_t)(1 + lane * n + i)]);
    printf("\n");
    cudaFree(m), cudaFree(out);
}

template <int M, int N, int K, class T, class S> void record_shape(const char *shape, const char *type)
{
    using namespace wmma;
    char name[80];
#define OPERAND(USE, ROWS, COLUMNS, ORDER, BY_COLUMN)                                                                  \
    snprintf(name, sizeof name, "%s_%s_" #USE "_" #ORDER, shape, type);                                                \
    record_layout<S>(name, ROWS, COLUMNS, BY_COLUMN,                                                                   \
                     [](S *m, int ld, int *out) { layout<fragment<USE, M, N, K, T, ORDER>, S><<<1, 32>>>(m, ld, out); });
    OPERAND(matrix_a, M, K, row_major, false)
    OPERAND(matrix_a, M, K, col_major, true)
    OPERAND(matrix_b, K, N, row_major, false)
    OPERAND(matrix_b, K, N, col_major, true)
}
template <int M, int N, int K, class T> void record_sum(const char *shape, const char *type)
{
    using namespace wmma;
    char name[80];
    snprintf(name, sizeof name, "%s_%s_accumulator_row_major", shape, type);
    record_layout<T>(name, M, N, false, [](T *m, int ld, int *out) {
        layout_of_sum<fragment<accumulator, M, N, K, T>, T><<<1, 32>>>(m, ld, out, mem_row_major);
    });
    snprintf(name, sizeof name, "%s_%s_accumulator_col_major", shape, type);
    record_layout<T>(name, M, N, true, [](T *m, int ld, int *out) {
        layout_of_sum<fragment<accumulator, M, N, K, T>, T><<<1, 32>>>(m, ld, out, mem_col_major);
    });
}

static void record_fragments()
{
#define SHAPE(M, N, K)                                                                                                 \
    record_shape<M, N, K, half, half>("m" #M "n" #N "k" #K, "half");                                                   \
    record_shape<M, N, K, __nv_bfloat16, __nv_bfloat16>("m" #M "n" #N "k" #K, "bfloat16");                             \
    record_shape<M, N, K, signed char, signed char>("m" #M "n" #N "k" #K, "s8");                                       \
    record_shape<M, N, K, unsigned char, unsigned char>("m" #M "n" #N "k" #K, "u8");                                   \
    record_sum<M, N, K, float>("m" #M "n" #N "k" #K, "float");                                                         \
    record_sum<M, N, K, half>("m" #M "n" #N "k" #K, "half");                                                           \
    record_sum<M, N, K, int>("m" #M "n" #N "k" #K, "int");
    SHAPE(16, 16, 16)
    SHAPE(32, 8, 16)
    SHAPE(8, 32, 16)
    record_shape<16, 16, 8, wmma::precision::tf32, float>("m16n16k8", "tf32");
    record_sum<16, 16, 8, float>("m16n16k8", "float");
    record_shape<8, 8, 4, double, double>("m8n8k4", "double");
    record_sum<8, 8, 4, double>("m8n8k4", "double");
}

// ---- the runtime ----

__device__ int *kept;
__global__ void print_values(int *o)
{
    o[0] = printf("# %d %s\n", 5, "x");
    o[1] = printf("# none\n");
    o[2] = printf("# %d%% %f %c\n", 1, 2.5, 'c');
    o[3] = printf("");
}
__global__ void take(int *o, size_t bytes)
{
    void *p = malloc(bytes);
    *o = p != nullptr;
    free(p);
}
__global__ void take_pieces(int *o, size_t bytes, int pieces)
{
    void *first = nullptr;
    int n = 0;
    for (; n < pieces; n++) {
        void **p = (void **)malloc(bytes);
        if (!p)
            break;
        *p = first;
        first = p;
    }
    while (first) {
        void *after = *(void **)first;
        free(first);
        first = after;
    }
    *o = n;
}
__global__ void keep() { kept = (int *)malloc(64), kept[0] = 3; }
__global__ void __launch_bounds__(64) bounded(int *o) { *o = 1; }
__global__ void __launch_bounds__(1024) wide(int *o) { *o = 1; }
__global__ void plain(int *o) { *o = 1; }

static void say(const char *what, cudaError_t error)
{
    printf("%s %s\n", what, cudaGetErrorName(error));
    cudaGetLastError();
}

static void record_heap(int *d)
{
    int h[4];
    size_t limit = 0;
    OK(cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize));
    printf("heap_limit %zu\n", limit);
    const size_t sizes[] = {64, 1 << 20, 4 << 20, 6 << 20, 7 << 20, 8 << 20, (8 << 20) + 1, 100 << 20};
    for (size_t bytes : sizes) {
        take<<<1, 1>>>(d, bytes);
        OK(cudaDeviceSynchronize());
        OK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
        printf("malloc %zu %s\n", bytes, h[0] ? "given" : "null");
    }
    take_pieces<<<1, 1>>>(d, 1 << 20, 64);
    OK(cudaDeviceSynchronize());
    OK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
    printf("pieces_of_1MB %d\n", h[0]);
    say("set_limit_after_use", cudaDeviceSetLimit(cudaLimitMallocHeapSize, 256 << 20));
    keep<<<1, 1>>>();
    OK(cudaDeviceSynchronize());
    int *p;
    OK(cudaMemcpyFromSymbol(&p, kept, sizeof p));
    say("copy_of_heap", cudaMemcpy(h, p, sizeof(int), cudaMemcpyDeviceToHost));
}

static void texture(const char *what, cudaResourceDesc r, cudaTextureReadMode mode = cudaReadModeElementType)
{
    cudaTextureObject_t o;
    cudaTextureDesc t = {};
    t.readMode = mode;
    say(what, cudaCreateTextureObject(&o, &r, &t, nullptr));
}

static void record_textures()
{
    float *p;
    OK(cudaMalloc(&p, 16000));
    cudaChannelFormatDesc f = cudaCreateChannelDesc<float>();
    cudaResourceDesc r = {};
    cudaDeviceProp property;
    OK(cudaGetDeviceProperties(&property, 0));
    printf("texture_alignment %zu %zu\n", property.textureAlignment, property.texturePitchAlignment);
    r.resType = cudaResourceTypePitch2D;
    for (size_t pitch : {40, 48, 64, 32, 96}) {
        r.res.pitch2D.devPtr = p, r.res.pitch2D.desc = f, r.res.pitch2D.width = 10, r.res.pitch2D.height = 40;
        r.res.pitch2D.pitchInBytes = pitch;
        char name[40];
        snprintf(name, sizeof name, "texture2d_pitch_%zu", pitch);
        texture(name, r);
    }
    for (int offset : {1, 4, 8, 32, 64, 128}) {
        char name[40];
        r.res.pitch2D.devPtr = p + offset, r.res.pitch2D.pitchInBytes = 64;
        snprintf(name, sizeof name, "texture2d_offset_%d", offset * 4);
        texture(name, r);
    }
    for (int offset : {1, 4, 8, 32, 64, 128}) {
        char name[40];
        cudaResourceDesc l = {};
        l.resType = cudaResourceTypeLinear;
        l.res.linear.devPtr = p + offset, l.res.linear.desc = f, l.res.linear.sizeInBytes = 400;
        snprintf(name, sizeof name, "texture1d_offset_%d", offset * 4);
        texture(name, l);
    }
    cudaFree(p);
}

static void record_launches(int *d)
{
    bounded<<<1, 64>>>(d);
    say("bounded_64", cudaGetLastError());
    bounded<<<1, 65>>>(d);
    say("bounded_65", cudaGetLastError());
    say("after", cudaDeviceSynchronize());
    bounded<<<1, 1024>>>(d);
    say("bounded_1024", cudaGetLastError());
    bounded<<<1, 1025>>>(d);
    say("bounded_1025", cudaGetLastError());
    wide<<<1, 1025>>>(d);
    say("wide_1025", cudaGetLastError());
    plain<<<1, 1025>>>(d);
    say("plain_1025", cudaGetLastError());
    plain<<<1, 0>>>(d);
    say("plain_0", cudaGetLastError());
    plain<<<0, 1>>>(d);
    say("grid_0", cudaGetLastError());
    plain<<<1, dim3(1, 1, 65)>>>(d);
    say("block_z_65", cudaGetLastError());
    plain<<<dim3(1, 65536), 1>>>(d);
    say("grid_y_65536", cudaGetLastError());
    plain<<<1, 32, 49153>>>(d);
    say("shared_49153", cudaGetLastError());
    plain<<<1, 32, 232449>>>(d);
    say("shared_232449", cudaGetLastError());
    say("occupancy", cudaFuncSetAttribute(bounded, cudaFuncAttributeMaxDynamicSharedMemorySize, 232449));
    cudaFuncAttributes a;
    OK(cudaFuncGetAttributes(&a, bounded));
    printf("bounded_max_threads %d\n", a.maxThreadsPerBlock);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        pairs = atoi(argv[1]);
    if (pairs < 1 << 14)
        pairs = 1 << 14;
    record_integers();
    record_conversions();
    record_reals();
    record_fragments();
    int *d, h[4];
    OK(cudaMalloc(&d, 64));
    print_values<<<1, 1>>>(d);
    OK(cudaDeviceSynchronize());
    OK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
    printf("printf %d %d %d %d\n", h[0], h[1], h[2], h[3]);
    record_launches(d);
    record_textures();
    record_heap(d);
    cudaFree(d);
    return 0;
}
