/* submissions.c: what was handed in. Nothing of it is run; an archive is unpacked, and a git checkout asked for its
 * last commit, in a sandbox, since both are programs that read what a stranger wrote. */
#include "clean.h"
#include "grading.h"
#include "plain.h"
#include "sandbox.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

enum { MOST_FILES = 4000, MOST_DEPTH = 8, UNPACK_S = 60, MOST_NAME = 100 };
/* Whichever of the three is there; unzip's status 1 is a warning (names with backslashes, say). What can be unpacked of an
 * archive is, beside a name that this system cannot make; a full disk is no such thing. */
#define UNZIP                                                                                                          \
    "if command -v unzip; then unzip -qq -o \"$archive\" || [ $? = 1 ]; elif command -v bsdtar; then bsdtar -xf "      \
    "\"$archive\"; elif command -v python3; then python3 -m zipfile -e \"$archive\" .; else echo 'unzip is not "       \
    "installed' >&2; false; fi"
#define UNTAR "tar -xf \"$archive\" --no-same-owner --no-same-permissions"
#define UNPACK                                                                                                         \
    "mkdir /tmp/in && cd /tmp/in && { { %s; } >/dev/null </dev/null 2>/tmp/err; unpacked=$?; chmod -R u+rwX . ; "      \
    "find . -type f -name '*.cu' -print0 | head -z -n 500 | xargs -0 -r cp --parents -t \"$to\" -- 2>>/tmp/err; "      \
    "cat /tmp/err >&2; [ $unpacked -lt 128 ] && ! grep -q -e 'No space left' -e 'File too large' /tmp/err && "         \
    "{ [ $unpacked = 0 ] || [ -n \"$(find \"$to\" -type f | head -n 1)\" ]; }; }"
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

/* The last part of a path without what an archive's name ends in; of "." the folder's own name. */
static char *raw_name(const char *path)
{
    char *plain = copy(path);
    for (size_t n = strlen(plain); n > 1 && plain[n - 1] == '/'; n--)
        plain[n - 1] = 0;
    const char *last = base_name(plain);
    char *real = strcmp(last, ".") == 0 || strcmp(last, "..") == 0 ? realpath(plain, NULL) : NULL;
    char *name = copy(base_name(real ? real : plain));
    int ending = archive_ending(name);
    if (ending >= 0)
        name[strlen(name) - strlen(endings[ending])] = 0;
    free(plain), free(real);
    return name;
}

/* With eight digits that stand for all of `raw`: names that were cut, or from which characters were taken, stay different. */
static char *with_digits(const char *name, const char *raw)
{
    size_t n = strlen(name) < MOST_NAME ? strlen(name) : MOST_NAME;
    while (n && n < strlen(name) && ((unsigned char)name[n] & 0xc0) == 0x80)
        n--;
    return text("%.*s_%08x", (int)n, name, (unsigned)hash_bytes(HASH_START, raw, strlen(raw)));
}

