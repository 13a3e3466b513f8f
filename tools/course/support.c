#include "support.h"
#include "../../cpudevice/include/cpudev_written.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <glob.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

char *(*die_words)(const char *);

void die(int status, const char *format, ...)
{
    va_list args;
    char *line = NULL;
    fflush(stdout);
    va_start(args, format);
    if (!die_words)
        vfprintf(stderr, format, args);
    else if (vasprintf(&line, format, args) >= 0)
        fputs(die_words(line), stderr);
    va_end(args);
    fputc('\n', stderr);
    exit(status);
}

char *text(const char *format, ...)
{
    char *s;
    va_list args;
    va_start(args, format);
    if (vasprintf(&s, format, args) < 0)
        die(1, "not enough memory");
    va_end(args);
    return s;
}

char *copy(const char *s) { return text("%s", s); }

int starts_with(const char *s, const char *prefix) { return strncmp(s, prefix, strlen(prefix)) == 0; }

int ends_with(const char *s, const char *suffix)
{
    size_t n = strlen(s), k = strlen(suffix);
    return n >= k && strcmp(s + n - k, suffix) == 0;
}

const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

void list_add(List *list, const char *s)
{
    list->item = realloc(list->item, sizeof *list->item * (size_t)(list->count + 2));
    if (!list->item)
        die(1, "not enough memory");
    list->item[list->count++] = copy(s);
    list->item[list->count] = NULL;
}

void list_free(List *list)
{
    for (int i = 0; i < list->count; i++)
        free(list->item[i]);
    free(list->item);
    *list = (List){0};
}

int list_has(const List *list, const char *s)
{
    for (int i = 0; i < list->count; i++)
        if (strcmp(list->item[i], s) == 0)
            return 1;
    return 0;
}

void list_glob(List *list, const char *pattern)
{
    glob_t found;
    if (glob(pattern, 0, NULL, &found) == 0)
        for (size_t i = 0; i < found.gl_pathc; i++)
            list_add(list, found.gl_pathv[i]);
    globfree(&found);
}

static List *below; /* for the callback of nftw() alone */

static int add_file(const char *path, const struct stat *st, int type, struct FTW *at)
{
    (void)st, (void)at;
    if (type == FTW_F || type == FTW_SL)
        list_add(below, path);
    return 0;
}

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

void list_below(List *list, const char *folder)
{
    int before = list->count;
    below = list;
    nftw(folder, add_file, 16, FTW_PHYS); /* a link may lead to build/, or in a circle */
    qsort(list->item + before, (size_t)(list->count - before), sizeof *list->item, by_name);
}

void list_sources(List *list)
{
    static const char *const folders[] = {"common",
                                          "cpudevice/checker",
                                          "cpudevice/compiler",
                                          "cpudevice/driver",
                                          "cpudevice/include",
                                          "cpudevice/libraries",
                                          "cpudevice/runtime",
                                          "cpudevice/toolkit/bin",
                                          "cpudevice/viewer",
                                          "tools/course"};
    list_add(list, "Makefile");
    list_add(list, "cpudevice/cucc");
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        list_below(list, folders[i]);
}

char *file_read(const char *path, size_t *size)
{
    FILE *f = fopen(path, "rb");
    if (!f)
        return NULL;
    size_t room = 4096, n = 0, got;
    char *data = malloc(room);
    if (!data)
        die(1, "not enough memory");
    while ((got = fread(data + n, 1, room - n - 1, f)) > 0) {
        n += got;
        char *more = room - n < 2 ? realloc(data, room *= 2) : data;
        if (!more)
            die(1, "not enough memory");
        data = more;
    }
    int bad = ferror(f);
    fclose(f);
    if (bad) {
        free(data);
        return NULL;
    }
    data[n] = 0;
    if (size)
        *size = n;
    return data;
}

int file_write(const char *path, const char *data, size_t size)
{
    char *temporary = text("%s.%ld.new", path, (long)getpid());
    FILE *f = fopen(temporary, "wb");
    int bad = !f;
    if (f) {
        struct stat old;
        fwrite(data, 1, size, f);
        if (stat(path, &old) == 0)
            fchmod(fileno(f), old.st_mode & 07777);
        bad |= written_close(f) != 0;
    }
    bad = bad || rename(temporary, path) != 0;
    int why = errno;
    if (bad)
        unlink(temporary);
    free(temporary);
    errno = why;
    return bad ? -1 : 0;
}

int file_exists(const char *path) { return access(path, F_OK) == 0; }

int make_folders(const char *path)
{
    char *part = copy(path);
    int bad = 0;
    for (char *p = part + 1; *p; p++)
        if (*p == '/') {
            *p = 0;
            mkdir(part, 0777);
            *p = '/';
        }
    bad = mkdir(part, 0777) != 0 && errno != EEXIST;
    free(part);
    return bad ? -1 : 0;
}

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *where)
{
    (void)st, (void)type, (void)where;
    return remove(path);
}

void remove_tree(const char *path) { nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS); }

uint64_t hash_bytes(uint64_t hash, const void *data, size_t size)
{
    for (const unsigned char *p = data; size; size--)
        hash = (hash ^ *p++) * UINT64_C(0x100000001b3);
    return hash;
}

uint64_t hash_file(uint64_t hash, const char *path)
{
    size_t size = 0;
    char *data = file_read(path, &size);
    hash = hash_bytes(hash, data ? "+" : "-", 1);
    hash = hash_bytes(hash, &size, sizeof size);
    if (data)
        hash = hash_bytes(hash, data, size);
    free(data);
    return hash;
}

double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
