/* build.c: the compiler (cucc-compile) and the runtime (libcudacpu*.a), built where a source is newer. Several drivers
 * may do this at the same time: one builds, under a lock, and the others wait. Objects are kept (objects.c). Parts are
 * linked in a folder of their own and moved into place whole, so that a build that is broken off leaves nothing that
 * counts. */
#include "objects.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* Without debug information, which each link would copy (CUCC_RUNTIME_FLAGS=-g has it): a program's own lines are what a
 * debugger and the checker show. -Wno-psabi: gcc 4.6 aligned parameters anew (runtime/launch). */
#define LIBRARY "-std=gnu11 -O2 -Wno-psabi "
static const Part table[] = {
    {"cucc-compile", "-std=c11 -O2", {"compiler"}},
    {"libcudacpu.a", LIBRARY "-fPIE -ftls-model=local-exec", {"runtime"}},
    {"libcudacpu_pic.a", LIBRARY "-fPIC", {"runtime"}}, /* for shared libraries */
    {SHARED_DRIVER, LIBRARY "-fPIC", {"shared"}},
    {"libcudacpu_hidden.a",
     LIBRARY "-fPIC -fvisibility=hidden",
     {"runtime"}}, /* for those of a program with another libcudart */
    {"libcudacpu_check.a", LIBRARY "-fPIE -ftls-model=local-exec", {"runtime", "checker", "viewer", "model"}},
    {LIBRARIES, LIBRARY "-fPIC -fvisibility=hidden", {"libraries"}}, /* cuFFT and the like, on the runtime */
    {HOST_LIBRARIES, "-O2 -Xcompiler -fPIC,-fvisibility=hidden", {"libraries/host"}},
    {HOST_LIBRARIES_CHECK, "--check -O2 -lineinfo", {"libraries/host"}},
};

static const Part *part_named(const char *name)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (!strcmp(table[i].name, name))
            return &table[i];
    return NULL;
}

/* One object of a folder, so that whoever needs a part of it has all, with its code in a section of its own, so that
 * the watchdog knows it from the program's. */
static int join_objects(Driver *d, const Words *objects, const char *joined, const char *objcopy)
{
    Words c = {0};
    const char *made = format("%s/joined.o", d->tmp);
    add_words(&c, &d->cc);
    add_split(&c, "-r -nostdlib -o", " ");
    add(&c, made);
    add_words(&c, objects);
    pid_t child = start(d, &c, NULL);
    int status = wait_for(d, &child, 1);
    if (!status && *objcopy) {
        c = (Words){0};
        add(&c, objcopy);
        add_split(&c, "--rename-section .text=cpudev_text", " ");
        add(&c, made);
        child = start(d, &c, &(Redirect){.err = "/dev/null"});
        wait_for(d, &child, 1); /* a linker may have named the sections otherwise */
    }
    return status || rename(made, joined);
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
        Words objects = {0};
        const char *joined = format("%s.o", objects_folder(d, p, p->folders[i]));
        if (make_objects_of(d, p, p->folders[i], &objects))
            return 1;
        if (of_kernels(p)) { /* programs' code, which the watchdog may name; who needs one needs no other */
            add_words(&archive, &objects);
            continue;
        }
        if (must_join(d, p, &objects, joined) && join_objects(d, &objects, joined, objcopy))
            return 1;
        add(&archive, joined);
    }
    pid_t child = start(d, &archive, NULL);
    return wait_for(d, &child, 1);
}

/* The runtime with the driver interface's names, as a shared library that calls its own functions whoever loads it. */
static int build_shared(Driver *d, const Part *p, const char *made)
{
    Words c = {0};
    add_words(&c, &d->cc);
    add_words(&c, &d->machine);
    add_split(&c, "-shared -Wl,-Bsymbolic -Wl,-z,defs", " ");
    add_format(&c, "-Wl,-soname,%s", p->name);
    add(&c, "-o");
    add(&c, made);
    if (make_objects_of(d, p, p->folders[0], &c))
        return 1;
    add_format(&c, "-Wl,--whole-archive,%s,--no-whole-archive", format("%s/libcudacpu_pic.a", d->out));
    add_split(&c, "-lpthread -ldl -lm", " ");
    pid_t child = start(d, &c, NULL);
    return wait_for(d, &child, 1);
}

