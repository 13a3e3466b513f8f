/* replay.h: runs a kernel's own lines for one thread after the other on the host, and records what each thread touches.
 *
 * The kernels are taken out of the labs by tools/notes/pictures.py and compiled with -fsanitize=thread, which calls a function
 * before each access to memory; replay.c has those functions. There is no scheduling: a barrier only counts, and the
 * *values* that a thread reads are not those of a real run. Addresses that do not depend on values are exact, and only
 * such kernels are used.
 */
#ifndef REPLAY_H
#define REPLAY_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct Access {
    int block, thread; /* linear: x + y * width */
    int order; /* the thread's how-many-th access to this array of this kind: equal orders of a warp are one request */
    int barriers; /* barriers that the thread had passed */
    int array, store, bytes;
    ptrdiff_t offset; /* in bytes, from the array's beginning */
} Access;

enum { REPLAY_ARRAYS = 8 };

typedef struct Replay {
    struct {
        const void *base;
        size_t bytes;
    } array[REPLAY_ARRAYS];
    int arrays;
    Access *access;
    size_t count, room;
} Replay;

/* The array is watched from now on; returns its number. Shared arrays announce themselves: see replay_shared. */
int replay_watch(Replay *r, const void *base, size_t bytes);

/* Runs call(user) once for every thread of a grid of (gx, gy) blocks of (bx, by) threads. */
void replay_run(Replay *r, int gx, int gy, int bx, int by, void (*call)(void *), void *user);
void replay_free(Replay *r);

/* Distinct aligned 32-byte sectors that the lanes of one warp's request touch. */
int replay_sectors(const Replay *r, int array, int store, int block, int warp, int order);
/* The most distinct 4-byte words in one of the 32 banks: the turns one request of a warp to shared memory takes. */
int replay_turns(const Replay *r, int array, int store, int block, int warp, int order);
/* The access of a thread, or NULL. */
const Access *replay_find(const Replay *r, int array, int store, int block, int thread, int order);

#ifdef __cplusplus
}
#endif
#endif
