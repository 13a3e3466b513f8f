#include "keys.h"

#include "../code.h"
#include "../process.h"
#include "reach.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- hashes of files and folders, each read once -------------------------------------------------------------- */

typedef struct Known {
    char *path;
    int pages;
    uint64_t hash;
} Known;

/* How much of a page counts: its text, or no more than its name and its title, which `./run` prints. */
enum { TITLES, TEXTS };

static struct {
    Known *at;
    int count;
    uint64_t judges; /* 0: not read yet */
} known;

/* Not of a folder that is hashed whole, but by itself: mutants, and exercises, which are the student's; a stub is made from
 * the solution, and `course.sh drift` says whether it is. */
static int is_left_out(const char *path)
{
    return strcmp(path, "tests/verdicts.csv") == 0 || starts_with(path, "tests/mutants/") ||
           starts_with(path, "cpudevice/tests/mutants/") ||
           (starts_with(path, "lecture") && strstr(path, "/exercises"));
}

static uint64_t hash_title(uint64_t hash, const char *path)
{
    char *content = file_read(path, NULL);
    if (content)
        hash = hash_bytes(hash, content, strcspn(content, "\n"));
    free(content);
    return hash;
}

/* A link to a folder counts by where it leads: cpudevice/toolkit/lib64 leads to what was built here. */
static uint64_t hash_entry(uint64_t hash, const char *path, int pages)
{
    struct stat st;
    char target[PATH_MAX];
    ssize_t n = readlink(path, target, sizeof target);
    if (n > 0 && (stat(path, &st) != 0 || S_ISDIR(st.st_mode)))
        return hash_bytes(hash, target, (size_t)n);
    return pages == TITLES && reach_is_page(path) ? hash_title(hash, path) : hash_file(hash, path);
}

static uint64_t hash_path(const char *path, int pages)
{
    struct stat st;
    for (int i = 0; i < known.count; i++)
        if (known.at[i].pages == pages && strcmp(known.at[i].path, path) == 0)
            return known.at[i].hash;
    uint64_t hash = hash_bytes(HASH_START, path, strlen(path));
    List files = {0};
    if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
        list_below(&files, path);
    else
        list_add(&files, path);
    for (int i = 0; i < files.count; i++)
        if (!reach_is_ignored(files.item[i]) && (!is_left_out(files.item[i]) || is_left_out(path))) {
            hash = hash_bytes(hash, files.item[i], strlen(files.item[i]) + 1);
            hash = hash_entry(hash, files.item[i], pages);
        }
    list_free(&files);
    known.at = realloc(known.at, sizeof *known.at * (size_t)(known.count + 1));
    if (!known.at)
        die(1, "out of memory");
    known.at[known.count++] = (Known){copy(path), pages, hash};
    return hash;
}

static uint64_t with_pages(uint64_t hash, const char *path, int pages)
{
    uint64_t of = hash_path(path, pages);
    return hash_bytes(hash, &of, sizeof of);
}

/* Of a folder, its pages by their titles; of a page that is named, its text. */
static uint64_t with_path(uint64_t hash, const char *path)
{
    return with_pages(hash, path, reach_is_page(path) ? TEXTS : TITLES);
}

static uint64_t with_paths(uint64_t hash, const char *const *paths)
{
    for (; *paths; paths++)
        hash = with_path(hash, *paths);
    return hash;
}

static uint64_t with_text(uint64_t hash, const char *text) { return hash_bytes(hash, text, strlen(text) + 1); }

/* Of the part of this tool that judges: what it does, not what it says about it. Its lines are counted nowhere. */
static uint64_t hash_judges(void)
{
    static const char *const judges[] = {"tools/course/testing/check.c",
                                         "tools/course/testing/tests.c",
                                         "tools/course/testing/mutants.c",
                                         "tools/course/testing/library_mutants.c",
                                         "tools/course/testing/mutant_tree.c",
                                         "tools/course/testing/tree_parts.c",
                                         "tools/course/process.c",
                                         "tools/course/testing/keys.c",
                                         "tools/course/testing/verdicts.c",
                                         "tools/course/limits.c",
                                         "tools/course/stages.c",
                                         "tools/course/stub.c",
                                         "tools/course/exercise_text.c",
                                         "tools/course/testing/reach.c",
                                         "tools/course/code.c",
                                         NULL};
    uint64_t hash = HASH_START;
    for (int i = 0; judges[i]; i++)
        hash = hash_code(hash, judges[i], 1);
    return hash;
}

