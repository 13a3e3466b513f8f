/* image.h: binary PPM (P6, RGB) and PGM (P5, grey), 8 bits a sample, on the host. Hostile files are refused. */
#ifndef IMAGE_H
#define IMAGE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { IMAGE_MAX_PIXELS = 1 << 28 }; /* 268 million: a larger header is a mistake or an attack */

typedef struct Image {
    size_t width, height;
    int channels;   /* 1 or 3 */
    uint8_t *pixel; /* height * width * channels, interleaved, row 0 on top; free with image_free() */
} Image;

/* Reads FILE (P5 or P6, maxval 255). Returns NULL, or the reason why not in words: not a PPM, truncated, dimensions
 * zero or too large, wrong maxval, unreadable. On error *image is left empty. */
const char *image_read(const char *file, Image *image);
/* Writes P5 (1 channel) or P6 (3). Returns NULL, or the reason why not. */
const char *image_write(const char *file, const Image *image);
void image_free(Image *image);

#ifdef __cplusplus
}
#endif
#endif
