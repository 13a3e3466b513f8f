#include "reach.h"

#include <stdlib.h>
#include <string.h>

/* What .gitignore names: it is of this checkout alone. */
int reach_is_ignored(const char *path)
{
    return starts_with(path, "build/") || strstr(path, "/__pycache__/") || strstr(path, "/exercises/kept/") ||
           (starts_with(path, "results/") && ends_with(path, ".png"));
}

/* ---- what a source includes ------------------------------------------------------------------------------------ */

/* The folders in which an include is looked for. The compiler searches fewer, so no file is missed. */
static const char *const include_folders[] = {
    "common", "cpudevice/tests/harness", "cpudevice/tests/conformance", "cpudevice/include", "cpudevice/runtime", NULL};

/* These are hashed whole. */
static int is_in_a_group(const char *path)
{
    return starts_with(path, "common/") || starts_with(path, "cpudevice/include/") ||
           starts_with(path, "cpudevice/runtime/");
}

static char *without_dots(char *path)
{
    for (char *up; (up = strstr(path, "/../")) != NULL;) {
        char *before = up;
        while (before > path && before[-1] != '/')
            before--;
        memmove(before, up + 4, strlen(up + 4) + 1);
    }
    return path;
}

/* Adds the file and what it includes. Returns 0 if an include is by a macro: then nobody knows. */
int reach_includes(List *files, const char *path)
{
    if (list_has(files, path))
        return 1;
    list_add(files, path);
    if (is_in_a_group(path))
        return 1;
    char *content = file_read(path, NULL);
    int understood = content != NULL;
    for (const char *p = content; p && *p; p += *p == '\n') {
        const char *line = p + strspn(p, " \t");
        p += strcspn(p, "\n");
        if (*line != '#')
            continue;
        line++, line += strspn(line, " \t");
        if (!starts_with(line, "include"))
            continue;
        line += strlen("include"), line += strspn(line, " \t_next");
        if (*line != '"' && *line != '<') {
            understood = 0;
            continue;
        }
        char *name = text("%.*s", (int)strcspn(line + 1, "\">\n"), line + 1);
        const char *slash = strrchr(path, '/');
        char *beside = without_dots(text("%.*s%s", slash ? (int)(slash - path) + 1 : 0, path, name));
        if (file_exists(beside))
            understood &= reach_includes(files, beside);
        for (int i = 0; include_folders[i]; i++) {
            char *there = without_dots(text("%s/%s", include_folders[i], name));
            if (file_exists(there))
                understood &= reach_includes(files, there);
            free(there);
        }
        free(beside), free(name);
    }
    free(content);
    return understood;
}

static int has_word(const char *content, const char *const *words)
{
    for (; content && *words; words++)
        if (strstr(content, *words))
            return 1;
    return 0;
}

/* Words of a program that may read files or start others. */
static const char *const opens[] = {"system(",  "popen(",   "exec",    "spawn",    "fopen(",  "open(",
                                    "command_", "stream>",  "glob(",   "readlink", "opendir", "scandir(",
                                    "getcwd(",  "chdir(",   "fork(",   "dlopen",   "nvrtc",   "cuModuleLoad",
                                    "CUCC",     "\"build/", "tmpfile", NULL};

int reach_is_closed(const List *files)
{
    for (int i = 0; i < files->count; i++) {
        if (is_in_a_group(files->item[i]) || ends_with(files->item[i], "/suite.h"))
            continue;
        char *content = file_read(files->item[i], NULL);
        int may = has_word(content, opens);
        free(content);
        if (may)
            return 0;
    }
    return 1;
}

/* ---- pages ------------------------------------------------------------------------------------------------------- */

int reach_is_page(const char *path) { return ends_with(path, ".md") || ends_with(path, ".ipynb"); }

/* Words of a test that may read any page: tools that read all of them, and names that fit several. */
static const char *const of_pages[] = {"notes",     "notebook", "ipynb",      "README",   "chinese", "site",
                                       "make book", "glossary", "dead_links", "git grep", "lint",    NULL};

/* Adds the pages that the text names by their paths. Returns 0 if a name is not that of one page. */
static int add_pages(List *pages, const char *content)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./*$%{}[]";
    for (const char *p = strstr(content, ".md"); p; p = strstr(p + 1, ".md")) {
        const char *start = p, *end = p + strlen(".md");
        if (*end && strchr(letters, *end) && *end != '.')
            continue; /* a word that goes on: .mdx */
        while (start > content && strchr(letters, start[-1]))
            start--;
        char *name = text("%.*s", (int)(end - start), start);
        int is_one = file_exists(name);
        if (is_one && !list_has(pages, name))
            list_add(pages, name);
        free(name);
        if (!is_one)
            return 0;
    }
    return 1;
}

