/* gathers.c: has g++ made a gather whose index is a comparison, which g++ 12 to 14 do wrong?
 *
 * Of `table[a < b]` in a loop that they vectorise, where the processor has no instruction for it, they read the lanes of
 * the comparison's mask as if each were a number of 8 or 32 bits: with AVX-512 the mask has one bit a lane, without it
 * "true" is -1. (12.2.0, 13.2.0 and 14.2.0 do so, 10.2 and 16.2 do not.) What the vectoriser has made is asked for as text
 * (-fdump-tree-vect), for no diagnostic and no record of g++'s names it; a lane that is taken out of a vector of booleans is
 * the mark of it. Such a file is compiled again without the vectoriser of loops.
 *
 * So that nothing hangs on how a dump happens to be written, it is tried once on a loop that those compilers do wrong. Where
 * the mark is not seen there, no loop is vectorised. */
#include "kept.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The vectors of booleans that the function declares. */
static Words mask_names(const char *function)
{
    static const char vector[] = "\n  vector(", of_booleans[] = " <signed-boolean:";
    Words names = {0};
    for (const char *at = function; (at = strstr(at, vector));) {
        at++;
        const size_t len = strcspn(at, "\n");
        const char *name = at + len;
        while (name > at && name[-1] != ' ')
            name--;
        if (memmem(at, len, of_booleans, sizeof of_booleans - 1))
            add_format(&names, "%.*s", (int)strcspn(name, ";"), name);
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

static bool takes_lane_of_mask(const char *function)
{
    static const char lane[] = "BIT_FIELD_REF <";
    const Words masks = mask_names(function);
    for (const char *at = function; masks.n && (at = strstr(at, lane));) {
        at += strlen(lane);
        for (int i = 0; i < masks.n; i++)
            if (is_value_of(masks.word[i], at, strcspn(at, ",>")))
                return true;
    }
    return false;
}

bool has_mask_gathers(const char *dump)
{
    char *text = read_file(dump, NULL);
    bool found = false;
    for (char *function = text; function && !found;) {
        char *next = strstr(function, "\n;; Function ");
        if (next)
            *next++ = 0;
        found = takes_lane_of_mask(function);
        function = next;
    }
    free(text);
    return found;
}

/* Wrong with g++ 12 to 14 for x86-64, Haswell and AVX-512 alike. */
static const char probe[] = "void probe(unsigned *__restrict__ out, const unsigned *__restrict__ a, const unsigned "
                            "*__restrict__ table, unsigned n)\n"
                            "{\n"
                            "    for (int i = 0; i < 1024; i++) {\n"
                            "        unsigned v = a[i] < 5u;\n"
                            "        out[i] = n * table[v] * (v + 2u);\n"
                            "    }\n"
                            "}\n";

static bool sees_probe(Driver *d)
{
    const char *text = format("%s/probe.cc", d->tmp), *dump = format("%s/probe.vect", d->tmp);
    FILE *f = fopen(text, "w");
    if (!f || fputs(probe, f) < 0 || fclose(f))
        return false;
    Words c = {0};
    add_words(&c, &d->cxx);
    add_words(&c, &d->machine);
    add_format(&c, "-fdump-tree-vect=%s", dump);
    add_split(&c, "-O3 -w -c -o /dev/null", " ");
    add(&c, text);
    return !run(d, &c, NULL) && has_mask_gathers(dump);
}

bool sees_mask_gathers(Driver *d)
{
    const char *answer = format("%s/cucc-gathers", d->out), *driver = format("%s/cucc-driver", d->out);
    struct stat kept, built;
    char *known = !stat(answer, &kept) && !stat(driver, &built) && kept.st_mtime > built.st_mtime
                      ? read_file(answer, NULL)
                      : NULL;
    if (known && *known)
        return *known == 'y';
    const bool sees = sees_probe(d);
    const char *text = sees ? "yes\n" : "no\n";
    write_text(answer, text, strlen(text)); /* where it cannot be kept, it is asked again */
    return sees;
}