/* What every key begins with. */
static uint64_t start_of_key(void)
{
    static char *toolchain;
    if (!toolchain)
        toolchain = output_of("tools/setup/toolchain.sh", "");
    if (!known.judges)
        known.judges = hash_judges();
    uint64_t hash = hash_bytes(with_text(HASH_START, toolchain), &known.judges, sizeof known.judges);
    return with_path(hash, "tools/setup/toolchain.sh");
}

/* ---- keys ------------------------------------------------------------------------------------------------------- */

/* By these every program is built, those of the course also by the second ones, and under --check by the third. */
static const char *const built_by[] = {"cpudevice/cucc",
                                       "cpudevice/built_for.sh",
                                       "cpudevice/driver",
                                       "cpudevice/compiler",
                                       "cpudevice/runtime",
                                       "cpudevice/include",
                                       "cpudevice/libraries",
                                       "cpudevice/device.mk",
                                       "cpudevice/tests/tests.mk",
                                       "cpudevice/tests/harness",
                                       "Makefile",
                                       "tools/setup/need.sh",
                                       NULL};
static const char *const course_has[] = {"common", "tests/lab", "data", NULL};
static const char *const checked_by[] = {"cpudevice/checker", "cpudevice/model", "cpudevice/viewer", NULL};

/* The results that a program may open. common/ opens the file of a lab's own name, which is in its lecture's folder; a
 * program that names the folder of results itself may open any of them, and so may one that is of no lecture. */
static uint64_t with_results(uint64_t hash, const char *source, const List *files)
{
    int any = 0;
    List folders = {0};
    for (int i = 0; i < files->count; i++)
        if (!starts_with(files->item[i], "common/")) {
            char *content = file_read(files->item[i], NULL);
            any |= content && strstr(content, "results");
            free(content);
        }
    source += starts_with(source, "solutions/") ? strlen("solutions/") : 0;
    char *pattern = any || !starts_with(source, "lecture") ? copy("results") : text("results/*/%.9s", source);
    list_glob(&folders, pattern);
    for (int i = 0; i < folders.count; i++)
        hash = with_path(hash, folders.item[i]);
    list_free(&folders), free(pattern);
    return hash;
}

static uint64_t key_of_closed(const char *source, const List *files, int checked)
{
    uint64_t hash = with_paths(with_text(start_of_key(), "closed"), built_by);
    int of_course = !starts_with(source, "cpudevice/");
    for (int i = 0; i < files->count; i++)
        of_course |= starts_with(files->item[i], "common/");
    if (of_course)
        hash = with_results(with_paths(hash, course_has), source, files);
    if (checked)
        hash = with_paths(hash, checked_by);
    for (int i = 0; i < files->count; i++)
        hash = with_path(hash, files->item[i]);
    return hash;
}

/* Of a test of the device's that opens files: the device and the rooms. Returns 0 if it is not of the device alone. */
static int key_of_device(const char *source, uint64_t *key)
{
    static const char *const further[] = {"cpudevice/Makefile", "cpudevice/toolkit", "tools/setup", NULL};
    const char *inside = source + strlen("cpudevice/tests/");
    char *path = text("cpudevice/tests/%.*s", (int)strcspn(inside, "/"), inside);
    List used = {0};
    int apart = reach_rooms(&used, path);
    *key = with_paths(with_paths(with_paths(with_text(start_of_key(), "device"), built_by), checked_by), further);
    for (int i = 0; i < used.count; i++)
        *key = with_path(*key, used.item[i]);
    free(path), list_free(&used);
    return apart;
}

