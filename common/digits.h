/* digits.h: handwritten digits to learn from: the course's data/optdigits.csv, or MNIST's IDX files. Host side.
 * A file that is not what it should be is refused with one line that says where it is wrong. */
#ifndef DIGITS_H
#define DIGITS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct Digits {
    size_t count, rows, columns;
    float *pixels;  /* count x rows x columns, from 0 to 1 */
    uint8_t *label; /* count, 0 to 9 */
} Digits;

/* Both return 0, or -1 with the reason in `why` (one line, no newline) and nothing allocated.
 * CSV: each line 64 pixels of 0 to 16 (8 x 8, row-major), then the label, separated by commas. */
int digits_read_csv(const char *path, Digits *d, char *why, size_t why_bytes);
/* IDX, as MNIST is distributed (uncompressed): big-endian; images: 0x803, count, rows, columns, pixels of 0 to 255;
 * labels: 0x801, count, labels. Images of at most 256 x 256, at most 1,000,000 of them. */
int digits_read_idx(const char *images, const char *labels, Digits *d, char *why, size_t why_bytes);
void digits_free(Digits *d);

/* Moves the digits into an order that depends on `seed` alone: the same on every machine. */
void digits_shuffle(Digits *d, uint64_t seed);

#ifdef __cplusplus
}
#endif
#endif
