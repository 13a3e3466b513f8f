/* cpudev_doubles.h: what cucc's compiler puts round arithmetic in double under --check, to count it for the model
 * (compiler/emit/arithmetic_doubles.c). Values come out as they went in, and constant expressions stay constant. C++ only.
 *
 *   a * b     becomes   operation<1, A, B>(a * b)
 *   f = d     becomes   f = conversion<F, D>(d)
 *   f += d    becomes   f += change<1, F, D>(d)
 *
 * A number beside a double is converted, and a `constant` while the program is compiled. Beside anything else it is no
 * arithmetic of ours. */
#ifndef CPUDEV_DOUBLES_H
#define CPUDEV_DOUBLES_H

#include "cpudev_abi.h"
#include "cpudev_arithmetic.h"

namespace cpudev
{
namespace doubles
{

struct constant {
};

template <class __T> struct kind {
    typedef arithmetic::bare<__T> bare;
    static constexpr bool real = std::is_same<bare, double>::value,
                          other = std::is_arithmetic<bare>::value && !std::is_same<bare, double>::value,
                          known = real || other || std::is_same<bare, constant>::value;
};

template <class First, class Right> CPUDEV_OPERATION bool add(int operations, int of_first, int of_right)
{
    return kind<First>::known && kind<Right>::known && (kind<First>::real || kind<Right>::real) &&
           !__builtin_is_constant_evaluated() &&
           (cpudev_doubles.operations += (unsigned)operations,
            cpudev_doubles.conversions += (unsigned)(kind<First>::other * of_first + kind<Right>::other * of_right),
            true);
}

#define CPUDEV_DOUBLES(name, parameters, operations, of_first)                                                         \
    template <CPUDEV_DOUBLES_##parameters class First, class Right, class __T>                                         \
    CPUDEV_OPERATION arithmetic::if_number<__T, __T> name(__T value)                                                   \
    {                                                                                                                  \
        return (void)add<First, Right>(operations, of_first, 1), value;                                                \
    }                                                                                                                  \
    template <CPUDEV_DOUBLES_##parameters class First, class Right, class __T>                                         \
    CPUDEV_OPERATION arithmetic::if_other<__T, __T &&> name(__T &&value)                                               \
    {                                                                                                                  \
        return static_cast<__T &&>(value);                                                                             \
    }
#define CPUDEV_DOUBLES_COUNTED int operations,
#define CPUDEV_DOUBLES_NONE
CPUDEV_DOUBLES(operation, COUNTED, operations, 1)
CPUDEV_DOUBLES(conversion, NONE, 0, 1)
CPUDEV_DOUBLES(change, COUNTED, operations, 2) /* what is changed goes there and back */
#undef CPUDEV_DOUBLES
#undef CPUDEV_DOUBLES_COUNTED
#undef CPUDEV_DOUBLES_NONE

} // namespace doubles
} // namespace cpudev

#endif
