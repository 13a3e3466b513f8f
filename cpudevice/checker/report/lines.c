/* lines.c: return addresses as lines, by one addr2line process for the program and one for each module that it has
 * loaded, which are asked only when a finding is written.
 *
 * Frames inside the CPU device's own headers are passed over, so that a line is always the student's. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <pthread.h>
#include <unistd.h>
#include <link.h>
#include <signal.h>
#include <spawn.h>
#include <fcntl.h>
#include <unwind.h>

#include "report/chinese.h"
#include "report/lines.h"
#include "cpudev_must.h"
#include "core/lock.h"

static pthread_mutex_t lock; // recursive: a report resolves lines

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void lock_init(void)
{
    pthread_mutexattr_t a;
    pthread_mutexattr_init(&a);
    pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&lock, &a);
}

void check_report_lock(void)
{
    pthread_once(&once, lock_init);
    check_lock(&lock);
}

void check_report_unlock(void) { check_unlock(&lock); }

static line_entry *lines[1024];

// The addr2line of the program, which is the first, or of a module.
typedef struct tool {
    char path[4096]; // "" for the program
    uintptr_t load_base;
    FILE *to, *from;
    int state; // 0 not started, 1 running, -1 none
    int error; // why there is none, as errno says it
} tool;
static tool *tools[64];

// The object that pc lies in: the program where it is in none of the others.
typedef struct search {
    uintptr_t pc;
    int objects;
    uintptr_t base;
    const char *path;
} search;

static int object_of_pc(struct dl_phdr_info *i, size_t n, void *d)
{
    (void)n;
    search *s = d;
    if (!s->objects++) { // the program comes first
        s->base = i->dlpi_addr;
        s->path = "";
    }
    for (int k = 0; k < i->dlpi_phnum; k++)
        if (i->dlpi_phdr[k].p_type == PT_LOAD &&
            s->pc - (i->dlpi_addr + i->dlpi_phdr[k].p_vaddr) < i->dlpi_phdr[k].p_memsz &&
            !strncmp(i->dlpi_name, "/proc/", 6)) { // a module: runtime/driver_api/module.c
            s->base = i->dlpi_addr;
            s->path = i->dlpi_name;
            return 1;
        }
    return 0;
}

static tool *tool_of_pc(void *pc)
{
    enum { MOST = sizeof tools / sizeof *tools };
    search s = {.pc = (uintptr_t)pc, .path = ""};
    dl_iterate_phdr(object_of_pc, &s);
    int i = 0;
    while (i < MOST && tools[i] && tools[i]->load_base != s.base)
        i++;
    if (i < MOST && !tools[i] && (tools[i] = calloc(1, sizeof **tools))) {
        tools[i]->load_base = s.base;
        snprintf(tools[i]->path, sizeof tools[i]->path, "%s", s.path);
    }
    return i < MOST ? tools[i] : NULL;
}

// CUDA_CPU_ADDR2LINE=IN,OUT: descriptors of an addr2line that is running already, for a program that may start none.
static int tool_given(tool *t)
{
    const char *given = getenv("CUDA_CPU_ADDR2LINE");
    int in, out;
    if (!given || *t->path || sscanf(given, "%d,%d", &in, &out) != 2)
        return 0;
    t->to = fdopen(in, "w");
    t->from = fdopen(out, "r");
    return 1;
}

static void tool_start(tool *t)
{
    int in[2], out[2];
    t->state = -1;
    if (tool_given(t)) {
        if (t->to && t->from)
            t->state = 1;
        else
            t->error = errno;
        return;
    }
    if (pipe2(in, O_CLOEXEC)) {
        t->error = errno;
        return;
    }
    if (pipe2(out, O_CLOEXEC)) {
        t->error = errno;
        close(in[0]);
        close(in[1]);
        return;
    }
    char exe[4096];
    ssize_t n = *t->path ? snprintf(exe, sizeof exe, "%s", t->path) : readlink("/proc/self/exe", exe, sizeof exe - 1);
    if (n <= 0 || n >= (ssize_t)sizeof exe)
        return;
    exe[n] = 0;
    posix_spawn_file_actions_t fa;
    posix_spawn_file_actions_init(&fa);
    posix_spawn_file_actions_adddup2(&fa, in[0], 0);
    posix_spawn_file_actions_adddup2(&fa, out[1], 1);
    posix_spawn_file_actions_addopen(&fa, 2, "/dev/null", O_WRONLY, 0);
    char *argv[] = {"addr2line", "-a", "-i", "-f", "-C", "-e", exe, NULL};
    pid_t pid;
    int err = posix_spawnp(&pid, "addr2line", &fa, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&fa);
    close(in[0]);
    close(out[1]);
    if (err) {
        t->error = err;
        close(in[1]);
        close(out[0]);
        return;
    }
    t->to = fdopen(in[1], "w");
    t->from = fdopen(out[0], "r");
    if (t->to && t->from)
        t->state = 1;
    else
        t->error = errno;
}

static int is_ours(const char *file)
{
    return strstr(file, "/cpudevice/include/") || strstr(file, "include/cpudev_") ||
           strstr(file, "/cpudevice/runtime/") || strstr(file, "/cpudevice/checker/") ||
           strstr(file, "/cpudevice/viewer/") || !strncmp(file, "/usr/include/", 13) ||
           !strncmp(file, "/usr/lib/", 9) || strstr(file, "/common/ptx.cuh") || !strcmp(file, "common/ptx.cuh") ||
           !strncmp(file, "cpudevice/include/", 18) || *file == '<';
}

// One frame of the answer, the innermost first: its place, "FILE:LINE", and its function. The first that is not ours is
// the entry's place, or the first of all; the one after it is where that was inlined.
static void take_frame(line_entry *e, char *place, const char *function)
{
    char *paren = strstr(place, " (discriminator");
    if (paren)
        *paren = 0;
    char *colon = strrchr(place, ':');
    if (!colon || e->site_line)
        return;
    *colon = 0;
    int line = atoi(colon + 1), ours = is_ours(place);
    if (*place == '?' || !line)
        return;
    if (e->line && !e->ours) {
        if (!ours) {
            snprintf(e->site_file, sizeof e->site_file, "%.255s", place);
            e->site_line = line;
        }
        return;
    }
    if (!e->line || !ours) {
        snprintf(e->file, sizeof e->file, "%.255s", place);
        snprintf(e->function, sizeof e->function, "%.127s", function);
        e->line = line;
        e->ours = ours;
    }
}

/* Asks addr2line, whose answer is the address and then, frame by frame, a line with the function and one with the place.
 * A second, impossible address marks the end of the answer. One that has ended before is asked no more. */
