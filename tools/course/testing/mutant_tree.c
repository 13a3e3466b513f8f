/* mutant_tree.c: the tree in which a mutant of the library or of the CPU device is built and tested.
 *
 * Folders are real and files are links, so that a program that looks for its home by its own path finds the tree. The
 * links are hard where the file system allows them: after thousands of symbolic links have been made and removed, ext4
 * takes 2.5 seconds per tree to find inodes that were not freed a moment ago. Objects keep their times, so that make and
 * cucc rebuild only what the changed file is part of. Files that are written in place (lists of dependencies, libraries
 * that make touches) are copied. No command is started per file: a tree takes 0.1 s this way, and 0.3 to 0.6 s with cp. */
#include "mutants.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef enum Way { LINKED, COPIED } Way;

static int copy_bytes(int from, int to)
{
    char bytes[1 << 16];
    for (ssize_t had; (had = read(from, bytes, sizeof bytes)) != 0;)
        if (had < 0 || write(to, bytes, (size_t)had) != had)
            return -1;
    return 0;
}

/* Copies the mode and the times, too. */
static int copy_file(const char *from, const char *to, const struct stat *was)
{
    const struct timespec times[2] = {was->st_atim, was->st_mtim};
    int in = open(from, O_RDONLY | O_CLOEXEC), out = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    int bad = in < 0 || out < 0 || copy_bytes(in, out) || fchmod(out, was->st_mode & 07777) || futimens(out, times);
    if (in >= 0)
        close(in);
    if (out >= 0)
        bad |= close(out) != 0;
    return bad ? -1 : 0;
}

static int copy_link(const char *from, const char *to)
{
    char target[4096];
    ssize_t length = readlink(from, target, sizeof target - 1);
    target[length < 0 ? 0 : length] = 0;
    return length < 0 ? -1 : symlink(target, to);
}

/* Makes `to` a symbolic link to the absolute path of `from`. */
static int point_to(const char *from, const char *to)
{
    char here[4096], *path = getcwd(here, sizeof here) ? text("%s/%s", here, from) : NULL;
    int bad = !path || symlink(path, to) != 0;
    free(path);
    return bad ? -1 : 0;
}

static int link_file(const char *from, const char *to)
{
    if (link(from, to) == 0)
        return 0;
    return errno == EEXIST ? -1 : point_to(from, to); /* no hard links here, or not from there */
}

static int put(const char *from, const char *to, Way way);

static int put_folder(const char *from, const char *to, const struct stat *was, Way way)
{
    int bad = mkdir(to, (was->st_mode & 07777) | 0700) != 0 && errno != EEXIST;
    DIR *folder = opendir(from);
    for (struct dirent *d; folder && !bad && (d = readdir(folder));) {
        if (strcmp(d->d_name, ".") == 0 || strcmp(d->d_name, "..") == 0)
            continue;
        char *inner = text("%s/%s", from, d->d_name), *there = text("%s/%s", to, d->d_name);
        bad = put(inner, there, way);
        free(inner), free(there);
    }
    bad |= !folder || closedir(folder) != 0;
    const struct timespec times[2] = {was->st_atim, was->st_mtim};
    if (way == COPIED)
        bad |= utimensat(AT_FDCWD, to, times, 0) != 0;
    return bad ? -1 : 0;
}

/* Links or copies the file or folder `from` to `to`. */
static int put(const char *from, const char *to, Way way)
{
    struct stat was;
    if (lstat(from, &was) != 0)
        return -1;
    if (S_ISDIR(was.st_mode))
        return put_folder(from, to, &was, way);
    if (way == LINKED)
        return link_file(from, to);
    return S_ISLNK(was.st_mode) ? copy_link(from, to) : copy_file(from, to, &was);
}

static int put_in(const char *tree, const char *path, Way way)
{
    char *to = text("%s/%s", tree, path);
    int bad = put(path, to, way);
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
            bad = point_to(path, to);
        else
            bad = put(path, to, strcmp(path, "cpudevice/toolkit") == 0 ? COPIED : LINKED);
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
            bad = make_folders(folder) || put_in(tree, path, COPIED);
        free(path), free(folder);
    }
    return bad;
}

static int put_built(const char *tree, const char *test)
{
    static const char *const copied[] = {"common",       "compiler_ready", "cucc-driver",
                                         "cucc-compile", "lib64",          "tests/lab"};
    List libraries = {0};
    int bad = put_if_there(tree, "build/cpu/objects", LINKED) || put_if_there(tree, "build/cpu/precompiled", LINKED) ||
              put_if_there(tree, "build/cpu/cases", LINKED);
    for (int i = 0; i < 6 && !bad; i++) {
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
        bad = point_to("build/browser", browser);
    free(browser);
    return bad;
}

/* Replaces the link to the course's file, which must not change, by the changed file. */
static int put_changed(const char *tree, const char *file, const char *changed)
{
    char *to = text("%s/%s", tree, file), *folder = text("%.*s", (int)(strrchr(to, '/') - to), to);
    char *in = realpath(folder, NULL), *root = realpath(tree, NULL);
    struct stat was, is;
    int bad = !in || !root || !starts_with(in, root) || stat(file, &was) || stat(changed, &is) || unlink(to) ||
              copy_file(changed, to, &is) || chmod(to, was.st_mode & 07777);
    free(to), free(folder), free(in), free(root);
    return bad;
}

int mutant_tree(const char *tree, const char *file, const char *changed, const char *test, int copies, const char *log)
{
    static const char *const folders[] = {"build/cpu/tests", "build/tools", "cpudevice/tests", "tests"};
    int bad = 0;
    remove_tree(tree);
    for (int i = 0; i < 4; i++) {
        char *folder = text("%s/%s", tree, folders[i]);
        bad |= make_folders(folder);
        free(folder);
    }
    bad = bad || put_sources(tree, copies) || put_built(tree, test);
    /* What was built here is valid in this tree, too. */
    char *place = text("exec '%s/cpudevice/built_for.sh' >'%s/build/cpu/built_for'", tree, tree);
    bad = bad || mutants_sh(place, log, 120) || (*file && put_changed(tree, file, changed));
    free(place);
    return bad ? -1 : 0;
}