char *student_of(const char *path)
{
    char *raw = raw_name(path), *name = copy(raw);
    for (char *p = name; *p; p++)
        if (!((*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') || (*p >= '0' && *p <= '9') || strchr("-_.@+", *p) ||
              (unsigned char)*p >= 128))
            *p = '_';
    clean_line(name);
    for (char *p; (p = strchr(name, '?'));)
        *p = '_';
    if (!*name || strchr(".-+@", name[0])) { /* no hidden folder, no option, no formula */
        char *more = text("_%s", *name ? name + 1 : "");
        free(name), name = more;
    }
    if (strlen(name) > MOST_NAME) {
        char *less = with_digits(name, raw);
        free(name), name = less;
    }
    free(raw);
    return name;
}

/* ---- files ------------------------------------------------------------------------------------------------------ */

/* Calls `see` for each regular file of the folder whose name ends in .cu; follows no link, and looks neither into the
 * grader's own course nor into its grades, which may lie in a submission. */
typedef struct Walk {
    void (*see)(struct Walk *w, const char *path, const struct stat *st);
    const Grading *g;
    int files;
    int error; /* of a folder or file that could not be looked at */
    void *user;
} Walk;

static int is_folder(const char *path, const struct stat *st)
{
    struct stat other;
    return stat(path, &other) == 0 && other.st_dev == st->st_dev && other.st_ino == st->st_ino;
}

static int is_ours(const Walk *w, const struct stat *st)
{
    return is_folder(w->g->root, st) || is_folder(w->g->folder, st);
}

static int is_skipped(const char *name)
{
    static const char *const names[] = {".", "..", ".git", "__MACOSX"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(name, names[i]) == 0)
            return 1;
    return 0;
}

static void walk(Walk *w, const char *folder, int depth)
{
    struct dirent **entry;
    int n = scandir(folder, &entry, NULL, alphasort);
    if (n < 0)
        w->error = errno;
    for (int i = 0; i < n; i++) {
        const char *name = entry[i]->d_name;
        char *path = text("%s/%s", folder, name);
        struct stat st;
        if (!is_skipped(name) && w->files < MOST_FILES) {
            w->files++;
            if (lstat(path, &st) != 0)
                w->error = errno;
            else if (S_ISDIR(st.st_mode) && depth < MOST_DEPTH && !is_ours(w, &st))
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

/* Into its own /tmp, whose size is limited; only files that could be an exercise's are brought out, and not many. Tried
 * twice, since the machine may be what fails. */
static void unpack(const Grading *g, Submission *s, const char *archive)
{
    char *to = text("%s/unpacked/%s", g->folder, s->student);
    char *script = text(UNPACK, ends_with(archive, "zip") || ends_with(archive, "ZIP") ? UNZIP : UNTAR);
    for (int tries = 0; tries < 2 && !s->root; tries++) {
        Sandbox box = {.cpu_s = UNPACK_S,
                       .wall_s = 2 * UNPACK_S,
                       .memory_bytes = 512 * MEGABYTE,
                       .file_bytes = 32 * MEGABYTE,
                       .tmp_bytes = 64 * MEGABYTE,
                       .output_bytes = 4096,
                       .unsafe = g->unsafe,
                       .groups = g->groups};
        const char *words[] = {"/bin/sh", "-c", script};
        char *set[] = {text("archive=%s", archive), text("to=%s", to)};
        for (int i = 0; i < 3; i++)
            list_add(&box.command, words[i]);
        for (int i = 0; i < 2; i++)
            list_add(&box.set, set[i]), free(set[i]);
        list_add(&box.readable, archive), list_add(&box.writable, to);
        remove_tree(to);
        if (make_folders(to))
            die(1, "cannot make %s: %s", to, strerror(errno));
        sandbox_run(&box);
        if (box.status == 0) {
            s->root = copy(to);
        } else {
            char *first = text("the archive cannot be unpacked: %.*s", (int)strcspn(box.err, "\n"), box.err);
            unreadable(s, box.stopped ? box.stopped : first);
            free(first);
        }
        sandbox_free(&box);
    }
    free(script), free(to);
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

static void look_into(const Grading *g, Submission *s)
{
    char *real = realpath(s->path, NULL), *git = text("%s/.git", s->path);
    struct stat st;
    if (!real || stat(real, &st) != 0) {
        unreadable(s, strerror(errno));
    } else if (S_ISDIR(st.st_mode)) {
        Walk w = {.see = see_time, .g = g, .user = &s->time};
        walk(&w, real, 0);
        s->root = copy(real);
        if (file_exists(git)) {
            long time = commit_time(g, real);
            s->time = time ? time : s->time;
        }
    } else if (S_ISREG(st.st_mode) && archive_ending(s->path) >= 0) {
        s->time = st.st_mtime;
        unpack(g, s, real);
    } else {
        unreadable(s, "it is neither a folder nor an archive (.zip, .tar, .tar.gz, .tar.xz)");
    }
    free(real), free(git);
}

/* Two that differ only in characters that a name in our tables cannot have ("Ann Lee", "Ann_Lee") are two students. */
static void tell_apart(Submissions *all)
{
    char *same = calloc((size_t)all->count + 1, 1);
    if (!same)
        die(1, "not enough memory");
    for (int i = 0; i < all->count; i++)
        for (int k = 0; k < all->count; k++)
            same[i] |=
                strcmp(all->at[i].student, all->at[k].student) == 0 && strcmp(all->at[i].name, all->at[k].name) != 0;
    for (int i = 0; i < all->count; i++)
        if (same[i] && strcmp(all->at[i].student, all->at[i].name) != 0) {
            char *student = with_digits(all->at[i].student, all->at[i].name);
            free(all->at[i].student);
            all->at[i].student = student;
        }
    free(same);
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
    for (int i = 0; i < paths->count; i++) {
        const char *path = paths->item[i];
        all.at[i] = (Submission){.student = student_of(path), .name = raw_name(path), .path = copy(path)};
    }
    tell_apart(&all);
    for (int i = 0; i < all.count; i++)
        look_into(g, &all.at[i]);
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

static int has_title(Walk *w, const char *path, const char *number)
{
    size_t size = 0;
    char *bytes = file_read(path, &size), *content = bytes ? plain_text(bytes, size, NULL) : NULL;
    char *title = text("/* Exercise %s ", number);
    if (!bytes)
        w->error = errno;
    int has = content && starts_with(content + strspn(content, " \t\n"), title);
    free(bytes), free(content), free(title);
    return has;
}

static void see_candidate(Walk *w, const char *path, const struct stat *st)
{
    enum { MOST_READ = 1 << 22 };
    Search *s = w->user;
    char *place = text("/%s", s->e->path);
    if (strstr(path, "/exercises/kept/"))
        ;
    else if (ends_with(path, place))
        list_add(&s->by_place, path);
    else if (st->st_size <= MOST_READ && has_title(w, path, s->e->number))
        list_add(&s->by_title, path);
    free(place);
}

/* The one in the fewest folders; of those the first. */
static const char *uppermost(const List *files)
{
    const char *best = NULL;
    int least = 0;
    for (int i = 0; i < files->count; i++) {
        int depth = 0;
        for (const char *p = files->item[i]; *p; p++)
            depth += *p == '/';
        if (!best || depth < least)
            best = files->item[i], least = depth;
    }
    return best;
}

char *submission_file(const Grading *g, const Submission *s, const Exercise *e, char **why)
{
    Search search = {.e = e};
    Walk w = {.see = see_candidate, .g = g, .user = &search};
    char *found = NULL;
    if (s->root)
        walk(&w, s->root, 0);
    const List *from = search.by_place.count ? &search.by_place : &search.by_title;
    if (from->count > 0)
        found = copy(uppermost(from));
    if (from->count > 1)
        *why = text("there are %d files of exercise %s; %s is graded", from->count, e->number,
                    found + strlen(s->root) + 1);
    else if (!found && w.error)
        *why = text("a folder or file of the submission cannot be read: %s", strerror(w.error));
    if (*why)
        clean_line(*why);
    list_free(&search.by_place), list_free(&search.by_title);
    return found;
}

char *work_folder(const Grading *g, const Submission *s, const Exercise *e)
{
    return text("%s/work/%s/%s", g->folder, s->student, e->number);
}
