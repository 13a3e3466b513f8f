/* cpudev_ptx_mma.h: what compiled PTX and the runtime share of mma.sync and mma.sp (runtime/warp/ptx_mma.c). */
#ifndef CPUDEV_PTX_MMA_H
#define CPUDEV_PTX_MMA_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum cpudev_mma_format {
    CPUDEV_MMA_F16,
    CPUDEV_MMA_BF16,
    CPUDEV_MMA_TF32,
    CPUDEV_MMA_F32,
    CPUDEV_MMA_F64,
    CPUDEV_MMA_S8,
    CPUDEV_MMA_U8,
    CPUDEV_MMA_S4,
    CPUDEV_MMA_U4,
    CPUDEV_MMA_B1,
    CPUDEV_MMA_E4M3,
    CPUDEV_MMA_E5M2,
    CPUDEV_MMA_S32
};

typedef struct cpudev_mma_form {
    uint16_t m, n, k;
    uint8_t d, a, b, c;   /* cpudev_mma_format */
    uint8_t saturate;     /* .satfinite */
    uint8_t sparse;       /* mma.sp: A holds half of its values, k counts all */
    uint8_t popc_and;     /* of b1: .and.popc, else .xor.popc */
    uint8_t col_a, row_b; /* of m8n8k4 in f16: A by columns (.col first), B by rows (.row second) */
} cpudev_mma_form;

/* m8n8k4 of half precision: four products in a warp, one of each eight lanes 4 q .. 4 q + 3, 4 q + 16 .. 4 q + 19. */
#define CPUDEV_MMA_IN_QUADS(m, a) ((m) == 8 && (a) == CPUDEV_MMA_F16)

/* One lane's part of d = a b + c: registers as the PTX ISA lists them, each in the low bits of a word; `meta` and
 * `selector` are a sparse A's. All lanes call. */
void cpudev_mma(const cpudev_mma_form *form, uint64_t *d, const uint64_t *a, const uint64_t *b, const uint64_t *c,
                uint32_t meta, uint32_t selector);

#ifdef __cplusplus
}
#endif
#endif
