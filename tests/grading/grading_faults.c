/* grading_faults.c: trouble of the machine is never a student's. A right answer is graded again and again, each time with
 * one fault: a system call of the grader, of bubblewrap, of the compiler, of the answer or of the judge returns an error, or
 * its process is killed there. Some faults last: from there on, and in the second attempt too, programs of that name get no
 * memory, no process, no file or no room on the disk. The answer is passed or it is not graded, and a later run without
 * faults passes it.
 *
 * Every system call of all these processes comes by here first (seccomp's user notifications): a run without a fault counts
 * them, and each fault is one of them. GRADING_FAULTS=N tries N instead of a few, and prints what came of each. This program
 * is for the CPU device only. */
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

#ifndef SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP /* since Linux 6.6: who waits for an answer goes on at once */
#define SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP 1UL
#define SECCOMP_IOCTL_NOTIF_SET_FLAGS SECCOMP_IOW(4, __u64)
#endif

#include "../../tools/course/support.c"
#include "command.h"
#include "suite.h"

#define SOLUTION "solutions/lecture03_cuda_basics/ex01_index.cu"
#define PLACE "lecture03_cuda_basics/exercises/ex01_index.cu"
enum { FAULTS = 24, RUN_SECONDS = 300, MOST_PIDS = 1 << 16 };

static char tree[] = "/tmp/grading_faultsXXXXXX";
static int sandboxed;

/* What a call asks the machine for, and how it is refused. */
typedef enum Kind { OTHER, PROCESS, MEMORY, OPENING, WRITING, READING, KINDS } Kind;
static const int refusal[KINDS] = {EIO, EAGAIN, ENOMEM, EMFILE, ENOSPC, EIO};

/* Which call is to fail: the number `at` among all, or among those of the grader's own processes, or in each process of
 * that name among those of a kind; 0: none. */
typedef struct Fault {
    long at;
    int in_grader, error; /* error 0: the process is killed */
    int lasts;            /* all further calls of that kind by programs of that name fail too */
    const char *name;     /* or NULL */
    Kind kind;
} Fault;

typedef char Name[16]; /* a program's, as /proc/PID/comm has it */

/* A run under faults. */
typedef struct Run {
    Fault fault;
    int listener, status;
    long calls, grader_calls;
    int hit, hit_call; /* what failed */
    Kind hit_kind;
    Name hit_name;
    Name name[MOST_PIDS]; /* "": not known */
    long named_calls[MOST_PIDS];
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

static Kind kind_of(int call)
{
    switch (call) {
    case SYS_clone:
    case SYS_clone3:
#ifdef SYS_fork
    case SYS_fork:
    case SYS_vfork:
#endif
        return PROCESS;
    case SYS_mmap:
    case SYS_mremap:
    case SYS_brk:
    case SYS_execve: return MEMORY;
    case SYS_openat:
    case SYS_pipe2:
    case SYS_memfd_create: return OPENING;
    case SYS_write:
    case SYS_writev:
    case SYS_pwrite64:
    case SYS_ftruncate:
    case SYS_mkdirat: return WRITING;
    case SYS_read:
    case SYS_pread64: return READING;
    default: return OTHER;
    }
}

/* Of the program that calls, before a call of execve() makes it another. */
static void name_of(Run *r, const struct seccomp_notif *n, Name name)
{
    char *known = r->name[n->pid % MOST_PIDS];
    if (!*known) {
        char path[64];
        snprintf(path, sizeof path, "/proc/%u/comm", n->pid);
        FILE *f = fopen(path, "r");
        if (f && !fgets(known, sizeof(Name), f))
            *known = 0;
        if (f)
            fclose(f);
        known[strcspn(known, "\n")] = 0;
        r->named_calls[n->pid % MOST_PIDS] = 0;
    }
    memcpy(name, known, sizeof(Name));
    if (n->data.nr == SYS_execve)
        *known = 0;
}

static int is_due(Run *r, const struct seccomp_notif *n)
{
    const Fault *f = &r->fault;
    const Kind kind = kind_of(n->data.nr);
    Name name;
    name_of(r, n, name);
    const int grader = strcmp(name, "grade") == 0;
    int due;
    if (f->name) {
        long *calls = &r->named_calls[n->pid % MOST_PIDS];
        *calls += kind == f->kind && strcmp(name, f->name) == 0;
        due = *calls >= f->at && kind == f->kind && strcmp(name, f->name) == 0;
    } else if (r->hit) {
        due = f->lasts && kind == r->hit_kind && strcmp(name, r->hit_name) == 0;
    } else {
        r->calls++, r->grader_calls += grader;
        due = f->at && (f->in_grader ? grader && r->grader_calls == f->at : r->calls == f->at);
    }
    if (!due || r->hit)
        return due;
    r->hit = 1, r->hit_call = n->data.nr, r->hit_kind = kind;
    memcpy(r->hit_name, name, sizeof name);
    return 1;
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
        const int wished = r->fault.lasts ? refusal[r->hit_kind] : r->fault.error;
        /* execvp() would look for another program of that name after EACCES, and find the real make */
        const int error = n.data.nr == SYS_execve && wished == EACCES ? ENOMEM : wished;
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
    ioctl(r->listener, SECCOMP_IOCTL_NOTIF_SET_FLAGS, SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP);
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
               /* not `command -v true`, which names a shell's own */
               "for t in /bin/true /usr/bin/true; do [ ! -x $t ] || ln -sf $t $tree/bin/make; done; $tree/bin/make"),
        0);
    char *nothing = text("%s/bin/make", tree);
    setenv("COURSE_MAKE", nothing, 1), setenv("GRADE_FROM", "/", 1), setenv("LC_ALL", "C", 1);
    remove_grades();
    grade(r, (Fault){0});
    char *said = in_tree("said");
    if (r->listener >= 0) {
        ck_assert_msg(strstr(said, "1 passed"), "without a fault: %s", said);
        calls = r->calls, grader_calls = r->grader_calls;
        sandboxed = 1;
    }
    free(r), free(nothing), free(said);
}

