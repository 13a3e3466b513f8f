/* submissions.c: what was handed in. Nothing of it is run; an archive is unpacked, and a git checkout asked for its
 * last commit, in a sandbox, since both are programs that read what a stranger wrote. */
#include "grading.h"
#include "sandbox.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

enum { MOST_FILES = 4000, MOST_DEPTH = 8, MOST_FILE_BYTES = 1 << 18, UNPACK_S = 60 };
/* Whichever of the three is there. */
#define UNZIP                                                                                                          \
    "{ if command -v unzip; then unzip -qq -o \"$archive\"; elif command -v bsdtar; then bsdtar -xf \"$archive\"; "    \
    "elif command -v python3; then python3 -m zipfile -e \"$archive\" .; else echo 'unzip is not installed' >&2; "     \
    "false; fi; } >/dev/null </dev/null"
#define MEGABYTE ((size_t)1 << 20)

/* ---- names ------------------------------------------------------------------------------------------------------ */

static const char *const endings[] = {".zip", ".tar.gz", ".tar.xz", ".tar.bz2", ".tgz", ".tar"};

static int archive_ending(const char *name)
{
    size_t n = strlen(name);
    for (int i = 0; i < (int)(sizeof endings / sizeof endings[0]); i++) {
        size_t k = strlen(endings[i]);
        if (n > k && strcasecmp(name + n - k, endings[i]) == 0)
            return i;
    }
    return -1;
}

