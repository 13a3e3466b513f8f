#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { IN_ALL = 4 }; /* times what one of its processes may use, all of them may */

static void redirect(const char *path, int to)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0 || dup2(fd, to) < 0)
        _exit(126);
}

static sigset_t ends_of_children; /* SIGCHLD: blocked while jobs run, so that it can be waited for */

static void child(const Job *job)
{
    if (!job->input) { /* what reads the terminal stays in its process group, or it could not */
        setpgid(0, 0);
        int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
        dup2(null, STDIN_FILENO);
    }
    if (job->out)
        redirect(job->out, STDOUT_FILENO);
    if (job->err && job->err == job->out)
        dup2(STDOUT_FILENO, STDERR_FILENO);
    else if (job->err)
        redirect(job->err, STDERR_FILENO);
    if (job->folder && chdir(job->folder) != 0)
        _exit(126);
    for (int i = 0; i < job->set.count; i++)
        putenv(job->set.item[i]);
    if (job->cpu_limit_s) {
        struct rlimit limit = {(rlim_t)job->cpu_limit_s, (rlim_t)job->cpu_limit_s + 1};
        setrlimit(RLIMIT_CPU, &limit);
    }
    sigprocmask(SIG_UNBLOCK, &ends_of_children, NULL);
    signal(SIGPIPE, SIG_DFL); /* a caller in Python ignores it, and what it starts would inherit that */
    execvp(job->command.item[0], job->command.item);
    fprintf(stderr, "%s: %s\n", job->command.item[0], strerror(errno));
    _exit(127);
}

/* Process groups that are running: a signal that ends us ends them first, since the terminal's reaches only our own. */
enum { MOST_GROUPS = 512 };
static volatile pid_t group[MOST_GROUPS];

