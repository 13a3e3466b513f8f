/* cpudev_ptx_wgmma.h: what compiled PTX and the runtime share of wgmma ("Asynchronous Warpgroup Level Matrix
 * Instructions" of the PTX ISA): runtime/async/ptx_wgmma.c queues the products, runtime/async/wgmma_product.c computes them.
 *
 * D (64 x n) = A (64 x k) B (k x n) + D. Each of the 128 threads of a warpgroup (four warps, the first a multiple of 4)
 * gives the addresses of its registers of D, so that the product can land in them after the instruction is over. */
#ifndef CPUDEV_PTX_WGMMA_H
#define CPUDEV_PTX_WGMMA_H

#include "cpudev_ptx_mma.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cpudev_wgmma_form {
    uint16_t n, k;            /* k: of B; a sparse A has half as many columns */
    uint8_t d, a, b;          /* cpudev_mma_format; d: F16, F32 or S32 */
    uint8_t sparse;           /* .sp */
    uint8_t registers;        /* A comes from registers, not from shared memory */
    uint8_t saturate;         /* .satfinite */
    uint8_t popc_and;         /* of b1: .and.popc, else .xor.popc */
    int8_t sign_a, sign_b;    /* imm-scale: 1 or -1 */
    uint8_t trans_a, trans_b; /* "MN-major": elements that follow each other are in one column of A, one row of B */
    uint8_t zero;             /* no padding: forms are compared as bytes */
} cpudev_wgmma_form;

typedef struct cpudev_wgmma_operands {
    uint64_t a, b; /* matrix descriptors; a: unless registers */
    uint32_t a_registers[4];
    uint32_t metadata, selector; /* of a sparse A */
    int accumulate;              /* scale-d: 0 takes D for zeros */
} cpudev_wgmma_operands;

/* One thread's part of the product. d: its registers of D, 32 bits each, as the ISA lists them. */
void cpudev_wgmma(const cpudev_wgmma_form *form, uint32_t *const *d, const cpudev_wgmma_operands *operands);
void cpudev_wgmma_fence(void);
void cpudev_wgmma_commit(void);
/* Until at most `pending` of the groups that the thread has committed are unfinished. */
void cpudev_wgmma_wait(unsigned pending);

/* setmaxnreg.inc or .dec: from now on the thread's warpgroup has so many registers a thread. */
void cpudev_setmaxnreg(unsigned registers, int increase);

#ifdef __cplusplus
}
#endif
#endif
