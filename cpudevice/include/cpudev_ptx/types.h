/* types.h: what the compiler's inline PTX is made of: PTX's types, modifiers, and how an asm operand becomes bits.
 *
 * A register is bits (raw): bool, uint8_t .. uint64_t, unsigned __int128. A type says what they mean: f32::get(raw) is
 * the value, f32::put(value) the bits, NaN in the form that the hardware gives (canonical but for f64). Device side. */
#ifndef CPUDEV_PTX_TYPES_H
#define CPUDEV_PTX_TYPES_H

#include <stdint.h>
#include <string.h>
#include <type_traits>

#include "../cpudev_smallfloat.h"

#define CPUDEV_PTX static inline __attribute__((always_inline, unused))

namespace cpudev
{
namespace ptx
{

template <class To, class From> CPUDEV_PTX To cast(From from)
{
    static_assert(sizeof(To) == sizeof(From), "the same number of bits");
    To to;
    memcpy(&to, &from, sizeof to);
    return to;
}

/* ---- types ---- */

template <class Raw, class Value> struct integer {
    typedef Raw raw;
    typedef Value value;
    enum { bits = 8 * sizeof(Raw), lanes = 1, is_float = 0, is_signed = std::is_signed<Value>::value };
    static value get(raw r) { return (value)r; }
    static raw put(value v) { return (raw)v; }
};
struct b8 : integer<uint8_t, uint8_t> {
};
struct u8 : integer<uint8_t, uint8_t> {
};
struct s8 : integer<uint8_t, int8_t> {
};
struct b16 : integer<uint16_t, uint16_t> {
};
struct u16 : integer<uint16_t, uint16_t> {
};
struct s16 : integer<uint16_t, int16_t> {
};
struct b32 : integer<uint32_t, uint32_t> {
};
struct u32 : integer<uint32_t, uint32_t> {
};
struct s32 : integer<uint32_t, int32_t> {
};
struct b64 : integer<uint64_t, uint64_t> {
};
struct u64 : integer<uint64_t, uint64_t> {
};
struct s64 : integer<uint64_t, int64_t> {
};
struct b128 : integer<unsigned __int128, unsigned __int128> {
};
struct pred {
    typedef bool raw;
    typedef bool value;
    enum { bits = 1, lanes = 1, is_float = 0, is_signed = 0 };
    static bool get(bool r) { return r; }
    static bool put(bool v) { return v; }
};

struct f32 {
    typedef uint32_t raw;
    typedef float value;
    enum { bits = 32, lanes = 1, is_float = 1, is_signed = 1, mantissa = 23 };
    static float get(raw r) { return cast<float>(r); }
    static raw put(float v) { return v != v ? 0x7fffffffu : cast<raw>(v); }
};
struct f64 {
    typedef uint64_t raw;
    typedef double value;
    enum { bits = 64, lanes = 1, is_float = 1, is_signed = 1, mantissa = 52 };
    static double get(raw r) { return cast<double>(r); }
    static raw put(double v) { return cast<raw>(v); }
};
/* Values of 16-bit formats are worked with in double, in which a product, and a sum rounded to odd, lose nothing. */
struct f16 {
    typedef uint16_t raw;
    typedef double value;
    enum { bits = 16, lanes = 1, is_float = 1, is_signed = 1, mantissa = 10 };
    static double get(raw r) { return cpudev_half_to_float(r); }
    static raw put(double v) { return v != v ? 0x7fff : (raw)cpudev_double_to_small(v, 10, 5, CPUDEV_RN); }
};
struct bf16 {
    typedef uint16_t raw;
    typedef double value;
    enum { bits = 16, lanes = 1, is_float = 1, is_signed = 1, mantissa = 7 };
    static double get(raw r) { return cpudev_bf16_to_float(r); }
    static raw put(double v) { return v != v ? 0x7fff : (raw)cpudev_double_to_small(v, 7, 8, CPUDEV_RN); }
};
template <class One> struct pair_of {
    typedef uint32_t raw;
    typedef One one;
    enum { bits = 32, lanes = 2, is_float = One::is_float, is_signed = One::is_signed };
};
struct f16x2 : pair_of<f16> {
};
struct bf16x2 : pair_of<bf16> {
};
struct u16x2 : pair_of<u16> {
};
struct s16x2 : pair_of<s16> {
};
struct tf32 : f32 {
};
struct e4m3x2 {
};
struct e5m2x2 {
};

/* Applies f to the two halves of 32-bit registers. */
template <class __F, class... __R> CPUDEV_PTX uint32_t by_halves(__F f, __R... r)
{
    const uint32_t low = f((uint16_t)r...), high = f((uint16_t)(r >> 16)...);
    return low | high << 16;
}

/* ---- modifiers ---- */

/* clang-format off */
#define CPUDEV_PTX_MODIFIERS(X) \
    X(rn) X(rz) X(rm) X(rp) X(rna) X(rni) X(rzi) X(rmi) X(rpi) X(ftz) X(sat) X(satfinite) X(relu) X(approx) X(full) \
    X(lo) X(hi) X(wide) X(cc) X(shiftamt) X(clamp) X(wrap) X(to) X(finite) X(infinite) X(number) X(notanumber) \
    X(normal) X(subnormal) X(NaN) X(xorsign) X(abs) X(eq) X(ne) X(lt) X(le) X(gt) X(ge) X(ls) X(hs) X(equ) X(neu) \
    X(ltu) X(leu) X(gtu) X(geu) X(num) X(nan) X(and) X(or) X(xor) X(f4e) X(b4e) X(rc8) X(ecl) X(ecr) X(rc16) X(up) \
    X(down) X(bfly) X(idx) X(global) X(shared) X(shared__cta) X(shared__cluster) X(local) X(const) X(param) \
    X(param__entry) X(param__func) X(relaxed) X(acquire) X(release) X(acq_rel) X(sc) X(weak) X(volatile) X(mmio) \
    X(cta) X(cluster) X(gpu) X(sys) X(gl) X(ca) X(cg) X(cs) X(lu) X(cv) X(wb) X(wt) X(nc) X(L1) X(L2) \
    X(L1__evict_normal) X(L1__evict_unchanged) X(L1__evict_first) X(L1__evict_last) X(L1__no_allocate) X(L2__64B) \
    X(L2__128B) X(L2__256B) X(L2__cache_hint) X(L2__evict_last) X(L2__evict_normal) X(L2__evict_first) \
    X(L2__evict_unchanged) X(unified) X(tensormap) X(v2) X(v4) X(v8) X(x1) X(x2) X(x4) X(1d) X(2d) X(3d) X(4d) X(5d) \
    X(aligned) X(sync) X(popc) X(mask) X(alias) X(async) X(async__global) X(async__shared__cta) X(async__shared__cluster) \
    X(tensormap__generic) X(sync_restrict__shared__cta) X(sync_restrict__shared__cluster) X(add) X(exch) X(cas) X(inc) \
    X(dec) X(min) X(max) X(noftz) X(all) X(any) X(uni) X(ballot) X(m8n8) X(trans) X(row) X(col) \
    X(noComplete) X(noinc) X(mbarrier__complete_tx__bytes) X(multicast__cluster) X(bulk_group) X(tile) X(im2col) \
    X(im2col_no_offs)
/* clang-format on */

enum modifier : uint64_t {
#define CPUDEV_PTX_NAME(name) m_##name,
    CPUDEV_PTX_MODIFIERS(CPUDEV_PTX_NAME)
#undef CPUDEV_PTX_NAME
};
/* A shape (m16n8k16) among the modifiers. */
constexpr uint64_t shape(uint64_t m, uint64_t n, uint64_t k) { return (uint64_t)1 << 63 | m << 32 | n << 16 | k; }

template <uint64_t... __M> struct mods {
    static constexpr bool has(uint64_t m)
    {
        bool found = false;
        (void)(bool[]){false, (found = found || __M == m)...};
        return found;
    }
    static constexpr int count() { return has(m_v2) || has(m_x2) ? 2 : has(m_v4) || has(m_x4) ? 4 : has(m_v8) ? 8 : 1; }
};

/* Rounding for cpudev_smallfloat.h. */
template <class __M> constexpr int rounding()
{
    return __M::has(m_rz) || __M::has(m_rzi)   ? CPUDEV_RZ
           : __M::has(m_rm) || __M::has(m_rmi) ? CPUDEV_RD
           : __M::has(m_rp) || __M::has(m_rpi) ? CPUDEV_RU
                                               : CPUDEV_RN;
}

/* ---- results with several parts ---- */

template <class __T, int n> struct vec {
    __T v[n];
};
template <class __A, class __B> struct both { /* p|q */
    __A a;
    __B b;
};
template <int i, class __T, int n> CPUDEV_PTX __T part(const vec<__T, n> &x)
{
    static_assert(i < n, "a PTX vector has fewer elements than are taken from it");
    return x.v[i];
}
template <int i, class __A, class __B>
CPUDEV_PTX typename std::conditional<i == 0, __A, __B>::type part(const both<__A, __B> &x)
{
    if constexpr (i == 0)
        return x.a;
    else
        return x.b;
}
template <int i, class __T>
CPUDEV_PTX
    typename std::enable_if<std::is_integral<__T>::value || std::is_same<__T, unsigned __int128>::value, __T>::type
    part(__T x)
{
    return x;
}

/* mov.b64 x, {a, b}: the first is the lowest. */
template <class __T, class... __R> CPUDEV_PTX typename __T::raw pack(__R... r)
{
    const typename __T::raw parts[] = {(typename __T::raw)r...};
    typename __T::raw all = 0;
    for (unsigned i = 0; i < sizeof...(__R); i++)
        all |= (typename __T::raw)(parts[i] << (i * (__T::bits / sizeof...(__R))));
    return all;
}
/* The integer of so many bits. */
template <int bits>
using bits_raw = typename std::conditional<
    bits == 64, uint64_t,
    typename std::conditional<bits == 32, uint32_t,
                              typename std::conditional<bits == 16, uint16_t, uint8_t>::type>::type>::type;
template <class __T, int n> CPUDEV_PTX auto unpack(typename __T::raw x)
{
    typedef bits_raw<__T::bits / n> part_type;
    vec<part_type, n> parts;
    for (int i = 0; i < n; i++)
        parts.v[i] = (part_type)(x >> (i * (__T::bits / n)));
    return parts;
}

/* ---- operands of the asm statement ---- */

template <char constraint, class Raw, class __T> CPUDEV_PTX Raw get(const __T &x)
{
    static_assert(sizeof(__T) == sizeof(Raw),
                  "asm operand type size does not match the size implied by its constraint");
    Raw r;
    memcpy(&r, (const void *)&x, sizeof r);
    return r;
}
/* An array is its address, as in any expression. */
template <char constraint, class Raw, class __T, size_t n> CPUDEV_PTX Raw get(const __T (&x)[n])
{
    return get<constraint, Raw>(&x[0]);
}
template <char constraint, class __T, class Raw> CPUDEV_PTX void put(__T &x, Raw r)
{
    static_assert(sizeof(__T) == sizeof(Raw),
                  "asm operand type size does not match the size implied by its constraint");
    memcpy((void *)&x, &r, sizeof r);
}
/* A register of 32 bits in place of the variable that it is bound to: for results that land later. */
typedef uint32_t __attribute__((may_alias)) bits32;
template <char constraint, class __T> CPUDEV_PTX bits32 &same(__T &x)
{
    static_assert(sizeof(__T) == sizeof(bits32),
                  "asm operand type size does not match the size implied by its constraint");
    return (bits32 &)x;
}
template <class __T> CPUDEV_PTX typename __T::raw decimal(double x) { return __T::put((typename __T::value)x); }

} // namespace ptx
} // namespace cpudev
#endif
