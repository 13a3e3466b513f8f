/* warp.h: what lanes of a warp do together. */
#ifndef WARP_H
#define WARP_H

/* cpudev_warp_call for a primitive that returns to `site`. */
void warp_call_at(void (*call)(void *const *lanes), void *mine, const void *site);

#endif
