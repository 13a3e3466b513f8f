/* chip.h: the figures of a chip that the model computes with.
 *
 * A chip is a file of lines `figure,value,unit,source` (model/chips/NAME.csv). All of the figures below must be there;
 * `measured,0` says that some of them come from another chip's probe and not from this chip. */
#ifndef MODEL_CHIP_H
#define MODEL_CHIP_H

#include <stdbool.h>
#include <stdio.h>

enum { CHIP_NAME = 64 };

#define CHIP_FIGURES(X)                                                                                                \
    X(measured)                   /* 1: probe.cu has run on this chip */                                               \
    X(sms)                        /* multiprocessors */                                                                \
    X(clock_mhz)                  /* while a kernel runs */                                                            \
    X(warps_per_sm)               /* that may be resident */                                                           \
    X(blocks_per_sm)              /* that may be resident */                                                           \
    X(registers_per_sm)           /* of 32 bits */                                                                     \
    X(shared_kb)                  /* of shared memory that the blocks of a multiprocessor may have together */         \
    X(shared_reserved)            /* bytes that the system takes of it for each block */                               \
    X(l1_kb)                      /* shared memory and L1 together */                                                  \
    X(l2_mb)                      /* that an access may hit */                                                         \
    X(dram_gbps)                  /* that a copy reaches */                                                            \
    X(l2_gbps)                    /* that reads of a working set within L2 reach */                                    \
    X(l2_write_gbps)              /* that whole sectors written to a working set within L2 reach */                    \
    X(partial_writes_per_ns)      /* sectors written in part, one per line, of the whole chip */                       \
    X(l1_bytes_per_cycle)         /* of a multiprocessor, L1 and shared memory alike */                                \
    X(issue_per_cycle)            /* instructions of warps that a multiprocessor issues */                             \
    X(alu_per_cycle)              /* lanes of integer additions, comparisons and logic, of a multiprocessor */         \
    X(fma_per_cycle)              /* lanes of float additions, products and both, and of integer products */           \
    X(imad_per_cycle)             /* lanes of integer products */                                                      \
    X(xu_per_cycle)               /* lanes of special functions and conversions */                                     \
    X(tensor_fma_per_cycle)       /* multiply-adds in 16 bits, of a multiprocessor's tensor cores */                   \
    X(fp64_per_cycle)             /* multiply-adds in double, of a multiprocessor */                                   \
    X(fp64_conversions_per_cycle) /* from and to double, of a multiprocessor */                                        \
    X(shared_cycles)              /* from a load of shared memory to its value */                                      \
    X(l1_cycles)                  /* from a load that hits L1 to its value */                                          \
    X(l2_cycles)                  /* that hits L2 */                                                                   \
    X(dram_cycles)                /* that misses all */                                                                \
    X(barrier_cycles)             /* that __syncthreads() costs a block of 256 threads */                              \
    X(shuffle_cycles)             /* from a shuffle to its value */                                                    \
    X(atomics_per_ns)             /* on words that lie beside each other, of the whole chip */                         \
    X(same_atomics_per_ns)        /* on one address, and sectors of one unit */                                        \
    X(launch_us)                  /* an empty kernel between two events */                                             \
    X(wait_us)                    /* later begin of a launch if the host waited for the one before; 0: not measured */ \
    X(blocks_per_us)              /* that the chip starts */                                                           \
    X(block_cycles)               /* from a block's start to its successor's, where it does nothing */                 \
    X(overlap)                    /* exponent: how well DRAM's time and the waiting for it hide each other */

typedef struct chip {
    char name[CHIP_NAME];
#define CHIP_MEMBER(figure) double figure;
    CHIP_FIGURES(CHIP_MEMBER)
#undef CHIP_MEMBER
} chip;

/* The chip of that name, or of that file where the name has a '/' or a '.' in it. False, with the reason on `say`, if
 * there is none, or a figure is missing, not a number or not positive. */
bool chip_find(const char *name, chip *c, FILE *say);

#endif
