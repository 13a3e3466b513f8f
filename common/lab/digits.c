/* digits.c: see digits.h. */
#include "digits.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"

enum { SIDE = 8, PIXELS = SIDE * SIDE, MOST_DIGITS = 1000000, MOST_SIDE = 256 };

/* Writes the reason, returns -1. */
__attribute__((format(printf, 3, 4))) static int refuse(char *why, size_t why_bytes, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(why, why_bytes, format, list);
    va_end(list);
    return -1;
}

#define REFUSE(...) refuse(why, why_bytes, __VA_ARGS__)

void digits_free(Digits *d)
{
    free(d->pixels);
    free(d->label);
    memset(d, 0, sizeof *d);
}

/* One number of at most `most`, then `end` (',' or the line's end). Returns the place after it, or NULL. */
static const char *number(const char *p, long most, int last, long *value)
{
    if (*p < '0' || *p > '9')
        return NULL;
    for (*value = 0; *p >= '0' && *p <= '9'; p++)
        if ((*value = *value * 10 + (*p - '0')) > most)
            return NULL;
    if (last) {
        if (*p == '\r')
            p++;
        return *p == '\n' || *p == 0 ? p : NULL;
    }
    return *p == ',' ? p + 1 : NULL;
}

int digits_read_csv(const char *path, Digits *d, char *why, size_t why_bytes)
{
    memset(d, 0, sizeof *d);
    FILE *f = fopen(path, "r");
    if (!f)
        return REFUSE("%s: %s", path, strerror(errno));
    char line[1024];
    size_t room = 0;
    int failed = 0;
    while (!failed && fgets(line, sizeof line, f)) {
        if (!strchr(line, '\n') && !feof(f)) {
            failed = REFUSE("%s:%zu: the line is too long for 64 pixels and a label", path, d->count + 1);
            break;
        }
        if (d->count == room) {
            room = room ? 2 * room : 256;
            float *pixels = room <= 2 * MOST_DIGITS ? realloc(d->pixels, room * PIXELS * sizeof *pixels) : NULL;
            if (pixels)
                d->pixels = pixels;
            uint8_t *label = pixels ? realloc(d->label, room) : NULL;
            if (label)
                d->label = label;
            if (!pixels || !label) {
                failed = REFUSE("%s: too many digits for the memory", path);
                break;
            }
        }
        const char *p = line;
        for (int i = 0; i <= PIXELS && !failed; i++) {
            long value = 0;
            p = number(p, i < PIXELS ? 16 : 9, i == PIXELS, &value);
            if (!p)
                failed = i < PIXELS ? REFUSE("%s:%zu: pixel %d is not a number from 0 to 16 and a comma", path,
                                             d->count + 1, i + 1)
                                    : REFUSE("%s:%zu: the 65th value is not a label from 0 to 9 at the line's end",
                                             path, d->count + 1);
            else if (i < PIXELS)
                d->pixels[d->count * PIXELS + (size_t)i] = (float)value / 16;
            else
                d->label[d->count] = (uint8_t)value;
        }
        d->count += !failed;
    }
    if (!failed && ferror(f))
        failed = REFUSE("%s: %s", path, strerror(errno));
    if (!failed && d->count == 0)
        failed = REFUSE("%s: no digits in it", path);
    fclose(f);
    if (failed)
        digits_free(d);
    d->rows = d->columns = failed ? 0 : SIDE;
    return failed;
}

/* A whole file of at most `most` bytes; NULL with the reason. */
static unsigned char *slurp(const char *path, size_t most, size_t *bytes, char *why, size_t why_bytes)
{
    FILE *f = fopen(path, "rb");
    if (!f) {
        REFUSE("%s: %s", path, strerror(errno));
        return NULL;
    }
    size_t room = 1 << 16, got = 0;
    unsigned char *data = malloc(room);
    while (data) {
        size_t n = fread(data + got, 1, room - got, f);
        got += n;
        if (got < room)
            break;
        unsigned char *more = 2 * room <= 2 * most ? realloc(data, 2 * room) : NULL;
        if (!more) {
            free(data);
            data = NULL;
        } else {
            data = more;
            room *= 2;
        }
    }
    int failed = ferror(f);
    fclose(f);
    if (!data || failed) {
        REFUSE("%s: %s", path, failed ? "cannot be read" : "too large");
        free(data);
        return NULL;
    }
    *bytes = got;
    return data;
}

