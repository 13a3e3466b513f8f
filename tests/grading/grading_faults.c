/* grading_faults.c: trouble of the machine is never a student's. A right answer is graded again and again, each time with
 * one fault: a system call of the grader, of bubblewrap, of the compiler, of the answer or of the judge returns an error, or
 * its process is killed there. The answer is passed or it is not graded, and a later run without faults passes it.
 *
 * Every system call of all these processes comes by here first (seccomp's user notifications): a run without a fault counts
 * them, and each fault is one of them. GRADING_FAULTS=N tries N instead of a few. This program is for the CPU device only. */
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../tools/course/support.c"
#include "command.h"
#include "suite.h"

#define SOLUTION "solutions/lecture03_cuda_basics/ex01_index.cu"
#define PLACE "lecture03_cuda_basics/exercises/ex01_index.cu"
enum { FAULTS = 24, RUN_SECONDS = 60, MOST_PIDS = 1 << 16 };

static char tree[] = "/tmp/grading_faultsXXXXXX";
static int sandboxed;

/* Which call is to fail: the number `at` among all, or among those of the grader's own processes; 0: none. */
typedef struct Fault {
    long at;
    int in_grader, error; /* error 0: the process is killed */
} Fault;

/* A run under faults. */
typedef struct Run {
    Fault fault;
    int listener, status;
    long calls, grader_calls;
    int hit_call; /* what failed */
    char in_grader[MOST_PIDS];
} Run;

/* ---- the filter ------------------------------------------------------------------------------------------------- */

/* All calls are notified of but those that wait or end, which no fault can meet, and sendmsg's like, which seccomp's own
 * set-up needs. */
static int install_filter(void)
{
    static const int passed[] = {SYS_futex,       SYS_nanosleep,      SYS_clock_nanosleep,
                                 SYS_exit,        SYS_exit_group,     SYS_rt_sigreturn,
                                 SYS_sched_yield, SYS_clock_gettime,  SYS_restart_syscall,
                                 SYS_ppoll,       SYS_rt_sigprocmask,
#ifdef SYS_poll
                                 SYS_poll,
#endif
                                 SYS_wait4,       SYS_waitid,         SYS_close};
    enum { COUNT = sizeof passed / sizeof passed[0] };
    struct sock_filter code[COUNT + 3] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0)};
    for (int i = 0; i < COUNT; i++)
        code[1 + i] =
            (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)passed[i], (unsigned char)(COUNT - i), 0);
    code[COUNT + 1] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF);
    code[COUNT + 2] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    struct sock_fprog program = {COUNT + 3, code};
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);
}

