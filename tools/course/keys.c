#include "keys.h"

#include "process.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- hashes of files and folders, each read once -------------------------------------------------------------- */

typedef struct Known {
    char *path;
    uint64_t hash;
} Known;

static struct {
    Known *at;
    int count;
} known;

/* Not of a folder that is hashed whole, but by itself: mutants, and exercises, which are the student's; a stub is made from
 * the solution, and `course.sh drift` says whether it is. */
static int is_left_out(const char *path)
{
    return strcmp(path, "tests/verdicts.csv") == 0 || starts_with(path, "tests/mutants/") ||
           starts_with(path, "cpudevice/tests/mutants/") || strstr(path, "/__pycache__/") ||
           (starts_with(path, "lecture") && strstr(path, "/exercises"));
}

static uint64_t hash_path(const char *path)
{
    struct stat st;
    for (int i = 0; i < known.count; i++)
        if (strcmp(known.at[i].path, path) == 0)
            return known.at[i].hash;
    uint64_t hash = hash_bytes(HASH_START, path, strlen(path));
    List files = {0};
    if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
        list_below(&files, path);
    else
        list_add(&files, path);
    for (int i = 0; i < files.count; i++)
        if (!is_left_out(files.item[i]) || is_left_out(path)) {
            hash = hash_bytes(hash, files.item[i], strlen(files.item[i]) + 1);
            hash = hash_file(hash, files.item[i]);
        }
    list_free(&files);
    known.at = realloc(known.at, sizeof *known.at * (size_t)(known.count + 1));
    if (!known.at)
        die(1, "out of memory");
    known.at[known.count++] = (Known){copy(path), hash};
    return hash;
}

static uint64_t with_path(uint64_t hash, const char *path)
{
    uint64_t of = hash_path(path);
    return hash_bytes(hash, &of, sizeof of);
}

static uint64_t with_paths(uint64_t hash, const char *const *paths)
{
    for (; *paths; paths++)
        hash = with_path(hash, *paths);
    return hash;
}

static uint64_t with_text(uint64_t hash, const char *text) { return hash_bytes(hash, text, strlen(text) + 1); }

/* What every key begins with. */
static uint64_t start_of_key(void)
{
    static const char *const judges[] = {
        "tools/course/check.c",           "tools/course/tests.c",     "tools/course/mutants.c",
        "tools/course/library_mutants.c", "tools/course/process.c",   "tools/course/keys.c",
        "tools/course/verdicts.c",        "tools/course/limits.c",    "tools/course/stub.c",
        "tools/course/exercise_text.c",   "tools/setup/toolchain.sh", NULL};
    static char *toolchain;
    if (!toolchain)
        toolchain = output_of("tools/setup/toolchain.sh", "");
    return with_paths(with_text(HASH_START, toolchain), judges);
}

/* ---- what a source includes ------------------------------------------------------------------------------------ */

/* Where an include is looked for: more folders than its compiler is told, so that no file is missed. */
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
static int add_closure(List *files, const char *path)
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
            understood &= add_closure(files, beside);
        for (int i = 0; include_folders[i]; i++) {
            char *there = without_dots(text("%s/%s", include_folders[i], name));
            if (file_exists(there))
                understood &= add_closure(files, there);
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

static int closed(const List *files)
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

/* ---- keys ------------------------------------------------------------------------------------------------------- */

static uint64_t key_of_closed(const List *files, int checked)
{
    static const char *const compiled_by[] = {"common",
                                              "cpudevice/cucc",
                                              "cpudevice/built_for.sh",
                                              "cpudevice/driver",
                                              "cpudevice/compiler",
                                              "cpudevice/runtime",
                                              "cpudevice/include",
                                              "cpudevice/libraries",
                                              "tests/lab",
                                              "cpudevice/tests/tests.mk",
                                              "cpudevice/tests/harness",
                                              "Makefile",
                                              "tools/setup/need.sh",
                                              "data",
                                              "results",
                                              NULL};
    static const char *const checked_by[] = {"cpudevice/checker", "cpudevice/viewer", NULL};
    uint64_t hash = with_paths(with_text(start_of_key(), "closed"), compiled_by);
    if (checked)
        hash = with_paths(hash, checked_by);
    for (int i = 0; i < files->count; i++)
        hash = with_path(hash, files->item[i]);
    return hash;
}

/* Does one of the files name what lies outside of cpudevice/, common/ and tools/? */
static int looks_outside(const List *files)
{
    static const char *const outside[] = {"lecture",
                                          "solutions/",
                                          " docs/",
                                          "\"docs/",
                                          "course.sh",
                                          "mirror.sh",
                                          "./run",
                                          "git ",
                                          ".ci/",
                                          "tests/lab",
                                          "cpudevice/tests/tests.mk",
                                          "tests/notes",
                                          NULL};
    int looks = 0;
    for (int i = 0; i < files->count && !looks; i++) {
        char *content = is_in_a_group(files->item[i]) ? NULL : file_read(files->item[i], NULL);
        looks = has_word(content, outside);
        free(content);
    }
    return looks;
}

/* The scripts of its folder, one of which it may read, and the files of the folder that is named as it is. */
static void add_scripts_of(List *files, const char *script)
{
    char *pattern = text("%.*s/*.sh", (int)(strrchr(script, '/') - script), script);
    char *own = text("%.*s", (int)(strlen(script) - strlen(".sh")), script);
    list_glob(files, pattern);
    list_below(files, own);
    free(pattern), free(own);
}

static uint64_t key_of_device(void)
{
    static const char *const all[] = {"cpudevice", "common", "tools", "Makefile", "data", "results", NULL};
    return with_paths(with_text(start_of_key(), "device"), all);
}

static uint64_t key_of_tree(const char *source)
{
    uint64_t hash = with_text(start_of_key(), "tree");
    List all = {0};
    list_glob(&all, "*");
    list_glob(&all, ".ci");
    list_glob(&all, ".clang-format");
    for (int i = 0; i < all.count; i++)
        if (strcmp(all.item[i], "build") != 0 && strcmp(all.item[i], "compile_commands.json") != 0)
            hash = with_path(hash, all.item[i]);
    list_free(&all);
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
    int understood = is_program && add_closure(&files, source);
    if (is_device && !is_program)
        add_scripts_of(&files, source);
    if (understood && (is_ours || closed(&files)))
        hash = key_of_closed(&files, checked);
    else if (is_device && files.count && !looks_outside(&files))
        hash = key_of_device();
    else
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
        if (ends_with(paths[i], ".cu") && !add_closure(&files, paths[i]))
            list_add(&files, ".");
        hash = with_path(hash, paths[i]);
        for (int k = 0; k < files.count; k++)
            hash = with_path(hash, files.item[k]);
        list_free(&files);
    }
    return hash;
}
