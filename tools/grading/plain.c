#include "plain.h"

#include "../course/support.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void put_code(FILE *out, uint32_t c)
{
    if (c < 0x80) {
        fputc((int)c, out);
    } else if (c < 0x800) {
        fputc((int)(0xc0 | c >> 6), out), fputc((int)(0x80 | (c & 0x3f)), out);
    } else if (c < 0x10000) {
        fputc((int)(0xe0 | c >> 12), out), fputc((int)(0x80 | (c >> 6 & 0x3f)), out);
        fputc((int)(0x80 | (c & 0x3f)), out);
    } else {
        fputc((int)(0xf0 | c >> 18), out), fputc((int)(0x80 | (c >> 12 & 0x3f)), out);
        fputc((int)(0x80 | (c >> 6 & 0x3f)), out), fputc((int)(0x80 | (c & 0x3f)), out);
    }
}

static uint32_t unit_at(const unsigned char *p, int big) { return big ? p[0] << 8 | p[1] : p[1] << 8 | p[0]; }

/* Half a pair becomes U+FFFD. */
static void from_utf16(FILE *out, const unsigned char *p, size_t size, int big)
{
    for (size_t i = 0; i + 1 < size; i += 2) {
        uint32_t c = unit_at(p + i, big), low = i + 3 < size ? unit_at(p + i + 2, big) : 0;
        if (c >= 0xd800 && c < 0xdc00 && low >= 0xdc00 && low < 0xe000)
            c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00), i += 2;
        else if (c >= 0xd800 && c < 0xe000)
            c = 0xfffd;
        put_code(out, c);
    }
}

static int is_utf8(const unsigned char *p, size_t size)
{
    for (size_t i = 0; i < size;) {
        int more = p[i] < 0x80                   ? 0
                   : p[i] >= 0xc2 && p[i] < 0xe0 ? 1
                   : p[i] >= 0xe0 && p[i] < 0xf0 ? 2
                   : p[i] >= 0xf0 && p[i] < 0xf5 ? 3
                                                 : -1;
        if (more < 0 || i + (size_t)more >= size)
            return 0;
        for (i++; more; more--, i++)
            if ((p[i] & 0xc0) != 0x80)
                return 0;
    }
    return 1;
}

/* In place. */
static void end_lines(char *s)
{
    char *to = s;
    for (const char *p = s; *p; p++) {
        const int cr = *p == '\r';
        *to++ = cr ? '\n' : *p;
        p += cr && p[1] == '\n';
    }
    *to = 0;
}

char *plain_text(const char *bytes, size_t size, const char **why)
{
    const unsigned char *p = (const unsigned char *)bytes;
    const int little = size >= 2 && ((p[0] == 0xff && p[1] == 0xfe) || (p[0] && !p[1]));
    const int big = size >= 2 && ((p[0] == 0xfe && p[1] == 0xff) || (!p[0] && p[1]));
    const size_t wide_mark = size >= 2 && p[0] + p[1] == 0xff + 0xfe ? 2 : 0;
    const size_t mark = size >= 3 && memcmp(bytes, "\357\273\277", 3) == 0 ? 3 : 0;
    char *s = NULL;
    size_t n;
    FILE *out = open_memstream(&s, &n);
    if (!out)
        die(1, "not enough memory");
    if (little || big)
        from_utf16(out, p + wide_mark, size - wide_mark, big);
    else if (is_utf8(p, size))
        fwrite(bytes + mark, 1, size - mark, out);
    else
        for (size_t i = 0; i < size; i++)
            put_code(out, p[i]);
    if (fclose(out) != 0)
        die(1, "not enough memory");
    if (strlen(s) == n) {
        end_lines(s);
        return s;
    }
    if (why)
        *why = "the file is not text: it contains a zero byte";
    free(s);
    return NULL;
}
