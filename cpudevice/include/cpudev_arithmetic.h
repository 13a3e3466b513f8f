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

template <class __T> using bare = typename std::remove_cv<typename std::remove_reference<__T>::type>::type;

/* A number: what the rules below are for. An enumeration counts if it converts to one. */
template <class __T> struct is_number {
    static constexpr bool value =
        std::is_arithmetic<__T>::value || (std::is_enum<__T>::value && std::is_convertible<__T, long long>::value);
};
template <class __T, class Right> using if_number = typename std::enable_if<is_number<bare<__T>>::value, Right>::type;
template <class __T, class Right> using if_other = typename std::enable_if<!is_number<bare<__T>>::value, Right>::type;

/* ---- integers ---- */

template <class __T, bool is_signed = std::is_signed<__T>::value, bool real = std::is_floating_point<__T>::value>
struct Division {
    static CPUDEV_OPERATION __T quotient(__T a, __T b) { return a / b; }
};

/* By 0 a quotient and a remainder have all bits set. In 64 bits a GPU takes its shorter way where both operands have no
 * upper half, and then no upper half is in the answer. Made without a branch: with one, g++ makes an address of the
 * constant where the quotient is an index of a shared array, and no program can be linked of that. */
template <class __T> CPUDEV_OPERATION __T bits_by_zero(__T a, __T b)
{
    return static_cast<__T>((sizeof(__T) == 8 && ((unsigned long long)a >> 32) == 0 ? (__T)0xffffffffu : (__T)~__T(0)) &
                            (__T)(__T(0) - __T(b == 0)));
}

template <class __T> struct Division<__T, false, false> {
    static CPUDEV_OPERATION __T quotient(__T a, __T b) { return a / (b | __T(b == 0)) | bits_by_zero(a, b); }
    static CPUDEV_OPERATION __T rest(__T a, __T b) { return a % (b | __T(b == 0)) | bits_by_zero(a, b); }
};

template <class __T> struct Division<__T, true, false> {
    typedef typename std::make_unsigned<__T>::type __U;
    static CPUDEV_OPERATION bool special(__T b) { return (__U)b + 1u <= 1u; } /* 0 or -1 */
    static CPUDEV_OPERATION __T quotient(__T a, __T b)
    {
        return __builtin_expect(special(b), 0) ? (__T)((__U(0) - (__U)a) & (__U)b) | bits_by_zero(a, b) : a / b;
    }
    static CPUDEV_OPERATION __T rest(__T a, __T b) { return a % (special(b) ? __T(1) : b) | bits_by_zero(a, b); }
};

/* A count beyond the width clamps; of a count in 64 bits a GPU takes the lower half. */
template <class __T> struct Shift {
    typedef typename std::make_unsigned<__T>::type __U;
    static constexpr unsigned bits = 8 * sizeof(__T);
    static CPUDEV_OPERATION __T left(__T a, unsigned n) { return n < bits ? (__T)((__U)a << n) : __T(0); }
    static CPUDEV_OPERATION __T right(__T a, unsigned n)
    {
        return std::is_signed<__T>::value ? a >> (n < bits ? n : bits - 1) : n < bits ? a >> n : __T(0);
    }
};

template <class First, class Right> struct is_short {
    static constexpr bool value =
        std::is_unsigned<First>::value && std::is_unsigned<Right>::value && sizeof(First) <= 2 && sizeof(Right) <= 2;
};

template <class First, class Right> CPUDEV_OPERATION auto quotient(First l, Right r) -> decltype(+l / +r)
{
    return is_short<First, Right>::value && r == Right(0)
               ? static_cast<decltype(+l / +r)>(0xffff)
               : Division<decltype(+l / +r)>::quotient(static_cast<decltype(+l / +r)>(l),
                                                       static_cast<decltype(+l / +r)>(r));
}
template <class First, class Right> CPUDEV_OPERATION auto rest(First l, Right r) -> decltype(+l % +r)
{
    return is_short<First, Right>::value && r == Right(0)
               ? static_cast<decltype(+l % +r)>(0xffff)
               : Division<decltype(+l % +r)>::rest(static_cast<decltype(+l % +r)>(l),
                                                   static_cast<decltype(+l % +r)>(r));
}
template <class First, class Right> CPUDEV_OPERATION auto left(First l, Right r) -> decltype(+l << +r)
{
    return Shift<decltype(+l)>::left(+l, static_cast<unsigned>(r));
}
template <class First, class Right> CPUDEV_OPERATION auto right(First l, Right r) -> decltype(+l >> +r)
{
    return Shift<decltype(+l)>::right(+l, static_cast<unsigned>(r));
}

