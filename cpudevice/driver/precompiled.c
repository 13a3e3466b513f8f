/* precompiled.c: what every CUDA file begins with, cuda_runtime.h, is read by g++ once and kept (a precompiled header).
 *
 * g++ spends a fifth of a second on those 25,000 lines. After the preprocessor and cucc-compile they are the same text in
 * most files; where they are, byte for byte, and the options of g++ too, what it made of them the first time is loaded
 * in their place: `#pragma GCC pch_preprocess`, as `g++ -fpch-preprocess` writes it. A text is precompiled when it comes
 * a second time. In OUT/precompiled, for a key made of options and text:
 *
 *   KEY.options, KEY.ii   both, to be compared
 *   KEY.gch               what g++ made of them; empty where it does not work here
 *
 * The files used last stay. With CUCC_PCH=1 a text is precompiled when it first comes, with CUCC_PCH=0 never; with
 * CUCC_PCH=kept what is there is loaded, and nothing new is kept. Not for clang, whose precompiled headers are of another
 * kind. */
#include "kept.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* The file that the line is in, for g++, with which it is asked for; what g++ says of this place is about that. */
#define PLACE "<cucc precompiled>"

enum { MOST_FILES = 24 }; /* eight keys, of 20 MB each */

/* KEY.gch; under the lock of KEY.ii, which is tried and never waited for. */
static void precompile(Driver *d, const Words *options, const char *folder, const char *key)
{
    const char *text = format("%s.ii", key), *gch = format("%s.gch", key), *part = format("%s.part", gch);
    const char *messages = format("%s/precompiled.messages", d->tmp);
    const int lock = open(text, O_RDONLY | O_CLOEXEC);
    if (lock < 0 || flock(lock, LOCK_EX | LOCK_NB) || !access(gch, F_OK)) {
        close(lock);
        return;
    }
    Words c = {0};
    add_words(&c, &d->cxx);
    add_split(&c, "-x c++-header -fpreprocessed", " ");
    add_words(&c, options);
    add(&c, text);
    add(&c, "-o");
    add(&c, part);
    const int status = run(d, &c, &(Redirect){.err = messages});
    size_t said = 0;
    char *words = read_file(messages, &said);
    free(words);
    if (status || said) { /* what it has to say belongs to each compilation */
        unlink(part);
        write_text(gch, "", 0);
    } else
        rename(part, gch);
    remove_oldest(folder, MOST_FILES);
    close(lock);
}

/* ---- for translate.c ---- */

const char *with_precompiled(Driver *d, const Words *options, const char *file)
{
    Part part;
    const char *text = keeps_headers(d) ? read_file(file, NULL) : NULL;
    if (!text || !find_part(text, &part))
        return NULL;
    const char *lines = as_lines(options);
    const size_t n = strlen(lines), size = (size_t)(part.end - part.first);
    const char *folder = format("%s/precompiled", d->out);
    const char *key = format("%s/%s", folder, key_of(lines, part.first, size)), *gch = format("%s.gch", key);
    const char *kept[] = {format("%s.options", key), format("%s.ii", key), gch};
    const bool keeps = !wants_kept("kept");
    if (keeps && access(kept[0], F_OK)) { /* for the first time */
        mkdir(folder, 0777);
        const bool written = write_text(kept[1], part.first, size) && write_text(kept[0], lines, n);
        if (!written || !wants_kept("1"))
            return NULL;
    }
    if (!has_text(kept[0], lines, n) || !has_text(kept[1], part.first, size))
        return NULL;
    if (keeps && access(gch, F_OK))
        precompile(d, options, folder, key);
    for (int i = 0; i < 3; i++)
        utimensat(AT_FDCWD, kept[i], NULL, 0);
    struct stat st;
    if (stat(gch, &st) || !st.st_size)
        return NULL;
    const char *rest = format("%s/rest.ii", d->tmp);
    const char *loads = format("# 1 \"" PLACE "\"\n#pragma GCC pch_preprocess \"%s\"\n# 0 \"<command-line>\"\n", gch);
    d->precompiled = gch;
    return write_with(rest, text, &part, loads) ? rest : NULL;
}

bool refused_precompiled(Driver *d, const Diagnostics *said)
{
    bool refused = false;
    for (int i = 0; i < said->n; i++)
        refused |= said->d[i].kind == D_ERROR && said->d[i].file && !strcmp(said->d[i].file, PLACE);
    if (!d->precompiled || !refused)
        return false;
    write_text(d->precompiled, "", 0);
    return true;
}
