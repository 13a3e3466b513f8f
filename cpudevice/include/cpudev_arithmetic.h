/* cpudev_arithmetic.h: operations that C++ leaves open, as PTX defines them. cucc's compiler writes them into device code
 * (compiler/emit/arithmetic.c). C++ only.
 *
 *   a / b, a % b, a << b, a >> b     become   a / gpu / b
 *   x /= b, x <<= b, ...             become   x /= Gpu{} /= b
 *   (int)f                           becomes  (int)cast<int>(f)
 *   i = f                            becomes  i = assigned<decltype(i)>(f)
 *
 * Where the program has such an operator whose left operand is a reference, it is `kept` in place of gpu. So the compiler need not know where operands begin and end, nor their types. What is no number comes out as it went in,
 * and the program's own operators take it where the program calls them. Everything is a constant expression if its
 * operands are. cpudevice/tests/arithmetic/record.cu has a GPU's answers. */
#ifndef CPUDEV_ARITHMETIC_H
#define CPUDEV_ARITHMETIC_H

#include <limits>
#include <type_traits>
#include <utility>

#define CPUDEV_OPERATION __attribute__((always_inline, unused)) constexpr inline
#if __cplusplus >= 201402L
#define CPUDEV_CHANGE CPUDEV_OPERATION
#else
#define CPUDEV_CHANGE __attribute__((always_inline, unused)) inline
#endif

