/* forms.h: a text with names and numbers in it is put into another language by a catalogue of forms. It is compared with
 * each form; of those that it has, the one with most letters of its own is meant. What stands for a conversion is put
 * into the other language in the same way. For one source file per program, which includes the catalogue:
 *
 *     SAY("%s of %zu bytes", "{2} 字节的 {1}")
 */
#ifndef RUNTIME_FORMS_H
#define RUNTIME_FORMS_H

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { FORM_HOLES = 9 };

typedef struct form {
    const char *english, *other;
} form;

typedef struct form_piece {
    const char *at;
    size_t length;
} form_piece;

typedef struct form_writer {
    const form *forms;
    int count;
    char *out;
    size_t bytes, used;
} form_writer;

/* COURSE_LANG, else LANG. */
static inline int form_is_chinese(void)
{
    const char *language = getenv("COURSE_LANG");
    if (!language || !*language)
        language = getenv("LANG");
    return language && !strncmp(language, "zh", 2);
}

/* How many letters of the text a conversion of a number or of a letter has made; 0: none. */
static inline size_t form_number(char conversion, form_piece text)
{
    static const char nowhere[] = "(nil)"; /* a null pointer */
    if (conversion == 'c')
        return text.length > 0;
    if (conversion == 'p' && text.length >= strlen(nowhere) && !strncmp(text.at, nowhere, strlen(nowhere)))
        return strlen(nowhere);
    size_t n = strspn(text.at, strchr("xp", conversion) ? "0123456789abcdefx" : "-0123456789.");
    n = n < text.length ? n : text.length;
    while (n && strchr(".-", text.at[n - 1])) /* a sentence's end, 32-byte sectors */
        n--;
    const size_t power = n + 2; /* of 1.2e-05 */
    if (n && strchr("eg", conversion) && power < text.length && text.at[n] == 'e' && strchr("+-", text.at[n + 1])) {
        const size_t digits = strspn(text.at + power, "0123456789");
        n = digits && power + digits <= text.length ? power + digits : n;
    }
    return n;
}

/* The blanks before a number whose conversion has a width, as %4d has. */
static inline size_t form_blanks(const char *conversion, form_piece text)
{
    const size_t n = *conversion >= '1' && *conversion <= '9' ? strspn(text.at, " ") : 0;
    return n < text.length ? n : text.length;
}

/* Has the text this form? The pieces that stand for its conversions go into `pieces`, its own letters are counted. A %s
 * may be empty. */
static inline int form_fits(const char *own, form_piece text, form_piece *pieces, int count, int *letters)
{
    for (; *own; own++, text.at++, text.length--) {
        if (*own == '%' && own[1] != '%') {
            const char *conversion = own + 1 + strspn(own + 1, "0123456789.-lz*");
            const size_t blanks = *conversion != 's' && text.length ? form_blanks(own + 1, text) : 0;
            text.at += blanks, text.length -= blanks;
            const size_t number = *conversion == 's' ? 0 : form_number(*conversion, text);
            if (count == FORM_HOLES || (*conversion != 's' && !number))
                return 0;
            for (size_t n = number; n <= (number ? number : text.length); n++) {
                const int before = *letters;
                pieces[count] = (form_piece){text.at, n};
                if (form_fits(conversion + 1, (form_piece){text.at + n, text.length - n}, pieces, count + 1, letters))
                    return 1;
                *letters = before;
            }
            return 0;
        }
        own += *own == '%';
        if (!text.length || *own != *text.at)
            return 0;
        ++*letters;
    }
    return !text.length;
}

/* A blank between two Chinese characters, which a piece has brought, is left out. */
static inline void form_put(form_writer *w, char c)
{
    if (w->used > 1 && (c & 0x80) && w->out[w->used - 1] == ' ' && (w->out[w->used - 2] & 0x80))
        w->used--;
    if (w->used + 1 < w->bytes && !(c == ' ' && w->used && w->out[w->used - 1] == ' '))
        w->out[w->used++] = c;
}

static inline void form_put_text(form_writer *w, form_piece english)
{
    form_piece pieces[FORM_HOLES], best[FORM_HOLES];
    const char *other = NULL;
    int most = 0;
    for (int i = 0; i < w->count; i++) {
        int letters = 0;
        if (form_fits(w->forms[i].english, english, pieces, 0, &letters) && letters > most) {
            most = letters, other = w->forms[i].other;
            memcpy(best, pieces, sizeof best);
        }
    }
    for (size_t i = 0; !other && i < english.length && w->used + 1 < w->bytes; i++)
        w->out[w->used++] = english.at[i]; /* as it is: a table's blanks mean something */
    for (const char *p = other; p && *p; p++)
        if (*p == '{' && p[1] >= '1' && p[1] <= '0' + FORM_HOLES && p[2] == '}') {
            form_put_text(w, best[p[1] - '1']);
            p += 2;
        } else {
            form_put(w, *p);
        }
}

/* The text in the other language, or as it is. Returns `out`. */
static inline const char *form_text(const form *forms, int count, const char *english, char *out, size_t bytes)
{
    form_writer w = {forms, count, out, bytes, 0};
    form_put_text(&w, (form_piece){english, strlen(english)});
    if (w.used + 1 == bytes) /* no part of a character where the room ends */
        while (w.used && out[--w.used] & 0x80 && (out[w.used] & 0xc0) == 0x80)
            continue;
    out[w.used] = 0;
    return out;
}

#endif
