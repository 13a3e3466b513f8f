/* cpudev_instruction_costs.h: made by tools/model/costs.py: instructions that nvcc makes of an
 * expression for sm_90a, by its kind: of int, long long, float and double; 0: none. */
/* clang-format off */
#define CPUDEV_INSTRUCTIONS(X) \
    X(add, 1, 2, 1, 1) \
    X(multiply, 1, 4, 1, 1) \
    X(divide, 24, 23, 8, 14) \
    X(remainder, 22, 22, 0, 0) \
    X(shift, 1, 2, 0, 0) \
    X(bits, 1, 2, 0, 0) \
    X(compare, 1, 2, 1, 1) \
    X(select, 1, 2, 1, 2) \
    X(index, 1, 2, 0, 0) \
    X(add_of_product, 1, 4, 1, 1) \
    X(add_of_add, 1, 2, 2, 2) \
    X(add_of_shift, 1, 2, 0, 0) \
    X(bits_of_bits, 1, 2, 0, 0) \
    X(divide_by_constant, 4, 16, 9, 16) \
    X(divide_by_power, 3, 5, 1, 1) \
    X(remainder_by_constant, 5, 19, 0, 0) \
    X(remainder_by_power, 4, 6, 0, 0) \
    X(shift_by_constant, 1, 2, 0, 0) \
    X(to_int, 0, 0, 1, 1) \
    X(to_long, 1, 0, 1, 1) \
    X(to_float, 1, 1, 0, 1) \
    X(to_double, 1, 1, 1, 0) \
    X(fabs, 0, 0, 1, 1) \
    X(fmax, 0, 0, 1, 7) \
    X(max, 1, 4, 1, 7) \
    X(floor, 0, 0, 1, 1) \
    X(rint, 0, 0, 1, 1) \
    X(sqrt, 0, 0, 8, 16) \
    X(rsqrt, 0, 0, 4, 12) \
    X(cbrt, 0, 0, 16, 44) \
    X(exp, 0, 0, 10, 45) \
    X(exp2, 0, 0, 4, 44) \
    X(expm1, 0, 0, 29, 63) \
    X(log, 0, 0, 26, 73) \
    X(log2, 0, 0, 28, 79) \
    X(log1p, 0, 0, 24, 47) \
    X(sin, 0, 0, 24, 23) \
    X(tan, 0, 0, 21, 55) \
    X(tanh, 0, 0, 17, 41) \
    X(atan, 0, 0, 19, 70) \
    X(erf, 0, 0, 28, 123) \
    X(pow, 0, 0, 62, 25) \
    X(fast_exp, 0, 0, 5, 0) \
    X(fast_log, 0, 0, 5, 0) \
    X(fast_sin, 0, 0, 2, 0) \
    X(fast_divide, 0, 0, 5, 0) \
    X(population, 1, 0, 0, 0) \
    X(leading_zeros, 2, 0, 0, 0) \
    X(to_bf16, 0, 0, 1, 0) \
    X(to_half, 0, 0, 1, 0) \
    X(from_bf16, 1, 0, 0, 0) \
    X(from_half, 1, 0, 0, 0)

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