namespace cpudev
{
namespace arithmetic
{

struct Gpu {
};
struct Kept {
};
static constexpr Gpu gpu __attribute__((unused)) = {};
static constexpr Kept kept __attribute__((unused)) = {};

template <class T> using bare = typename std::remove_cv<typename std::remove_reference<T>::type>::type;

/* A number: what the rules below are for. An enumeration counts if it converts to one. */
template <class T> struct is_number {
    static constexpr bool value =
        std::is_arithmetic<T>::value || (std::is_enum<T>::value && std::is_convertible<T, long long>::value);
};
template <class T, class R> using if_number = typename std::enable_if<is_number<bare<T>>::value, R>::type;
template <class T, class R> using if_other = typename std::enable_if<!is_number<bare<T>>::value, R>::type;

/* ---- integers ---- */

template <class T, bool is_signed = std::is_signed<T>::value, bool real = std::is_floating_point<T>::value>
struct Division {
    static CPUDEV_OPERATION T quotient(T a, T b) { return a / b; }
};

/* By 0 a quotient and a remainder have all bits set. In 64 bits a GPU takes its shorter way where both operands have no
 * upper half, and then no upper half is in the answer. Made without a branch: with one, g++ makes an address of the
 * constant where the quotient is an index of a shared array, and no program can be linked of that. */
template <class T> CPUDEV_OPERATION T bits_by_zero(T a, T b)
{
    return static_cast<T>((sizeof(T) == 8 && ((unsigned long long)a >> 32) == 0 ? (T)0xffffffffu : (T)~T(0)) &
                          (T)(T(0) - T(b == 0)));
}

template <class T> struct Division<T, false, false> {
    static CPUDEV_OPERATION T quotient(T a, T b) { return a / (b | T(b == 0)) | bits_by_zero(a, b); }
    static CPUDEV_OPERATION T rest(T a, T b) { return a % (b | T(b == 0)) | bits_by_zero(a, b); }
};

template <class T> struct Division<T, true, false> {
    typedef typename std::make_unsigned<T>::type U;
    static CPUDEV_OPERATION bool special(T b) { return (U)b + 1u <= 1u; } /* 0 or -1 */
    static CPUDEV_OPERATION T quotient(T a, T b)
    {
        return __builtin_expect(special(b), 0) ? (T)((U(0) - (U)a) & (U)b) | bits_by_zero(a, b) : a / b;
    }
    static CPUDEV_OPERATION T rest(T a, T b) { return a % (special(b) ? T(1) : b) | bits_by_zero(a, b); }
};

/* A count beyond the width clamps; of a count in 64 bits a GPU takes the lower half. */
template <class T> struct Shift {
    typedef typename std::make_unsigned<T>::type U;
    static constexpr unsigned bits = 8 * sizeof(T);
    static CPUDEV_OPERATION T left(T a, unsigned n) { return n < bits ? (T)((U)a << n) : T(0); }
    static CPUDEV_OPERATION T right(T a, unsigned n)
    {
        return std::is_signed<T>::value ? a >> (n < bits ? n : bits - 1) : n < bits ? a >> n : T(0);
    }
};

template <class L, class R> struct is_short {
    static constexpr bool value =
        std::is_unsigned<L>::value && std::is_unsigned<R>::value && sizeof(L) <= 2 && sizeof(R) <= 2;
};

template <class L, class R> CPUDEV_OPERATION auto quotient(L l, R r) -> decltype(+l / +r)
{
    return is_short<L, R>::value && r == R(0)
               ? static_cast<decltype(+l / +r)>(0xffff)
               : Division<decltype(+l / +r)>::quotient(static_cast<decltype(+l / +r)>(l),
                                                       static_cast<decltype(+l / +r)>(r));
}
template <class L, class R> CPUDEV_OPERATION auto rest(L l, R r) -> decltype(+l % +r)
{
    return is_short<L, R>::value && r == R(0) ? static_cast<decltype(+l % +r)>(0xffff)
                                              : Division<decltype(+l % +r)>::rest(static_cast<decltype(+l % +r)>(l),
                                                                                  static_cast<decltype(+l % +r)>(r));
}
template <class L, class R> CPUDEV_OPERATION auto left(L l, R r) -> decltype(+l << +r)
{
    return Shift<decltype(+l)>::left(+l, static_cast<unsigned>(r));
}
template <class L, class R> CPUDEV_OPERATION auto right(L l, R r) -> decltype(+l >> +r)
{
    return Shift<decltype(+l)>::right(+l, static_cast<unsigned>(r));
}

/* ---- from floating point ---- */

/* cvt.rzi: what is out of range clamps. Not-a-number is 0 from float to 32 bits, and else the uppermost bit. Narrow types
 * take the lower bits of an answer in 32. */
template <class F, int bytes, bool is_signed> struct Clamped;

/* An x86 processor's conversion out of range has the highest bit alone, in vectors too; g++ knows no better of it, and the
 * loops of kernels stay as fast as with that conversion alone. Other compilers may take it for what cannot be. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define CPUDEV_QUICK !__builtin_is_constant_evaluated()
#else
#define CPUDEV_QUICK false
#endif
CPUDEV_OPERATION int quick_int(float f) { return ((int)f ^ -(int)(f >= 2147483648.0f)) & -(int)(f == f); }
CPUDEV_OPERATION int quick_int(double f) { return (int)f ^ -(int)(f >= 2147483648.0); }
template <class F> CPUDEV_OPERATION long long quick_long(F f)
{
    return (long long)f ^ -(long long)(f >= F(9223372036854775808.0));
}
/* The lower 8 bits; a float from 2^31 on has none of them. */
CPUDEV_OPERATION unsigned char quick_byte(float f)
{
    return (unsigned char)((int)(f > 0.0f ? f : 0.0f) | -(int)(f >= 4294967296.0f));
}
template <class F> struct Clamped<F, 4, true> {
    static CPUDEV_OPERATION int of(F f)
    {
        return CPUDEV_QUICK           ? quick_int(static_cast<double>(f))
               : f >= F(2147483648.0) ? 2147483647
               : f > F(-2147483649.0) ? (int)f
                                      : -2147483647 - 1;
    }
};
template <> struct Clamped<float, 4, true> {
    static CPUDEV_OPERATION int of(float f)
    {
        return CPUDEV_QUICK          ? quick_int(f)
               : f >= 2147483648.0f  ? 2147483647
               : f >= -2147483648.0f ? (int)f
               : f != f              ? 0
                                     : -2147483647 - 1;
    }
};
template <class F> struct Clamped<F, 4, false> {
    static CPUDEV_OPERATION unsigned of(F f)
    {
        return f >= F(4294967296.0)                       ? 0xffffffffu
               : f >= F(2147483648.0)                     ? (unsigned)(int)(f - F(2147483648.0)) + 0x80000000u
               : f > F(0)                                 ? (unsigned)(int)f
               : !std::is_same<F, float>::value && f != f ? 0x80000000u
                                                          : 0u;
    }
};
template <class F> struct Clamped<F, 8, true> {
    static CPUDEV_OPERATION long long of(F f)
    {
        return CPUDEV_QUICK                     ? quick_long(f)
               : f >= F(9223372036854775808.0)  ? 9223372036854775807ll
               : f >= F(-9223372036854775808.0) ? (long long)f
                                                : -9223372036854775807ll - 1;
    }
};
template <class F> struct Clamped<F, 8, false> {
    static CPUDEV_OPERATION unsigned long long of(F f)
    {
        return f >= F(18446744073709551616.0) ? ~0ull : f > F(0) ? (unsigned long long)f : f != f ? 1ull << 63 : 0ull;
    }
};

template <> struct Clamped<float, 1, false> {
    static CPUDEV_OPERATION unsigned char of(float f)
    {
        return CPUDEV_QUICK ? quick_byte(f) : (unsigned char)Clamped<float, 4, false>::of(f);
    }
};

/* The bytes of the integer that a conversion to T makes first. */
template <class T, class E> struct bytes_between {
    static constexpr int value = sizeof(T) == 8                                                                  ? 8
                                 : sizeof(T) == 1 && std::is_unsigned<T>::value && std::is_same<E, float>::value ? 1
                                                                                                                 : 4;
};
template <class T, class E> struct is_conversion {
    static constexpr bool value = std::is_integral<T>::value && !std::is_same<T, bool>::value && sizeof(T) <= 8 &&
                                  std::is_floating_point<E>::value;
};
template <class T, class E> CPUDEV_OPERATION typename std::enable_if<is_conversion<T, E>::value, T>::type converted(E e)
{
    return static_cast<T>(Clamped<E, bytes_between<T, E>::value, std::is_signed<T>::value>::of(e));
}
template <class T, class E>
CPUDEV_OPERATION typename std::enable_if<!is_conversion<T, E>::value, E>::type converted(E e)
{
    return e;
}

/* May a T refer to what it is made of, as a reference or a class with one? */
template <class T> struct may_refer {
    static constexpr bool value = std::is_reference<T>::value || std::is_class<T>::value || std::is_union<T>::value;
};

/* e, for a T that is made of it */
template <class T, class E>
CPUDEV_OPERATION
    if_number<E, typename std::enable_if<!may_refer<T>::value, decltype(converted<bare<T>>(std::declval<E>()))>::type>
    cast(E e)
{
    return converted<bare<T>>(e);
}
template <class T, class E>
CPUDEV_OPERATION typename std::enable_if<!is_number<bare<E>>::value || may_refer<T>::value, E &&>::type cast(E &&e)
{
    return static_cast<E &&>(e);
}

/* e, for something of type T& that is set to it */
template <class T, class E> CPUDEV_OPERATION auto assigned(E e) -> if_number<E, decltype(converted<bare<T>>(e))>
{
    return converted<bare<T>>(e);
}
template <class T, class E> CPUDEV_OPERATION if_other<E, E &&> assigned(E &&e) { return static_cast<E &&>(e); }

/* ---- operators ---- */

/* What x /= b returns: x, but nothing of a volatile one, which would warn that it is not read. */
template <class X> using changed = typename std::conditional<std::is_volatile<X>::value, void, X &>::type;
template <class X> CPUDEV_OPERATION X &result(X &x) { return x; }
template <class X> CPUDEV_CHANGE void result(volatile X &) {}

/* a, between `a /` and `/ b`. Another class's operator may take it for a. If it is kept, L is a reference for a variable;
 * a bit field, a packed member and a constant without an address only have values. */
template <class L> struct Operand {
    L value;
    CPUDEV_OPERATION operator L() const { return value; }
};
/* b, in x /= b */
template <class R> struct Change {
    R value;
    CPUDEV_OPERATION operator R() const { return value; }
};

/* Of two numbers an operator of the program's may take an enumeration: then it is not ours. */
template <class L, class R> struct has_enumeration {
    static constexpr bool value = std::is_enum<bare<L>>::value || std::is_enum<bare<R>>::value;
};

#define CPUDEV_OPERATOR(op, function)                                                                                  \
    struct function##_of_program {                                                                                     \
        template <class L, class R>                                                                                    \
        static auto of(int) -> decltype((void)operator op(std::declval<L>(), std::declval<R>()), std::true_type());    \
        template <class L, class R> static std::false_type of(long);                                                   \
        template <class X, class R>                                                                                    \
        static auto changes(int)                                                                                       \
            -> decltype((void)operator op##=(std::declval<X &>(), std::declval<R>()), std::true_type());               \
        template <class X, class R> static std::false_type changes(long);                                              \
    };                                                                                                                 \
    template <class L, class R, bool = has_enumeration<L, R>::value> struct function##_is_ours {                       \
        static constexpr bool value = true, change = true;                                                             \
    };                                                                                                                 \
    template <class L, class R> struct function##_is_ours<L, R, true> {                                                \
        static constexpr bool value = !decltype(function##_of_program::template of<L, R>(0))::value;                   \
        static constexpr bool change = !decltype(function##_of_program::template changes<L, R>(0))::value;             \
    };                                                                                                                 \
    template <class L> CPUDEV_OPERATION if_number<L, Operand<L>> operator op(L l, Gpu) { return Operand<L>{l}; }       \
    template <class L> CPUDEV_OPERATION if_number<L, Operand<L>> operator op(L &&l, Kept)                              \
    {                                                                                                                  \
        return Operand<L>{static_cast<L &&>(l)};                                                                       \
    }                                                                                                                  \
    template <class L> CPUDEV_OPERATION if_other<L, L &&> operator op(L &&l, Kept) { return static_cast<L &&>(l); }    \
    template <class L> CPUDEV_OPERATION if_other<L, L &&> operator op(L &&l, Gpu) { return static_cast<L &&>(l); }     \
    template <class L, class R>                                                                                        \
    CPUDEV_OPERATION auto operator op(Operand<L> &&l, R r)                                                             \
        ->typename std::enable_if<is_number<bare<R>>::value && function##_is_ours<L, R>::value,                        \
                                  decltype(function(l.value, r))>::type                                                \
    {                                                                                                                  \
        return function(l.value, r);                                                                                   \
    }                                                                                                                  \
    template <class L, class R>                                                                                        \
    CPUDEV_OPERATION auto operator op(Operand<L> &&l, R &&r)                                                           \
        ->typename std::enable_if<!is_number<bare<R>>::value || !function##_is_ours<L, R &&>::value,                   \
                                  decltype(std::declval<L>() op std::forward<R>(r))>::type                             \
    {                                                                                                                  \
        return static_cast<L &&>(l.value) op std::forward<R>(r);                                                       \
    }                                                                                                                  \
    template <class R> CPUDEV_OPERATION if_number<R, Change<R>> operator op##=(Gpu &&, R r) { return Change<R>{r}; }   \
    template <class R> CPUDEV_OPERATION if_other<R, R &&> operator op##=(Gpu &&, R &&r)                                \
    {                                                                                                                  \
        return static_cast<R &&>(r);                                                                                   \
    }                                                                                                                  \
    template <class X, class R>                                                                                        \
    CPUDEV_CHANGE auto operator op##=(X &x, Change<R> r)                                                               \
        ->typename std::enable_if<is_number<bare<X>>::value && function##_is_ours<X, R>::change, changed<X>>::type     \
    {                                                                                                                  \
        x = static_cast<bare<X>>(cast<bare<X>>(function(static_cast<bare<X>>(x), r.value)));                           \
        return result(x);                                                                                              \
    }

CPUDEV_OPERATOR(/, quotient)
CPUDEV_OPERATOR(%, rest)
/* `operator<<` and `operator>>` */
CPUDEV_OPERATOR(<<, left)
CPUDEV_OPERATOR(>>, right)

/* i += f: the sum is one of floating point. Written for an i that is known to be an integer. */
#define CPUDEV_CHANGED(op)                                                                                             \
    template <class R>                                                                                                 \
    CPUDEV_OPERATION typename std::enable_if<std::is_floating_point<R>::value, Change<R>>::type operator op##=(Gpu &&, \
                                                                                                               R r)    \
    {                                                                                                                  \
        return Change<R>{r};                                                                                           \
    }                                                                                                                  \
    template <class R>                                                                                                 \
    CPUDEV_OPERATION if_number<R, typename std::enable_if<!std::is_floating_point<R>::value, R>::type> operator op##=( \
        Gpu &&, R r)                                                                                                   \
    {                                                                                                                  \
        return r;                                                                                                      \
    }                                                                                                                  \
    template <class R> CPUDEV_OPERATION if_other<R, R &&> operator op##=(Gpu &&, R &&r)                                \
    {                                                                                                                  \
        return static_cast<R &&>(r);                                                                                   \
    }                                                                                                                  \
    template <class X, class R> CPUDEV_CHANGE if_number<X, changed<X>> operator op##=(X &x, Change<R> r)               \
    {                                                                                                                  \
        x = static_cast<bare<X>>(cast<bare<X>>(static_cast<bare<X>>(x) op r.value));                                   \
        return result(x);                                                                                              \
    }
CPUDEV_CHANGED(+)
CPUDEV_CHANGED(-)
CPUDEV_CHANGED(*)

#undef CPUDEV_OPERATOR
#undef CPUDEV_CHANGED

} // namespace arithmetic
} // namespace cpudev

#endif
