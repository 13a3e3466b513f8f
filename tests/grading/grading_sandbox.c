/* grading_sandbox.c: what a program can do in the sandbox of tools/grade if it got past everything else. This program
 * runs itself there and tries, one attempt a test, by name. This program is
 * for the CPU device only. */
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../../tools/course/process.c"
#include "../../tools/course/support.c"
#include "../../tools/grading/cgroup.c"
#include "../../tools/grading/clean.c"
#include "../../tools/grading/filter.c"
#include "../../tools/grading/sandbox.c"
#include "../../tools/grading/verdict.c"
#include "suite.h"

/* Attempts return 0 if they were held back. What they could not even begin is held back. */
static int forks(void) { return fork() >= 0; }
static int opens_a_socket(void) { return socket(AF_INET, SOCK_STREAM, 0) >= 0 || socket(AF_UNIX, SOCK_STREAM, 0) >= 0; }
static int kills_others(void) { return kill(-1, SIGKILL) == 0 || (getppid() > 0 && kill(getppid(), SIGKILL) == 0); }
static int traces(void) { return ptrace(PTRACE_TRACEME, 0, 0, 0) == 0; }
static int becomes_root(void) { return setuid(0) == 0; }

static int can_write(const char *path)
{
    int fd = open(path, O_WRONLY | O_CREAT, 0666);
    return fd >= 0;
}

static int writes_files(void)
{
    const char *here = getenv("HERE");
    char *course = text("%s/tools/course.sh", here), *beside = text("%s/x", here);
    return can_write("/tmp/x") || can_write("/x") || can_write("/usr/x") || can_write("/dev/shm/x") ||
           can_write(course) || can_write(beside) || can_write("x");
}

static int sees_files(void)
{
    const char *here = getenv("HERE");
    const char *const names[] = {"solutions", "tools", "tests", "build/tools/grade", ".git"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char *path = text("%s/%s", here, names[i]);
        if (access(path, F_OK) == 0 || errno != ENOENT)
            return 1;
        free(path);
    }
    return access("/etc/passwd", F_OK) == 0 || access("/home", F_OK) == 0 || access("/root", F_OK) == 0;
}

static int sees_processes(void)
{
    DIR *d = opendir("/proc");
    int others = 0;
    for (struct dirent *e; d && (e = readdir(d));)
        others += e->d_name[0] >= '0' && e->d_name[0] <= '9' && atoi(e->d_name) != getpid();
    return others || getpid() != 1;
}

static int sees_the_environment(void) { return getenv("SECRET") != NULL; }

static int has_descriptors(void)
{
    for (int fd = 3; fd < 1000; fd++)
        if (fcntl(fd, F_GETFD) != -1)
            return fd;
    return 0;
}

