/* mutant_tree.c: the tree in which a mutant of the library or of the CPU device is built and tested.
 *
 * Folders are real and files are links, so that a program that looks for its home by its own path finds the tree. The
 * links are hard where the file system allows them: after thousands of symbolic links have been made and removed, ext4
 * takes 2.5 seconds per tree to find inodes that were not freed a moment ago. Objects keep their times, so that make and
 * cucc rebuild only what the changed file is part of. Files that are written in place (lists of dependencies, libraries
 * that make touches) are copied. A tree is made from that of a mutant before, where one is spare. */
#include "mutants.h"
#include "tree_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int put_in(const char *tree, const char *path, Way way)
{
    char *to = text("%s/%s", tree, path);
    int bad = tree_put(path, to, way);
    free(to);
    return bad;
}

/* As put_in(), where `path` exists. */
static int put_if_there(const char *tree, const char *path, Way way)
{
    return file_exists(path) ? put_in(tree, path, way) : 0;
}

static int is_of_course(const char *path)
{
    return starts_with(path, "lecture") || strcmp(path, "solutions") == 0 || strcmp(path, "docs") == 0 ||
           ends_with(path, ".md");
}

/* Puts the sources into the tree. The course's own tests write to lectures and notes, so they get copies. */
static int put_sources(const char *tree, int copies)
{
    List top = {0}, rooms = {0};
    int bad = 0;
    list_glob(&top, "*");
    for (int i = 0; i < top.count && !bad; i++) {
        const char *path = top.item[i];
        if (strcmp(path, "build") != 0 && strcmp(path, "cpudevice") != 0 && strcmp(path, "tests") != 0)
            bad = put_in(tree, path, copies && is_of_course(path) ? COPIED : LINKED);
    }
    list_glob(&rooms, "cpudevice/*"), list_glob(&rooms, "tests/*"), list_glob(&rooms, "cpudevice/tests/*");
    for (int i = 0; i < rooms.count && !bad; i++) {
        const char *path = rooms.item[i];
        char *to = text("%s/%s", tree, path);
        if (strcmp(path, "cpudevice/tests") == 0)
            ;
        else if (strcmp(base_name(path), "mutants") == 0)
            bad = tree_point(path, to);
        else
            bad = tree_put(path, to, strcmp(path, "cpudevice/toolkit") == 0 ? COPIED : LINKED);
        free(to);
    }
    list_free(&top), list_free(&rooms);
    return bad;
}

/* Copies the test's program, its object and its lists of dependencies, where they exist. */
static int put_program(const char *tree, const char *test)
{
    static const char *const ends[] = {"", ".o", ".c.o", ".d", ".c.d"};
    int bad = 0;
    for (int i = 0; *test && i < 5 && !bad; i++) {
        char *path = text("build/cpu/%s%s", test, ends[i]);
        char *folder = text("%s/%.*s", tree, (int)(strrchr(path, '/') - path), path);
        if (file_exists(path))
            bad = tree_folder(folder) || put_in(tree, path, COPIED);
        free(path), free(folder);
    }
    return bad;
}

static int put_built(const char *tree, const char *test)
{
    static const char *const copied[] = {"common",       "compiler_ready", "cucc-driver", "cucc-compile",
                                         "cucc-gathers", "cucc-cxx",       "lib64",       "tests/lab"};
    List libraries = {0};
    int bad = put_if_there(tree, "build/cpu/objects", LINKED) || put_if_there(tree, "build/cpu/precompiled", LINKED) ||
              put_if_there(tree, "build/cpu/preprocessed", LINKED) || put_if_there(tree, "build/cpu/cases", LINKED) ||
              put_if_there(tree, "build/tools/objects", LINKED);
    for (size_t i = 0; i < sizeof copied / sizeof *copied && !bad; i++) {
        char *path = text("build/cpu/%s", copied[i]);
        bad = put_if_there(tree, path, COPIED);
        free(path);
    }
    list_glob(&libraries, "build/cpu/lib*.a");
    for (int i = 0; i < libraries.count && !bad; i++)
        bad = put_in(tree, libraries.item[i], COPIED);
    list_free(&libraries);
    bad = bad || put_program(tree, test) || put_if_there(tree, "build/tools/course", COPIED);
    char *browser = text("%s/build/browser", tree);
    if (!bad && file_exists("build/browser"))
        bad = tree_point("build/browser", browser);
    free(browser);
    return bad;
}

/* Replaces the link to the course's file, which must not change, by the changed file. */
static int put_changed(const char *tree, const char *file, const char *changed)
{
    char *to = text("%s/%s", tree, file), *folder = text("%.*s", (int)(strrchr(to, '/') - to), to);
    char *in = realpath(folder, NULL), *root = realpath(tree, NULL);
    struct stat was, is;
    int bad = !in || !root || !starts_with(in, root) || stat(file, &was) || stat(changed, &is) ||
              tree_copy(changed, to, &is) || chmod(to, was.st_mode & 07777);
    free(to), free(folder), free(in), free(root);
    return bad;
}

/* Makes the tree from whatever stands there. */
static int put_all(const char *tree, const char *test, int copies)
{
    static const char *const folders[] = {"build/cpu/tests", "build/tools", "cpudevice/tests", "tests"};
    int bad = 0;
    tree_begin(tree);
    for (int i = 0; i < 4; i++) {
        char *folder = text("%s/%s", tree, folders[i]);
        bad |= tree_folder(folder);
        free(folder);
    }
    return bad || put_sources(tree, copies) || put_built(tree, test) || tree_end(tree);
}

static const char spares[] = "build/mutants/spare.*";

/* Moves a spare tree there, if there is one and no tree stands there. Several processes may try. */
static void take_spare(const char *tree)
{
    List spare = {0};
    list_glob(&spare, spares);
    for (int i = 0; i < spare.count && !file_exists(tree) && rename(spare.item[i], tree) != 0; i++)
        ;
    list_free(&spare);
}

void mutant_tree_done(const char *tree)
{
    char *spare = text("%.*s%d", (int)strlen(spares) - 1, spares, (int)getpid());
    if (rename(tree, spare) != 0)
        remove_tree(tree);
    free(spare);
}

void mutant_trees_remove(void)
{
    List spare = {0};
    list_glob(&spare, spares);
    for (int i = 0; i < spare.count; i++)
        remove_tree(spare.item[i]);
    list_free(&spare);
}

int mutant_tree(const char *tree, const char *file, const char *changed, const char *test, int copies, const char *log)
{
    take_spare(tree);
    int bad = put_all(tree, test, copies);
    if (bad) { /* a test may have left what cannot be mended */
        remove_tree(tree);
        bad = put_all(tree, test, copies);
    }
    /* What was built here is valid in this tree, too. */
    char *place = text("exec '%s/cpudevice/built_for.sh' >'%s/build/cpu/built_for'", tree, tree);
    bad = bad || mutants_sh(NULL, place, log, 120) || (*file && put_changed(tree, file, changed));
    free(place);
    return bad ? -1 : 0;
}
