/* wgmma_product.h: one product of a warpgroup, computed: operands in shared memory or registers, D in the threads'
 * registers. */
#ifndef WGMMA_PRODUCT_H
#define WGMMA_PRODUCT_H

#include <stdbool.h>

#include "cpudev_abi.h"

enum { WARPGROUP = 128, WGMMA_M = 64 };

/* A thread's part. */
typedef struct wgmma_lane {
    uint32_t *d;          /* its first register; NULL: they are gone, and nothing is written */
    uint32_t **scattered; /* where all of them are, if they do not follow each other */
    uint32_t a[4];
    uint32_t metadata;
} wgmma_lane;

typedef struct wgmma_product {
    cpudev_wgmma_form form;
    uint64_t a, b; /* descriptors */
    uint32_t selector;
    int accumulate;
    wgmma_lane lane[WARPGROUP];
} wgmma_product;

/* Returns NULL, or what is wrong with an operand. */
const char *wgmma_compute(const wgmma_product *p);
/* In bits, of one element. */
int wgmma_bits_of(int format);

/* ---- matrix descriptors ("Matrix Descriptor Format") ---- */

typedef struct wgmma_descriptor {
    uint32_t start, leading, stride; /* bytes */
    unsigned base_offset, width;     /* width of the swizzle's rows in bytes: 128, 64, 32, or 16 without */
} wgmma_descriptor;

wgmma_descriptor wgmma_decode(uint64_t bits);
/* The shared address of 16 bytes of an operand: of `row` (of A, or a column of B), the chunk-th 16 bytes along K; or,
 * if `turned`, of place `row` along K, the chunk-th 16 bytes along M or N. */
uint32_t wgmma_chunk(const wgmma_descriptor *d, bool turned, unsigned row, unsigned chunk);

#endif
