/* recorder.h: what record.c (blocks) and launches.c (launches, settings, the end) have in common. */
#ifndef CPUDEVICE_RECORDER_H
#define CPUDEVICE_RECORDER_H

#include <pthread.h>
#include "view.h"

typedef struct view_operation { /* a kernel's launch */
    uint32_t number;            /* 1, 2, ... once it has begun */
    view_launch launch;
    char file[256];
    int line;
    size_t dynamic_smem, static_smem;
    int parameter_count;
    view_parameter parameters[VIEW_PARAMETERS];
} view_operation;

extern struct recorder {
    pthread_mutex_t lock;
    const char *file;  /* CUDA_CPU_VIEW; NULL: nothing is recorded */
    const char *still; /* the picture asked for; NULL: a page */
    uint32_t want;     /* the launch asked for; 0: the last */
    bool largest;      /* or, of the kernel launched first, the last launch with the most threads: */
    uint64_t threads;  /* of that so far */
    bool one;          /* only the block asked for: */
    uint32_t block[3];
    int observer; /* the number that the runtime knows the recorder by */
    view_recording r;
    view_launch *launches;
    uint32_t count, capacity;
} view;

void view_block_begin(const cpudev_block_info *b);
void view_block_end(void);
void view_thread_now(uint32_t thread, void *lo, size_t bytes);
void view_barrier(const void *site);
void view_meet(const cpudev_meeting *m);

#endif
