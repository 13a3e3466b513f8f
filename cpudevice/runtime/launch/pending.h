/* pending.h: launches whose arguments are being computed: their configurations, from between <<< and >>>.
 *
 * Computing them may launch other kernels, or bring another thread's turn: each thread, of the host or of a kernel, has
 * a stack of its own. */
#ifndef PENDING_H
#define PENDING_H

#include <stdbool.h>

#include "driver_types.h"

typedef struct launch {
    dim3 grid, block;
    size_t shared;
    cudaStream_t stream;
    const char *file;
    int line;
    bool cooperative, told; /* told: the call of the runtime is already under way */
    cudaError_t *result;    /* NULL, or where the outcome goes */
    const void *caller;
    dim3 cluster;    /* 0: as the kernel says */
    unsigned thread; /* in a kernel: whose launch it is */
} launch;

void pending_push(const launch *l);
bool pending_any(void);
launch pending_pop(void);
const launch *pending_on_host(void); /* the innermost, where the host computes its arguments; or NULL */

#endif
