/* build.c: the compiler (cucc-compile) and the runtime (libcudacpu*.a), built where a source is newer. Several drivers
 * may do this at the same time: one builds, under a lock, and the others wait. Parts are made in a folder of their own
 * and moved into place whole, so that a build that is broken off leaves nothing that counts. */
#include "driver.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* A part of what is built, and what it depends on: folders, and for the libraries the headers too. */
typedef struct Part {
    const char *name, *flags, *folders[4];
} Part;
static const Part table[] = {
    {"cucc-compile", "", {"compiler"}},
    {"libcudacpu.a", "-fPIE -ftls-model=local-exec", {"runtime"}},
    {"libcudacpu_pic.a", "-fPIC", {"runtime"}}, /* for shared libraries */
    {"libcudacpu_hidden.a",
     "-fPIC -fvisibility=hidden",
     {"runtime"}}, /* for those of a program with another libcudart */
    {"libcudacpu_check.a", "-fPIE -ftls-model=local-exec", {"runtime", "checker", "viewer"}},
    {LIBRARIES, "-fPIC -fvisibility=hidden", {"libraries"}}, /* cuFFT and the like, on the runtime */
};

static const Part *part_named(const char *name)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (!strcmp(table[i].name, name))
            return &table[i];
    return NULL;
}

static bool is_library(const Part *p) { return ends(p->name, ".a"); }

/* ---- what is out of date ---- */

/* The files in the folder that begin and end so, in the order of their names. */
static Words files_in(const char *folder, const char *beginning, const char *ending)
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

static bool newer(const char *file, struct timespec than)
{
    struct stat st;
    return !stat(file, &st) &&
           (st.st_mtim.tv_sec > than.tv_sec || (st.st_mtim.tv_sec == than.tv_sec && st.st_mtim.tv_nsec > than.tv_nsec));
}

static bool out_of_date(const Driver *d, const Part *p)
{
    static const char *const headers[] = {
        "cuda_runtime_api.h", "driver_types.h", "vector_types.h", "cufft.h",   "cusolverDn.h", "cusparse.h", "cuda.h",
        "cudnn_ops.h",        "cudnn_cnn.h",    "nvrtc.h",        "cufftXt.h", "cudalibxt.h",  "nccl.h"};
    struct stat st;
    if (stat(format("%s/%s", d->out, p->name), &st))
        return true;
    Words sources = {0};
    add_format(&sources, "%s/driver/build.c", d->home);
    for (int i = 0; p->folders[i]; i++)
        add_files_below(&sources, format("%s/%s", d->home, p->folders[i]), "");
    if (is_library(p)) {
        Words files = files_in(format("%s/include", d->home), "cpudev", ".h");
        add_words(&sources, &files);
        for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
            add_format(&sources, "%s/include/%s", d->home, headers[i]);
    }
    for (int i = 0; i < sources.n; i++)
        if (newer(sources.word[i], st.st_mtim))
            return true;
    return false;
}

/* The first n characters of a text as they stand between the quotes of a string in C. */
static char *in_quotes(const char *text, size_t n)
{
    char *quoted = malloc(2 * n + 1), *to = quoted;
    if (!quoted)
        die("out of memory");
    for (size_t i = 0; i < n; i++) {
        if (text[i] == '"' || text[i] == '\\')
            *to++ = '\\';
        *to++ = text[i];
    }
    *to = 0;
    return quoted;
}

/* ---- building ---- */

/* A page of the viewer as string literals, a line each. */
static int as_literals(const char *page, const char *path)
{
    char *text = read_file(page, NULL);
    FILE *f = text ? fopen(path, "w") : NULL;
    if (!f)
        return 1;
    for (char *line = text; *line;) {
        size_t n = strcspn(line, "\n");
        char *quoted = in_quotes(line, n);
        fprintf(f, "\"%s\\n\"\n", quoted);
        free(quoted);
        line += n + (line[n] == '\n');
    }
    return fclose(f);
}

/* Compiles the folder's files into `objects`, four at a time. */
static int compile_folder(Driver *d, const Part *p, const char *folder, const char *objects)
{
    enum { AT_ONCE = 4 };
    Words files = {0};
    add_files_below(&files, folder, ".c");
    pid_t children[AT_ONCE] = {0};
    int status = 0, running = 0;
    for (int i = 0; i < files.n || running; i++) {
        if (running == AT_ONCE || i >= files.n) {
            status |= wait_for(d, children, AT_ONCE);
            running--;
        }
        if (i >= files.n || status)
            continue;
        Words c = {0};
        add_words(&c, &d->cc);
        add_split(&c, "-std=gnu11 -O2 -g", " ");
        add_words(&c, &d->machine);
        add_split(&c, p->flags, " ");
        add_format(&c, "-I%s", folder); /* of two headers of one name a part means its own */
        for (int k = 0; p->folders[k]; k++)
            add_format(&c, "-I%s/%s", d->home, p->folders[k]);
        add_format(&c, "-I%s/runtime", d->home);
        add_format(&c, "-I%s/include", d->home);
        add_format(&c, "-I%s", objects);
        if (!strcmp(p->name, LIBRARIES)) { /* NVRTC runs cucc */
            const char *real = realpath(d->home, NULL), *home = real ? real : d->home;
            add_format(&c, "-DCPUDEV_CUCC=\"%s/cucc\"", in_quotes(home, strlen(home)));
        }
        char *name = format("%s", files.word[i] + strlen(folder) + 1); /* ROOM/NAME.c becomes ROOM-NAME.o */
        for (char *slash = name; (slash = strchr(slash, '/'));)
            *slash = '-';
        add(&c, "-c");
        add(&c, files.word[i]);
        add(&c, "-o");
        add_format(&c, "%s/%.*s.o", objects, (int)strlen(name) - 2, name);
        int slot = 0;
        while (children[slot])
            slot++;
        children[slot] = start(d, &c, NULL);
        running++;
    }
    return status;
}

