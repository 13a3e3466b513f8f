/* tree_parts.c: puts links, copies and folders where they are missing, and knows what it has put. */
#include "tree_parts.h"
#include "../support.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The paths that were put: a hash table, open, never more than half full. */
static struct {
    char **path;
    size_t room, count;
} kept;

static char **place_of(const char *path)
{
    size_t i = (size_t)hash_bytes(UINT64_C(0xcbf29ce484222325), path, strlen(path)) & (kept.room - 1);
    while (kept.path[i] && strcmp(kept.path[i], path) != 0)
        i = (i + 1) & (kept.room - 1);
    return &kept.path[i];
}

static int is_kept(const char *path) { return kept.room && *place_of(path); }

static void keep(const char *path)
{
    if (2 * kept.count >= kept.room) {
        char **before = kept.path;
        const size_t room = kept.room;
        kept.room = room ? 2 * room : 1 << 13;
        kept.path = calloc(kept.room, sizeof *kept.path);
        if (!kept.path)
            die(1, "out of memory");
        for (size_t i = 0; i < room; i++)
            if (before[i])
                *place_of(before[i]) = before[i];
        free(before);
    }
    char **place = place_of(path);
    if (!*place)
        *place = copy(path), kept.count++;
}

static void clear(const char *path)
{
    if (unlink(path) != 0 && errno != ENOENT)
        remove_tree(path);
}

static int copy_bytes(int from, int to)
{
    char bytes[1 << 16];
    off_t size = 0;
    for (ssize_t had; (had = read(from, bytes, sizeof bytes)) != 0; size += had)
        if (had < 0 || write(to, bytes, (size_t)had) != had)
            return -1;
    return ftruncate(to, size);
}

/* A file that only this tree has is written over: on ext4 a new inode costs more than its bytes while many were freed a
 * moment ago. */
static int open_copy(const char *path)
{
    struct stat is;
    int out = lstat(path, &is) == 0 && S_ISREG(is.st_mode) && is.st_nlink == 1 ? open(path, O_WRONLY | O_CLOEXEC) : -1;
    if (out >= 0)
        return out;
    clear(path);
    return open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
}

/* The change time of a file of the tree's own when all was in its place; the file holds it, wherever the tree is moved. What
 * is changed later has a later one, or the same: no program can set it. */
static struct timespec finished;

static char *path_of_finished(const char *tree) { return text("%s/.finished", tree); }

void tree_begin(const char *tree)
{
    char *path = path_of_finished(tree);
    const int in = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (in < 0 || read(in, &finished, sizeof finished) != sizeof finished)
        finished = (struct timespec){0};
    if (in >= 0)
        close(in);
    free(path);
}

static int tree_finish(const char *tree)
{
    char *path = path_of_finished(tree);
    struct stat is;
    const int out = open_copy(path);
    int bad = out < 0 || write(out, &finished, sizeof finished) != sizeof finished || fstat(out, &is) ||
              pwrite(out, &is.st_ctim, sizeof is.st_ctim, 0) != sizeof is.st_ctim;
    if (out >= 0)
        bad |= close(out) != 0;
    free(path);
    return bad ? -1 : 0;
}

static int is_before(const struct timespec *a, const struct timespec *b)
{
    return a->tv_sec < b->tv_sec || (a->tv_sec == b->tv_sec && a->tv_nsec < b->tv_nsec);
}

/* Is this a copy of the file as it is, which nothing has touched since the tree was finished? */
static int is_still_right(const char *to, const struct stat *was)
{
    struct stat is;
    return lstat(to, &is) == 0 && S_ISREG(is.st_mode) && is.st_nlink == 1 && is.st_size == was->st_size &&
           is.st_mtim.tv_sec == was->st_mtim.tv_sec && is.st_mtim.tv_nsec == was->st_mtim.tv_nsec &&
           is_before(&is.st_ctim, &finished);
}

int tree_copy(const char *from, const char *to, const struct stat *was)
{
    const struct timespec times[2] = {was->st_atim, was->st_mtim};
    int in = open(from, O_RDONLY | O_CLOEXEC), out = open_copy(to);
    int bad = in < 0 || out < 0 || copy_bytes(in, out) || fchmod(out, was->st_mode & 07777) || futimens(out, times);
    if (in >= 0)
        close(in);
    if (out >= 0)
        bad |= close(out) != 0;
    keep(to);
    return bad ? -1 : 0;
}

static ssize_t target_of(const char *path, char *target, size_t room)
{
    const ssize_t length = readlink(path, target, room - 1);
    target[length < 0 ? 0 : length] = 0;
    return length;
}

static int point_at(const char *target, const char *to)
{
    char is[4096];
    keep(to);
    if (target_of(to, is, sizeof is) >= 0 && strcmp(is, target) == 0)
        return 0;
    clear(to);
    return symlink(target, to);
}

int tree_point(const char *from, const char *to)
{
    char here[4096], *path = getcwd(here, sizeof here) ? text("%s/%s", here, from) : NULL;
    int bad = !path || point_at(path, to) != 0;
    free(path);
    return bad ? -1 : 0;
}

