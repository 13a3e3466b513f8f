/* cgroup.h: limits that the kernel holds: control groups (version 2), where this process may make them below its own:
 * as root, or where systemd has delegated its group (systemd-run --user --scope -p Delegate=yes tools/grade ...). */
#ifndef CGROUP_H
#define CGROUP_H

#include <stddef.h>

/* The folder of the group below which groups with limits can be made, or NULL: there is none. This process may move
 * into a group of its own below it, for a group whose groups have limits can have no process itself. */
char *cgroup_open(void);

/* A group below `base` for at most so much memory (no swap) and so many processes and threads; if it needs more memory
 * all of it is ended. Ends the program if the group cannot be made. */
char *cgroup_make(const char *base, size_t memory_bytes, int processes);
/* Moves this process into the group. Returns 0, or -1. */
int cgroup_enter(const char *group);
/* What the group has used until now. */
void cgroup_used(const char *group, size_t *memory_bytes, double *cpu_s);
/* Has the kernel ended it because of its memory? */
int cgroup_out_of_memory(const char *group);
/* Ends what is still in the group, whoever its parent is, and removes it. */
void cgroup_remove(char *group);

#endif