static void end_groups(int signal_number)
{
    for (int i = 0; i < MOST_GROUPS; i++)
        if (group[i])
            kill(-group[i], SIGKILL);
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

static void remember(pid_t old, pid_t new)
{
    for (int i = 0; i < MOST_GROUPS; i++)
        if (group[i] == old) {
            group[i] = new;
            return;
        }
}

static pid_t start(Job *job)
{
    fflush(NULL);
    job->took_s = job->awake_s = job->next_look_s = seconds();
    pid_t pid = fork();
    if (pid < 0)
        die(1, "cannot start a process: %s", strerror(errno));
    if (pid == 0)
        child(job);
    if (!job->input)
        setpgid(pid, pid), remember(0, pid); /* both sides set it: whoever comes first */
    return pid;
}

typedef struct Process {
    long pid, parent, ticks;
    int ours;
} Process;

/* All processes, the `root` and its descendants marked as ours. Returns how many; 0 without /proc. */
static int processes_of(pid_t root, Process *all, int room)
{
    int count = 0, more = 1;
    List stats = {0};
    list_glob(&stats, "/proc/[0-9]*/stat");
    for (int i = 0; i < stats.count && count < room; i++) {
        char *stat = file_read(stats.item[i], NULL);
        const char *rest = stat ? strrchr(stat, ')') : NULL; /* the name before it may hold anything */
        long had[4];
        all[count].ours = 0;
        if (rest && sscanf(rest, ") %*c %ld %*d %*d %*d %*d %*u %*u %*u %*u %*u %ld %ld %ld %ld", &all[count].parent,
                           &had[0], &had[1], &had[2], &had[3]) == 5) {
            all[count].pid = strtol(stat, NULL, 10);
            all[count++].ticks = had[0] + had[1] + had[2] + had[3];
        }
        free(stat);
    }
    list_free(&stats);
    while (more) {
        more = 0;
        for (int i = 0; i < count; i++) {
            int ours = all[i].pid == root;
            for (int k = 0; k < count && !ours; k++)
                ours = all[k].ours && all[k].pid == all[i].parent;
            if (ours && !all[i].ours)
                all[i].ours = more = 1;
        }
    }
    return count;
}

/* How many of their threads have or wait for a core or the disk; no more than `most` are looked for. */
static int threads_at_work(const Process *all, int count, int most)
{
    int at_work = 0;
    for (int i = 0; i < count && at_work < most; i++) {
        List threads = {0};
        char *pattern = all[i].ours ? text("/proc/%ld/task/*/stat", all[i].pid) : NULL;
        if (pattern)
            list_glob(&threads, pattern);
        for (int k = 0; k < threads.count && at_work < most; k++) {
            char *stat = file_read(threads.item[k], NULL);
            const char *rest = stat ? strrchr(stat, ')') : NULL;
            at_work += rest && rest[1] && (rest[2] == 'R' || rest[2] == 'D');
            free(stat);
        }
        list_free(&threads);
        free(pattern);
    }
    return at_work;
}

enum { MOST_PROCESSES = 4096 };

static Process *room_for_processes(void)
{
    Process *all = malloc(MOST_PROCESSES * sizeof *all);
    if (!all)
        die(1, "out of memory");
    return all;
}

/* Has it done nothing for so long that it never will, or more than it may in all? Looked at twenty times in its limit. */
static int hangs(Job *job, pid_t pid)
{
    enum { LOOKS = 20 };
    const double least_share = 0.01; /* of a core; what polls now and then has less */
    if (!job->idle_limit_s || seconds() < job->next_look_s)
        return 0;
    job->next_look_s = seconds() + (double)job->idle_limit_s / LOOKS;
    Process *all = room_for_processes();
    long ticks = 0;
    int count = processes_of(pid, all, MOST_PROCESSES);
    for (int i = 0; i < count; i++)
        ticks += all[i].ours ? all[i].ticks : 0;
    double cpu_s = (double)ticks / (double)sysconf(_SC_CLK_TCK), now = seconds();
    if (cpu_s < job->awake_cpu_s || cpu_s - job->awake_cpu_s > least_share * (now - job->awake_s)) {
        job->awake_s = now;
        job->awake_cpu_s = cpu_s;
    }
    int idle = now - job->awake_s > job->idle_limit_s;
    if (idle && threads_at_work(all, count, 1)) /* then it is the machine that is slow */
        idle = 0, job->awake_s = now;
    free(all);
    return idle || (job->cpu_limit_s && cpu_s > IN_ALL * job->cpu_limit_s);
}

/* Has its time run out? By the clock only where that is asked for, or nothing else tells that it hangs. */
static int late(Job *job, pid_t pid)
{
    int limit = job->wall_limit_s ? job->wall_limit_s : job->idle_limit_s ? 0 : IN_ALL * job->cpu_limit_s;
    return (limit && seconds() - job->took_s > limit) || hangs(job, pid);
}

/* A program of Check's, which runs each test in a process group of its own, ends that group first if it is asked to. */
static void end_late(const Job *job, pid_t pid)
{
    pid_t whom = job->input ? pid : -pid;
    kill(whom, SIGTERM);
    usleep(200000);
    kill(whom, SIGKILL);
}

static double cpu_seconds(const struct rusage *used)
{
    return (double)(used->ru_utime.tv_sec + used->ru_stime.tv_sec) +
           1e-6 * (double)(used->ru_utime.tv_usec + used->ru_stime.tv_usec);
}

static void ended(Job *job, pid_t pid, int status, const struct rusage *used, int timed_out)
{
    if (!job->input)
        kill(-pid, SIGKILL), remember(pid, 0); /* what it left behind */
    job->took_s = seconds() - job->took_s;
    job->cpu_s = cpu_seconds(used);
    if (timed_out || (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU))
        job->status = 124;
    else
        job->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Looks in a row that found a core without work, and when the next one is due. */
typedef struct Idle {
    int looks;
    double next_look_s;
} Idle;

/* Have fewer than `cores` threads been at work for a second? Asked again and again while jobs run: it looks four times. */
static int cores_are_idle(Idle *idle, int cores)
{
    enum { LOOKS = 4 };
    if (seconds() < idle->next_look_s)
        return 0;
    idle->next_look_s = seconds() + 1.0 / LOOKS;
    Process *all = room_for_processes();
    int count = processes_of(getpid(), all, MOST_PROCESSES);
    for (int i = 0; i < count; i++)
        all[i].ours &= all[i].pid != getpid();
    idle->looks = threads_at_work(all, count, cores) < cores ? idle->looks + 1 : 0;
    free(all);
    return idle->looks >= LOOKS;
}

/* Waits until a child has ended, but not longer than until it is time to look at the clocks of those that run. */
static void wait_for_a_child(void)
{
    static const struct timespec look = {.tv_nsec = 20 * 1000 * 1000};
    sigtimedwait(&ends_of_children, NULL, &look);
}

void jobs_run(Job *jobs, int count, int width, int most, void (*done)(Job *job))
{
    pid_t *pid = calloc((size_t)count + 1, sizeof *pid);
    char *killed = calloc((size_t)count + 1, 1);
    int next = 0, running = 0;
    Idle idle = {0};
    static const int ends_us[] = {SIGINT, SIGTERM, SIGHUP};
    for (int i = 0; i < 3; i++)
        signal(ends_us[i], end_groups);
    sigset_t before;
    sigemptyset(&ends_of_children), sigaddset(&ends_of_children, SIGCHLD);
    sigprocmask(SIG_BLOCK, &ends_of_children, &before);
    while (next < count || running > 0) {
        while (next < count && (running < width || (running < most && cores_are_idle(&idle, width)))) {
            pid[next] = start(&jobs[next]);
            next++, running++;
            idle.looks = 0;
        }
        int some = 0;
        for (int i = 0; i < next; i++) {
            int status;
            struct rusage used;
            if (!pid[i])
                continue;
            if (wait4(pid[i], &status, WNOHANG, &used) == pid[i]) {
                ended(&jobs[i], pid[i], status, &used, killed[i]);
                pid[i] = 0;
                running--, some++;
                if (done)
                    done(&jobs[i]);
            } else if (!killed[i] && late(&jobs[i], pid[i])) {
                killed[i] = 1;
                end_late(&jobs[i], pid[i]);
            }
        }
        if (!some)
            wait_for_a_child();
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    for (int i = 0; i < 3; i++)
        signal(ends_us[i], SIG_DFL);
    free(pid);
    free(killed);
}

int job_run(Job *job)
{
    jobs_run(job, 1, 1, 1, NULL);
    return job->status;
}

void job_free(Job *job)
{
    list_free(&job->command);
    list_free(&job->set);
}

static char *output_of_words(const char *const *words)
{
    int fd[2];
    size_t n = 0, room = 4096;
    ssize_t got;
    char *said = malloc(room);
    fflush(NULL);
    if (!said)
        die(1, "out of memory");
    if (pipe(fd) != 0)
        die(1, "cannot make a pipe: %s", strerror(errno));
    pid_t pid = fork();
    if (pid == 0) {
        dup2(fd[1], STDOUT_FILENO);
        close(fd[0]), close(fd[1]);
        execvp(words[0], (char *const *)words);
        _exit(127);
    }
    close(fd[1]);
    while ((got = read(fd[0], said + n, room - 1 - n)) > 0) {
        n += (size_t)got;
        if (n == room - 1) {
            char *more = realloc(said, room *= 2);
            if (!more)
                die(1, "out of memory");
            said = more;
        }
    }
    close(fd[0]);
    waitpid(pid, NULL, 0);
    while (n && said[n - 1] == '\n')
        n--;
    said[n] = 0;
    return said;
}

char *output_of(const char *program, const char *argument)
{
    return output_of_words((const char *const[]){program, argument, NULL});
}

char *output_of_shell(const char *command) { return output_of_words((const char *const[]){"sh", "-c", command, NULL}); }
