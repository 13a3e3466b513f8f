/* compiler.c: what the driver asks of the C++ compiler before it compiles: its version, and the machine that it makes
 * programs for. That was 2 ms of each call. g++ has both in itself, so they are kept in OUT/cucc-cxx, after what tells this
 * g++ from any other:
 *
 *   PATH SIZE SECONDS.NANOSECONDS INODE    of the program's file, which links lead to
 *   12
 *   x86_64-linux-gnu
 *
 * A script or ccache goes on to a compiler that it looks for, and clang reads files of options: these are asked each time. */
#include "kept.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_program(const char *path)
{
    struct stat st;
    return !stat(path, &st) && S_ISREG(st.st_mode) && !access(path, X_OK);
}

/* The file that runs under this name, or NULL. */
static const char *program_named(const char *name)
{
    const char *path = getenv("PATH");
    if (strchr(name, '/'))
        return is_program(name) ? name : NULL;
    for (const char *at = path; at; at = strchr(at, ':') ? strchr(at, ':') + 1 : NULL) {
        const int n = (int)strcspn(at, ":");
        const char *file = format("%.*s/%s", n ? n : 1, n ? at : ".", name);
        if (is_program(file))
            return file;
    }
    return NULL;
}

/* Is it a g++ itself? It gives the programs that it starts its options in this variable. */
static bool is_gcc(const char *file)
{
    static const char elf[] = "\177ELF", variable[] = "COLLECT_GCC_OPTIONS";
    size_t n = 0;
    char *text = read_file(file, &n);
    const bool is =
        text && n > strlen(elf) && !memcmp(text, elf, strlen(elf)) && memmem(text, n, variable, strlen(variable));
    free(text);
    return is;
}

static const char *answer(Driver *d, const char *option)
{
    Words ask = {0};
    add_words(&ask, &d->cxx);
    add(&ask, option);
    return output_of(d, &ask);
}

/* Sets what is known of the compiler, where it is one of which something may be kept; at the first call only. */
static void recall(Driver *d)
{
    struct stat st;
    if (d->cxx_recalled)
        return;
    d->cxx_recalled = true;
    const char *name = d->cxx.n == 1 && !d->clang ? program_named(d->cxx.word[0]) : NULL;
    const char *file = name ? realpath(name, NULL) : NULL, *kept = format("%s/cucc-cxx", d->out);
    if (!file || stat(file, &st))
        return;
    const char *is = format("%s %lld %lld.%09ld %llu", file, (long long)st.st_size, (long long)st.st_mtim.tv_sec,
                            st.st_mtim.tv_nsec, (unsigned long long)st.st_ino);
    Words known = {0};
    const char *text = read_file(kept, NULL);
    add_split(&known, text ? text : "", "\n");
    if (known.n == 3 && !strcmp(known.word[0], is)) {
        d->cxx_version = known.word[1];
        d->cxx_machine = known.word[2];
    } else if (is_gcc(file)) {
        d->cxx_version = answer(d, "-dumpversion");
        d->cxx_machine = answer(d, "-dumpmachine");
        text = format("%s\n%s\n%s\n", is, d->cxx_version, d->cxx_machine);
        write_text(kept, text, strlen(text));
    }
}

int compiler_version(Driver *d)
{
    recall(d);
    if (!d->cxx_version)
        d->cxx_version = answer(d, "-dumpversion");
    return atoi(d->cxx_version);
}

const char *compiler_machine(Driver *d)
{
    recall(d);
    if (!d->cxx_machine)
        d->cxx_machine = answer(d, "-dumpmachine");
    return d->cxx_machine;
}
