/* array_layout.h: how a CUDA array lies in device memory: row by row and slice by slice, without gaps. */
#ifndef ARRAY_LAYOUT_H
#define ARRAY_LAYOUT_H

#include <stddef.h>

#include "driver_types.h"

struct cudaArray {
    struct cudaChannelFormatDesc format;
    struct cudaExtent extent; /* in texels; height and depth may be 0 */
    unsigned flags;
    char *data;
};

enum { MIPMAP_LEVELS = 16 }; /* of 65536 texels each way */

struct cudaMipmappedArray {
    unsigned levels;
    cudaArray_t level[MIPMAP_LEVELS]; /* 0 is the largest */
};

size_t texel_bytes(const struct cudaChannelFormatDesc *d);
size_t at_least_1(size_t n);
size_t array_pitch(const struct cudaArray *a); /* bytes from row to row */
size_t array_slice(const struct cudaArray *a); /* bytes from slice to slice */
/* Where the texel `at` lies, and the steps from there, in bytes. */
void array_place(struct cudaArray *a, struct cudaPos at, char **place, size_t *pitch, size_t *slice, size_t *texel);

#endif
