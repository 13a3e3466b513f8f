/* columns.h: how many columns of a terminal a text of UTF-8 takes. A Chinese character and a full-width sign take two. */
#ifndef RUNTIME_COLUMNS_H
#define RUNTIME_COLUMNS_H

/* The character that begins there; *bytes is how many it has. */
static inline unsigned columns_character(const char *s, int *bytes)
{
    const unsigned char *p = (const unsigned char *)s;
    int n = *p < 0xc0 ? 1 : *p < 0xe0 ? 2 : *p < 0xf0 ? 3 : 4;
    unsigned c = *p & (n == 1 ? 0xff : 0xff >> (n + 1));
    for (int i = 1; i < n; i++) {
        if ((p[i] & 0xc0) != 0x80) {
            n = i;
            break;
        }
        c = c << 6 | (p[i] & 0x3f);
    }
    *bytes = n;
    return c;
}

/* Of East Asian width: Chinese, its punctuation, and full-width forms. */
static inline int columns_of(unsigned c)
{
    return (c >= 0x1100 && c <= 0x115f) || (c >= 0x2e80 && c <= 0xa4cf) || (c >= 0xac00 && c <= 0xd7a3) ||
                   (c >= 0xf900 && c <= 0xfaff) || (c >= 0xfe30 && c <= 0xfe6f) || (c >= 0xff00 && c <= 0xff60) ||
                   (c >= 0xffe0 && c <= 0xffe6) || (c >= 0x20000 && c <= 0x3fffd)
               ? 2
               : 1;
}

static inline int columns_in(const char *s)
{
    int columns = 0;
    for (int n; *s; s += n)
        columns += columns_of(columns_character(s, &n));
    return columns;
}

#endif