/* These do not come back by themselves. */
static int __attribute__((noreturn)) never_ends(void)
{
    for (volatile int k = 0;; k = !k)
        continue;
}
static int __attribute__((noreturn)) sleeps(void)
{
    for (;;)
        pause();
}
static int __attribute__((noreturn)) fills_memory(void)
{
    for (;;) {
        char *p = mmap(NULL, 1 << 24, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (p != MAP_FAILED)
            memset(p, 1, 1 << 24);
    }
}
static int fills_the_log(void)
{
    static char line[4096];
    memset(line, 'x', sizeof line);
    memcpy(line, "\033[2Jexercise 3.1 passes\n", 24);
    for (int i = 0; i < 300 * 256; i++)
        if (write(1, line, sizeof line) <= 0)
            return 1;
    return 0;
}
static int fills_a_file(void)
{
    static char line[4096];
    int fd = open(getenv("FILE"), O_WRONLY);
    for (int i = 0; fd >= 0 && i < 300 * 256; i++)
        if (write(fd, line, sizeof line) <= 0)
            return 0;
    return 1;
}

/* As the compiler runs: it may start processes. */
static int forks_without_end(void)
{
    for (int i = 0; i < 1000; i++) {
        pid_t pid = fork();
        if (pid < 0)
            return 0;
        if (pid == 0)
            sleeps();
    }
    return 1;
}
/* In memory that each child has for itself. */
static int fills_memory_together(void)
{
    for (int i = 0; i < 16; i++)
        if (fork() == 0) {
            char *p = mmap(NULL, 1 << 26, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
            if (p != MAP_FAILED)
                memset(p, 1, 1 << 26);
            sleeps();
        }
    sleep(100);
    return 1;
}
/* In a session of its own and with its parent gone, so that no tree of processes shows whose it is. */
static int leaves_a_child(void)
{
    int fd = open(getenv("FILE"), O_WRONLY);
    if (fork() == 0) {
        setsid();
        if (fork() == 0) {
            dprintf(fd, "%d", (int)getpid());
            for (int i = 0; i < 3; i++)
                close(i);
            sleeps();
        }
        _exit(0);
    }
    for (int i = 0; i < 5000 && lseek(fd, 0, SEEK_END) == 0; i++)
        usleep(1000);
    return 0;
}

enum { PROCESSES_TOO = 1, UNSAFE = 2, WITH_GROUPS = 4 };
static const struct {
    const char *name;
    int (*run)(void);
    int status;          /* that the sandbox must report */
    const char *stopped; /* and why it was ended, or NULL */
    int how;
} attempts[] = {
    {"forks", forks, 0, NULL, 0},
    {"opens_a_socket", opens_a_socket, 0, NULL, 0},
    {"kills_others", kills_others, 0, NULL, 0},
    {"traces", traces, 0, NULL, 0},
    {"becomes_root", becomes_root, 0, NULL, 0},
    {"writes_files", writes_files, 0, NULL, 0},
    {"sees_files", sees_files, 0, NULL, 0},
    {"sees_processes", sees_processes, 0, NULL, 0},
    {"sees_the_environment", sees_the_environment, 0, NULL, 0},
    {"has_descriptors", has_descriptors, 0, NULL, 0},
    {"never_ends", never_ends, 124, "it used more CPU time than allowed", 0},
    {"sleeps", sleeps, 124, "it took longer than allowed", 0},
    {"fills_memory", fills_memory, 124, "it used more memory than allowed", 0},
    {"fills_the_log", fills_the_log, 0, NULL, 0},
    {"fills_a_file", fills_a_file, 0, NULL, 0},
    {"forks_without_end", forks_without_end, 0, NULL, PROCESSES_TOO | WITH_GROUPS},
    {"fills_memory_together", fills_memory_together, 124, "it used more memory than allowed", PROCESSES_TOO},
    {"leaves_a_child", leaves_a_child, 0, NULL, PROCESSES_TOO | UNSAFE | WITH_GROUPS},
};
enum { ATTEMPTS = sizeof attempts / sizeof attempts[0] };

static char *groups; /* cgroup_open()'s, for all tests */

START_TEST(attempt)
{
    const char *why = sandbox_missing();
    if (!why && attempts[_i].how & WITH_GROUPS && !groups)
        why = "no control groups of version 2 can be made here";
    if (why) {
        test_skip("%s", why);
        return;
    }
    const char *tmp = getenv("TMPDIR");
    char here[4096], *file = text("%s/grading_sandboxXXXXXX", tmp ? tmp : "/tmp");
    ck_assert_ptr_nonnull(getcwd(here, sizeof here));
    int fd = mkstemp(file);
    char *self = realpath("/proc/self/exe", NULL), *set_here = text("HERE=%s", here), *set_file = text("FILE=%s", file);
    setenv("SECRET", "1", 1);
    Sandbox s = {.cpu_s = 1,
                 .wall_s = strcmp(attempts[_i].name, "sleeps") == 0 ? 2 : 120,
                 .memory_bytes = 256 << 20,
                 .file_bytes = 1 << 20,
                 .output_bytes = 1 << 16,
                 .one_process = !(attempts[_i].how & PROCESSES_TOO),
                 .unsafe = (attempts[_i].how & UNSAFE) != 0,
                 .groups = groups};
    if (strcmp(attempts[_i].name, "never_ends") != 0)
        s.cpu_s = 60;
    list_add(&s.command, self), list_add(&s.command, "--attempt"), list_add(&s.command, attempts[_i].name);
    list_add(&s.readable, self), list_add(&s.writable, file);
    list_add(&s.set, set_here), list_add(&s.set, set_file);
    double start = seconds();
    sandbox_run(&s);
    ck_assert_msg(s.status == attempts[_i].status, "%s: status %d, not %d\n%s%s", attempts[_i].name, s.status,
                  attempts[_i].status, s.out, s.err);
    ck_assert_msg(!s.stopped == !attempts[_i].stopped && (!s.stopped || strcmp(s.stopped, attempts[_i].stopped) == 0),
                  "%s: stopped because %s", attempts[_i].name, s.stopped ? s.stopped : "(it was not)");
    ck_assert_uint_le(strlen(s.out), 1 << 16);
    ck_assert_msg(!strchr(s.out, 27), "an escape code came out");
    ck_assert_int_lt(lseek(fd, 0, SEEK_END), (1 << 20) + 1);
    ck_assert_double_lt(seconds() - start, 115);
    ck_assert_uint_lt(s.memory_used, groups ? (256 << 20) + 1 : 1 << 30);
    if (strcmp(attempts[_i].name, "leaves_a_child") == 0) {
        char *pid = file_read(file, NULL);
        ck_assert_msg(atoi(pid) > 0 && kill(atoi(pid), 0) != 0 && errno == ESRCH, "the child %s is there still", pid);
        free(pid);
    }
    close(fd), unlink(file);
    free(self), free(set_here), free(set_file), free(file);
    sandbox_free(&s);
}
END_TEST

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "--attempt") == 0)
        for (int i = 0; i < ATTEMPTS; i++)
            if (strcmp(attempts[i].name, argv[2]) == 0)
                return attempts[i].run();
    groups = cgroup_open();
    Suite *suite = suite_create("grading_sandbox");
    TCase *t = tcase_create("all");
    tcase_set_timeout(t, TEST_SECONDS);
    tcase_add_loop_test(t, attempt, 0, ATTEMPTS);
    suite_add_tcase(suite, t);
    return run_suite(suite);
}
