/* cpudev_instruction_costs.h: made by tools/model/costs.py: instructions that nvcc makes of an
 * expression for sm_90a, by its kind: of int, long long, float and double; 0: none.
 * CPUDEV_PRICE: all of them, and those in the pipes ALU and FMA, of the latter IMAD, and in XU. */
#include "cpudev_pipes.h"
/* clang-format off */
#define CPUDEV_INSTRUCTIONS(X) \
    X(add, CPUDEV_PRICE(1, 0, 0, 0, 0), CPUDEV_PRICE(2, 1, 0, 0, 0), CPUDEV_PRICE(1, 0, 1, 0, 0), CPUDEV_PRICE(1, 0, 0, 0, 0)) \
    X(multiply, CPUDEV_PRICE(1, 0, 1, 1, 0), CPUDEV_PRICE(4, 0, 3, 3, 0), CPUDEV_PRICE(1, 0, 1, 0, 0), CPUDEV_PRICE(1, 0, 0, 0, 0)) \
    X(divide, CPUDEV_PRICE(24, 9, 4, 4, 3), CPUDEV_PRICE(23, 6, 4, 4, 3), CPUDEV_PRICE(8, 0, 5, 0, 1), CPUDEV_PRICE(14, 2, 1, 0, 1)) \
    X(remainder, CPUDEV_PRICE(22, 8, 4, 4, 3), CPUDEV_PRICE(22, 6, 4, 4, 3), 0, 0) \
    X(shift, CPUDEV_PRICE(1, 1, 0, 0, 0), CPUDEV_PRICE(2, 2, 0, 0, 0), 0, 0) \
    X(bits, CPUDEV_PRICE(1, 1, 0, 0, 0), CPUDEV_PRICE(2, 2, 0, 0, 0), 0, 0) \
    X(compare, CPUDEV_PRICE(1, 1, 0, 0, 0), CPUDEV_PRICE(2, 2, 0, 0, 0), CPUDEV_PRICE(1, 1, 0, 0, 0), CPUDEV_PRICE(1, 0, 0, 0, 0)) \
    X(select, CPUDEV_PRICE(1, 1, 0, 0, 0), CPUDEV_PRICE(2, 2, 0, 0, 0), CPUDEV_PRICE(1, 1, 0, 0, 0), CPUDEV_PRICE(2, 2, 0, 0, 0)) \
    X(index, CPUDEV_PRICE(1, 0, 1, 1, 0), CPUDEV_PRICE(2, 2, 0, 0, 0), 0, 0) \
    X(add_of_product, CPUDEV_PRICE(1, 0, 1, 1, 0), CPUDEV_PRICE(4, 0, 3, 3, 0), CPUDEV_PRICE(1, 0, 1, 0, 0), CPUDEV_PRICE(1, 0, 0, 0, 0)) \
    X(add_of_add, CPUDEV_PRICE(1, 1, 0, 0, 0), CPUDEV_PRICE(2, 2, 0, 0, 0), CPUDEV_PRICE(2, 0, 2, 0, 0), CPUDEV_PRICE(2, 0, 0, 0, 0)) \
    X(add_of_shift, CPUDEV_PRICE(1, 1, 0, 0, 0), CPUDEV_PRICE(2, 2, 0, 0, 0), 0, 0) \
    X(bits_of_bits, CPUDEV_PRICE(1, 1, 0, 0, 0), CPUDEV_PRICE(2, 2, 0, 0, 0), 0, 0) \
    X(divide_by_constant, CPUDEV_PRICE(4, 2, 1, 1, 0), CPUDEV_PRICE(16, 7, 6, 6, 0), CPUDEV_PRICE(9, 0, 5, 0, 0), CPUDEV_PRICE(16, 2, 1, 0, 1)) \
    X(divide_by_power, CPUDEV_PRICE(3, 3, 0, 0, 0), CPUDEV_PRICE(5, 4, 1, 1, 0), CPUDEV_PRICE(1, 0, 1, 0, 0), CPUDEV_PRICE(1, 0, 0, 0, 0)) \
    X(remainder_by_constant, CPUDEV_PRICE(5, 2, 2, 2, 0), CPUDEV_PRICE(19, 8, 8, 8, 0), 0, 0) \
    X(remainder_by_power, CPUDEV_PRICE(4, 3, 0, 0, 0), CPUDEV_PRICE(6, 3, 2, 2, 0), 0, 0) \
    X(shift_by_constant, CPUDEV_PRICE(1, 0, 0, 0, 0), CPUDEV_PRICE(2, 1, 0, 0, 0), 0, 0) \
    X(shift_right_by_constant, CPUDEV_PRICE(1, 1, 0, 0, 0), CPUDEV_PRICE(2, 2, 0, 0, 0), 0, 0) \
    X(to_int, 0, 0, CPUDEV_PRICE(1, 0, 0, 0, 1), CPUDEV_PRICE(1, 0, 0, 0, 0)) \
    X(to_long, CPUDEV_PRICE(1, 1, 0, 0, 0), 0, CPUDEV_PRICE(1, 0, 0, 0, 1), CPUDEV_PRICE(1, 0, 0, 0, 0)) \
    X(to_float, CPUDEV_PRICE(1, 1, 0, 0, 0), CPUDEV_PRICE(1, 0, 0, 0, 1), 0, CPUDEV_PRICE(1, 0, 0, 0, 0)) \
    X(to_double, CPUDEV_PRICE(1, 0, 0, 0, 0), CPUDEV_PRICE(1, 0, 0, 0, 0), CPUDEV_PRICE(1, 0, 0, 0, 0), 0) \
    X(fabs, 0, 0, CPUDEV_PRICE(1, 0, 1, 0, 0), CPUDEV_PRICE(1, 0, 0, 0, 0)) \
    X(fmax, 0, 0, CPUDEV_PRICE(1, 1, 0, 0, 0), CPUDEV_PRICE(7, 3, 0, 0, 0)) \
    X(max, CPUDEV_PRICE(1, 1, 0, 0, 0), CPUDEV_PRICE(4, 4, 0, 0, 0), CPUDEV_PRICE(1, 1, 0, 0, 0), CPUDEV_PRICE(7, 3, 0, 0, 0)) \
    X(floor, 0, 0, CPUDEV_PRICE(1, 0, 0, 0, 1), CPUDEV_PRICE(1, 0, 0, 0, 1)) \
    X(rint, 0, 0, CPUDEV_PRICE(1, 0, 0, 0, 1), CPUDEV_PRICE(1, 0, 0, 0, 1)) \
    X(sqrt, 0, 0, CPUDEV_PRICE(8, 1, 4, 0, 1), CPUDEV_PRICE(16, 1, 0, 0, 1)) \
    X(rsqrt, 0, 0, CPUDEV_PRICE(4, 1, 2, 0, 1), CPUDEV_PRICE(12, 1, 0, 0, 1)) \
    X(cbrt, 0, 0, CPUDEV_PRICE(16, 5, 9, 0, 2), CPUDEV_PRICE(44, 9, 3, 1, 4)) \
    X(exp, 0, 0, CPUDEV_PRICE(10, 0, 6, 0, 1), CPUDEV_PRICE(45, 2, 0, 0, 0)) \
    X(exp2, 0, 0, CPUDEV_PRICE(4, 1, 2, 0, 1), CPUDEV_PRICE(44, 1, 1, 1, 0)) \
    X(expm1, 0, 0, CPUDEV_PRICE(29, 10, 16, 0, 2), CPUDEV_PRICE(63, 11, 0, 0, 0)) \
    X(log, 0, 0, CPUDEV_PRICE(26, 7, 15, 0, 0), CPUDEV_PRICE(73, 7, 0, 0, 1)) \
    X(log2, 0, 0, CPUDEV_PRICE(28, 7, 17, 0, 0), CPUDEV_PRICE(79, 7, 0, 0, 1)) \
    X(log1p, 0, 0, CPUDEV_PRICE(24, 3, 15, 0, 0), CPUDEV_PRICE(47, 4, 1, 0, 1)) \
    X(sin, 0, 0, CPUDEV_PRICE(24, 7, 11, 0, 1), CPUDEV_PRICE(23, 4, 1, 1, 0)) \
    X(tan, 0, 0, CPUDEV_PRICE(21, 5, 12, 0, 2), CPUDEV_PRICE(55, 2, 0, 0, 0)) \
    X(tanh, 0, 0, CPUDEV_PRICE(17, 4, 9, 0, 2), CPUDEV_PRICE(41, 1, 0, 0, 0)) \
    X(atan, 0, 0, CPUDEV_PRICE(19, 5, 11, 0, 1), CPUDEV_PRICE(70, 3, 0, 0, 0)) \
    X(erf, 0, 0, CPUDEV_PRICE(28, 11, 9, 0, 1), CPUDEV_PRICE(123, 3, 1, 0, 2)) \
    X(pow, 0, 0, CPUDEV_PRICE(62, 13, 39, 0, 3), CPUDEV_PRICE(25, 13, 0, 0, 0)) \
    X(fast_exp, 0, 0, CPUDEV_PRICE(5, 1, 3, 0, 1), 0) \
    X(fast_log, 0, 0, CPUDEV_PRICE(5, 1, 3, 0, 1), 0) \
    X(fast_sin, 0, 0, CPUDEV_PRICE(2, 0, 1, 0, 1), 0) \
    X(fast_divide, 0, 0, CPUDEV_PRICE(5, 1, 3, 0, 1), 0) \
    X(population, CPUDEV_PRICE(1, 0, 0, 0, 1), 0, 0, 0) \
    X(leading_zeros, CPUDEV_PRICE(2, 0, 0, 0, 1), 0, 0, 0) \
    X(to_bf16, 0, 0, CPUDEV_PRICE(1, 1, 0, 0, 0), 0) \
    X(to_half, 0, 0, CPUDEV_PRICE(1, 1, 0, 0, 0), 0) \
    X(from_bf16, CPUDEV_PRICE(1, 0, 0, 0, 0), 0, 0, 0) \
    X(from_half, CPUDEV_PRICE(1, 0, 0, 0, 0), 0, 0, 0)

/* Of a round of a loop that is unrolled, beside its body; of a kernel and of a switch,
 * beside what is in them; of a branch that lanes may take or not; and the longest body of a
 * condition that is not branched past. */
enum {
    CPUDEV_OF_LOOP = 1,
    CPUDEV_OF_KERNEL = 9,
    CPUDEV_OF_SWITCH = 9,
    CPUDEV_OF_BRANCH = 3,
    CPUDEV_PREDICATED = 6
};
