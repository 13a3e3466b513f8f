/* cccl.c: CUB, Thrust and libcu++ are CCCL's headers. What textbooks use of them is in include/; a program that asks
 * for CUB or Thrust, or for a header that we have not, is given CCCL instead, where it is installed. */
#include "driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_cccl(const char *folder)
{
    return !access(format("%s/cub/cub.cuh", folder), R_OK) && !access(format("%s/cuda/std/version", folder), R_OK);
}

bool name_cccl(Driver *d)
{
    const char *named = d->options.cccl;
    d->cccl = NULL;
    if (!named || !strcmp(named, "none"))
        return false;
    if (!is_cccl(named))
        die("--cccl: there is no CCCL in %s (the folder that has cub, cuda and thrust)", named);
    d->cccl = named;
    return true;
}

/* Where it is usually installed, the course's own first; NULL: nowhere. */
static const char *find_cccl(const Driver *d)
{
    static const char *const usual[] = {"/usr/local/cuda/include/cccl", "/usr/include/cccl", "/usr/local/include/cccl"};
    const char *ours = format("%s/../build/cccl", d->home); /* tools/setup/need.sh cccl puts it there */
    if (d->options.cccl)
        return NULL;
    if (is_cccl(ours))
        return ours;
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        if (is_cccl(usual[i]))
            return usual[i];
    return NULL;
}

/* Does the program include a header of CCCL's that there is not? -MG lists what is missing by the name it has in the
 * program. */
static bool lacks_header(Driver *d, const char *file, const char *messages)
{
    static const char *const folders[] = {"cub/", "thrust/", "cuda/"};
    if (strstr(messages, "the CPU device does not have Thrust")) /* include/thrust says so */
        return true;
    const char *list = format("%s/needed", d->tmp);
    Words c = {0}, needed = {0};
    add_words(&c, &d->cxx);
    add_split(&c, "-M -MG -MF", " ");
    add(&c, list);
    add_preprocessor(d, &c, true);
    add(&c, file);
    run(d, &c, &(Redirect){.err = "/dev/null"});
    const char *text = read_file(list, NULL);
    add_split(&needed, text ? text : "", " \\\n");
    for (int i = 0; i < needed.n; i++)
        for (size_t k = 0; k < sizeof folders / sizeof *folders; k++)
            if (begins(needed.word[i], folders[k]) && access(needed.word[i], F_OK))
                return true;
    return false;
}

/* Of ours, thrust/complex.h is as good as CCCL's; PyTorch's headers include it. */
static bool uses_our_part(const Driver *d, const char *preprocessed)
{
    char *text = read_file(preprocessed, NULL), *folder = format("\"%s/include/thrust/", d->home);
    bool uses = false;
    for (const char *p = text; p && !uses && (p = strstr(p, folder)); p++)
        uses = !begins(p + strlen(folder), "complex.h");
    free(text);
    return uses;
}

bool choose_cccl(Driver *d, const char *file, const char *preprocessed, const char *messages)
{
    const bool lacks = messages && lacks_header(d, file, messages);
    if (!lacks && !uses_our_part(d, preprocessed))
        return false;
    d->cccl = find_cccl(d);
    if (!d->cccl && lacks) {
        fputs(messages, stderr);
        say("cucc: this header belongs to CCCL, which is not installed here: `tools/setup/need.sh cccl` in the "
            "course's folder, or --cccl DIR");
    }
    return d->cccl || lacks;
}