static uint64_t hash_tree(uint64_t hash, int pages)
{
    List all = {0};
    list_glob(&all, "*");
    list_glob(&all, ".ci");
    list_glob(&all, ".clang-format");
    for (int i = 0; i < all.count; i++)
        if (strcmp(all.item[i], "build") != 0 && strcmp(all.item[i], "compile_commands.json") != 0)
            hash = with_pages(hash, all.item[i], pages);
    list_free(&all);
    return hash;
}

static uint64_t key_of_tree(const char *source)
{
    List pages = {0};
    int few = file_exists(source) && reach_pages(&pages, source);
    uint64_t hash = hash_tree(with_text(start_of_key(), "tree"), few ? TITLES : TEXTS);
    for (int i = 0; i < pages.count; i++)
        hash = with_path(hash, pages.item[i]);
    list_free(&pages);
    char *content = file_read(source, NULL);
    if (content && strstr(content, "mutants"))
        hash = with_path(with_path(hash, "tests/mutants/"), "cpudevice/tests/mutants/");
    free(content);
    return hash;
}

static uint64_t key_of_source(const char *source, int checked)
{
    List files = {0};
    int is_program = !ends_with(source, ".sh"), is_device = starts_with(source, "cpudevice/tests/");
    int is_ours = starts_with(source, "lecture") || starts_with(source, "solutions/") ||
                  (starts_with(source, "cpudevice/tests/conformance/") && ends_with(source, ".cu"));
    uint64_t hash;
    if (is_program && reach_includes(&files, source) && (is_ours || reach_is_closed(&files)))
        hash = key_of_closed(source, &files, checked);
    else if (!is_device || !file_exists(source) || !key_of_device(source, &hash))
        hash = key_of_tree(source);
    list_free(&files);
    return hash;
}

uint64_t key_of_test(const char *source, int checked)
{
    return with_path(with_text(key_of_source(source, checked), checked ? "checked" : "plain"), source);
}

uint64_t key_of_solution(const char *solution, const char *with)
{
    uint64_t hash = key_of_test(solution, 1);
    return with ? with_path(hash, with) : hash;
}

uint64_t key_of_counts(const char *lab, const char *recorded)
{
    return hash_code(with_path(key_of_test(lab, 1), recorded), "tools/course/counts.c", 1);
}

/* The source of what "# test:" names. */
static char *source_of_test(const char *test, int *checked)
{
    char *name = text("%.*s", (int)strcspn(test, " "), test), *found = NULL;
    *checked = starts_with(test, "conformance/check/");
    if (ends_with(name, ".sh"))
        return name;
    const char *path = name;
    char *inner = NULL;
    if (starts_with(name, "conformance/") && strchr(name + strlen("conformance/"), '/'))
        path = inner = text("cpudevice/tests/conformance/%s", strchr(name + strlen("conformance/"), '/') + 1);
    static const char *const endings[] = {".cu", ".c"};
    for (int i = 0; i < 2 && !found; i++) {
        char *file = text("%s%s", path, endings[i]);
        if (file_exists(file))
            found = file;
        else
            free(file);
    }
    free(inner);
    if (!found)
        return name; /* unknown: the whole tree */
    free(name);
    return found;
}

uint64_t key_of_mutant(const char *script, const char *file, const char *test)
{
    int checked;
    char *source = source_of_test(test, &checked);
    uint64_t hash = with_text(key_of_test(source, checked), test);
    free(source);
    return with_path(with_path(hash, file), script);
}

uint64_t key_of_files(const char *const *paths, int count, const char *with)
{
    uint64_t hash = with_text(with_text(start_of_key(), "files"), with);
    for (int i = 0; i < count; i++) {
        List files = {0};
        hash = with_path(hash, paths[i]);
        if (ends_with(paths[i], ".cu") && !reach_includes(&files, paths[i]))
            hash = hash_tree(hash, TEXTS);
        for (int k = 0; k < files.count; k++)
            hash = with_path(hash, files.item[k]);
        list_free(&files);
    }
    return hash;
}
