/* kept.c: what precompiled.c and preprocessed.c share: cuda_runtime.h's part of a preprocessed text, and folders of
 * files that are kept from one compilation for the next; and how anything is kept that is asked of a compiler. */
#include "kept.h"

#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool keeps_headers(const Driver *d)
{
    return !d->clang && d->cxx.n == 1 && !d->options.dry_run && !wants_kept("0") && !strpbrk(d->out, "\"\\\n");
}

bool wants_kept(const char *value)
{
    const char *wanted = getenv("CUCC_PCH");
    return wanted && !strcmp(wanted, value);
}

/* ---- the text ---- */

const char *next_line(const char *at) { return at + strcspn(at, "\n") + (strchr(at, '\n') != NULL); }

bool is_marker(const char *line, const char *name_end, const char *flags)
{
    if (strncmp(line, "# ", 2))
        return false;
    const char *open = line + 2 + strspn(line + 2, "0123456789"), *close = open + strcspn(open, "\n");
    const char *end = format("%s\"%s", name_end, flags);
    return !strncmp(open, " \"", 2) && close - open > (long)strlen(end) &&
           !strncmp(close - strlen(end), end, strlen(end));
}

bool find_part(const char *text, Part *part)
{
    const char *at = text;
    for (; *at && !is_marker(at, "<command-line>", ""); at = next_line(at))
        ;
    part->first = at;
    for (; *at && !is_marker(at, "/cuda_runtime.h", " 1 3 4"); at = next_line(at))
        ;
    for (; *at && !is_marker(at, "<command-line>", " 2"); at = next_line(at))
        ;
    part->end = next_line(at);
    return *at != 0;
}

bool write_with(const char *path, const char *text, const Part *part, const char *instead)
{
    FILE *f = fopen(path, "w");
    if (!f)
        return false;
    fwrite(text, 1, (size_t)(part->first - text), f);
    fprintf(f, "%s%s", instead, part->end);
    const bool whole = !ferror(f);
    return !fclose(f) && whole;
}

/* ---- the files ---- */

char *as_lines(const Words *words)
{
    size_t n = 1;
    for (int i = 0; i < words->n; i++)
        n += strlen(words->word[i]) + 1;
    char *text = must(calloc(n, 1)), *to = text;
    for (int i = 0; i < words->n; i++)
        to += sprintf(to, "%s\n", words->word[i]);
    return text;
}

/* FNV-1a, http://www.isthe.com/chongo/tech/comp/fnv/ */
static uint64_t hash(uint64_t h, const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++)
        h = (h ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
    return h;
}

char *key_of(const char *options, const char *text, size_t n)
{
    const uint64_t start = UINT64_C(0xcbf29ce484222325);
    return format("%016llx", (unsigned long long)hash(hash(start, options, strlen(options)), text, n));
}

bool has_text(const char *path, const char *text, size_t n)
{
    size_t size = 0;
    char *is = read_file(path, &size);
    const bool same = is && size == n && !memcmp(is, text, n);
    free(is);
    return same;
}

bool write_text(const char *path, const char *text, size_t n)
{
    const char *part = format("%s.%ld", path, (long)getpid());
    FILE *f = fopen(part, "w");
    bool written = f && fwrite(text, 1, n, f) == n;
    written &= f && !fclose(f);
    if (written && !rename(part, path))
        return true;
    unlink(part);
    return false;
}

static int64_t used_at(const char *path)
{
    struct stat st;
    return stat(path, &st) ? 0 : (int64_t)st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec;
}

static int later(const void *a, const void *b)
{
    const int64_t left = used_at(*(char *const *)a), right = used_at(*(char *const *)b);
    return left > right ? -1 : left < right;
}

void remove_oldest(const char *folder, int most)
{
    DIR *open = opendir(folder);
    Words files = {0};
    for (struct dirent *e; open && (e = readdir(open));)
        if (*e->d_name != '.')
            add_format(&files, "%s/%s", folder, e->d_name);
    if (open)
        closedir(open);
    if (files.n)
        qsort(files.word, (size_t)files.n, sizeof *files.word, later);
    for (int i = most; i < files.n; i++)
        unlink(files.word[i]);
}