static void tear_down(void) { remove_tree(tree); }

static int faults(void)
{
    const char *wish = getenv("GRADING_FAULTS");
    return wish ? atoi(wish) : FAULTS;
}

/* The fault of that number: spread over all calls of all processes, every other one in the grader's own; a third lasts. */
static Fault fault_of(int i)
{
    static const int errors[] = {ENOSPC, ENOMEM, EIO, 0, EMFILE, EAGAIN, EACCES};
    const double golden = 0.6180339887498949, at = (i + 1) * golden - (int)((i + 1) * golden);
    Fault f = {.in_grader = i % 2, .error = errors[i % 7], .lasts = i / 2 % 3 == 2};
    f.at = 1 + (long)(at * (double)(f.in_grader ? grader_calls : calls));
    return f;
}

/* A right answer is graded under the fault: it is passed or not graded, and nothing is lost. */
static void holds(Run *r, Fault f, const char *number)
{
    remove_grades();
    grade(r, f);
    char *said = in_tree("said"), *report = in_tree("grades/students/honest.txt"),
         *table = in_tree("grades/grades.csv");
    char *what = text("fault %s (call %d of %s, %s%s)", number, r->hit_call, r->hit ? r->hit_name : "none",
                      f.lasts   ? strerror(refusal[r->hit_kind])
                      : f.error ? strerror(f.error)
                                : "killed",
                      f.lasts ? ", from then on" : "");
    int passed = strstr(report, "point): passed") != NULL, ended = *table != 0;
    ck_assert_msg(!strstr(report, "point): failed") && !strstr(report, "point): missing") &&
                      !strstr(report, "point): to do"), /* a tool's own words may be "failed" */
                  "%s:\n%s%s", what, report, said);
    ck_assert_msg(!ended || passed || strstr(table, ",not graded") || strstr(table, ",unreadable"), "%s:\n%s%s", what,
                  table, said);
    ck_assert_msg(passed || *said || r->status != 0, "%s: nothing is said", what);
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

START_TEST(a_fault)
{
    if (!sandboxed) {
        test_skip("no bubblewrap, or no user notifications of seccomp");
        return;
    }
    Run *r = malloc(sizeof *r);
    for (int i = _i; i < faults(); i += FAULTS) {
        char *number = text("%d", i);
        holds(r, fault_of(i), number);
        free(number);
    }
    free(r);
}
END_TEST

/* A program that gets no more of something, however often it is tried. */
static const struct {
    const char *name;
    Kind kind;
    long from; /* its calls of that kind */
} starved[] = {
    {"bwrap", PROCESS, 1},      {"sh", PROCESS, 1},      {"cucc-driver", PROCESS, 1}, {"cucc-driver", MEMORY, 20},
    {"g++", PROCESS, 1},        {"cc1plus", MEMORY, 40}, {"cc1plus", MEMORY, 100},    {"cucc-compile", MEMORY, 12},
    {"as", MEMORY, 20},         {"ld", MEMORY, 60},      {"ld", WRITING, 1},          {"as", WRITING, 1},
    {"cc1plus", OPENING, 20},   {"program", PROCESS, 1}, {"program", MEMORY, 20},     {"program", MEMORY, 40},
    {"program", MEMORY, 45},    {"program", WRITING, 1}, {"program", READING, 4},     {"ex01_index", MEMORY, 20},
    {"ex01_index", WRITING, 1},
};

START_TEST(a_starved_program)
{
    if (!sandboxed)
        return;
    Run *r = malloc(sizeof *r);
    Fault f = {.at = starved[_i].from, .name = starved[_i].name, .kind = starved[_i].kind, .lasts = 1};
    char *number = text("of %s, kind %d, from call %ld", f.name, (int)f.kind, f.at);
    holds(r, f, number);
    if (!r->hit && f.at > 20) { /* how often a program asks for memory hangs on what else the machine does */
        f.at = 20;
        holds(r, f, number);
    }
    ck_assert_msg(r->hit, "%s: no such call was made", number);
    free(number), free(r);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("grading_faults");
    TCase *t = tcase_create("all");
    tcase_set_timeout(t, TEST_SECONDS);
    tcase_add_unchecked_fixture(t, set_up, tear_down);
    tcase_add_loop_test(t, a_fault, 0, FAULTS);
    tcase_add_loop_test(t, a_starved_program, 0, sizeof starved / sizeof starved[0]);
    suite_add_tcase(s, t);
    return run_suite(s);
}
