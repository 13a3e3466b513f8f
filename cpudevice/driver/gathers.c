/* gathers.c: has g++ made a gather whose index is a comparison, which g++ 12 and 13 do wrong?
 *
 * Of `table[a < b]` in a loop that they vectorise, where the processor has no instruction for it, they read the lanes of
 * the comparison's mask as if each were a number of 8 or 32 bits: with AVX-512 the mask has one bit a lane, without it
 * "true" is -1. (12.2.0 and 13.2.0 do so, 10.2, 14.2 and 16.2 do not.) What the vectoriser has made is asked for as text
 * (-fdump-tree-vect); a lane that is taken out of a vector of booleans is the mark of it. Such a file is compiled again
 * without the vectoriser of loops. */
#include "driver.h"

#include <stdlib.h>
#include <string.h>

/* The vectors of booleans that the function's text [at, end) declares. */
static Words mask_names(const char *at, const char *end)
{
    Words names = {0};
    while ((at = strstr(at, "\n  vector(")) && at < end) {
        at++;
        const char *line_end = at + strcspn(at, "\n"), *is_mask = strstr(at, " <signed-boolean:"), *name = line_end;
        while (name > at && name[-1] != ' ')
            name--;
        if (is_mask && is_mask < line_end)
            add_format(&names, "%.*s", (int)strcspn(name, ";"), name);
        at = line_end;
    }
    return names;
}

/* A value is named by its variable and a number, or by the number alone: mask__32.18_136, _136. */
static bool is_value_of(const char *name, const char *value, size_t len)
{
    size_t n = strlen(name);
    if (n > len || memcmp(name, value, n))
        return false;
    return n == len || (value[n] == '_' && n + 1 + strspn(value + n + 1, "0123456789") == len);
}

bool has_mask_gathers(const char *dump)
{
    static const char lane[] = "BIT_FIELD_REF <", function[] = "\n;; Function ";
    char *text = read_file(dump, NULL);
    const char *start = text;
    bool found = false;
    while (start && !found) {
        const char *next = strstr(start, function), *end = next ? next : start + strlen(start);
        Words masks = mask_names(start, end);
        for (const char *at = start; masks.n && !found && (at = strstr(at, lane)) && at < end;) {
            at += strlen(lane);
            for (int i = 0; i < masks.n && !found; i++)
                found = is_value_of(masks.word[i], at, strcspn(at, ",>"));
        }
        start = next ? next + 1 : NULL;
    }
    free(text);
    return found;
}
