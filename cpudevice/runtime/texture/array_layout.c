/* array_layout.c: how a CUDA array lies in device memory. */
#define _GNU_SOURCE
#include "texture/array_layout.h"

size_t texel_bytes(const struct cudaChannelFormatDesc *d) { return (size_t)(d->x + d->y + d->z + d->w) / 8; }

size_t at_least_1(size_t n) { return n ? n : 1; }

size_t array_pitch(const struct cudaArray *a) { return a->extent.width * texel_bytes(&a->format); }

size_t array_slice(const struct cudaArray *a) { return array_pitch(a) * at_least_1(a->extent.height); }

void array_place(struct cudaArray *a, struct cudaPos at, char **place, size_t *pitch, size_t *slice, size_t *texel)
{
    *pitch = array_pitch(a);
    *slice = array_slice(a);
    *texel = texel_bytes(&a->format);
    *place = a->data + at.z * *slice + at.y * *pitch + at.x * *texel;
}
