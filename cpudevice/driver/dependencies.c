/* dependencies.c: files, their times, and the lists of the files that something was made from. */
#include "objects.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- files ---- */

Words files_in(const char *folder, const char *beginning, const char *ending)
{
    struct dirent **entries;
    Words found = {0};
    int n = scandir(folder, &entries, NULL, alphasort);
    for (int i = 0; i < n; i++)
        if (*entries[i]->d_name != '.' && begins(entries[i]->d_name, beginning) && ends(entries[i]->d_name, ending))
            add_format(&found, "%s/%s", folder, entries[i]->d_name);
    return found;
}

/* The files in the folder and its rooms that end so. */
static void add_files_below(Words *found, const char *folder, const char *ending)
{
    Words entries = files_in(folder, "", "");
    for (int i = 0; i < entries.n; i++) {
        struct stat st;
        if (!stat(entries.word[i], &st) && S_ISDIR(st.st_mode))
            add_files_below(found, entries.word[i], ending);
        else if (ends(entries.word[i], ending))
            add(found, entries.word[i]);
    }
}

Words files_below(const char *folder, const char *ending)
{
    Words found = {0};
    add_files_below(&found, folder, ending);
    return found;
}

bool newer(const char *file, struct timespec than)
{
    struct stat st;
    return !stat(file, &st) &&
           (st.st_mtim.tv_sec > than.tv_sec || (st.st_mtim.tv_sec == than.tv_sec && st.st_mtim.tv_nsec > than.tv_nsec));
}

bool file_has_text(const char *path, const char *text)
{
    char *is = read_file(path, NULL);
    const bool same = is && !strcmp(is, text);
    free(is);
    return same;
}

/* Whole or not at all; a file that has the text already keeps its time. */
int write_file(Driver *d, const char *path, const char *text)
{
    if (file_has_text(path, text))
        return 0;
    const char *made = format("%s/text", d->tmp);
    FILE *f = fopen(made, "w");
    if (!f)
        return 1;
    const bool written = fputs(text, f) != EOF;
    return (fclose(f) || !written || rename(made, path)) ? 1 : 0;
}

void make_folder(const char *path)
{
    char *part = format("%s", path);
    for (char *slash = part + 1; (slash = strchr(slash, '/')); *slash++ = '/') {
        *slash = 0;
        mkdir(part, 0777);
    }
    mkdir(part, 0777);
}

/* ---- dependencies ---- */

/* The path with its folder's real name; the file itself may be a link, and stays one. */
static const char *with_real_folder(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    char *folder = realpath(slash ? format("%.*s", (int)(name - path), path) : ".", NULL);
    return folder ? format("%s/%s", folder, name) : path;
}

/* What of the path is below the folder, or NULL. The compiler may name the same file otherwise than the driver does: ccache
 * with CCACHE_BASEDIR writes paths that are relative to the working folder. */
static const char *below(const char *folder, const char *path)
{
    const char *whole = format("%s/", folder), *real = realpath(folder, NULL), *from = with_real_folder(path);
    if (begins(path, whole))
        return path + strlen(whole);
    return real && begins(from, format("%s/", real)) ? from + strlen(real) + 1 : NULL;
}

/* A path in a list of files. One below cucc's folder or below that of the objects is written relative to it, so that it
 * is found again wherever these are then; any other is whole. */
static char *told(const Driver *d, const char *objects, const char *path)
{
    const char *rest = below(objects, path);
    if (rest)
        return format("objects %s", rest);
    rest = below(d->home, path);
    return rest ? format("home %s", rest) : format("at %s", *path == '/' ? path : with_real_folder(path));
}

static char *found(const Driver *d, const char *objects, const char *line)
{
    const char *path = line + strcspn(line, " ");
    path += *path != 0;
    return begins(line, "objects ") ? format("%s/%s", objects, path)
           : begins(line, "home ")  ? format("%s/%s", d->home, path)
                                    : format("%s", path);
}

/* The files of a rule as the compiler writes it for make. */
static Words files_of_rule(const char *rule)
{
    Words files = {0};
    const char *p = strchr(rule, ':');
    for (p = p ? p + 1 : ""; *p;) {
        char *word = must(malloc(strlen(p) + 1)), *to = word;
        while (*p && !strchr(" \t\n", *p)) {
            if (begins(p, "\\\n"))
                break;
            if ((*p == '\\' && p[1] && strchr(" \t#", p[1])) || begins(p, "$$"))
                p++;
            *to++ = *p++;
        }
        *to = 0;
        if (*word)
            add(&files, word);
        free(word);
        p += begins(p, "\\\n") ? 2 : *p != 0;
    }
    return files;
}

/* The rule that the compiler wrote to `rule` becomes the list `path`. */
int keep_dependencies(Driver *d, const char *objects, const char *rule, const char *path)
{
    char *text = read_file(rule, NULL), *list = "";
    if (!text)
        return 1;
    Words files = files_of_rule(text);
    for (int i = 0; i < files.n; i++)
        list = format("%s%s\n", list, told(d, objects, files.word[i]));
    return write_file(d, path, list);
}

/* Is one of the listed files newer, or gone? */
bool older_than_listed(const Driver *d, const char *objects, const Words *list, struct timespec than)
{
    for (int i = 0; i < list->n; i++) {
        const char *path = found(d, objects, list->word[i]);
        if (access(path, F_OK) || newer(path, than))
            return true;
    }
    return false;
}
