#include "cgroup.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../course/support.h"

/* ---- files ------------------------------------------------------------------------------------------------------ */

/* Writes to a file of the group's. Returns 0, or -1 with errno. */
static int put(const char *group, const char *file, const char *value)
{
    char *path = text("%s/%s", group, file);
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    int ok = fd >= 0 && write(fd, value, strlen(value)) == (ssize_t)strlen(value), error = errno;
    if (fd >= 0)
        close(fd);
    free(path);
    errno = error;
    return ok ? 0 : -1;
}

static char *get(const char *group, const char *file)
{
    char *path = text("%s/%s", group, file), *value = file_read(path, NULL);
    free(path);
    return value ? value : copy("");
}

/* The number behind the word at the beginning of a line; 0 where there is none. */
static unsigned long long number_behind(const char *lines, const char *word)
{
    size_t n = strlen(word);
    for (const char *p = lines; *p; p += strcspn(p, "\n"), p += *p == '\n')
        if (strncmp(p, word, n) == 0 && p[n] == ' ')
            return strtoull(p + n, NULL, 10);
    return 0;
}

/* ---- where groups can be made ----------------------------------------------------------------------------------- */

/* This process's group, as a folder, if it is one of version 2 with limits on memory and processes. */
static char *own_group(void)
{
    char *mounts = file_read("/proc/self/mounts", NULL), *mine = file_read("/proc/self/cgroup", NULL), *found = NULL;
    char *path = mine ? strstr(mine, "0::/") : NULL, *rest = mounts, *line;
    if (path && (path == mine || path[-1] == '\n')) {
        path += strlen("0::");
        path[strcspn(path, "\n")] = 0;
        while (!found && (line = strsep(&rest, "\n"))) {
            char at[4096], type[64];
            if (sscanf(line, "%*s %4095s %63s", at, type) != 2 || strcmp(type, "cgroup2") != 0)
                continue;
            char *group = text("%s%s", at, strcmp(path, "/") == 0 ? "" : path);
            char *controllers = get(group, "cgroup.controllers");
            if (strstr(controllers, "memory") && strstr(controllers, "pids"))
                found = group;
            else
                free(group);
            free(controllers);
        }
    }
    free(mounts), free(mine);
    return found;
}

char *cgroup_open(void)
{
    static const char on[] = "+memory +pids";
    char *base = own_group();
    if (!base || put(base, "cgroup.subtree_control", on) == 0)
        return base;
    char *here = text("%s/grade.%d", base, (int)getpid());
    if (errno == EBUSY && mkdir(here, 0755) == 0) {
        if (cgroup_enter(here) == 0 && put(base, "cgroup.subtree_control", on) == 0) {
            free(here);
            return base;
        }
        cgroup_enter(base); /* somebody else is in our group as well */
        rmdir(here);
    }
    free(here), free(base);
    return NULL;
}

/* ---- one group -------------------------------------------------------------------------------------------------- */

char *cgroup_make(const char *base, size_t memory_bytes, int processes)
{
    static int made;
    char *group = text("%s/grade.%d.%d", base, (int)getpid(), made++);
    char *memory = text("%zu", memory_bytes), *most = text("%d", processes);
    if (mkdir(group, 0755) != 0 || put(group, "memory.max", memory) != 0 || put(group, "pids.max", most) != 0)
        die(1, "grade: cannot make a control group with limits: %s: %s", group, strerror(errno));
    put(group, "memory.swap.max", "0"); /* is not there where there is no swap */
    put(group, "memory.oom.group", "1");
    free(memory), free(most);
    return group;
}

int cgroup_enter(const char *group) { return put(group, "cgroup.procs", "0"); }

void cgroup_used(const char *group, size_t *memory_bytes, double *cpu_s)
{
    char *peak = get(group, "memory.peak"), *cpu = get(group, "cpu.stat");
    if (!*peak) { /* before Linux 5.19 */
        free(peak);
        peak = get(group, "memory.current");
    }
    *memory_bytes = strtoull(peak, NULL, 10);
    *cpu_s = (double)number_behind(cpu, "usage_usec") * 1e-6;
    free(peak), free(cpu);
}

int cgroup_out_of_memory(const char *group)
{
    char *events = get(group, "memory.events");
    int killed = number_behind(events, "oom_kill") > 0;
    free(events);
    return killed;
}

/* Before Linux 5.14 there is no file that ends a group. */
static void end_each(const char *group)
{
    char *all = get(group, "cgroup.procs");
    for (char *p = all, *end; *p; p = end) {
        long pid = strtol(p, &end, 10);
        if (end == p)
            break;
        if (pid > 0)
            kill((pid_t)pid, SIGKILL);
    }
    free(all);
}

void cgroup_remove(char *group)
{
    enum { TRIES = 1000 };
    for (int i = 0; i < TRIES && rmdir(group) != 0 && errno == EBUSY; i++) {
        if (put(group, "cgroup.kill", "1") != 0)
            end_each(group);
        usleep(2000);
    }
    free(group);
}
