#include "cgroup.h"
#include "clean.h"
#include "sandbox.h"
#include "verdict.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FIRST_FD = 10, FILTER_FD = 20, LOOK_MS = 25, PROCESSES = 256 };

const char *sandbox_missing(void)
{
    static char why[256];
    Job job = {.out = "/dev/null", .err = "/dev/null", .wall_limit_s = 20};
    const char *words[] = {"bwrap", "--unshare-user", "--unshare-all", "--ro-bind", "/", "/", "true", NULL};
    for (int i = 0; words[i]; i++)
        list_add(&job.command, words[i]);
    int status = job_run(&job);
    job_free(&job);
    if (status == 127)
        return "bubblewrap is not installed: tools/setup/need.sh bubblewrap, or apt-get install bubblewrap";
    if (status)
        snprintf(why, sizeof why,
                 "bubblewrap cannot make a sandbox here (try: bwrap --unshare-all --ro-bind / / true)");
    return status ? why : NULL;
}

/* ---- the command ------------------------------------------------------------------------------------------------ */

static void add(List *l, const char *a, const char *b, const char *c)
{
    list_add(l, a);
    if (b)
        list_add(l, b);
    if (c)
        list_add(l, c);
}

/* The system's folders, as they are: many are links into /usr. */
static void add_system(List *l)
{
    static const char *const folders[] = {"/bin", "/lib", "/lib64", "/lib32", "/sbin"};
    add(l, "--ro-bind", "/usr", "/usr");
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        char to[256];
        ssize_t n = readlink(folders[i], to, sizeof to - 1);
        if (n > 0) {
            to[n] = 0;
            add(l, "--symlink", to, folders[i]);
        } else if (file_exists(folders[i])) {
            add(l, "--ro-bind", folders[i], folders[i]);
        }
    }
    add(l, "--ro-bind-try", "/etc/alternatives", "/etc/alternatives");
    add(l, "--ro-bind-try", "/etc/ld.so.cache", "/etc/ld.so.cache");
    add(l, "--dev-bind", "/dev/null", "/dev/null");
}

static List words_of(const Sandbox *s)
{
    List l = {0};
    if (s->unsafe) {
        for (int i = 0; i < s->command.count; i++)
            list_add(&l, s->command.item[i]);
        return l;
    }
    static const char *const always[] = {"bwrap",      "--unshare-user", "--unshare-all", "--die-with-parent",
                                         "--clearenv", "--new-session",  "--uid",         "1000",
                                         "--gid",      "1000",           "--cap-drop",    "ALL"};
    for (size_t i = 0; i < sizeof always / sizeof always[0]; i++)
        list_add(&l, always[i]);
    add_system(&l);
    if (s->tmp_bytes) {
        char *size = text("%zu", s->tmp_bytes);
        add(&l, "--size", size, NULL);
        add(&l, "--tmpfs", "/tmp", NULL);
        free(size);
    }
    if (s->one_process) { /* the only process there: /proc shows nobody else */
        add(&l, "--as-pid-1", "--proc", "/proc");
        char *fd = text("%d", FILTER_FD);
        add(&l, "--seccomp", fd, NULL);
        free(fd);
    } else {
        add(&l, "--ro-bind", "/proc/cpuinfo", "/proc/cpuinfo");
    }
    for (int i = 0; i < s->readable.count; i++)
        add(&l, "--ro-bind", s->readable.item[i], s->readable.item[i]);
    for (int i = 0; i < s->writable.count; i++)
        add(&l, "--bind", s->writable.item[i], s->writable.item[i]);
    add(&l, "--setenv", "PATH", "/usr/bin:/bin");
    add(&l, "--setenv", "LC_ALL", "C");
    for (int i = 0; i < s->set.count; i++) {
        char *name = copy(s->set.item[i]), *value = strchr(name, '=');
        *value++ = 0;
        add(&l, "--setenv", name, value);
        free(name);
    }
    add(&l, "--remount-ro", "/", NULL);
    add(&l, "--chdir", s->folder ? s->folder : "/", NULL);
    for (int i = 0; i < s->command.count; i++)
        list_add(&l, s->command.item[i]);
    return l;
}

