/* profiler_writer.c: buffered output and escaping. See profiler_writer.h; prof_json_string() and prof_can_write() are
 * in profiler_core.h. */
#include "profiler_writer.h"

#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

void prof_write_out(prof_writer *w)
{
    for (size_t at = 0; at < w->used && !w->failed;) {
        ssize_t n = write(w->fd, w->buffer + at, w->used - at);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            w->failed = n < 0 ? errno : EIO;
        else
            at += (size_t)n;
    }
    w->used = 0;
}

void prof_put_text(prof_writer *w, const char *s)
{
    size_t n = strlen(s);
    while (n) {
        prof_make_room(w, WRITER_SLACK);
        size_t k = n < WRITER_SLACK / 2 ? n : WRITER_SLACK / 2;
        memcpy(w->buffer + w->used, s, k);
        w->used += k;
        s += k;
        n -= k;
    }
    prof_make_room(w, WRITER_SLACK);
}

void prof_put_number(prof_writer *w, uint64_t v)
{
    char digits[20];
    int n = 0;
    do
        digits[n++] = (char)('0' + v % 10);
    while (v /= 10);
    char *p = w->buffer + w->used;
    w->used += (size_t)n;
    while (n)
        *p++ = digits[--n];
}

void prof_put_us(prof_writer *w, uint64_t ns)
{
    prof_put_number(w, ns / 1000);
    unsigned r = (unsigned)(ns % 1000);
    char *p = w->buffer + w->used;
    p[0] = '.';
    p[1] = (char)('0' + r / 100);
    p[2] = (char)('0' + r / 10 % 10);
    p[3] = (char)('0' + r % 10);
    w->used += 4;
}

/* Length of the UTF-8 sequence at s, or 0 where it is none. */
static int utf8_length(const unsigned char *s)
{
    int n = s[0] < 0x80                   ? 1
            : s[0] >= 0xc2 && s[0] < 0xe0 ? 2
            : s[0] >= 0xe0 && s[0] < 0xf0 ? 3
            : s[0] >= 0xf0 && s[0] < 0xf5 ? 4
                                          : 0;
    for (int i = 1; i < n; i++)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    if (n == 3 && ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] >= 0xa0)))
        return 0;
    if (n == 4 && ((s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] >= 0x90)))
        return 0;
    return n;
}

char *prof_escape(const char *text)
{
    char *out = malloc(strlen(text) * 6 + 1), *p = out;
    if (!out)
        return NULL;
    for (const unsigned char *s = (const unsigned char *)text; *s;) {
        int n = utf8_length(s);
        if (*s == '"' || *s == '\\') {
            *p++ = '\\';
            *p++ = (char)*s++;
        } else if (*s == '\n' || *s == '\t') {
            *p++ = '\\';
            *p++ = *s++ == '\n' ? 'n' : 't';
        } else if (*s < 0x20 || *s == 0x7f) {
            p += sprintf(p, "\\u%04x", *s++);
        } else if (n) {
            while (n--)
                *p++ = (char)*s++;
        } else {
            *p++ = '?';
            s++;
        }
    }
    *p = 0;
    return out;
}

void prof_json_string(FILE *out, const char *text)
{
    char *e = prof_escape(text);
    fputc('"', out);
    for (const char *p = e ? e : "?"; *p; p++)
        if (*p == '<') /* no way out of HTML's <script> */
            fputs("\\u003c", out);
        else
            fputc(*p, out);
    fputc('"', out);
    free(e);
}

void prof_csv_text(FILE *out, const char *s)
{
    if (!strpbrk(s, ",\"\n\r")) {
        fputs(s, out);
        return;
    }
    fputc('"', out);
    for (; *s; s++) {
        if (*s == '"')
            fputc('"', out);
        fputc(*s, out);
    }
    fputc('"', out);
}

int prof_can_write(const char *path)
{
    struct stat st;
    char folder[PATH_MAX];
    if (!stat(path, &st)) { /* nothing is opened: it may be a pipe */
        errno = EISDIR;
        return !S_ISDIR(st.st_mode) && !access(path, W_OK);
    }
    size_t n = strlen(path);
    if (n == 0 || n >= sizeof folder || path[n - 1] == '/') {
        errno = n == 0 ? ENOENT : n >= sizeof folder ? ENAMETOOLONG : EISDIR;
        return 0;
    }
    memcpy(folder, path, n + 1);
    return !access(dirname(folder), W_OK | X_OK);
}