static int link_file(const char *from, const char *to, const struct stat *was)
{
    struct stat is;
    keep(to);
    if (lstat(to, &is) == 0) {
        if (is.st_dev == was->st_dev && is.st_ino == was->st_ino)
            return 0;
        clear(to);
    }
    return link(from, to) == 0 ? 0 : tree_point(from, to); /* where there are no hard links, or not from there */
}

static int copy_link(const char *from, const char *to)
{
    char target[4096];
    return target_of(from, target, sizeof target) < 0 ? -1 : point_at(target, to);
}

static int make_folder(const char *path, mode_t mode)
{
    struct stat is;
    keep(path);
    if (lstat(path, &is) == 0 && S_ISDIR(is.st_mode))
        return (is.st_mode & 07777) == mode ? 0 : chmod(path, mode);
    clear(path);
    return mkdir(path, mode);
}

int tree_folder(const char *path)
{
    keep(path);
    return make_folders(path);
}

static int by_entry(const struct dirent **a, const struct dirent **b) { return strcmp((*a)->d_name, (*b)->d_name); }

/* A folder's entries in the order of their names. */
typedef struct Entries {
    struct dirent **entry;
    int count;
} Entries;

static Entries entries_of(const char *folder)
{
    Entries e = {0};
    e.count = scandir(folder, &e.entry, NULL, by_entry);
    return e;
}

static void entries_free(Entries *e)
{
    for (int i = 0; i < e->count; i++)
        free(e->entry[i]);
    if (e->count >= 0)
        free(e->entry);
}

static int is_inner(const struct dirent *d) { return strcmp(d->d_name, ".") != 0 && strcmp(d->d_name, "..") != 0; }

/* Has the other folder, of the same file system, the same file under this name? *next goes through it. */
static int is_linked(const struct dirent *d, const Entries *other, int *next)
{
    while (*next < other->count && strcmp(other->entry[*next]->d_name, d->d_name) < 0)
        ++*next;
    const struct dirent *o = *next < other->count ? other->entry[*next] : NULL;
    return o && strcmp(o->d_name, d->d_name) == 0 && o->d_ino == d->d_ino && o->d_type == DT_REG && d->d_type == DT_REG;
}

/* What is linked already is not looked at again: that took two thirds of the time. */
static int put_folder(const char *from, const char *to, const struct stat *was, Way way)
{
    struct stat is;
    int bad = make_folder(to, (was->st_mode & 07777) | 0700) || lstat(to, &is) != 0, next = 0;
    Entries has = entries_of(from), there = entries_of(to);
    bad |= has.count < 0;
    for (int i = 0; i < has.count && !bad; i++) {
        const struct dirent *d = has.entry[i];
        char *inner = text("%s/%s", from, d->d_name), *path = text("%s/%s", to, d->d_name);
        if (way == LINKED && is.st_dev == was->st_dev && is_linked(d, &there, &next))
            keep(path);
        else if (is_inner(d))
            bad = tree_put(inner, path, way) && file_exists(inner); /* cucc may replace what it keeps meanwhile */
        free(inner), free(path);
    }
    entries_free(&has), entries_free(&there);
    const struct timespec times[2] = {was->st_atim, was->st_mtim};
    if (way == COPIED)
        bad |= utimensat(AT_FDCWD, to, times, 0) != 0;
    return bad ? -1 : 0;
}

int tree_put(const char *from, const char *to, Way way)
{
    struct stat was;
    if (lstat(from, &was) != 0)
        return -1;
    if (S_ISDIR(was.st_mode))
        return put_folder(from, to, &was, way);
    if (way == LINKED)
        return link_file(from, to, &was);
    if (S_ISLNK(was.st_mode))
        return copy_link(from, to);
    if (!is_still_right(to, &was))
        return tree_copy(from, to, &was);
    keep(to);
    return 0;
}

/* Removes what was not put, and the folder itself if it was not and nothing is left in it. One that was put gets the times back
 * that it had before. */
static int sweep_folder(const char *path)
{
    struct stat was;
    int bad = lstat(path, &was) != 0;
    Entries in = entries_of(path);
    for (int i = 0; i < in.count && !bad; i++) {
        const struct dirent *d = in.entry[i];
        char *inner = text("%s/%s", path, d->d_name);
        struct stat is;
        if (!is_inner(d))
            ;
        else if (d->d_type == DT_DIR || (d->d_type == DT_UNKNOWN && lstat(inner, &is) == 0 && S_ISDIR(is.st_mode)))
            bad = sweep_folder(inner);
        else if (!is_kept(inner))
            bad = unlink(inner) != 0;
        free(inner);
    }
    entries_free(&in);
    const struct timespec times[2] = {was.st_atim, was.st_mtim};
    if (is_kept(path))
        bad |= utimensat(AT_FDCWD, path, times, 0) != 0;
    else
        bad |= rmdir(path) != 0 && errno != ENOTEMPTY && errno != EEXIST;
    return bad ? -1 : 0;
}

int tree_end(const char *tree)
{
    char *path = path_of_finished(tree);
    keep(path);
    free(path);
    return sweep_folder(tree) || tree_finish(tree) ? -1 : 0;
}
