/* command.c: commands, which are kept to be used again. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "stream/command.h"
#include "observe/observers.h"
#include "cpudev_must.h"

static command *kept; /* linked by next_ready */

static pthread_mutex_t kept_lock = PTHREAD_MUTEX_INITIALIZER;

command *command_new(command_kind kind)
{
    pthread_mutex_lock(&kept_lock);
    command *c = kept;
    if (c)
        kept = c->next_ready;
    pthread_mutex_unlock(&kept_lock);
    if (!c) {
        c = aligned_alloc(64, (sizeof *c + 63) / 64 * 64);
        if (!c)
            out_of_memory();
        c->dependents = NULL;
        c->cap = 0;
    }
    command **dependents = c->dependents;
    int cap = c->cap;
    memset(c, 0, offsetof(command, inline_closure));
    c->dependents = dependents;
    c->cap = cap;
    c->kind = kind;
    c->units = kind == C_EVENT || kind == C_MARKER ? 0 : 1;
    c->correlation = current_correlation;
    return c;
}

kept_arguments *kept_hold(kept_arguments *k)
{
    if (k)
        __atomic_add_fetch(&k->holders, 1, __ATOMIC_SEQ_CST);
    return k;
}

void command_free(command *c)
{
    if (c->kept && !__atomic_sub_fetch(&c->kept->holders, 1, __ATOMIC_SEQ_CST))
        free(c->kept);
    if (c->kind == C_KERNEL && c->closure != c->inline_closure)
        free(c->closure);
    free(c->copy.staging);
    pthread_mutex_lock(&kept_lock);
    c->next_ready = kept;
    kept = c;
    pthread_mutex_unlock(&kept_lock);
}

void *closure_room(const cpudev_work *work)
{
    size_t align = work->align < 16 ? 16 : work->align;
    void *room = aligned_alloc(align, (work->size + align - 1) / align * align);
    if (!room)
        out_of_memory();
    return room;
}

command *command_clone(const command *from)
{
    command *c = command_new(from->kind), keep = *c;
    memcpy(c, from, sizeof *c);
    c->dependents = keep.dependents;
    c->ndependents = 0;
    c->cap = keep.cap;
    c->deps = 0;
    c->stream = NULL;
    c->next_ready = NULL;
    c->copy.staging = NULL;
    c->turns = NULL;
    kept_hold(c->kept);
    if (c->kind == C_KERNEL) {
        c->closure = from->closure == from->inline_closure ? c->inline_closure : closure_room(c->work);
        memcpy(c->closure, from->closure, c->work->size);
    }
    return c;
}