/* One object of a folder, so that whoever needs a part of it has all, with its code in a section of its own, so that
 * the watchdog knows it from the program's. */
static int join_objects(Driver *d, const char *objects, const char *joined, const char *objcopy)
{
    Words c = {0}, files = files_in(objects, "", ".o");
    add_words(&c, &d->cc);
    add_split(&c, "-r -nostdlib -o", " ");
    add(&c, joined);
    add_words(&c, &files);
    pid_t child = start(d, &c, NULL);
    int status = wait_for(d, &child, 1);
    if (status || !*objcopy)
        return status;
    c = (Words){0};
    add(&c, objcopy);
    add_split(&c, "--rename-section .text=cpudev_text", " ");
    add(&c, joined);
    child = start(d, &c, &(Redirect){.err = "/dev/null"});
    wait_for(d, &child, 1); /* a linker may have named the sections otherwise */
    return 0;
}

static int build_library(Driver *d, const Part *p, const char *made)
{
    Words ask = {0}, archive = {0};
    add_words(&ask, &d->cc);
    add(&ask, "-print-prog-name=objcopy");
    const char *objcopy = output_of(d, &ask);
    add(&archive, "ar");
    add(&archive, "rcs");
    add(&archive, made);
    for (int i = 0; p->folders[i]; i++) {
        const char *folder = format("%s/%s", d->home, p->folders[i]), *objects = format("%s/%s", d->tmp, p->folders[i]);
        Words pages = files_in(folder, "", ".html"), scripts = files_in(folder, "", ".js");
        add_words(&pages, &scripts);
        mkdir(objects, 0777);
        for (int k = 0; k < pages.n; k++)
            if (as_literals(pages.word[k], format("%s/%s.h", objects, strrchr(pages.word[k], '/') + 1)))
                return 1;
        const char *joined = format("%s.o", objects);
        if (compile_folder(d, p, folder, objects) || join_objects(d, objects, joined, objcopy))
            return 1;
        add(&archive, joined);
    }
    pid_t child = start(d, &archive, NULL);
    return wait_for(d, &child, 1);
}

static int build_compiler(Driver *d, const char *made)
{
    Words c = {0}, files = {0};
    const char *folder = format("%s/compiler", d->home);
    add_files_below(&files, folder, ".c");
    add_words(&c, &d->cc);
    add_format(&c, "-I%s", folder);
    add_split(&c, "-std=c11 -O2 -o", " ");
    add(&c, made);
    add_words(&c, &files);
    pid_t child = start(d, &c, NULL);
    return wait_for(d, &child, 1);
}

/* For who links with g++: the library under the names of NVIDIA's. */
static int name_library(const char *folder, const char *library, const char *const *names)
{
    int status = 0;
    mkdir(folder, 0777);
    for (; *names; names++) {
        const char *link = format("%s/lib%s.a", folder, *names);
        unlink(link);
        status |= symlink(library, link) != 0;
    }
    return status;
}

static int name_part(const Driver *d, const char *part)
{
    static const char *const runtime[] = {"cudart", "cudart_static", "cuda", "cudadevrt", NULL};
    const char *lib64 = format("%s/lib64", d->out), *beside = format("../%s", part);
    if (!strcmp(part, "libcudacpu.a"))
        return name_library(d->out, part, runtime);
    if (!strcmp(part, "libcudacpu_hidden.a"))
        return name_library(lib64, beside, runtime);
    if (!strcmp(part, LIBRARIES))
        return name_library(d->out, part, nvidia_libraries) | name_library(lib64, beside, nvidia_libraries);
    return 0;
}

static int build_part(Driver *d, const Part *p)
{
    d->tmp = format("%s/lib.XXXXXX", d->out);
    if (!mkdtemp(d->tmp))
        return d->tmp = NULL, 1;
    const char *made = format("%s/made.%s", d->tmp, p->name);
    int status = is_library(p) ? build_library(d, p, made) : build_compiler(d, made);
    if (!status)
        status = rename(made, format("%s/%s", d->out, p->name)) != 0;
    remove_tree(d->tmp);
    d->tmp = NULL;
    if (!status)
        status = name_part(d, p->name);
    return status;
}

/* Installed where only others may write: the launcher begins anew with a folder in the user's cache. */
static void change_folder(const Driver *d)
{
    if (getenv("CUCC_BUILD") || getenv("CUCC_IN_CACHE") || (!getenv("XDG_CACHE_HOME") && !getenv("HOME")))
        die("cannot write %s (CUCC_BUILD=DIR names another folder)", d->out);
    setenv("CUCC_IN_CACHE", "1", 1);
    d->arguments[2] = format("%s/cucc", d->home);
    execv(d->arguments[2], d->arguments + 2);
    die("cannot run %s", d->arguments[2]);
}

void build(Driver *d, const char *const *parts)
{
    bool all = true;
    for (int i = 0; parts[i]; i++)
        all &= !out_of_date(d, part_named(parts[i]));
    if (all)
        return;
    int lock = open(format("%s/.lock", d->out), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (lock < 0 || access(d->out, W_OK))
        change_folder(d);
    flock(lock, LOCK_EX);
    Words left = files_in(d->out, "lib.", ""); /* of builds that were broken off */
    for (int i = 0; i < left.n; i++)
        remove_tree(left.word[i]);
    for (int i = 0; parts[i]; i++) {
        const Part *p = part_named(parts[i]);
        if (out_of_date(d, p) && build_part(d, p))
            die("the runtime does not build");
    }
    close(lock);
}