static int build_compiler(Driver *d, const Part *p, const char *made)
{
    Words c = {0}, objects = {0};
    if (make_objects_of(d, p, p->folders[0], &objects))
        return 1;
    add_words(&c, &d->cc);
    add(&c, "-o");
    add(&c, made);
    add_words(&c, &objects);
    pid_t child = start(d, &c, NULL);
    return wait_for(d, &child, 1);
}

static int link_name(const char *file, const char *link)
{
    unlink(link);
    return symlink(file, link) != 0;
}

/* For who links with g++: the library under the names of NVIDIA's; where HOST_LIBRARIES holds the rest of one, both. */
static int name_library(const char *folder, const char *library, const char *const *names)
{
    int status = 0;
    mkdir(folder, 0777);
    for (; *names; names++)
        status |= link_name(library, format("%s/lib%s.a", folder, *names));
    return status;
}

static int name_host_libraries(Driver *d, const char *lib64)
{
    const char *out = realpath(d->out, NULL);
    int status = !out;
    mkdir(lib64, 0777);
    for (int i = 0; host_libraries[i] && out; i++) {
        const char *script = format("%s/lib%s.a", lib64, host_libraries[i]);
        unlink(script); /* it may be a link */
        status |= write_file(d, script, format("GROUP ( %s/%s %s/%s )\n", out, HOST_LIBRARIES, out, LIBRARIES));
    }
    return status;
}

static int name_part(Driver *d, const char *part)
{
    struct stat st;
    static const char *const runtime[] = {"cudart", "cudart_static", "cudadevrt", NULL};
    static const char *const driver[] = {"cuda", NULL};
    const char *lib64 = format("%s/lib64", d->out), *beside = format("../%s", part);
    if (!strcmp(part, "libcudacpu.a"))
        return name_library(d->out, part, runtime) | name_library(d->out, part, driver);
    /* Modules take the runtime from whoever loads them: libcuda.a's functions can be seen, once it is built so. */
    if (!strcmp(part, "libcudacpu_hidden.a"))
        return name_library(lib64, beside, runtime) |
               (stat(format("%s/libcudacpu_pic.a", d->out), &st) ? name_library(lib64, beside, driver) : 0);
    if (!strcmp(part, "libcudacpu_pic.a"))
        return name_library(lib64, beside, driver);
    if (!strcmp(part, SHARED_DRIVER))
        return link_name(format("../%s", part), format("%s/%s", lib64, part)) |
               link_name(format("../%s", part), format("%s/libcudart.so.13", lib64));
    if (!strcmp(part, LIBRARIES))
        return name_library(d->out, part, nvidia_libraries) | name_library(lib64, beside, nvidia_libraries) |
               (stat(format("%s/%s", d->out, HOST_LIBRARIES), &st) ? 0 : name_host_libraries(d, lib64));
    if (!strcmp(part, HOST_LIBRARIES))
        return name_host_libraries(d, lib64);
    return 0;
}

static int build_part(Driver *d, const Part *p)
{
    char *before = d->tmp; /* of a link, which finds out late what it needs */
    d->tmp = format("%s/lib.XXXXXX", d->out);
    if (!mkdtemp(d->tmp))
        return d->tmp = before, 1;
    const char *made = format("%s/made.%s", d->tmp, p->name);
    int status = !is_library(p)        ? build_compiler(d, p, made)
                 : ends(p->name, ".a") ? build_library(d, p, made)
                                       : build_shared(d, p, made);
    if (!status)
        status = put_in_place(d, p, made);
    if (!status)
        status = name_part(d, p->name);
    remove_tree(d->tmp);
    d->tmp = before;
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
    const char *builds = getenv("CUCC_BUILDS");
    bool all = true;
    if (builds && !strcmp(builds, "no")) /* who cannot write here uses what is there, whatever its sources' times say */
        return;
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