/* ---- the process -------------------------------------------------------------------------------------------------- */

static void limit(int what, size_t most)
{
    struct rlimit l = {most, most};
    setrlimit(what, &l);
}

/* Descriptors are moved up first, so that none is overwritten before it has been moved. */
static void place_fds(const Sandbox *s, int out, int err, int filter)
{
    enum { HIGH = 200 };
    int from[SANDBOX_FDS + 3] = {out, err, filter}, to[SANDBOX_FDS + 3] = {1, 2, FILTER_FD};
    for (int i = 0; i < SANDBOX_FDS; i++)
        from[3 + i] = s->fd[i], to[3 + i] = FIRST_FD + i;
    int count = 3 + s->fds;
    for (int i = 0; i < count; i++)
        if (from[i] >= 0)
            dup2(from[i], HIGH + i);
    for (int i = 0; i < count; i++)
        if (from[i] >= 0)
            dup2(HIGH + i, to[i]);
    for (int fd = 3; fd < 256; fd++)
        if (fd != FILTER_FD && !(fd >= FIRST_FD && fd < FIRST_FD + s->fds))
            close(fd);
    if (filter < 0)
        close(FILTER_FD);
}

static void enter(const Sandbox *s, const char *group, char **words, int out, int err)
{
    int null = open("/dev/null", O_RDONLY), filter = s->one_process && !s->unsafe ? filter_open() : -1;
    if (group && cgroup_enter(group) != 0)
        _exit(126);
    setpgid(0, 0);
    dup2(s->input ? s->input : null, 0);
    place_fds(s, s->output ? s->output : out, err, filter);
    limit(RLIMIT_CPU, (size_t)s->cpu_s + 1);
    limit(RLIMIT_FSIZE, s->file_bytes);
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_NOFILE, 256);
    limit(RLIMIT_NPROC, PROCESSES);
    if (s->unsafe) {
        for (int i = 0; i < s->set.count; i++)
            putenv(s->set.item[i]);
        if (s->folder && chdir(s->folder) != 0)
            _exit(126);
    }
    execvp(words[0], words);
    _exit(127);
}

/* ---- the watch -------------------------------------------------------------------------------------------------- */

/* Of a process and all below it. */
typedef struct Use {
    size_t memory;
    double cpu_s;
    int processes;
} Use;

static void use_of(pid_t pid, Use *u, int depth)
{
    char path[64], *name;
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    char *stat = file_read(path, NULL);
    unsigned long user = 0, kernel = 0;
    long resident = 0;
    if (stat && (name = strrchr(stat, ')')) &&
        sscanf(name + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu %*d %*d %*d %*d %*d %*d %*u %*u %ld",
               &user, &kernel, &resident) == 3) {
        u->memory += (size_t)resident * (size_t)sysconf(_SC_PAGESIZE);
        u->cpu_s += (double)(user + kernel) / (double)sysconf(_SC_CLK_TCK);
        u->processes++;
    }
    free(stat);
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)pid, (int)pid);
    char *children = depth < 16 && u->processes < 1000 ? file_read(path, NULL) : NULL;
    for (char *p = children, *end; p && *p; p = end) {
        long c = strtol(p, &end, 10);
        if (end == p)
            break;
        use_of((pid_t)c, u, depth + 1);
    }
    free(children);
}

typedef struct Collected {
    char *at;
    size_t bytes, most;
} Collected;

/* Returns 0 at the end. */
static int collect(Collected *c, int fd)
{
    char buffer[65536];
    ssize_t got = read(fd, buffer, sizeof buffer);
    if (got <= 0)
        return got < 0 && (errno == EAGAIN || errno == EINTR);
    size_t take = (size_t)got < c->most - c->bytes ? (size_t)got : c->most - c->bytes;
    c->at = realloc(c->at, c->bytes + take + 1);
    if (!c->at)
        die(1, "not enough memory");
    memcpy(c->at + c->bytes, buffer, take);
    c->bytes += take;
    c->at[c->bytes] = 0;
    return 1;
}