/* ---- from floating point ---- */

/* cvt.rzi: what is out of range clamps. Not-a-number is 0 from float to 32 bits, and else the uppermost bit. Narrow types
 * take the lower bits of an answer in 32. */
template <class __F, int bytes, bool is_signed> struct Clamped;

/* An x86 processor's conversion out of range has the highest bit alone, in vectors too; g++ knows no better of it, and the
 * loops of kernels stay as fast as with that conversion alone. Masks, not choices, let it make vectors in straight code too.
 * Other compilers may take such a conversion for what cannot be. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define CPUDEV_QUICK !__builtin_is_constant_evaluated()
#else
#define CPUDEV_QUICK false
#endif
CPUDEV_OPERATION int quick_int(float f) { return ((int)f ^ -(int)(f >= 2147483648.0f)) & -(int)(f == f); }
CPUDEV_OPERATION int quick_int(double f) { return (int)f ^ -(int)(f >= 2147483648.0); }
template <class __F> CPUDEV_OPERATION long long quick_long(__F f)
{
    return (long long)f ^ -(long long)(f >= __F(9223372036854775808.0));
}
/* The lower 8 bits; a float from 2^31 on has none of them. */
CPUDEV_OPERATION unsigned char quick_byte(float f)
{
    return (unsigned char)(((int)f & -(int)(f > 0.0f)) | -(int)(f >= 4294967296.0f));
}
/* `end`: the first number that is too large for a __T */
template <class __T, class __F> CPUDEV_OPERATION __T quick_unsigned(__F f, __F end)
{
    return ((__T)f & -(__T)(f > __F(0))) | -(__T)(f >= end);
}
template <class __F> struct Clamped<__F, 4, true> {
    static CPUDEV_OPERATION int of(__F f)
    {
        return CPUDEV_QUICK             ? quick_int(static_cast<double>(f))
               : f >= __F(2147483648.0) ? 2147483647
               : f > __F(-2147483649.0) ? (int)f
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
template <class __F> struct Clamped<__F, 4, false> {
    static constexpr unsigned none = std::is_same<__F, float>::value ? 0u : 0x80000000u; /* of not-a-number */
    static CPUDEV_OPERATION unsigned of(__F f)
    {
        return CPUDEV_QUICK             ? quick_unsigned<unsigned>(f, __F(4294967296.0)) | (f != f ? none : 0u)
               : f >= __F(4294967296.0) ? 0xffffffffu
               : f >= __F(2147483648.0) ? (unsigned)(int)(f - __F(2147483648.0)) + 0x80000000u
               : f > __F(0)             ? (unsigned)(int)f
               : f != f                 ? none
                                        : 0u;
    }
};
template <class __F> struct Clamped<__F, 8, true> {
    static CPUDEV_OPERATION long long of(__F f)
    {
        return CPUDEV_QUICK                       ? quick_long(f)
               : f >= __F(9223372036854775808.0)  ? 9223372036854775807ll
               : f >= __F(-9223372036854775808.0) ? (long long)f
                                                  : -9223372036854775807ll - 1;
    }
};
template <class __F> struct Clamped<__F, 8, false> {
    static CPUDEV_OPERATION unsigned long long of(__F f)
    {
        return CPUDEV_QUICK ? quick_unsigned<unsigned long long>(f, __F(18446744073709551616.0)) |
                                  (unsigned long long)(f != f) << 63
               : f >= __F(18446744073709551616.0) ? ~0ull
               : f > __F(0)                       ? (unsigned long long)f
               : f != f                           ? 1ull << 63
                                                  : 0ull;
    }
};

template <> struct Clamped<float, 1, false> {
    static CPUDEV_OPERATION unsigned char of(float f)
    {
        return CPUDEV_QUICK ? quick_byte(f) : (unsigned char)Clamped<float, 4, false>::of(f);
    }
};

/* The bytes of the integer that a conversion to __T makes first. */
template <class __T, class Given> struct bytes_between {
    static constexpr int value = sizeof(__T) == 8 ? 8
                                 : sizeof(__T) == 1 && std::is_unsigned<__T>::value && std::is_same<Given, float>::value
                                     ? 1
                                     : 4;
};
template <class __T, class Given> struct is_conversion {
    static constexpr bool value = std::is_integral<__T>::value && !std::is_same<__T, bool>::value && sizeof(__T) <= 8 &&
                                  std::is_floating_point<Given>::value;
};
template <class __T, class Given>
CPUDEV_OPERATION typename std::enable_if<is_conversion<__T, Given>::value, __T>::type converted(Given e)
{
    return static_cast<__T>(Clamped<Given, bytes_between<__T, Given>::value, std::is_signed<__T>::value>::of(e));
}
template <class __T, class Given>
CPUDEV_OPERATION typename std::enable_if<!is_conversion<__T, Given>::value, Given>::type converted(Given e)
{
    return e;
}

/* May a __T refer to what it is made of, as a reference or a class with one? */
template <class __T> struct may_refer {
    static constexpr bool value =
        std::is_reference<__T>::value || std::is_class<__T>::value || std::is_union<__T>::value;
};

/* e, for a __T that is made of it */
template <class __T, class Given>
CPUDEV_OPERATION if_number<
    Given, typename std::enable_if<!may_refer<__T>::value, decltype(converted<bare<__T>>(std::declval<Given>()))>::type>
cast(Given e)
{
    return converted<bare<__T>>(e);
}
template <class __T, class Given>
CPUDEV_OPERATION typename std::enable_if<!is_number<bare<Given>>::value || may_refer<__T>::value, Given &&>::type
cast(Given &&e)
{
    return static_cast<Given &&>(e);
}

/* e, for something of type __T& that is set to it */
template <class __T, class Given>
CPUDEV_OPERATION auto assigned(Given e) -> if_number<Given, decltype(converted<bare<__T>>(e))>
{
    return converted<bare<__T>>(e);
}
template <class __T, class Given> CPUDEV_OPERATION if_other<Given, Given &&> assigned(Given &&e)
{
    return static_cast<Given &&>(e);
}

/* ---- operators ---- */

/* What x /= b returns: x, but nothing of a volatile one, which would warn that it is not read. */
template <class Left> using changed = typename std::conditional<std::is_volatile<Left>::value, void, Left &>::type;
template <class Left> CPUDEV_OPERATION Left &result(Left &x) { return x; }
template <class Left> CPUDEV_CHANGE void result(volatile Left &) {}

/* a, between `a /` and `/ b`. Another class's operator may take it for a. If it is kept, First is a reference for a variable;
 * a bit field, a packed member and a constant without an address only have values. */
template <class First> struct Operand {
    First value;
    CPUDEV_OPERATION operator First() const { return value; }
};
/* b, in x /= b */
template <class Right> struct Change {
    Right value;
    CPUDEV_OPERATION operator Right() const { return value; }
};

/* Of two numbers an operator of the program's may take an enumeration: then it is not ours. */
template <class First, class Right> struct has_enumeration {
    static constexpr bool value = std::is_enum<bare<First>>::value || std::is_enum<bare<Right>>::value;
};

#define CPUDEV_OPERATOR(op, function)                                                                                  \
    struct function##_of_program {                                                                                     \
        template <class First, class Right>                                                                            \
        static auto of(int)                                                                                            \
            -> decltype((void)operator op(std::declval<First>(), std::declval<Right>()), std::true_type());            \
        template <class First, class Right> static std::false_type of(long);                                           \
        template <class Left, class Right>                                                                             \
        static auto changes(int)                                                                                       \
            -> decltype((void)operator op##=(std::declval<Left &>(), std::declval<Right>()), std::true_type());        \
        template <class Left, class Right> static std::false_type changes(long);                                       \
    };                                                                                                                 \
    template <class First, class Right, bool = has_enumeration<First, Right>::value> struct function##_is_ours {       \
        static constexpr bool value = true, change = true;                                                             \
    };                                                                                                                 \
    template <class First, class Right> struct function##_is_ours<First, Right, true> {                                \
        static constexpr bool value = !decltype(function##_of_program::template of<First, Right>(0))::value;           \
        static constexpr bool change = !decltype(function##_of_program::template changes<First, Right>(0))::value;     \
    };                                                                                                                 \
    template <class First> CPUDEV_OPERATION if_number<First, Operand<First>> operator op(First l, Gpu)                 \
    {                                                                                                                  \
        return Operand<First>{l};                                                                                      \
    }                                                                                                                  \
    template <class First> CPUDEV_OPERATION if_number<First, Operand<First>> operator op(First &&l, Kept)              \
    {                                                                                                                  \
        return Operand<First>{static_cast<First &&>(l)};                                                               \
    }                                                                                                                  \
    template <class First> CPUDEV_OPERATION if_other<First, First &&> operator op(First &&l, Kept)                     \
    {                                                                                                                  \
        return static_cast<First &&>(l);                                                                               \
    }                                                                                                                  \
    template <class First> CPUDEV_OPERATION if_other<First, First &&> operator op(First &&l, Gpu)                      \
    {                                                                                                                  \
        return static_cast<First &&>(l);                                                                               \
    }                                                                                                                  \
    template <class First, class Right>                                                                                \
    CPUDEV_OPERATION auto operator op(Operand<First> &&l, Right r)                                                     \
        ->typename std::enable_if<is_number<bare<Right>>::value && function##_is_ours<First, Right>::value,            \
                                  decltype(function(l.value, r))>::type                                                \
    {                                                                                                                  \
        return function(l.value, r);                                                                                   \
    }                                                                                                                  \
    template <class First, class Right>                                                                                \
    CPUDEV_OPERATION auto operator op(Operand<First> &&l, Right &&r)                                                   \
        ->typename std::enable_if<!is_number<bare<Right>>::value || !function##_is_ours<First, Right &&>::value,       \
                                  decltype(std::declval<First>() op std::forward<Right>(r))>::type                     \
    {                                                                                                                  \
        return static_cast<First &&>(l.value) op std::forward<Right>(r);                                               \
    }                                                                                                                  \
    template <class Right> CPUDEV_OPERATION if_number<Right, Change<Right>> operator op##=(Gpu &&, Right r)            \
    {                                                                                                                  \
        return Change<Right>{r};                                                                                       \
    }                                                                                                                  \
    template <class Right> CPUDEV_OPERATION if_other<Right, Right &&> operator op##=(Gpu &&, Right &&r)                \
    {                                                                                                                  \
        return static_cast<Right &&>(r);                                                                               \
    }                                                                                                                  \
    template <class Left, class Right>                                                                                 \
    CPUDEV_CHANGE auto operator op##=(Left &x, Change<Right> r)                                                        \
        ->typename std::enable_if<is_number<bare<Left>>::value && function##_is_ours<Left, Right>::change,             \
                                  changed<Left>>::type                                                                 \
    {                                                                                                                  \
        x = static_cast<bare<Left>>(cast<bare<Left>>(function(static_cast<bare<Left>>(x), r.value)));                  \
        return result(x);                                                                                              \
    }

CPUDEV_OPERATOR(/, quotient)
CPUDEV_OPERATOR(%, rest)
/* `operator<<` and `operator>>` */
CPUDEV_OPERATOR(<<, left)
CPUDEV_OPERATOR(>>, right)

/* i += f: the sum is one of floating point. Written for an i that is known to be an integer. */
#define CPUDEV_CHANGED(op)                                                                                             \
    template <class Right>                                                                                             \
    CPUDEV_OPERATION typename std::enable_if<std::is_floating_point<Right>::value, Change<Right>>::type                \
    operator op##=(Gpu &&, Right r)                                                                                    \
    {                                                                                                                  \
        return Change<Right>{r};                                                                                       \
    }                                                                                                                  \
    template <class Right>                                                                                             \
    CPUDEV_OPERATION if_number<Right, typename std::enable_if<!std::is_floating_point<Right>::value, Right>::type>     \
    operator op##=(Gpu &&, Right r)                                                                                    \
    {                                                                                                                  \
        return r;                                                                                                      \
    }                                                                                                                  \
    template <class Right> CPUDEV_OPERATION if_other<Right, Right &&> operator op##=(Gpu &&, Right &&r)                \
    {                                                                                                                  \
        return static_cast<Right &&>(r);                                                                               \
    }                                                                                                                  \
    template <class Left, class Right>                                                                                 \
    CPUDEV_CHANGE if_number<Left, changed<Left>> operator op##=(Left &x, Change<Right> r)                              \
    {                                                                                                                  \
        x = static_cast<bare<Left>>(cast<bare<Left>>(static_cast<bare<Left>>(x) op r.value));                          \
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