/* Adds the file and those beside it that it names, and so on. */
static void with_helpers(List *files, const char *path)
{
    if (list_has(files, path))
        return;
    list_add(files, path);
    const char *slash = strrchr(path, '/');
    char *folder = text("%.*s", slash ? (int)(slash - path) : 0, path), *content = file_read(path, NULL);
    List beside = {0};
    list_below(&beside, folder);
    for (int i = 0; content && i < beside.count; i++) {
        const char *base = base_name(beside.item[i]), *dot = ends_with(base, ".sh") ? NULL : strchr(base, '.');
        /* A program is called, and a Python file imported, without its ending. */
        char *name = text("%.*s", (int)(dot ? dot - base : (long)strlen(base)), base);
        if (strstr(content, name))
            with_helpers(files, beside.item[i]);
        free(name);
    }
    list_free(&beside);
    free(folder), free(content);
}

int reach_pages(List *pages, const char *source)
{
    List files = {0};
    int known = ends_with(source, ".sh") || reach_includes(&files, source);
    list_free(&files);
    with_helpers(&files, source);
    for (int i = 0; known && i < files.count; i++) {
        char *content = file_read(files.item[i], NULL);
        known = content && !has_word(content, of_pages) && add_pages(pages, content);
        free(content);
    }
    list_free(&files);
    return known;
}

/* ---- rooms of the device's tests -------------------------------------------------------------------------------- */

/* What only the course has, by the words that name it. */
static const char *const of_course[] = {
    "lecture0",     "lecture1",    "lecture*",       "lecture[",       "solutions/",    "common/",      "data/",
    "results/",     "course.sh",   "mirror.sh",      "./run ",         "./run\n",       "./run\"",      " git ",
    "(git ",        "\"git ",      ".ci/",           "docs/",          "tests/lab",     "tests/notes",  "tests/mutants",
    "tools/course", "tools/notes", "tools/pictures", "tools/profiler", "tools/grading", "tools/python", NULL};
/* Rooms that are found, not named. */
static const char *const of_any_room[] = {"cpudevice/tests/*", "cpudevice/tests/$", "cpudevice/tests/%", "../*/", NULL};

typedef struct Room {
    char *path;
    List uses; /* the other rooms that its files name */
    int of_course;
} Room;

static struct {
    Room at[64];
    int count;
} rooms;

static void read_room(Room *r)
{
    List files = {0}, all = {0};
    list_below(&files, r->path);
    list_glob(&all, "cpudevice/tests/*");
    for (int i = 0; i < files.count; i++) {
        const char *file = files.item[i];
        /* Data and text name where they come from, and read nothing. */
        int is_data = ends_with(file, ".csv") || ends_with(file, ".md");
        char *content = is_data || reach_is_ignored(file) ? NULL : file_read(file, NULL);
        int any = has_word(content, of_any_room);
        r->of_course |= has_word(content, of_course);
        for (int k = 0; content && k < all.count; k++) {
            char *named = text("tests/%s", base_name(all.item[k])), *beside = text("../%s", base_name(all.item[k])),
                 *given = text("cases.sh\" %s", base_name(all.item[k]));
            const char *const names[] = {named, beside, given, NULL};
            if ((any || has_word(content, names)) && !list_has(&r->uses, all.item[k]))
                list_add(&r->uses, all.item[k]);
            free(named), free(beside), free(given);
        }
        free(content);
    }
    list_free(&files), list_free(&all);
}

static const Room *room_of(const char *path)
{
    for (int i = 0; i < rooms.count; i++)
        if (strcmp(rooms.at[i].path, path) == 0)
            return &rooms.at[i];
    if (rooms.count == (int)(sizeof rooms.at / sizeof *rooms.at))
        die(1, "too many folders in cpudevice/tests");
    Room *r = &rooms.at[rooms.count++];
    *r = (Room){.path = copy(path)};
    read_room(r);
    return r;
}

/* Adds the room and those that it names, and so on. Returns 0 if one names something of the course. */
int reach_rooms(List *used, const char *path)
{
    if (list_has(used, path) || ends_with(path, "/harness")) /* which reads the folders that it is given */
        return 1;
    list_add(used, path);
    const Room *r = room_of(path);
    int apart = !r->of_course;
    for (int i = 0; i < r->uses.count; i++)
        apart &= reach_rooms(used, r->uses.item[i]);
    return apart;
}