char *student_of(const char *path)
{
    char *plain = copy(path);
    for (size_t n = strlen(plain); n > 1 && plain[n - 1] == '/'; n--)
        plain[n - 1] = 0;
    char *name = copy(base_name(plain));
    int ending = archive_ending(name);
    if (ending >= 0)
        name[strlen(name) - strlen(endings[ending])] = 0;
    for (char *p = name; *p; p++)
        if (!((*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') || (*p >= '0' && *p <= '9') || strchr("-_.@+", *p) ||
              (unsigned char)*p >= 128))
            *p = '_';
    clean_output(name);
    for (char *p; (p = strchr(name, '?'));)
        *p = '_';
    if (strchr(".-+@", name[0])) /* no hidden folder, no option, no formula */
        name[0] = '_';
    free(plain);
    return name;
}

/* ---- files ------------------------------------------------------------------------------------------------------ */

/* Calls `see` for each regular file of the folder whose name ends in .cu; follows no link. */
typedef struct Walk {
    void (*see)(struct Walk *w, const char *path, const struct stat *st);
    int files;
    void *user;
} Walk;

static void walk(Walk *w, const char *folder, int depth)
{
    struct dirent **entry;
    int n = scandir(folder, &entry, NULL, alphasort);
    for (int i = 0; i < n; i++) {
        const char *name = entry[i]->d_name;
        char *path = text("%s/%s", folder, name);
        struct stat st;
        if (strcmp(name, ".") != 0 && strcmp(name, "..") != 0 && strcmp(name, ".git") != 0 &&
            strcmp(name, "__MACOSX") != 0 && w->files < MOST_FILES && lstat(path, &st) == 0) {
            w->files++;
            if (S_ISDIR(st.st_mode) && depth < MOST_DEPTH)
                walk(w, path, depth + 1);
            else if (S_ISREG(st.st_mode) && ends_with(name, ".cu"))
                w->see(w, path, &st);
        }
        free(path), free(entry[i]);
    }
    if (n >= 0)
        free(entry);
}

static void see_time(Walk *w, const char *path, const struct stat *st)
{
    long *newest = w->user;
    (void)path;
    if (st->st_mtime > *newest)
        *newest = st->st_mtime;
}

/* ---- unpacking -------------------------------------------------------------------------------------------------- */

static void unreadable(Submission *s, const char *why)
{
    free(s->why);
    s->why = copy(why);
}

/* Into its own /tmp, whose size is limited; only files that could be an exercise's are brought out, and not many. */
static void unpack(const Grading *g, Submission *s, const char *archive)
{
    char *to = text("%s/unpacked/%s", g->folder, s->student);
    char *script =
        text("mkdir /tmp/in && cd /tmp/in && %s && find . -type f -name '*.cu' -size -%dk | head -n 500 | "
             "while IFS= read -r f; do cp --parents -- \"$f\" '%s'/ || exit 1; done",
             ends_with(archive, "zip") || ends_with(archive, "ZIP") ? UNZIP : "tar -xf \"$archive\" --no-same-owner",
             MOST_FILE_BYTES / 1024, to);
    Sandbox box = {.cpu_s = UNPACK_S,
                   .wall_s = 2 * UNPACK_S,
                   .memory_bytes = 512 * MEGABYTE,
                   .file_bytes = 32 * MEGABYTE,
                   .tmp_bytes = 64 * MEGABYTE,
                   .output_bytes = 4096,
                   .unsafe = g->unsafe,
                   .groups = g->groups};
    char *set = text("archive=%s", archive);
    const char *words[] = {"/bin/sh", "-c", script};
    for (int i = 0; i < 3; i++)
        list_add(&box.command, words[i]);
    list_add(&box.set, set);
    list_add(&box.readable, archive), list_add(&box.writable, to);
    remove_tree(to);
    if (strchr(to, '\'') || make_folders(to))
        die(1, "cannot make %s", to);
    sandbox_run(&box);
    if (box.status == 0) {
        s->root = to;
    } else {
        char *first = text("the archive cannot be unpacked: %.*s", (int)strcspn(box.err, "\n"), box.err);
        unreadable(s, box.stopped ? box.stopped : first);
        free(first), free(to);
    }
    sandbox_free(&box);
    free(script), free(set);
}

/* When the last commit of a checkout was made; 0 where git does not say. */
static long commit_time(const Grading *g, const char *folder)
{
    Sandbox box = {.cpu_s = 10,
                   .wall_s = 20,
                   .memory_bytes = 512 * MEGABYTE,
                   .file_bytes = MEGABYTE,
                   .output_bytes = 4096,
                   .unsafe = g->unsafe,
                   .groups = g->groups};
    const char *words[] = {"git", "-c", "safe.directory=*", "-C", folder, "log", "-1", "--format=%ct"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        list_add(&box.command, words[i]);
    list_add(&box.readable, folder);
    sandbox_run(&box);
    long time = box.status == 0 ? atol(box.out) : 0;
    sandbox_free(&box);
    return time;
}

/* ---- all -------------------------------------------------------------------------------------------------------- */

static Submission submission_of(const Grading *g, const char *path)
{
    Submission s = {.student = student_of(path), .path = copy(path)};
    char *real = realpath(path, NULL), *git = text("%s/.git", path);
    struct stat st;
    if (!real || stat(real, &st) != 0) {
        unreadable(&s, strerror(errno));
    } else if (S_ISDIR(st.st_mode)) {
        Walk w = {.see = see_time, .user = &s.time};
        walk(&w, real, 0);
        s.root = copy(real);
        if (file_exists(git)) {
            long time = commit_time(g, real);
            s.time = time ? time : s.time;
        }
    } else if (S_ISREG(st.st_mode) && archive_ending(path) >= 0) {
        s.time = st.st_mtime;
        unpack(g, &s, real);
    } else {
        unreadable(&s, "it is neither a folder nor an archive (.zip, .tar, .tar.gz, .tar.xz)");
    }
    free(real), free(git);
    return s;
}

static int by_student(const void *a, const void *b)
{
    const Submission *x = a, *y = b;
    int order = strcmp(x->student, y->student);
    if (order)
        return order;
    if (!x->root != !y->root)
        return x->root ? -1 : 1;
    return x->time != y->time ? (x->time < y->time) - (x->time > y->time) : strcmp(x->path, y->path);
}

Submissions submissions_find(const Grading *g, const List *paths, long due)
{
    Submissions all = {calloc((size_t)paths->count + 1, sizeof *all.at), paths->count};
    for (int i = 0; i < paths->count; i++)
        all.at[i] = submission_of(g, paths->item[i]);
    qsort(all.at, (size_t)all.count, sizeof *all.at, by_student);
    for (int i = 0; i < all.count; i++) {
        Submission *s = &all.at[i];
        s->late = due && s->time > due;
        if (i > 0 && strcmp(s->student, all.at[i - 1].student) == 0)
            s->instead = all.at[i - 1].instead ? all.at[i - 1].instead : all.at[i - 1].path;
    }
    return all;
}

/* Files that may be the exercise: by their place in the course's folders, or by the first line of their text. */
typedef struct Search {
    const Exercise *e;
    List by_place, by_title;
} Search;

static int has_title(const char *path, const char *number)
{
    char *content = file_read(path, NULL), *title = text("/* Exercise %s ", number);
    int has = content && starts_with(content, title);
    free(content), free(title);
    return has;
}

static void see_candidate(Walk *w, const char *path, const struct stat *st)
{
    Search *s = w->user;
    char *place = text("/%s", s->e->path);
    if (strstr(path, "/exercises/kept/") || st->st_size > MOST_FILE_BYTES)
        ;
    else if (ends_with(path, place))
        list_add(&s->by_place, path);
    else if (has_title(path, s->e->number))
        list_add(&s->by_title, path);
    free(place);
}

char *submission_file(const Submission *s, const Exercise *e, char **why)
{
    Search search = {.e = e};
    Walk w = {.see = see_candidate, .user = &search};
    char *found = NULL;
    if (s->root)
        walk(&w, s->root, 0);
    const List *from = search.by_place.count ? &search.by_place : &search.by_title;
    if (from->count > 0)
        found = copy(from->item[0]);
    if (from->count > 1)
        *why = text("there are %d files of exercise %s; graded is %s", from->count, e->number,
                    found + strlen(s->root) + 1);
    list_free(&search.by_place), list_free(&search.by_title);
    return found;
}

char *work_folder(const Grading *g, const Submission *s, const Exercise *e)
{
    return text("%s/work/%s/%s", g->folder, s->student, e->number);
}
