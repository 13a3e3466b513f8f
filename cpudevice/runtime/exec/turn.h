/* turn.h: blocks of a launch take turns (turn.c). A launch has `turns` where an observer asks for them, else NULL. */
#ifndef TURN_H
#define TURN_H

#include <stdbool.h>

#include "exec/thread.h"

struct command;
typedef struct turns turns;

turns *turns_new(const struct command *c);
void turns_free(turns *t);
void turn_block_begin(cpudev_worker *w, turns *t); /* may wait */
void turn_block_end(cpudev_worker *w, turns *t, bool failed);
bool turn_polled(cpudev_worker *w); /* a thread of the running block polls; true if another block has the turn now */
void turn_grid_arrive(cpudev_worker *w, turns *t);
void turn_grid_release(turns *t);
void turn_grid_leave(turns *t);

#endif
