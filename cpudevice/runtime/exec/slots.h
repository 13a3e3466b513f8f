/* slots.h: one pointer of each thread's own, for emulations that must remember something (cpudev_thread_slot). */
#ifndef SLOTS_H
#define SLOTS_H

void free_slots(void); /* the block is over: frees what its threads have kept */

#endif
