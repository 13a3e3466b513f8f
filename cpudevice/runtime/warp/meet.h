/* meet.h: lanes of a warp meet, and what they came for is done. */
#ifndef MEET_H
#define MEET_H

#include "exec/thread.h"

bool try_meet(cpudev_worker *w, unsigned warp, unsigned lane); /* true: all lanes in its mask were there */
void retry_warp(cpudev_worker *w, unsigned warp); /* a lane has ended: those that named it wait no longer */

#endif
