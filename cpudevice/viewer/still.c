/* still.c: a still picture of one step.  The page's script draws it, so that there is one source of each picture; a
 * JavaScript engine runs it, since there is no browser here: node or qjs, or the program that CUDA_CPU_VIEW_JS names.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include "view.h"
#include "cpudev_must.h"
#include "cpudev_written.h"
#include "report/chinese.h"

extern char **environ;

static bool write_program(const char *path, const char *what, const view_recording *r, const view_launch *launches,
                          uint32_t count)
{
    FILE *o = fopen(path, "w");
    if (!o)
        return false;
    view_write_script(o);
    fputs("const DATA = ", o);
    view_write_data(o, r, launches, count);
    fputs(";\ntry { console.log(still(new Recording(DATA), ", o);
    check_json_string(o, what);
    fputs(")); } catch (e) { console.log(e.message); }\n", o);
    return !written_close(o);
}

/* Runs `engine program`, its output to `out`; false: there is no such engine. */
static bool run(const char *engine, const char *program, int out)
{
    posix_spawn_file_actions_t files;
    char *argv[] = {(char *)engine, (char *)program, NULL};
    pid_t pid;
    int status;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, out, 1);
    int error = posix_spawnp(&pid, engine, &files, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&files);
    return !error && waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* What an engine has drawn, or its message, as a text; "": there is no engine. NULL: errno says why. */
static char *drawn(const char *program)
{
    const char *engines[] = {getenv("CUDA_CPU_VIEW_JS"), "node", "qjs", "nodejs"};
    bool ran = false;
    int out = memfd_create("picture", MFD_CLOEXEC); /* a disk that is full is no engine's fault */
    if (out < 0)
        return NULL;
    for (size_t i = 0; i < sizeof engines / sizeof *engines && !ran; i++)
        ran = engines[i] && *engines[i] && run(engines[i], program, out);
    const off_t bytes = ran ? lseek(out, 0, SEEK_END) : 0;
    char *text = must(calloc((size_t)bytes + 1, 1));
    const bool whole = pread(out, text, (size_t)bytes, 0) == bytes;
    close(out);
    return whole ? text : NULL;
}

static bool cannot_write(const char *file)
{
    check_say_line("CUDA_CPU_VIEW_SVG: cannot write %s: %s", file, strerror(errno));
    return false;
}

bool view_still(const char *file, const char *what, const view_recording *r, const view_launch *launches,
                uint32_t count)
{
    char program[] = "/tmp/view.XXXXXX.js";
    int fd = mkstemps(program, 3);
    if (fd < 0 || close(fd) || !write_program(program, what, r, launches, count)) {
        cannot_write(program);
        unlink(program);
        return false;
    }
    char *picture = drawn(program);
    unlink(program);
    if (!picture)
        return cannot_write(file);
    bool good = !strncmp(picture, "<svg", 4);
    FILE *o = good ? fopen(file, "w") : NULL;
    if (o)
        fputs(picture, o);
    if (good && (!o || written_close(o)))
        good = cannot_write(file);
    else if (!good && *picture)
        check_say_line("CUDA_CPU_VIEW_SVG: %s", strtok(picture, "\n"));
    else if (!good)
        check_say_line("CUDA_CPU_VIEW_SVG: drawing needs a JavaScript engine: install nodejs, or open the page in a "
                       "browser and press s");
    free(picture);
    if (!good)
        unlink(file);
    return good;
}
