/* texture.h: texture and surface objects: a description of where texels lie and how they are read. */
#ifndef TEXTURE_H
#define TEXTURE_H

#include <stdbool.h>

#include "driver_types.h"

struct texture {
    unsigned magic; /* TEXTURE_MAGIC until it is destroyed */
    struct cudaResourceDesc resource;
    struct cudaTextureDesc how;
    const char *data;
    size_t pitch, slice;
    int size[3];               /* texels; 1 where there is no such dimension */
    int texel, channels, bits; /* bytes of a texel; bits of a channel */
    bool is_signed, is_float;  /* what is stored */
    bool floats;               /* a fetch gives floats whatever is stored */
    bool one_float;            /* a texel is one float of 32 bits */
    unsigned levels;           /* of a mipmapped array, the others follow this one in memory; else 1 */
};

enum { TEXTURE_MAGIC = 0x54455854 };

#endif
