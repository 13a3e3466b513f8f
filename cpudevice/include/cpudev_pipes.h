/* cpudev_pipes.h: instructions and the pipes of a multiprocessor that execute them, as the model counts them. A price is
 * the counts of a statement in one number, so that prices are added as numbers are. */
#ifndef CPUDEV_PIPES_H
#define CPUDEV_PIPES_H

/* The count's name, where it is in a price, its bits: all instructions; ALU: integers, comparisons, logic; FMA: floats, and
 * integer products; imad: of these, integer products; XU: special functions and conversions. A statement has fewer than 4096
 * of each pipe. */
#define CPUDEV_PIPES(X)                                                                                                \
    X(issued, 0, 16)                                                                                                   \
    X(alu, 16, 12)                                                                                                     \
    X(fma, 28, 12)                                                                                                     \
    X(imad, 40, 12)                                                                                                    \
    X(xu, 52, 12)
#define CPUDEV_PRICE(issued, alu, fma, imad, xu)                                                                       \
    (issued##ull | alu##ull << 16 | fma##ull << 28 | imad##ull << 40 | xu##ull << 52)

#define CPUDEV_PIPE_COUNT(pipe, at, bits) unsigned long long pipe;
typedef struct cpudev_pipe_counts {
    CPUDEV_PIPES(CPUDEV_PIPE_COUNT)
} cpudev_pipe_counts;
#undef CPUDEV_PIPE_COUNT

#endif