static void ask_tool(tool *t, line_entry *e)
{
    char text[4096], function[4096] = "";
    bool is_function = true;
    // The call ends just before its return address.
    fprintf(t->to, "0x%lx\n0x%lx\n", (unsigned long)((uintptr_t)e->pc - 1 - t->load_base), 0xffffffffffffffful);
    fflush(t->to);
    for (int answers = 0; fgets(text, sizeof text, t->from);) {
        if (!strncmp(text, "0x", 2)) {
            if (++answers == 2) { // the marker's own two lines
                if (!fgets(text, sizeof text, t->from) || !fgets(text, sizeof text, t->from))
                    t->state = -1;
                return;
            }
            is_function = true;
            continue;
        }
        text[strcspn(text, "\n")] = 0;
        if (is_function) {
            snprintf(function, sizeof function, "%s", text);
            snprintf(e->outer, sizeof e->outer, "%.63s", text);
        } else
            take_frame(e, text, function);
        is_function = !is_function;
    }
    t->state = -1;
    t->error = EPIPE;
}

static int line_error;

int check_line_error(void) { return line_error; }

static void no_lines(const tool *t)
{
    if (!line_error)
        check_say_line("cucc --check: addr2line, which knows the lines, does not run: %s", strerror(t->error));
    line_error = t->error;
}

line_entry *check_resolve_pc(void *pc)
{
    unsigned h = (unsigned)((uintptr_t)pc * 2654435761u >> 16) & 1023;
    for (line_entry *e = lines[h]; e; e = e->next)
        if (e->pc == pc)
            return e;
    line_entry *e = must(calloc(1, sizeof *e));
    e->pc = pc;
    e->next = lines[h];
    lines[h] = e;
    tool *t = pc ? tool_of_pc(pc) : NULL;
    if (t && !t->state) {
        tool_start(t);
        if (t->error)
            no_lines(t);
    }
    if (!t || t->state < 0)
        return e;
    // The watchdog's signals would interrupt the reading, and the one for a pipe that nobody reads end the program.
    sigset_t all, before, pipe;
    const struct timespec none = {0, 0};
    sigfillset(&all);
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    ask_tool(t, e);
    if (t->error == EPIPE)
        sigtimedwait(&pipe, NULL, &none);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (t->error)
        no_lines(t);
    return e;
}

// A path as the student would write it: below the current directory if it is.
const char *check_short_path(const char *f)
{
    static char cwd[4096];
    if (!*cwd && !getcwd(cwd, sizeof cwd))
        strcpy(cwd, "/");
    size_t n = strlen(cwd);
    if (!strncmp(f, cwd, n) && f[n] == '/')
        f += n + 1;
    while (!strncmp(f, "./", 2))
        f += 2;
    return f;
}

const char *check_line(void *pc)
{
    static __thread char out[4][320];
    static __thread int k;
    if (!pc)
        return "";
    check_report_lock();
    line_entry *e = check_resolve_pc(pc);
    char *o = out[k = (k + 1) & 3];
    if (e->line)
        snprintf(o, sizeof out[0], "%.255s:%d", check_short_path(e->file), e->line);
    else
        *o = 0;
    check_report_unlock();
    return o;
}

int check_same_line(void *a, void *b)
{
    if (a == b)
        return 1;
    if (!a || !b)
        return 0;
    check_report_lock();
    line_entry *x = check_resolve_pc(a), *y = check_resolve_pc(b);
    int same = x->line == y->line && !strcmp(x->file, y->file);
    check_report_unlock();
    return same;
}

typedef struct frames {
    void *pc[48];
    int n;
} frames;

static _Unwind_Reason_Code on_frame(struct _Unwind_Context *c, void *data)
{
    frames *f = data;
    if (f->n == 48)
        return _URC_END_OF_STACK;
    f->pc[f->n++] = (void *)_Unwind_GetIP(c);
    return _URC_NO_REASON;
}

void *check_caller_of(void *pc)
{
    frames f = {.n = 0};
    _Unwind_Backtrace(on_frame, &f);
    for (int i = 0; i + 1 < f.n; i++)
        if (f.pc[i] == pc)
            return f.pc[i + 1];
    return NULL;
}

// If pc lies in a header of ours that was not inlined, a caller's line says more.
void *check_students_pc(void *pc)
{
    if (!pc)
        return pc;
    line_entry *e = check_resolve_pc(pc);
    if (e->line && !e->ours)
        return pc;
    frames f = {.n = 0};
    _Unwind_Backtrace(on_frame, &f);
    int on = 0;
    for (int i = 0; i < f.n; i++) {
        if (f.pc[i] == pc)
            on = 1;
        if (!on)
            continue;
        line_entry *x = check_resolve_pc(f.pc[i]);
        if (x->line && !x->ours)
            return f.pc[i];
    }
    return pc;
}
