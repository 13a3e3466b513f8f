#include "image.h"
#include "../../cpudevice/include/cpudev_written.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEADER_MOST = 65536 }; /* bytes of blanks and comments before a number of the header */

/* The next number of a PNM header: blanks and #-comments before it are skipped. -1: none, or absurdly large. */
static long header_number(FILE *f)
{
    int c, comment = 0, skipped = 0;
    long n = 0;
    while ((c = getc(f)) != EOF && (comment || isspace(c) || c == '#')) {
        comment = c == '#' || (comment && c != '\n');
        if (++skipped > HEADER_MOST)
            return -1;
    }
    if (!isdigit(c))
        return -1;
    for (; isdigit(c); c = getc(f))
        if ((n = 10 * n + c - '0') > 1L << 30)
            return -1;
    return isspace(c) ? n : -1; /* exactly one blank ends the header */
}

static const char *read_open(FILE *f, Image *image)
{
    char magic[2];
    if (fread(magic, 1, 2, f) != 2 || magic[0] != 'P' || (magic[1] != '5' && magic[1] != '6'))
        return "not a binary PPM or PGM (it must begin with P6 or P5)";
    long width = header_number(f), height = header_number(f), maxval = header_number(f);
    if (width < 0 || height < 0 || maxval < 0)
        return "malformed header";
    if (width == 0 || height == 0)
        return "an image without pixels";
    if (width > IMAGE_MAX_PIXELS / height)
        return "more than 268435456 pixels";
    if (maxval != 255)
        return "maxval is not 255";
    int channels = magic[1] == '6' ? 3 : 1;
    size_t bytes = (size_t)width * (size_t)height * (size_t)channels;
    uint8_t *pixel = malloc(bytes);
    if (!pixel)
        return "not enough memory";
    if (fread(pixel, 1, bytes, f) != bytes) {
        free(pixel);
        return "truncated: fewer pixels than the header says";
    }
    image->width = (size_t)width;
    image->height = (size_t)height;
    image->channels = channels;
    image->pixel = pixel;
    return NULL;
}

const char *image_read(const char *file, Image *image)
{
    *image = (Image){0};
    FILE *f = fopen(file, "rb");
    if (!f)
        return strerror(errno);
    const char *why = read_open(f, image);
    fclose(f);
    return why;
}

const char *image_write(const char *file, const Image *image)
{
    FILE *f = fopen(file, "wb");
    if (!f)
        return strerror(errno);
    size_t bytes = image->width * image->height * (size_t)image->channels;
    int bad = fprintf(f, "P%c\n%zu %zu\n255\n", image->channels == 3 ? '6' : '5', image->width, image->height) < 0;
    bad |= fwrite(image->pixel, 1, bytes, f) != bytes;
    return written_close(f) || bad ? strerror(errno) : NULL;
}

void image_free(Image *image)
{
    free(image->pixel);
    *image = (Image){0};
}