/* Becomes the grader, under the filter; the descriptor of the filter's notifications is the first free one. */
static void become_grader(void)
{
    char *grades = text("%s/grades", tree), *honest = text("%s/honest", tree), *said = text("%s/said", tree);
    char *const command[] = {"build/tools/grade", "-o", grades, "-e", "3.1", honest, NULL};
    int out = open(said, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    dup2(out, 1), dup2(out, 2);
    close(out);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (install_filter() >= 0)
        execv(command[0], command);
    _exit(126);
}

/* The same descriptor here. -1: there is none. */
static int listener_of(pid_t pid, int number)
{
    int process = (int)syscall(SYS_pidfd_open, pid, 0), listener = -1;
    char *path = text("/proc/%d/fd/%d", (int)pid, number), to[64] = "";
    for (int i = 0; i < 20000 && process >= 0 && !strstr(to, "seccomp"); i++) { /* it is not there yet */
        ssize_t n = readlink(path, to, sizeof to - 1);
        to[n > 0 ? n : 0] = 0;
        usleep(100);
    }
    if (strstr(to, "seccomp"))
        listener = (int)syscall(SYS_pidfd_getfd, process, number, 0);
    close(process);
    free(path);
    return listener;
}

/* ---- who answers ------------------------------------------------------------------------------------------------ */

static int is_grader(Run *r, const struct seccomp_notif *n)
{
    enum { UNKNOWN, YES, NO };
    char *known = &r->in_grader[n->pid % MOST_PIDS];
    if (*known == UNKNOWN) {
        char path[64], name[32] = "";
        snprintf(path, sizeof path, "/proc/%u/comm", n->pid);
        FILE *f = fopen(path, "r");
        if (f && !fgets(name, sizeof name, f))
            *name = 0;
        if (f)
            fclose(f);
        *known = strcmp(name, "grade\n") == 0 ? YES : NO;
    }
    int yes = *known == YES;
    if (n->data.nr == SYS_execve) /* another program from now on */
        *known = UNKNOWN;
    return yes;
}

static int is_due(Run *r, const struct seccomp_notif *n)
{
    int grader = is_grader(r, n);
    r->calls++, r->grader_calls += grader;
    return r->fault.at && (r->fault.in_grader ? grader && r->grader_calls == r->fault.at : r->calls == r->fault.at);
}

static void answer(Run *r)
{
    struct seccomp_notif n = {0};
    struct seccomp_notif_resp reply = {0};
    if (ioctl(r->listener, SECCOMP_IOCTL_NOTIF_RECV, &n) != 0)
        return;
    reply.id = n.id;
    reply.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
    if (is_due(r, &n)) {
        /* execvp() would look for another program of that name after EACCES, and find the real make */
        const int error = n.data.nr == SYS_execve && r->fault.error == EACCES ? ENOMEM : r->fault.error;
        r->hit_call = (int)n.data.nr;
        if (error)
            reply.flags = 0, reply.error = -error;
        else
            kill((pid_t)n.pid, SIGKILL);
    }
    ioctl(r->listener, SECCOMP_IOCTL_NOTIF_SEND, &reply);
}

/* Grades the answer with that fault. */
static void grade(Run *r, Fault fault)
{
    memset(r, 0, sizeof *r);
    r->fault = fault;
    int number = open("/dev/null", O_RDONLY);
    close(number);
    fflush(NULL);
    pid_t pid = fork();
    ck_assert_int_ge(pid, 0);
    if (pid == 0)
        become_grader();
    r->listener = listener_of(pid, number);
    double end = seconds() + RUN_SECONDS;
    while (waitpid(pid, &r->status, WNOHANG) == 0) {
        struct pollfd p = {r->listener, POLLIN, 0};
        if (r->listener >= 0 && poll(&p, 1, 20) > 0 && (p.revents & POLLIN))
            answer(r);
        if (seconds() > end)
            kill(pid, SIGKILL);
    }
    /* What the grader has started ends with it; until then it waits for an answer to its calls. */
    for (struct pollfd p = {r->listener, POLLIN, 0}; r->listener >= 0 && poll(&p, 1, 200) > 0 && (p.revents & POLLIN);)
        answer(r);
    close(r->listener);
}

/* ---- the tests -------------------------------------------------------------------------------------------------- */

static char *in_tree(const char *name)
{
    char *path = text("%s/%s", tree, name), *s = file_read(path, NULL);
    free(path);
    return s ? s : copy("");
}

static void remove_grades(void)
{
    char *grades = text("%s/grades", tree);
    remove_tree(grades);
    free(grades);
}

static long calls, grader_calls; /* of a run without a fault */

static void set_up(void)
{
    Run *r = malloc(sizeof *r);
    ck_assert_ptr_nonnull(mkdtemp(tree));
    setenv("tree", tree, 1);
    unsetenv("MAKEFLAGS"), unsetenv("MAKELEVEL");
    if (system("tools/setup/need.sh bubblewrap && bwrap --unshare-all --ro-bind / / true") != 0)
        return;
    /* The first run builds what there is to build; from then on make is a program that does nothing, for a fault in it
     * would have it build the compiler anew. */
    ck_assert_int_eq(
        system("set -e; d=$tree/honest/lecture03_cuda_basics/exercises; mkdir -p $d $tree/bin; grep -v 'TODO(ex\\|>>> "
               "answer\\|<<< answer\\|// stub:' " SOLUTION
               " >$d/ex01_index.cu; tools/grade -o $tree/grades -e 3.1 $tree/honest; "
               "ln -s $(command -v true) $tree/bin/make"),
        0);
    char *path = text("%s/bin:%s", tree, getenv("PATH"));
    setenv("PATH", path, 1), setenv("GRADE_FROM", "/", 1), setenv("LC_ALL", "C", 1);
    remove_grades();
    grade(r, (Fault){0});
    char *said = in_tree("said");
    if (r->listener >= 0) {
        ck_assert_msg(strstr(said, "1 passed"), "without a fault: %s", said);
        calls = r->calls, grader_calls = r->grader_calls;
        sandboxed = 1;
    }
    free(r), free(path), free(said);
}

static void tear_down(void) { remove_tree(tree); }

static int faults(void)
{
    const char *wish = getenv("GRADING_FAULTS");
    return wish ? atoi(wish) : FAULTS;
}

/* The fault of that number: spread over all calls of all processes, every other one in the grader's own. */
static Fault fault_of(int i)
{
    static const int errors[] = {ENOSPC, ENOMEM, EIO, 0, EMFILE, EAGAIN, EACCES};
    const double golden = 0.6180339887498949, at = (i + 1) * golden - (int)((i + 1) * golden);
    Fault f = {.in_grader = i % 2, .error = errors[i % 7]};
    f.at = 1 + (long)(at * (double)(f.in_grader ? grader_calls : calls));
    return f;
}

START_TEST(a_fault)
{
    if (!sandboxed) {
        test_skip("no bubblewrap, or no user notifications of seccomp");
        return;
    }
    Run *r = malloc(sizeof *r);
    for (int i = _i; i < faults(); i += FAULTS) {
        Fault f = fault_of(i);
        remove_grades();
        grade(r, f);
        char *said = in_tree("said"), *report = in_tree("grades/students/honest.txt"),
             *table = in_tree("grades/grades.csv");
        char *what = text("fault %d (call %ld of %s, number %d, %s)", i, f.at, f.in_grader ? "the grader's" : "all",
                          r->hit_call, f.error ? strerror(f.error) : "killed");
        int passed = strstr(report, ": passed") != NULL, ended = *table != 0;
        ck_assert_msg(!strstr(report, ": failed") && !strstr(report, ": missing") && !strstr(report, ": to do"),
                      "%s:\n%s%s", what, report, said);
        ck_assert_msg(!ended || passed || strstr(table, ",not graded") || strstr(table, ",unreadable"), "%s:\n%s%s",
                      what, table, said);
        ck_assert_msg(passed || *said || !WIFEXITED(r->status), "%s: nothing is said", what);
        if (!passed) {
            CommandCase again = {0, "1 passed", "build/tools/grade -o $tree/grades -e 3.1 $tree/honest"};
            command_holds(&again);
        }
        if (getenv("GRADING_FAULTS"))
            printf("%s: %s%s%s", what,
                   passed  ? "passed\n"
                   : ended ? "not graded: "
                           : "ended: ",
                   passed ? "" : said, passed ? "" : "\n");
        free(said), free(report), free(table), free(what);
    }
    free(r);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("grading_faults");
    TCase *t = tcase_create("all");
    tcase_set_timeout(t, TEST_SECONDS);
    tcase_add_unchecked_fixture(t, set_up, tear_down);
    tcase_add_loop_test(t, a_fault, 0, FAULTS);
    suite_add_tcase(s, t);
    return run_suite(s);
}
