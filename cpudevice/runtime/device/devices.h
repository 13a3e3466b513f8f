/* devices.h: how many devices there are (CUDA_CPU_DEVICES=N, default 1) and which one is current for a thread. */
#ifndef DEVICES_H
#define DEVICES_H

#include <stdbool.h>

enum { MAX_DEVICES = 16 };

void devices_init(void); /* reads CUDA_CPU_DEVICES; what is no number of devices ends the process with status 2 */
int device_count(void);
bool device_exists(int device);
int current_device(void); /* of the calling host thread; of a kernel's thread, the device that it runs on */
void make_current(int device);

/* May `from` access the memory of `to`? Returns what held before. */
bool set_peer_access(int from, int to, bool may);
bool may_access(int from, int to); /* a device may access itself */
void forget_peer_access(int from); /* at a reset of `from` */

#endif
