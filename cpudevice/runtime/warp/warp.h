/* warp.h: what lanes of a warp do together. */
#ifndef WARP_H
#define WARP_H

/* All 32 lanes meet in a primitive that returns to `site`; the last to come runs call(lanes), lanes[l] being lane l's
 * `mine` (NULL of a lane that has ended). */
void warp_call_at(void (*call)(void *const *lanes), void *mine, const void *site);
/* Each lane says so of an instruction of its warp's that multiplies an m x k by a k x n matrix. */
void warp_multiplies(int m, int n, int k, const void *site);

#endif
