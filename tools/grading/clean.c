#include "clean.h"

#include <string.h>

/* Characters that turn the direction of a line, end it or are not seen: what follows them would not read as it is. */
static int is_unseen(unsigned code)
{
    return (code >= 0x200b && code <= 0x200f) || (code >= 0x2028 && code <= 0x202e) ||
           (code >= 0x2060 && code <= 0x206f) || code == 0x61c || code == 0xfeff || (code >= 0xe0000 && code < 0xe1000);
}

/* How many bytes the character takes, if it is one of UTF-8 that XML and JSON may contain; else 0. */
static int character(const unsigned char *p)
{
    static const unsigned least[] = {0, 0, 0x80, 0x800, 0x10000};
    int n = *p < 128 ? 1 : *p >= 0xc0 && *p < 0xe0 ? 2 : *p >= 0xe0 && *p < 0xf0 ? 3 : *p >= 0xf0 && *p < 0xf8 ? 4 : 0;
    unsigned code = n > 1 ? *p & (0x7f >> n) : *p;
    for (int i = 1; i < n; i++) {
        if ((p[i] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (p[i] & 0x3f);
    }
    int control = (code < 32 && code != '\n') || (code >= 127 && code < 160), none = (code & 0xfffe) == 0xfffe;
    int bad = code < least[n] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000) || none;
    return n == 0 || bad || control || is_unseen(code) ? 0 : n;
}

void clean_output(char *s)
{
    for (unsigned char *p = (unsigned char *)s; *p;) {
        int n = character(p);
        if (n == 0)
            *p = '?';
        p += n ? n : 1;
    }
}

void clean_line(char *s)
{
    clean_output(s);
    for (char *p; (p = strchr(s, '\n'));)
        *p = '?';
}
