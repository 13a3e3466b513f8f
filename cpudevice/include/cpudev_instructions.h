/* cpudev_instructions.h: what cucc's compiler puts in front of statements under --model, to count for the model what a
 * GPU's thread would issue (compiler/emit/arithmetic_instructions.c). C++ only.
 *
 *   y = a * x;     becomes   ::cpudev::instructions::issued(0x10000001ull); y = a * x;
 *
 * The number is a price (cpudev_pipes.h): one instruction, of the pipe FMA. It may depend on types that are a template's:
 * of<T>() says which column of cpudev_instruction_costs.h has them, and cost(KIND, column) what it says. */
#ifndef CPUDEV_INSTRUCTIONS_H
#define CPUDEV_INSTRUCTIONS_H

#include "cpudev_abi.h"
#include "cpudev_arithmetic.h"
#include "cpudev_instruction_costs.h"

namespace cpudev
{
namespace instructions
{

#define CPUDEV_KIND(kind, integer, in_long, real, in_double) kind,
enum kinds { CPUDEV_INSTRUCTIONS(CPUDEV_KIND) };
#undef CPUDEV_KIND
#define CPUDEV_COSTS(kind, integer, in_long, real, in_double) {integer, in_long, real, in_double},
static constexpr unsigned long long costs[][4] __attribute__((unused)) = {CPUDEV_INSTRUCTIONS(CPUDEV_COSTS)};
#undef CPUDEV_COSTS

/* The column of a type: of 32 bits and less, 64 bits, float, double. */
template <class __T> CPUDEV_OPERATION int of()
{
    return std::is_same<arithmetic::bare<__T>, double>::value                                     ? 3
           : std::is_same<arithmetic::bare<__T>, float>::value                                    ? 2
           : std::is_integral<arithmetic::bare<__T>>::value && sizeof(arithmetic::bare<__T>) == 8 ? 1
                                                                                                  : 0;
}
CPUDEV_OPERATION int wider(int a, int b) { return a > b ? a : b; }
CPUDEV_OPERATION unsigned long long cost(kinds kind, int column) { return costs[kind][column]; }

template <class __T> CPUDEV_OPERATION arithmetic::if_number<__T, bool> is_power(const __T &n)
{
    return n > 0 && n == (__T)(long long)n && ((long long)n & ((long long)n - 1)) == 0;
}
template <class __T> CPUDEV_OPERATION arithmetic::if_other<__T, bool> is_power(const __T &) { return false; }

/* In assembler, because the compiler would tell the checker of an addition in C++. */
__attribute__((always_inline, unused)) inline void issue(unsigned long long &count, unsigned long long n)
{
    if (!n)
        return;
#ifdef __x86_64__
    __asm__("addq %1, %0" : "+m"(count) : "re"(n) : "cc");
#else
    count += n;
#endif
}
__attribute__((always_inline, unused)) inline bool count(unsigned long long price, unsigned threads)
{
#define CPUDEV_ADD(pipe, at, bits) issue(cpudev_issued.pipe, (price >> at & ((1u << bits) - 1)) * threads);
    CPUDEV_PIPES(CPUDEV_ADD)
#undef CPUDEV_ADD
    return true;
}
CPUDEV_OPERATION bool issued(unsigned long long price) { return !__builtin_is_constant_evaluated() && count(price, 1); }

/* By all threads of the block: what is between the loops over the threads is done once for them all. */
template <class __B> CPUDEV_OPERATION bool issued_by_all(unsigned long long price, const __B &block)
{
    return !__builtin_is_constant_evaluated() && count(price, block.x * block.y * block.z);
}

} // namespace instructions
} // namespace cpudev

#endif
