/* still.c: a still picture of one step.  The page's script draws it, so that there is one source of each picture; a
 * JavaScript engine runs it, since there is no browser here: node or qjs, or the program that CUDA_CPU_VIEW_JS names.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "view.h"

extern char **environ;

static bool write_program(const char *path, const char *what, const view_recording *r, const view_launch *launches,
                          uint32_t count)
{
    FILE *o = fopen(path, "w");
    if (!o)
        return false;
    fputs(view_script, o);
    fputs("const DATA = ", o);
    view_write_data(o, r, launches, count);
    fputs(";\ntry { console.log(still(new Recording(DATA), ", o);
    check_json_string(o, what);
    fputs(")); } catch (e) { console.log(e.message); }\n", o);
    return !fclose(o);
}

/* Runs `engine program`, its output into `file`; false: there is no such engine. */
static bool run(const char *engine, const char *program, const char *file)
{
    posix_spawn_file_actions_t files;
    char *argv[] = {(char *)engine, (char *)program, NULL};
    pid_t pid;
    int status;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, 1, file, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    int error = posix_spawnp(&pid, engine, &files, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&files);
    return !error && waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool view_still(const char *file, const char *what, const view_recording *r, const view_launch *launches,
                uint32_t count)
{
    const char *engines[] = {getenv("CUDA_CPU_VIEW_JS"), "node", "qjs", "nodejs"};
    char program[] = "/tmp/view.XXXXXX.js", answer[256] = "";
    int fd = mkstemps(program, 3);
    bool ran = false;
    if (fd < 0 || close(fd) || !write_program(program, what, r, launches, count)) {
        fprintf(stderr, "CUDA_CPU_VIEW_SVG: cannot write %s: %s\n", program, strerror(errno));
        return false;
    }
    for (size_t i = 0; i < sizeof engines / sizeof *engines && !ran; i++)
        ran = engines[i] && *engines[i] && run(engines[i], program, file);
    unlink(program);
    FILE *in = ran ? fopen(file, "r") : NULL;
    if (in && !fgets(answer, sizeof answer, in))
        *answer = 0;
    if (in)
        fclose(in);
    if (!strncmp(answer, "<svg", 4))
        return true;
    if (ran)
        fprintf(stderr, "CUDA_CPU_VIEW_SVG: %s\n", strtok(answer, "\n"));
    else
        fprintf(stderr, "CUDA_CPU_VIEW_SVG: drawing needs a JavaScript engine: install nodejs, or open the page in a "
                        "browser and press s\n");
    unlink(file);
    return false;
}