static uint32_t big_endian(const unsigned char *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

/* Checks magic, dimensions and length of an IDX file. Returns 0, or -1 with the reason. */
static int idx_header(const char *path, const unsigned char *data, size_t bytes, uint32_t magic, int dims,
                      uint32_t *dim, char *why, size_t why_bytes)
{
    if (bytes >= 2 && data[0] == 0x1f && data[1] == 0x8b)
        return REFUSE("%s: is compressed; gunzip it first", path);
    if (bytes < 4 + 4 * (size_t)dims || big_endian(data) != magic)
        return REFUSE("%s: not an IDX file of %s (its first word must be 0x%08x)", path,
                      dims == 3 ? "images" : "labels", magic);
    size_t expected = 1;
    for (int i = 0; i < dims; i++) {
        dim[i] = big_endian(data + 4 + 4 * i);
        uint32_t most = i == 0 ? MOST_DIGITS : MOST_SIDE;
        if (dim[i] == 0 || dim[i] > most)
            return REFUSE("%s: dimension %d is %u, must be from 1 to %u", path, i + 1, dim[i], most);
        expected *= dim[i];
    }
    if (bytes != expected + 4 + 4 * (size_t)dims)
        return REFUSE("%s: %zu bytes, but its header says %zu", path, bytes, expected + 4 + 4 * (size_t)dims);
    return 0;
}

int digits_read_idx(const char *images, const char *labels, Digits *d, char *why, size_t why_bytes)
{
    memset(d, 0, sizeof *d);
    size_t image_bytes, label_bytes;
    uint32_t dim[3], labelled[1];
    unsigned char *image = slurp(images, (size_t)1 << 32, &image_bytes, why, why_bytes), *label = NULL;
    int failed = -1;
    if (!image || idx_header(images, image, image_bytes, 0x803, 3, dim, why, why_bytes))
        goto done;
    label = slurp(labels, 1 << 24, &label_bytes, why, why_bytes);
    if (!label || idx_header(labels, label, label_bytes, 0x801, 1, labelled, why, why_bytes))
        goto done;
    if (labelled[0] != dim[0]) {
        REFUSE("%s: %u labels for %u images", labels, labelled[0], dim[0]);
        goto done;
    }
    size_t pixels = (size_t)dim[1] * dim[2];
    d->pixels = malloc(dim[0] * pixels * sizeof *d->pixels);
    d->label = malloc(dim[0]);
    if (!d->pixels || !d->label) {
        REFUSE("%s: too large for the memory", images);
        goto done;
    }
    for (size_t i = 0; i < dim[0]; i++)
        if ((d->label[i] = label[8 + i]) > 9) {
            REFUSE("%s: label %zu is %u, must be from 0 to 9", labels, i + 1, d->label[i]);
            goto done;
        }
    for (size_t i = 0; i < dim[0] * pixels; i++)
        d->pixels[i] = (float)image[16 + i] / 255;
    d->count = dim[0], d->rows = dim[1], d->columns = dim[2];
    failed = 0;
done:
    free(image);
    free(label);
    if (failed)
        digits_free(d);
    return failed;
}

void digits_shuffle(Digits *d, uint64_t seed)
{
    size_t pixels = d->rows * d->columns;
    for (size_t i = d->count; i > 1; i--) { /* Fisher and Yates */
        size_t a = i - 1, b = random_u64(seed, i) % i;
        uint8_t l = d->label[a];
        d->label[a] = d->label[b];
        d->label[b] = l;
        for (size_t p = 0; p < pixels; p++) {
            float x = d->pixels[a * pixels + p];
            d->pixels[a * pixels + p] = d->pixels[b * pixels + p];
            d->pixels[b * pixels + p] = x;
        }
    }
}