static const char too_much_memory[] = "it used more memory than allowed";

static const char *too_much(const Sandbox *s, const Use *u, double took)
{
    if (u->cpu_s > s->cpu_s)
        return "it used more CPU time than allowed";
    if (took > s->wall_s)
        return stopped_by_clock;
    if (u->memory > s->memory_bytes)
        return too_much_memory;
    return NULL;
}

/* Reads and looks until it has ended, or ends it. */
static void watch(Sandbox *s, pid_t pid, const char *group, int out, int err)
{
    Collected said[2] = {{.most = s->output_bytes}, {.most = s->output_bytes}};
    struct pollfd p[2] = {{out, POLLIN, 0}, {err, POLLIN, 0}};
    double start = seconds(), looked = start;
    int status = 0, ended = 0;
    struct rusage used = {0};
    while (!ended) {
        poll(p, 2, LOOK_MS);
        for (int i = 0; i < 2; i++)
            if (p[i].fd >= 0 && p[i].revents && !collect(&said[i], p[i].fd))
                p[i].fd = -1;
        if (p[0].fd < 0 && p[1].fd < 0)
            usleep(1000);
        double now = seconds();
        if (now - looked > LOOK_MS * 1e-3 && !s->stopped) {
            Use u = {0};
            if (group)
                cgroup_used(group, &u.memory, &u.cpu_s);
            else
                use_of(pid, &u, 0);
            s->memory_used = u.memory > s->memory_used ? u.memory : s->memory_used;
            s->cpu_s_used = u.cpu_s > s->cpu_s_used ? u.cpu_s : s->cpu_s_used;
            looked = now;
            if ((s->stopped = too_much(s, &u, now - start)))
                kill(-pid, SIGKILL), kill(pid, SIGKILL);
        }
        ended = wait4(pid, &status, WNOHANG, &used) == pid;
    }
    kill(-pid, SIGKILL); /* without a sandbox it may have left something behind */
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 64 && p[i].fd >= 0 && poll(&p[i], 1, 0) > 0 && collect(&said[i], p[i].fd); k++)
            continue;
    s->out = said[0].at ? said[0].at : copy("");
    s->err = said[1].at ? said[1].at : copy("");
    s->took_s = seconds() - start;
    double waited = (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
                    (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1e-6;
    s->cpu_s_used = waited > s->cpu_s_used ? waited : s->cpu_s_used;
    if (group) {
        cgroup_used(group, &s->memory_used, &s->cpu_s_used);
        if (!s->stopped && cgroup_out_of_memory(group))
            s->stopped = too_much_memory;
    }
    s->status = s->stopped ? 124 : WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void sandbox_run(Sandbox *s)
{
    int out[2], err[2];
    List words = words_of(s);
    if (pipe2(out, O_CLOEXEC) != 0 || pipe2(err, O_CLOEXEC) != 0)
        die(1, "cannot make a pipe: %s", strerror(errno));
    fcntl(out[0], F_SETFL, O_NONBLOCK), fcntl(err[0], F_SETFL, O_NONBLOCK);
    char *group = s->groups ? cgroup_make(s->groups, s->memory_bytes, PROCESSES) : NULL;
    fflush(NULL);
    pid_t pid = fork();
    if (pid < 0)
        die(1, "cannot start a process: %s", strerror(errno));
    if (pid == 0)
        enter(s, group, words.item, out[1], err[1]);
    close(out[1]), close(err[1]);
    for (int i = 0; i < s->fds; i++) /* its own from now on: that it ends is seen at the other end */
        close(s->fd[i]);
    if (s->input)
        close(s->input);
    if (s->output)
        close(s->output);
    watch(s, pid, group, out[0], err[0]);
    if (group)
        cgroup_remove(group);
    close(out[0]), close(err[0]);
    list_free(&words);
    clean_output(s->out), clean_output(s->err);
}

void sandbox_free(Sandbox *s)
{
    list_free(&s->command), list_free(&s->set), list_free(&s->readable), list_free(&s->writable);
    free(s->folder), free(s->out), free(s->err);
}
