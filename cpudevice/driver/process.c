/* process.c: runs programs, without a shell. SIGHUP, SIGINT and SIGTERM are blocked and taken here: what runs then is
 * ended too, and the driver's temporary folder goes. */
#include "driver.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

void set_signals(Driver *d)
{
    static const int ends_us[] = {SIGHUP, SIGINT, SIGTERM};
    signal(SIGCHLD, SIG_DFL);
    d->stops = must(malloc(sizeof *d->stops));
    sigemptyset(d->stops);
    for (size_t i = 0; i < sizeof ends_us / sizeof *ends_us; i++) {
        struct sigaction now;
        if (!sigaction(ends_us[i], NULL, &now) && now.sa_handler != SIG_IGN)
            sigaddset(d->stops, ends_us[i]);
    }
    sigset_t all = *d->stops;
    sigaddset(&all, SIGCHLD);
    sigprocmask(SIG_BLOCK, &all, NULL);
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *where)
{
    (void)st, (void)type, (void)where;
    return remove(path), 0;
}

void remove_tree(const char *path) { nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS); }

_Noreturn void finish(Driver *d, int status)
{
    if (d->tmp)
        remove_tree(d->tmp);
    exit(status);
}

/* A word as a shell reads it. */
static void show_word(const char *word)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./=+,:@%-";
    if (*word && !word[strspn(word, plain)]) {
        fputs(word, stderr);
        return;
    }
    fputc('\'', stderr);
    for (; *word; word++)
        if (*word == '\'')
            fputs("'\\''", stderr);
        else
            fputc(*word, stderr);
    fputc('\'', stderr);
}

static void show(const Words *command, const Redirect *r)
{
    const struct {
        const char *sign, *file;
    } files[] = {{"<", r->in}, {">", r->out}, {"2>", r->err}};
    fputs("#$", stderr);
    for (int i = 0; i < command->n; i++) {
        fputc(' ', stderr);
        show_word(command->word[i]);
    }
    for (int i = 0; i < 3; i++)
        if (files[i].file) {
            fprintf(stderr, " %s", files[i].sign);
            show_word(files[i].file);
        }
    fputc('\n', stderr);
}

pid_t start(Driver *d, const Words *command, const Redirect *r)
{
    extern char **environ;
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    pid_t child;
    sigset_t none;
    sigemptyset(&none);
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    if (r && r->in)
        posix_spawn_file_actions_addopen(&files, 0, r->in, O_RDONLY, 0);
    if (r && r->out)
        posix_spawn_file_actions_addopen(&files, 1, r->out, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (r && r->pipe)
        posix_spawn_file_actions_adddup2(&files, r->pipe, 1);
    if (r && r->err)
        posix_spawn_file_actions_addopen(&files, 2, r->err, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    int error = posix_spawnp(&child, command->word[0], &files, &attributes, command->word, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    if (error) {
        fprintf(stderr, "cucc: %s: %s\n", command->word[0], strerror(error));
        finish(d, 1);
    }
    return child;
}

int wait_for(Driver *d, pid_t *children, int n)
{
    sigset_t all = *d->stops;
    sigaddset(&all, SIGCHLD);
    for (;;) {
        bool any = false;
        for (int i = 0, status; i < n; i++) {
            pid_t got = children[i] ? waitpid(children[i], &status, WNOHANG) : 0;
            any |= children[i] != 0;
            if (got == children[i] && got) {
                children[i] = 0;
                if (WIFSIGNALED(status))
                    say("cucc: one of its programs was ended by a signal: %s", strsignal(WTERMSIG(status)));
                return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
            }
        }
        if (!any)
            return 0;
        if (sigismember(d->stops, sigwaitinfo(&all, NULL)) == 1) {
            for (int i = 0; i < n; i++)
                if (children[i])
                    kill(children[i], SIGTERM);
            for (int i = 0; i < n; i++)
                if (children[i])
                    waitpid(children[i], NULL, 0);
            finish(d, 1);
        }
    }
}

int run(Driver *d, const Words *command, const Redirect *r)
{
    static const Redirect nothing;
    if (d->options.verbose)
        show(command, r ? r : &nothing);
    if (d->options.dry_run)
        return 0;
    pid_t child = start(d, command, r);
    return wait_for(d, &child, 1);
}

char *output_of(Driver *d, const Words *command)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC))
        die("cannot make a pipe: %s", strerror(errno));
    pid_t child = start(d, command, &(Redirect){.err = "/dev/null", .pipe = ends[1]});
    close(ends[1]);
    char text[4096];
    size_t n = 0;
    for (ssize_t got; n < sizeof text - 1 && (got = read(ends[0], text + n, sizeof text - 1 - n)) > 0;)
        n += (size_t)got;
    close(ends[0]);
    text[n] = 0;
    text[strcspn(text, "\n")] = 0;
    return format("%s", wait_for(d, &child, 1) ? "" : text);
}
