// The DPX functions on extreme and mixed operands, against sums and comparisons in 64 bits that are cut to their width.
#include "conformance.h"

__device__ __host__ inline unsigned operand(unsigned n)
{
    const unsigned extreme[] = {0,          1,          0xffffffffu, 0x80000000u, 0x7fffffffu, 0x00008000u,
                                0x80007fffu, 0x7fff8000u, 0xffff0001u, 0x0001ffffu, 0x80008000u, 0x7fff7fffu};
    return n < 12 ? extreme[n] : (n + 1) * 2654435761u ^ n << 7;
}

#define ALL(X)                                                                                                         \
    X(__vimax_s32_relu(ia, ib)) X(__vimin_s32_relu(ia, ib)) X(__vimax3_s32(ia, ib, ic)) X(__vimin3_s32(ia, ib, ic))    \
    X(__vimax3_u32(a, b, c)) X(__vimin3_u32(a, b, c)) X(__vimax3_s32_relu(ia, ib, ic)) X(__vimin3_s32_relu(ia, ib, ic)) \
    X(__viaddmax_s32(ia, ib, ic)) X(__viaddmin_s32(ia, ib, ic)) X(__viaddmax_u32(a, b, c)) X(__viaddmin_u32(a, b, c))  \
    X(__viaddmax_s32_relu(ia, ib, ic)) X(__viaddmin_s32_relu(ia, ib, ic))                                              \
    X(__vimax_s16x2_relu(a, b)) X(__vimin_s16x2_relu(a, b)) X(__vimax3_s16x2(a, b, c)) X(__vimin3_s16x2(a, b, c))      \
    X(__vimax3_u16x2(a, b, c)) X(__vimin3_u16x2(a, b, c)) X(__vimax3_s16x2_relu(a, b, c))                              \
    X(__vimin3_s16x2_relu(a, b, c)) X(__viaddmax_s16x2(a, b, c)) X(__viaddmin_s16x2(a, b, c))                          \
    X(__viaddmax_u16x2(a, b, c)) X(__viaddmin_u16x2(a, b, c)) X(__viaddmax_s16x2_relu(a, b, c))                        \
    X(__viaddmin_s16x2_relu(a, b, c))
enum { PLAIN = 28, ROWS = PLAIN + 8, VALUES = 24, N = VALUES * VALUES * VALUES };

__global__ void k(unsigned *out)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= N)
        return;
    const unsigned a = operand(i % VALUES), b = operand(i / VALUES % VALUES), c = operand(i / VALUES / VALUES);
    const int ia = (int)a, ib = (int)b, ic = (int)c;
    unsigned *to = out + i * ROWS;
    int n = 0;
#define TAKE(call) to[n++] = (unsigned)call;
    ALL(TAKE)
    bool p = false, q = false;
#define WITH_ONE(call) to[n] = (unsigned)call, to[n++] ^= p ? 0x55555555u : 0;
#define WITH_TWO(call) to[n] = call, to[n++] ^= (p ? 0x5555u << 16 : 0) | (q ? 0x5555u : 0);
    WITH_ONE(__vibmax_s32(ia, ib, &p))
    WITH_ONE(__vibmax_u32(a, b, &p))
    WITH_ONE(__vibmin_s32(ia, ib, &p))
    WITH_ONE(__vibmin_u32(a, b, &p))
    WITH_TWO(__vibmax_s16x2(a, b, &p, &q))
    WITH_TWO(__vibmax_u16x2(a, b, &p, &q))
    WITH_TWO(__vibmin_s16x2(a, b, &p, &q))
    WITH_TWO(__vibmin_u16x2(a, b, &p, &q))
}

// A number's lowest bits as a signed or unsigned integer.
static long long cut(long long x, int bits, bool is_signed)
{
    const long long whole = 1ll << bits, rest = ((x % whole) + whole) % whole;
    return is_signed && rest >= whole / 2 ? rest - whole : rest;
}
enum Sort { RELU2, THREE, THREE_RELU, ADD, ADD_RELU };
static unsigned one(Sort sort, bool largest, int bits, bool is_signed, unsigned a, unsigned b, unsigned c)
{
    long long x = cut(a, bits, is_signed), y = cut(b, bits, is_signed), z = cut(c, bits, is_signed);
    if (sort == ADD || sort == ADD_RELU)
        x = cut(x + y, bits, is_signed), y = z;
    long long best = largest == (x > y) ? x : y;
    if ((sort == THREE || sort == THREE_RELU) && largest == (z > best))
        best = z;
    if (sort != THREE && sort != ADD && best < 0)
        best = 0;
    return (unsigned)cut(best, bits, false);
}
static unsigned want(int row, unsigned a, unsigned b, unsigned c)
{
    static const struct {
        Sort sort;
        bool is_signed;
    } words[] = {{RELU2, true}, {THREE, true}, {THREE, false}, {THREE_RELU, true}, {ADD, true}, {ADD, false}, {ADD_RELU, true}};
    const int half = row >= 14, which = row % 14 / 2;
    const bool largest = row % 2 == 0;
    if (!half)
        return one(words[which].sort, largest, 32, words[which].is_signed, a, b, c);
    return one(words[which].sort, largest, 16, words[which].is_signed, a, b, c) |
           one(words[which].sort, largest, 16, words[which].is_signed, a >> 16, b >> 16, c >> 16) << 16;
}
static unsigned want_which(int row, unsigned a, unsigned b)
{
    const bool largest = row % 4 < 2, is_signed = row % 2 == 0;
    const int bits = row < 4 ? 32 : 16;
    unsigned result = 0;
    for (int at = 0; at < 32; at += bits) {
        const long long x = cut(a >> at, bits, is_signed), y = cut(b >> at, bits, is_signed);
        const bool first = x == y || largest == (x > y);
        result |= (unsigned)(cut(first ? x : y, bits, false) ^ (first ? (bits == 32 ? 0x55555555 : 0x5555) : 0)) << at;
    }
    return result;
}
int main()
{
    unsigned *out = managed<unsigned>(N * ROWS);
    k<<<(N + T - 1) / T, T>>>(out);
    return check(out, N * ROWS, [](int i) {
        const int at = i / ROWS, row = i % ROWS;
        const unsigned a = operand(at % VALUES), b = operand(at / VALUES % VALUES), c = operand(at / VALUES / VALUES);
        return row < PLAIN ? want(row, a, b, c) : want_which(row - PLAIN, a, b);
    });
}
